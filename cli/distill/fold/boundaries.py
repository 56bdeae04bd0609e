"""Where a task ends: four signs, and what speaks against them. Every verdict explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from distill.fold.drift import Rarity, features
from distill.fold.exchange import Exchange
from distill.fold.numbers import FoldNumbers
from distill.model import Role, Statement
from distill.rulebook import Rulebook
from distill.text.lazy import Lazy

LEAD = 3  # statements of a message that may say that it turns to something else
BRIEF = 6  # content words that a message needs to be told from the turns before by what it is about
PUT = 80  # lines of an answer that may put up ways to choose from
ANSWER = 12  # content words up to which a message may be no more than an answer
AFTER = 5  # statements that may follow a question that an answer ends with
OPENER = 3  # content words up to which a yes at the beginning is all that a statement says
LONG_IDLE = 6  # times the idle gap, from which it counts twice
_QUESTION = Lazy(r"[?？]\s*[)\]）”\"」]?\s*$")
CLEAR = 0.75  # of the likeness that is drift: under it, words are new enough to stand alone
FAULT = 40  # characters before the report of a fault that a message opens with
HEAD = 4  # characters before words that lean on what was said, where they stand at the beginning
_GOES_ON = frozenset(["referred", "amended", "withdrawn", "swapped"])
_ENDS = frozenset(["finished", "landed"])
_REPLIES = frozenset(["accepted", "declined"])
_PICK = Lazy(r"(?:[A-Ea-e](?![A-Za-z'’])|[1-9](?:\s?(?:[-–~,、和]|and)\s?[1-9])*(?![\d.:%年月日]))[^\n]{0,12}")


class Sign(StrEnum):
    """What makes a turn a candidate for the first of a new task."""

    DRIFT = "drift"
    STANDS_ALONE = "stands-alone"  # it drifts, and says so much that is new that it needs nothing before it
    SWITCH = "switch"
    ADDED = "added"  # a switch in words that may as well go on with the task
    COMPLETION = "completion"
    COMMITTED = "committed"  # what was done was committed or put up for review
    IDLE = "idle"


#: What each sign weighs. Drift alone is none: in a talk, a turn seldom repeats the words of the turns before it.
WEIGHTS: Mapping[Sign, int] = {
    Sign.DRIFT: 1, Sign.STANDS_ALONE: 2, Sign.SWITCH: 3, Sign.ADDED: 1, Sign.COMPLETION: 2,
    Sign.COMMITTED: 1, Sign.IDLE: 1,
}


class Veto(StrEnum):
    """What speaks against it."""

    NOTHING_YET = "nothing-yet"
    FOLLOW_UP = "follow-up"
    ANSWER = "answer"
    CLOSES = "closes"
    BRIEF = "brief"
    SAME = "same"
    FAINT = "faint"
    PULLED_BACK = "pulled-back"
    JOINED = "joined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found about one turn: signs and vetoes, each with the words or numbers that show it.

    `likeness` is that with the turns before it, None where there are none; `points` is what the signs weigh. `by_hand`
    marks a correction.
    """

    turn: int
    record: int
    signs: tuple[tuple[Sign, str], ...] = ()
    vetoes: tuple[tuple[Veto, str], ...] = ()
    likeness: float | None = None
    points: int = 0
    boundary: bool = False
    by_hand: bool = False

    @property
    def candidate(self) -> bool:
        """Whether anything made it one."""
        return bool(self.signs) or self.by_hand

    @property
    def switched(self) -> bool:
        """Whether the user said so."""
        return any(name is Sign.SWITCH for name, _ in self.signs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What stands before a turn: the last turns of its task, and whether the task has come to anything."""

    last: Sequence[Exchange]
    concluded: bool
    commits_always: bool = False  # the agent commits every turn, which then ends nothing


def judge(now: Exchange, before: Before, rarity: Rarity, numbers: FoldNumbers, book: Rulebook) -> Verdict:
    """Whether `now`, of which only the user's words are looked at, begins another task than the turns before it.

    Any sign makes it a candidate. It is confirmed where the signs weigh enough together, the task has come to
    something, and nothing says that the turn goes on with it.
    """
    if not before.last:
        return Verdict(turn=now.number, record=now.first)
    words = _Words(now, book)
    about = _about(before.last)
    likeness = rarity.likeness(now.asked_about, about)
    signs = tuple(_signs(now, before, words, likeness, size(now.asked_about - about), numbers, book))
    points = sum(WEIGHTS[name] for name, _ in signs) + any(
        name is Sign.IDLE and _long(before.last[-1], now, numbers) for name, _ in signs)
    vetoes = tuple(_vetoes(before, words, likeness, {name for name, _ in signs}, points, numbers)) if signs else ()
    return Verdict(turn=now.number, record=now.first, signs=signs, vetoes=vetoes, likeness=round(likeness, 3),
                   points=points, boundary=bool(signs) and not vetoes)


def resumes(now: Exchange, last: Sequence[Exchange], verdict: Verdict, rarity: Rarity, numbers: FoldNumbers) -> str:
    """Why a turn that seemed to begin a task goes on with the one before, now that its answer is known; else "".

    Words such as "new task" outweigh what the answer is about.
    """
    if verdict.by_hand or verdict.switched:
        return ""
    before = frozenset().union(*(one.paths for one in last))
    likeness = rarity.likeness(now.about, _about(last))
    same_files = now.paths and now.paths <= before and 2 * len(now.paths) >= len(before)
    if same_files and 2 * likeness >= numbers.taken_up:
        return f"changes {', '.join(sorted(now.paths)[:3])} as the task before"
    return f"its answer is {likeness:.2f} like the task before" if likeness >= numbers.taken_up else ""


def _about(last: Sequence[Exchange]) -> frozenset[str]:
    return frozenset().union(*(one.about for one in last))


def size(found: Iterable[str]) -> int:
    """How much content words say: two Chinese characters say about half of what a Latin word does."""
    return sum(2 if word[0].isascii() else 1 for word in found if word[0] != "#") // 2


class _Words:
    """What the user's message does in the talk, by the rules of `rules/speech` and `rules/reply`."""

    def __init__(self, now: Exchange, book: Rulebook) -> None:
        said: Sequence[Statement] = now.asked
        self.lines = [one.text for one in said] or [line for line in now.request.split("\n") if line.strip()][:LEAD]
        heard = [book.speech(line) for line in self.lines[:LEAD + 1]]
        self.names: list[dict[str, str]] = []
        for line, found in zip(self.lines, heard, strict=False):
            names: dict[str, str] = {}
            for one in found:
                names.setdefault(one.name, line[one.start:one.end])
            self.names.append(names)
        self.replies = {one.name: self.lines[0][:one.end] for one in book.replies(self.lines[0])} if self.lines else {}
        self._book = book
        self.size = size(now.asked_about)
        self.closing = self._closing()

    def first(self, name: str, among: int = LEAD) -> str:
        """The words that show `name` in one of the first statements; "" where none do."""
        return next((found[name] for found in self.names[:among] if name in found), "")

    def _closing(self) -> int:
        """How many statements at the beginning only say yes, thanks or done."""
        for count, (line, names) in enumerate(zip(self.lines, self.names, strict=False)):
            yes = count == 0 and "accepted" in self.replies and size(features(line)) <= OPENER
            if not (yes or _ENDS & names.keys()) or "switched" in names:
                return count
        return len(self.names)

    def goes_on(self, alone: bool) -> str:
        """The words by which the message leans on what was said before it; "" where there are none.

        In a message that says so much as to stand `alone`, they count at its beginning only: further on, it leans on
        itself.
        """
        if cue := self.first("redone"):
            return cue
        names = self.names[self.closing] if self.closing < len(self.names) else {}
        line = self.lines[self.closing] if names else ""
        found = [names[name] for name in sorted(_GOES_ON & names.keys())]
        return next((cue for cue in found if not alone or line.find(cue) < HEAD), "")

    def fault(self, alone: bool) -> str:
        """The words that report a fault, where that is what the message is about; "" where there are none."""
        cue = self.first("faulted")
        return cue if not alone or 0 <= self.lines[0].find(cue) < FAULT else ""

    @property
    def answer(self) -> str:
        """The words with which the message answers and says little more, or picks from what was put up; else ""."""
        if "both" in self.replies or not self.lines:
            return self.replies.get("both", "")
        if found := _PICK.match(self.lines[0]):
            return found[0]
        cue = next((cue for name, cue in self.replies.items() if name in _REPLIES), "")
        return cue if self.size <= ANSWER else ""

    def takes_up(self, last: Exchange) -> str:
        """The words that name one of the ways that the assistant put up; "" where there are none."""
        cue = self.first("option")
        if not cue:
            return ""
        put = (one.name for line in last.reply.split("\n")[:PUT] for one in self._book.speech(line))
        return cue if "option" in put else ""


def _signs(
    now: Exchange, before: Before, words: _Words, likeness: float, new: int, numbers: FoldNumbers, book: Rulebook
) -> list[tuple[Sign, str]]:
    found: list[tuple[Sign, str]] = []
    last = before.last[-1]
    if likeness < numbers.drift:
        found.append((Sign.DRIFT, f"{likeness:.2f} < {numbers.drift:g}"))
        if new >= numbers.alone and likeness < CLEAR * numbers.drift:
            found.append((Sign.STANDS_ALONE, f"{new} new words"))
    if cue := words.first("switched"):
        found.append((Sign.SWITCH, cue))
    elif cue := words.first("added", words.closing + 1):
        found.append((Sign.ADDED, cue))
    if closed := _closed(last, book):
        found.append((Sign.COMPLETION, closed))
    elif 0 < words.closing < len(words.lines) and (cue := words.first("finished", words.closing)):
        found.append((Sign.COMPLETION, cue))
    if last.settled and not before.commits_always:
        found.append((Sign.COMMITTED, "by the turn before"))
    gap = _seconds(last.ended, now.began)
    if gap is not None and gap > numbers.idle:
        found.append((Sign.IDLE, f"{gap // 60} min"))
    return found


def _long(last: Exchange, now: Exchange, numbers: FoldNumbers) -> bool:
    gap = _seconds(last.ended, now.began)
    return gap is not None and gap > LONG_IDLE * numbers.idle


def _closed(last: Exchange, book: Rulebook) -> str:
    """The words by which the user closed the task in the turn before; "" where there are none."""
    if said := last.asked:
        line = said[-1].text
        if cue := next((line[one.start:one.end] for one in book.speech(line) if one.name in _ENDS), ""):
            return cue
        if len(said) == 1 and size(features(line)) <= OPENER and any(
                one.name == "accepted" for one in book.replies(line)):
            return line
    return ""


def _vetoes(
    before: Before, words: _Words, likeness: float, names: Set[Sign], points: int, numbers: FoldNumbers
) -> list[tuple[Veto, str]]:
    found: list[tuple[Veto, str]] = []
    switched, ended = Sign.SWITCH in names, Sign.COMPLETION in names
    if not before.concluded:
        found.append((Veto.NOTHING_YET, "the task has come to nothing yet"))
    if words.lines and words.closing >= len(words.lines):
        found.append((Veto.CLOSES, words.lines[0]))
    elif cue := words.goes_on(Sign.STANDS_ALONE in names) or words.takes_up(before.last[-1]):
        found.append((Veto.FOLLOW_UP, cue))
    elif (cue := words.fault(Sign.STANDS_ALONE in names)) and not names & {Sign.SWITCH, Sign.COMPLETION, Sign.IDLE}:
        found.append((Veto.FOLLOW_UP, cue))  # what was just made does not work
    elif (cue := words.answer) and not switched and not ended:
        found.append((Veto.ANSWER, cue))
    elif (asked := _asks(before.last[-1])) and not switched and (words.size <= ANSWER or not ended):
        found.append((Veto.ANSWER, asked[-60:]))
    if words.size < BRIEF and points <= numbers.confirm and not switched:
        found.append((Veto.BRIEF, f"{words.size} content words"))
    if not switched and likeness >= numbers.same:
        found.append((Veto.SAME, f"{likeness:.2f} >= {numbers.same:g}"))
    if points < numbers.confirm:
        found.append((Veto.FAINT, f"{points} of {numbers.confirm} points"))
    return found


def _asks(last: Exchange) -> str:
    """The question to the user with which the assistant's last message ends; "" where there is none.

    A line or two may come after it.
    """
    closing = [one.text for one in last.closing if one.role is Role.ASSISTANT]
    return next((text for text in closing[:-1 - AFTER:-1] if _QUESTION.search(text)), "")


def _ends_asking(last: Exchange) -> bool:
    closing = [one.text for one in last.closing if one.role is Role.ASSISTANT]
    return bool(closing) and _QUESTION.search(closing[-1]) is not None


def concludes(one: Exchange) -> bool:
    """Whether a turn comes to something: a result of work, or an answer that is no question back.

    In a text without speakers every statement does.
    """
    if one.worked:
        return True
    if one.reply:
        return not _ends_asking(one)
    return any(said.role is Role.UNKNOWN for said in one.asked)


def _seconds(before: str | None, now: str | None) -> int | None:
    if before is None or now is None:
        return None
    return int((datetime.fromisoformat(now) - datetime.fromisoformat(before)).total_seconds())
