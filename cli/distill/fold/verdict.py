"""What is found about a turn that may begin a task: signs, doubts and vetoes, each with what shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Sign(StrEnum):
    """What makes a turn a candidate for the first of a new task."""

    DRIFT = "drift"
    STANDS_ALONE = "stands-alone"  # it drifts, and says so much that is new that it needs nothing before it
    SWITCH = "switch"
    ADDED = "added"  # a switch in words that may as well go on with the task
    TASKED = "tasked"  # something is asked for as if it had not been spoken of
    OFFER = "offer"  # further work was offered, and it is taken
    COMPLETION = "completion"
    COMMITTED = "committed"  # what was done was committed or put up for review
    IDLE = "idle"
    APART = "apart"  # the answer is about something else as well


#: What each sign weighs. Drift alone is none: in a talk, a turn seldom repeats the words of the turns before it.
WEIGHTS: Mapping[Sign, int] = {
    Sign.DRIFT: 1, Sign.STANDS_ALONE: 2, Sign.SWITCH: 3, Sign.ADDED: 2, Sign.TASKED: 1, Sign.OFFER: 3,
    Sign.COMPLETION: 2, Sign.COMMITTED: 1, Sign.IDLE: 1, Sign.APART: 1,
}


class Doubt(StrEnum):
    """What makes a boundary less likely; each takes a point away."""

    AT_ONCE = "at-once"  # the task has only begun, and nothing was made
    CHOICE = "choice"  # the assistant listed ways to go on
    TURNED_DOWN = "turned-down"  # what was proposed is not wanted
    PUT_OFF = "put-off"  # things are put off


class Veto(StrEnum):
    """What rules it out."""

    NOTHING_YET = "nothing-yet"
    FOLLOW_UP = "follow-up"
    ANSWER = "answer"
    CLOSES = "closes"
    WINDS_UP = "winds-up"
    BRIEF = "brief"
    SAME = "same"
    FAINT = "faint"
    PULLED_BACK = "pulled-back"
    JOINED = "joined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found about one turn: signs, doubts and vetoes, each with the words or numbers that show it.

    `likeness` is that with the turns before it, None where there are none, and `by` the measure that tells it; `points`
    is what the signs weigh, less the doubts. `by_hand` marks a correction.
    """

    turn: int
    record: int
    signs: tuple[tuple[Sign, str], ...] = ()
    doubts: tuple[tuple[Doubt, str], ...] = ()
    vetoes: tuple[tuple[Veto, str], ...] = ()
    likeness: float | None = None
    by: str = ""
    points: int = 0
    boundary: bool = False
    by_hand: bool = False

    @property
    def candidate(self) -> bool:
        """Whether anything made it one."""
        return bool(self.signs) or self.by_hand

    @property
    def switched(self) -> bool:
        """Whether the user said so, or took up an offer of further work."""
        return any(name in (Sign.SWITCH, Sign.OFFER) for name, _ in self.signs)
