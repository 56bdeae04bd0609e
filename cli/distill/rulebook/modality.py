"""How far modifiers reach, and what they do to the marks they reach."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from distill.rulebook.text import Span, Text, has_han

QUOTED = "quoted"
FEW = 8  # spans up to which no order is kept
#: name, direction, reach, characters reached after a Latin and a Chinese cue (0: no bound), roles
ModifierRow = tuple[str, str, str, tuple[int, int], tuple[str, ...]]


class Cover:
    """Intervals merged where they touch, to be asked by bisection."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans) if len(spans) > 1 else spans:
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def holds(self, place: int) -> bool:
        """Whether `place` lies in an interval."""
        at = bisect_right(self._starts, place) - 1
        return at >= 0 and place < self._ends[at]

    def meets(self, span: Span) -> bool:
        """Whether an interval shares a place with `span`."""
        at = bisect_right(self._starts, span[1] - 1) - 1
        return at >= 0 and span[0] < self._ends[at]


class Longest:
    """Spans that swallow the shorter ones inside them."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._few = spans if len(spans) <= FEW else None  # a handful is quicker looked at one by one
        self._starts: list[int] = []
        self._furthest = [-1]  # the furthest end of the first 0, 1, 2, … spans
        for start, end in sorted(spans) if self._few is None else ():
            self._starts.append(start)
            self._furthest.append(max(end, self._furthest[-1]))

    def swallows(self, span: Span) -> bool:
        """Whether `span` lies inside one of the spans that is longer."""
        start, end = span
        if self._few is not None:
            for low, high in self._few:  # noqa: SIM110 - a generator takes twice as long
                if low <= start and end <= high and (low < start or end < high):
                    return True
            return False
        before, upto = bisect_left(self._starts, start), bisect_right(self._starts, start)
        return self._furthest[before] >= end or self._furthest[upto] > end


class Bounds:
    """The clauses and sentences of a text; a stop word begins a clause."""

    def __init__(self, text: Text, stops: Sequence[int]) -> None:
        self._text = text
        self.clauses: list[int] = sorted({*text.clauses, *stops}) if stops else text.clauses

    def unit(self, reach: str, place: int) -> Span:
        """The clause, sentence or statement in which `place` stands."""
        size = len(self._text.text)
        if reach == "statement":
            return 0, size
        starts = self.clauses if reach == "clause" else self._text.sentences
        at = bisect_right(starts, place) - 1
        return starts[at], starts[at + 1] if at + 1 < len(starts) else size


def over(row: ModifierRow, text: Text, bounds: Bounds, start: int, end: int) -> Span:
    """From where to where a modifier holds whose cue stands from `start` to `end`."""
    _, direction, reach, within, _ = row
    low, high = bounds.unit(reach, start)
    high = max(high, end)
    limit = within[has_han(text.text[max(start, end - 1) : end])]
    if direction == "forward":
        return start, min(high, end + limit) if limit else high
    if direction == "backward":
        return max(low, start - limit) if limit else low, end
    return low, high


class Field:
    """All modifiers of a text laid over it: which of them hold at a place."""

    def __init__(
        self, text: Text, bounds: Bounds, hits: Sequence[tuple[ModifierRow, Span]], quotes: Sequence[Span]
    ) -> None:
        """`hits` are the modifiers found, `quotes` the quotations of the text."""
        wide: dict[str, list[Span]] = {}
        near: dict[str, list[Span]] = {}
        for row, (start, end) in hits:
            low, high = over(row, text, bounds, start, end)
            first, last = bounds.unit("clause", start)[0], bounds.unit("clause", end - 1)[1]
            wide.setdefault(row[0], []).append((low, high))
            near.setdefault(row[0], []).append((max(low, first), min(high, last)))
        if quotes:
            wide.setdefault(QUOTED, []).extend(quotes)
            near.setdefault(QUOTED, []).extend(quotes)
        self._wide = {name: Cover(spans) for name, spans in wide.items()}
        self._near = {name: Cover(spans) for name, spans in near.items()}

    def first(
        self, place: int, effects: Sequence[tuple[str, str]], firm: bool, immune: Sequence[str]
    ) -> tuple[str, str]:
        """The first of `effects` (modifier, effect) that holds at `place`, or two empty texts.

        A firm mark is touched only by modifiers of its own clause.
        """
        covers = self._near if firm else self._wide
        for name, effect in effects:
            if name in covers and name not in immune and covers[name].holds(place):
                return name, effect
        return "", ""
