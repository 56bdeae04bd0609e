"""The ledger: what each turn's prompt takes with the whole history, with a sliding window, and folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The prompt of one turn, up to the user's words. `task` is the task it belongs to; `events` what happened then."""

    turn: int
    record: int
    time: str | None
    task: str
    whole: int
    window: int
    folded: int
    cards: int
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Prompt tokens over all turns, and the shares that the window and folding save of the whole history."""

    turns: int
    whole: int
    window: int
    folded: int
    most_folded: int

    @property
    def saved(self) -> float:
        """The share of the prompt tokens that folding saves, 0 to 1; below 0 where it costs more."""
        return 1 - self.folded / self.whole if self.whole else 0.0

    @property
    def window_saved(self) -> float:
        """The share that the sliding window saves."""
        return 1 - self.window / self.whole if self.whole else 0.0


def sums(rows: Sequence[Row]) -> Sums:
    """The sums of a ledger."""
    return Sums(
        turns=len(rows),
        whole=sum(row.whole for row in rows),
        window=sum(row.window for row in rows),
        folded=sum(row.folded for row in rows),
        most_folded=max((row.folded for row in rows), default=0),
    )
