"""Where a turn points: to the task in hand, to another open one, or to something new.

What is heard (words of turning to something else, of going back, of asking in between) decides where it is there;
without such words the likeness to the open tasks does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from distill.context.about import about_of, marks, says, sorts
from distill.context.hearing import Heard
from distill.context.model import Task

SAID = 0.9  # confidence where the words say it and name the task
VAGUE = 0.6  # where the words say it and name none, or might mean two
NOVEL = 0.5  # where nothing is said and nothing is shared
ALIKE = 0.3  # likeness under which a task is not meant
CONTENT = 3  # words of content (in Chinese pairs of pairs) that a turn needs to be about something new
ASKED = 2  # as many, where it is a question
MUCH = 5  # as many, where it is tied on to what was said
LONG = 7  # as many, from which a turn may be about something new although it shares a word with the task
FAR = 0.15  # likeness under which that may be
FAINT = 0.1  # likeness to another task under which sharing a word with it says nothing
HALF = 0.67  # likeness up to which a piece of work may be new, though it is called by what the task is called by
_ORDERS = frozenset(["announced", "commissioned", "tasked"])  # rules of what asks for work
_BEGINNING = _ORDERS | {"added", "trouble"}  # of what may begin something


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A turn beside the open tasks: its words, how like the task in hand it is, and the other tasks, likest first.

    `mine` is what the task in hand is about; `theirs` what the other task is about that the turn is likest to, and
    `title` its title, as words.
    """

    heard: Heard
    about: frozenset[str]
    own: float
    mine: frozenset[str]
    others: tuple[tuple[float, Task], ...] = ()
    theirs: frozenset[str] = frozenset()
    title: frozenset[str] = frozenset()

    @property
    def task(self) -> Task | None:
        """The other task that the turn is likest to."""
        return self.others[0][1] if self.others else None

    @property
    def best(self) -> float:
        """How like it the turn is."""
        return self.others[0][0] if self.others else 0.0

    @property
    def second(self) -> float:
        """How like the next one."""
        return self.others[1][0] if len(self.others) > 1 else 0.0

    def hears(self, name: str) -> bool:
        """Whether words of the rule `name` stand in the turn."""
        return name in self.heard.names


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a turn points (0: to something new), how surely, why; `said` where words say so."""

    target: int
    confidence: float
    reason: str
    said: bool = False


def pointed(sight: Sight) -> Pointer | str:
    """Where the turn points, or why it stays: the first of the rules that has something to say."""
    for rule in _RULES:
        if found := rule(sight):
            return found
    return "nothing points elsewhere"


def _in_between(sight: Sight) -> Pointer | str | None:
    if not sight.hears("aside") or sight.hears("switched") or _ordered(sight):
        return None
    if sight.own or sight.best or sight.heard.leans or says(sight.about) < ASKED:
        return "a question in between"
    return Pointer(0, NOVEL, "a question in between that shares no word with any open task")


def _back(sight: Sight) -> Pointer | None:
    task, best, own = sight.task, sight.best, sight.own
    if task is None or (sight.hears("switched") and best < FAR):
        return None
    if sight.hears("returned"):
        if best > max(own, sight.second):
            return Pointer(task.id, SAID, f"words of going back, and it names t{task.id} ({best:.2f})", True)
        if not own or best > own:
            return Pointer(task.id, VAGUE, "words of going back, without a name that tells which", True)
    if sight.hears("named_again") and best > max(own, sight.second):
        sure = SAID if best >= ALIKE and not sight.heard.question else VAGUE
        return Pointer(task.id, sure, f"it names t{task.id} ({best:.2f}) as one names what was left", True)
    return None


def _away(sight: Sight) -> Pointer | None:
    if not sight.hears("switched"):
        return None
    if (task := sight.task) is not None and sight.best >= ALIKE and sight.best > sight.own:
        return Pointer(task.id, SAID, f"words of turning to something else, and it names t{task.id}", True)
    return Pointer(0, SAID if sight.own < ALIKE else VAGUE, "words of turning to something else", True)


def _other(sight: Sight) -> Pointer | str | None:
    """Without words that say so, what a turn shares with another task alone points there; a question does not."""
    task, best, own = sight.task, sight.best, sight.own
    alike = best >= ALIKE and best > own
    names = sight.about & sight.theirs & (marks(sight.about) | sight.heard.proper)
    titled = bool(names - sight.mine) or (best > own and bool((sight.about & sight.title) - sight.mine))
    titled = titled and not _piece(sight)
    faint = best >= FAINT and own == 0 and not sight.heard.leans and not _piece(sight)
    if task is None or not (alike or titled or faint):
        return None
    if sight.heard.question:
        return f"a question about t{task.id} ({task.title}) is no switch to it"
    if alike:
        why = f"more like t{task.id} ({best:.2f}) than the active task ({own:.2f})"
        return Pointer(task.id, min(1.0, NOVEL + (best - own) / 2), why)
    if titled:
        return Pointer(task.id, NOVEL, f"it names what t{task.id} is about ({best:.2f})")
    return Pointer(task.id, NOVEL, f"it shares words with t{task.id} ({best:.2f}) and none with the active task")


def _onward(sight: Sight) -> str | None:
    if sight.hears("announced") or (_piece(sight) and not sight.heard.leans):
        return None
    goes_on = sight.heard.leans or (_tied(sight) and not (sight.own == 0 and _much(sight)))
    return "it goes on with what was said" if goes_on else None


def _new(sight: Sight) -> Pointer | None:
    own, heard = sight.own, sight.heard
    if sight.hears("announced") and own < ALIKE:
        return Pointer(0, NOVEL, "one more thing to do is put up, and little of it is the active task's")
    if own == 0 and _much(sight) and not _answers(sight):
        return Pointer(0, NOVEL, "it shares no word with any open task" if not sight.best else
                       "it shares next to nothing with any open task")
    enough = CONTENT if sight.hears("trouble") or sight.hears("tasked") else LONG
    if own < FAR and sight.best <= own and says(sight.about) >= enough and not (heard.question or heard.leans):
        return Pointer(0, NOVEL, "it says much, and next to nothing of it is the active task's")
    enough = ASKED if heard.question else CONTENT
    if own < HALF and says(sight.about) >= enough and (piece := _piece(sight)):
        return Pointer(0, NOVEL, f"it asks for a piece of work that is new: {piece}")
    sort = sorts(sight.about)
    if own and not heard.question and says(sort) >= CONTENT and not sort & sight.mine:
        return Pointer(0, NOVEL, "all it shares with the active task is a name")
    return None


_RULES: tuple[Callable[[Sight], Pointer | str | None], ...] = (_in_between, _back, _away, _other, _onward, _new)


def _piece(sight: Sight) -> str:
    """A piece of work that the turn is about and no open task is called by, whatever else they share; else ""."""
    known = sight.mine | sight.title
    return next((one for one in sight.heard.pieces if not (about_of(one) or {one}) & known), "")


def _ordered(sight: Sight) -> bool:
    """Whether the turn asks for work, and is no question."""
    return bool(sight.heard.names & _ORDERS) and not sight.heard.question


def _tied(sight: Sight) -> bool:
    return sight.heard.tied and not sight.hears("tasked")


def _much(sight: Sight) -> bool:
    tied = _tied(sight) or (sight.hears("bound") and not sight.heard.names & _BEGINNING)
    return says(sight.about) >= (MUCH if tied else ASKED if sight.heard.question else CONTENT)


def _answers(sight: Sight) -> bool:
    """Whether the assistant had asked something, and nothing in the turn asks for work."""
    return sight.heard.asked and not (sight.heard.names & _BEGINNING or says(sight.about) >= LONG)
