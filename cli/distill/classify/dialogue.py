"""What the user's words answer: approvals, picks, refusals and amendments, bound to what they are about."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from distill.classify.binding import bind
from distill.classify.candidate import Candidate
from distill.classify.cues import CueJudge
from distill.classify.proposals import Proposals, pending
from distill.classify.replies import (
    Answer,
    amended_value,
    changes_value,
    reconsiders,
    refuses,
    swaps,
    takes_back,
    without_numbers,
)
from distill.classify.slips import corrected
from distill.model import Kind, Role, Statement, Turn
from distill.text.likeness import content, grams, numbers

BARE_VALUE = 10  # characters of a value that names its unit at most
SWAP = 120  # characters of words that swap one choice for another
LASTING = ("decision/prohibition", "decision/limit")  # rules whose decisions go only when they are named
VALUES = 40  # values of the user that later words may replace
_DOUBT = frozenset(("question", "hypothetical"))  # what asks or supposes holds no slip that counts
Weigh = Callable[[Statement, Statement, str], Candidate]  # a proposal, the reply that took it, the decision it became


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stand:
    """How things stood when a turn had ended, for a rewind."""

    first: int  # records of the turn
    last: int
    pending: Proposals
    closed: Sequence[Candidate]
    value: Candidate | None
    choice: Candidate | None
    said: Candidate | None


class Dialogue:
    """Remembers what was proposed and set last, and binds the next words of the user to it."""

    def __init__(self, cues: CueJudge) -> None:
        """`cues` knows the words by which people answer each other."""
        self._cues = cues
        self._pending = Proposals()
        self._spent: frozenset[int] = frozenset()  # places of the user's statements that only answer
        self._closed: Sequence[Candidate] = ()  # the last message of the assistant
        self._value: Candidate | None = None  # what the user set last
        self._valued: deque[Candidate] = deque(maxlen=VALUES)  # what the user set last, each with a number
        self._choice: Candidate | None = None  # what the user decided last
        self._said: Candidate | None = None  # what the user said last that could hold a slip
        self._stands: deque[_Stand] = deque(maxlen=VALUES)

    def rewind(self, back_to: int) -> None:
        """What stood at the record `back_to` stands again; where that is inside a turn, nothing is pending."""
        inside = False
        while self._stands and self._stands[-1].last > back_to:
            inside = self._stands.pop().first <= back_to
        stand = self._stands[-1] if self._stands else None
        self._pending = stand.pending if stand and not inside else Proposals()
        self._closed = stand.closed if stand and not inside else ()
        self._value, self._choice = (stand.value, stand.choice) if stand else (None, None)
        self._said = stand.said if stand else None
        self._valued = deque((one for one in self._valued if one.since <= back_to), maxlen=VALUES)

    def answer(self, turn: Turn, weigh: Weigh) -> Iterator[Candidate]:
        """What the user's message of `turn` makes of the message before it: the proposals it takes, as decisions."""
        self._spent = frozenset()
        if not turn.asked or turn.asked[0].role is not Role.USER:
            return
        bound = bind(turn.asked, turn.request, self._pending, self._cues)
        self._spent = bound.spent
        for taken in bound.taken:
            self._choice = weigh(taken.proposal, turn.asked[0], taken.text)
            yield self._choice
        passed = {(one.record, one.index) for one in bound.passed}
        name = {Answer.YES: "approved", Answer.NO: "refused"}.get(bound.answer, "")
        if not name and refuses(turn.request, self._cues):
            name = "refused"
        for candidate in self._closed:
            if candidate.place in passed:
                candidate.hear("passed_over", turn.asked[0].record)
            elif name:
                candidate.hear(name, turn.asked[0].record)

    @property
    def put(self) -> Proposals:
        """What the last message of the assistant puts up."""
        return self._pending

    def only_answers(self, one: Statement) -> bool:
        """Whether a statement of the user says yes, no or which, and nothing more: it then carries what it answers."""
        return one.role is Role.USER and one.index in self._spent

    def close(self, turn: Turn, candidates: Sequence[Candidate]) -> None:
        """Remember how `turn` ended; `candidates` are the statements of its last message."""
        if turn.closing or turn.asked:
            self._closed = candidates
            self._pending = pending(turn.closing, self._cues) if turn.closing else Proposals()
        said = (*turn.asked, *turn.closing)
        self._stands.append(
            _Stand(
                first=min((one.record for one in said), default=turn.last_record),
                last=max((turn.last_record, *(one.record for one in said))),
                pending=self._pending,
                closed=self._closed,
                value=self._value,
                choice=self._choice,
                said=self._said,
            )
        )

    def amend(self, candidate: Candidate) -> None:
        """Let "actually make that 50" carry what it changes, and take back the value it replaces."""
        one, last = candidate.statement, self._value
        if self._mend(candidate):
            return
        amends = amended_value(one.text, self._cues)
        near = last is not None and last.place <= candidate.place and one.turn - last.statement.turn <= 2
        if amends and near and last is not None and _speaks_of(amends, last):
            candidate.text = f"{one.text.rstrip('.。 ')} [{without_numbers(last.text)}]"
            candidate.words = grams(candidate.text)
            candidate.signals.add("amends")
            last.overtake(one.record)
        if amends or "digit" in candidate.signals:
            self._replace(candidate)
            self._value = candidate
        choice = self._choice
        if choice is not None and choice is not candidate and one.turn - choice.turn <= 2:
            same = reconsiders(one.text, self._cues) and bool(content(choice.words) & content(candidate.words))
            swapped = (same or swaps(one.text, self._cues)) and _same_sort(choice, candidate)
            if swapped or takes_back(one.text, self._cues):
                choice.overtake(one.record)
            if swapped:
                candidate.signals.add("amends")
        if candidate.verdict.kind is Kind.DECISION:
            self._choice = candidate

    def _mend(self, candidate: Candidate) -> bool:
        """Let the words that correct a slip say the whole of what was meant, in the place of the words before them."""
        one, before = candidate.statement, self._said
        if "asks" not in candidate.signals and not candidate.verdict.modifiers & _DOUBT:
            self._said = candidate
        if before is None or one.turn - before.statement.turn > 2:
            return False
        meant = corrected(one.text, before.text, self._cues)
        if not meant:
            return False
        candidate.text, candidate.words = meant, grams(meant)
        candidate.verdict = self._cues.judge(meant, one.role)
        candidate.signals = set(before.signals)
        if before.verdict.kind in (None, Kind.DECISION):
            candidate.signals.add("amends")
        before.overtake(one.record)
        for name in ("_value", "_choice"):
            if getattr(self, name) is before:
                setattr(self, name, candidate)
        return True

    def _replace(self, candidate: Candidate) -> None:
        """Take back the value that "30 is too short, make it 60" replaces."""
        values = numbers(candidate.text)
        if changes_value(candidate.text, self._cues):
            for earlier in reversed(self._valued):
                before = numbers(earlier.text)
                if before & values and values - before:
                    earlier.overtake(candidate.statement.record)
                    break
        self._valued.append(candidate)


def _same_sort(one: Candidate, other: Candidate) -> bool:
    """Whether the second may take the place of the first: a choice for a choice, a value for a value, no limit."""
    if one.verdict.rule in LASTING:
        return False
    return ("quantity" in one.signals) == ("quantity" in other.signals) and len(other.text) <= SWAP


def _speaks_of(value: str, last: Candidate) -> bool:
    """Whether a new value may be one of what was set last: it names nothing else ("50", "12 hours" for hours)."""
    first = re.split(r"[,，;；。]", value, maxsplit=1)[0]
    named = {word for word in content(grams(first)) if not word[0].isdigit()}
    return not named or bool(named & last.words) or len(first) <= BARE_VALUE
