"""Where a turn points: to the task in hand, to another open one, or to something new.

Words of turning to something else or of going back decide where they are there; without them all that is seen and
heard is weighed.
"""

from __future__ import annotations

from dataclasses import dataclass

from distill.context.about import says
from distill.context.evidence import LONGEST, MOST, weighed
from distill.context.hearing import Heard
from distill.context.model import Task

SAID = 0.9  # confidence where the words say it and name the task
VAGUE = 0.6  # where the words say it and name none, or might mean two
ALIKE = 0.3  # likeness under which a task is not meant
FAR = 0.15  # likeness under which words of turning to something else mean no open task
ASKED = 2  # words of content (in Chinese pairs of pairs) that what comes after leaving a task needs
_BEGINNING = frozenset(["announced", "commissioned", "tasked", "added", "trouble", "ready", "piece"])
_HEARD = ("announced", "bound", "changed", "continued", "piece", "ready", "returned", "switched")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A turn beside the open tasks: its words, how like the task in hand it is, and the other tasks, likest first."""

    heard: Heard
    about: frozenset[str]
    own: float
    others: tuple[tuple[float, Task], ...] = ()

    @property
    def task(self) -> Task | None:
        """The other task that the turn is likest to."""
        return self.others[0][1] if self.others else None

    @property
    def best(self) -> float:
        """How like it the turn is."""
        return self.others[0][0] if self.others else 0.0

    @property
    def elsewhere(self) -> bool:
        """Whether the turn may go back to the other task: to none that it is less like than that in hand."""
        return self.task is not None and self.best >= self.own

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


def pointed(sight: Sight) -> Pointer:
    """Where the turn points."""
    if found := _back(sight) or _away(sight):
        return found
    result = weighed(signs(sight), other=sight.elsewhere)
    to = sight.task.id if sight.task is not None and result.back > result.new else 0
    return Pointer(to, result.new + result.back, result.reason)


def signs(sight: Sight) -> dict[str, float]:
    """What speaks for a change of task and against it, by the names of the table of weights."""
    heard = sight.heard
    unsaid = min(says(sight.about), MOST) * (1 - max(sight.own, sight.best))
    found = {
        "another": float(sight.task is not None),
        "unsaid": unsaid,
        "lines": min(heard.lines, LONGEST),
        "apart": max(0.0, sight.best - sight.own),
        "more": float(sight.best > sight.own),
        "beginning": float(bool(heard.names & _BEGINNING)),
        "points": float(heard.points),
        "asked_unsaid": unsaid * heard.asked,
        "question_best": sight.best * heard.question,
    }
    found |= dict.fromkeys(heard.names.intersection(_HEARD), 1.0)
    return {name: value for name, value in found.items() if value}


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
