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
ANSWER = 12  # content words up to which a message may be no more than an answer
OPENER = 3  # content words up to which a yes at the beginning is all that a statement says
LONG_IDLE = 6  # times the idle gap, from which it counts twice
_QUESTION = Lazy(r"[?？]\s*[)\]）”\"」]?\s*$")
_GOES_ON = frozenset(["referred", "amended", "withdrawn", "swapped"])
_REPLIES = frozenset(["accepted", "declined", "both", "picking"])


class Sign(StrEnum):
    """What makes a turn a candidate for the first of a new task."""

    DRIFT = "drift"
    STANDS_ALONE = "stands-alone"  # it drifts, and says so much that is new that it needs nothing before it
    SWITCH = "switch"
    ADDED = "added"  # a switch in words that may as well go on with the task
    COMPLETION = "completion"
    IDLE = "idle"


#: What each sign weighs. Drift alone is none: in a talk, a turn seldom repeats the words of the turns before it.
WEIGHTS: Mapping[Sign, int] = {
    Sign.DRIFT: 1, Sign.STANDS_ALONE: 2, Sign.SWITCH: 3, Sign.ADDED: 1, Sign.COMPLETION: 2, Sign.IDLE: 1,
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
    if now.paths and now.paths <= before and 2 * len(now.paths) >= len(before):
        return f"changes {', '.join(sorted(now.paths)[:3])} as the task before"
    likeness = rarity.likeness(now.about, _about(last))
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
        self.names = [{one.name: line[one.start:one.end] for one in found} for line, found in
                      zip(self.lines, heard, strict=False)]
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
            if not (yes or "finished" in names) or "switched" in names:
                return count
        return len(self.names)

    @property
    def goes_on(self) -> str:
        """The words by which the message leans on what was said before it; "" where it stands alone."""
        names = self.names[self.closing] if self.closing < len(self.names) else {}
        return next((names[name] for name in sorted(_GOES_ON & names.keys())), "")

    def takes_up(self, last: Exchange) -> str:
        """The words that name one of the ways that the assistant put up; "" where there are none."""
        cue = self.first("option")
        if not cue:
            return ""
        put = (one.name for said in last.closing for one in self._book.speech(said.text))
        return cue if "option" in put else ""


def _signs(
    now: Exchange, before: Before, words: _Words, likeness: float, new: int, numbers: FoldNumbers, book: Rulebook
) -> list[tuple[Sign, str]]:
    found: list[tuple[Sign, str]] = []
    last = before.last[-1]
    if likeness < numbers.drift:
        found.append((Sign.DRIFT, f"{likeness:.2f} < {numbers.drift:g}"))
        if new >= numbers.alone:
            found.append((Sign.STANDS_ALONE, f"{new} new words"))
    if cue := words.first("switched"):
        found.append((Sign.SWITCH, cue))
    elif cue := words.first("added", words.closing + 1):
        found.append((Sign.ADDED, cue))
    if closed := _closed(before, book):
        found.append((Sign.COMPLETION, closed))
    elif 0 < words.closing < len(words.lines) and (cue := words.first("finished", words.closing)):
        found.append((Sign.COMPLETION, cue))
    gap = _seconds(last.ended, now.began)
    if gap is not None and gap > numbers.idle:
        found.append((Sign.IDLE, f"{gap // 60} min"))
    return found


def _long(last: Exchange, now: Exchange, numbers: FoldNumbers) -> bool:
    gap = _seconds(last.ended, now.began)
    return gap is not None and gap > LONG_IDLE * numbers.idle


def _closed(before: Before, book: Rulebook) -> str:
    """The words or the act by which the turn before was the end of its task; "" where there are none."""
    last = before.last[-1]
    if said := last.asked:
        line = said[-1].text
        if cue := next((line[one.start:one.end] for one in book.speech(line) if one.name == "finished"), ""):
            return cue
        if len(said) == 1 and size(features(line)) <= OPENER and any(
                one.name == "accepted" for one in book.replies(line)):
            return line
    return "committed" if last.settled and not before.commits_always else ""


def _vetoes(
    before: Before, words: _Words, likeness: float, names: Set[Sign], points: int, numbers: FoldNumbers
) -> list[tuple[Veto, str]]:
    found: list[tuple[Veto, str]] = []
    switched = Sign.SWITCH in names
    if not before.concluded:
        found.append((Veto.NOTHING_YET, "the task has come to nothing yet"))
    if words.lines and words.closing >= len(words.lines):
        found.append((Veto.CLOSES, words.lines[0]))
    elif cue := words.goes_on or words.takes_up(before.last[-1]):
        found.append((Veto.FOLLOW_UP, cue))
    elif (cue := words.first("faulted")) and not names & {Sign.SWITCH, Sign.COMPLETION, Sign.IDLE}:
        found.append((Veto.FOLLOW_UP, cue))  # what was just made does not work
    elif words.replies.keys() & _REPLIES and words.size <= ANSWER and not switched and Sign.COMPLETION not in names:
        found.append((Veto.ANSWER, next(iter(words.replies.values()))))
    elif _asks(before.last[-1]) and not switched and (words.size <= ANSWER or not names & {Sign.COMPLETION, Sign.IDLE}):
        found.append((Veto.ANSWER, before.last[-1].closing[-1].text[-60:]))
    if words.size < BRIEF and points <= numbers.confirm and not switched:
        found.append((Veto.BRIEF, f"{words.size} content words"))
    if not switched and likeness >= numbers.same:
        found.append((Veto.SAME, f"{likeness:.2f} >= {numbers.same:g}"))
    if points < numbers.confirm:
        found.append((Veto.FAINT, f"{points} of {numbers.confirm} points"))
    return found


def _asks(last: Exchange) -> bool:
    """Whether the assistant's last message ends with a question to the user."""
    closing = [one for one in last.closing if one.role is Role.ASSISTANT]
    return bool(closing) and _QUESTION.search(closing[-1].text) is not None


def concludes(one: Exchange) -> bool:
    """Whether a turn comes to something: a result of work, or an answer that is no question back.

    In a text without speakers every statement does.
    """
    if one.worked:
        return True
    if one.reply:
        return not _asks(one)
    return any(said.role is Role.UNKNOWN for said in one.asked)


def _seconds(before: str | None, now: str | None) -> int | None:
    if before is None or now is None:
        return None
    return int((datetime.fromisoformat(now) - datetime.fromisoformat(before)).total_seconds())
