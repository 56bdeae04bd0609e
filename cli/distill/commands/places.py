"""The lines of a log that an item came from, with what stands around them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from distill.model import Event, Source
from distill.text.clean import clean
from distill.text.mask import masked

LEAST = 40  # characters of a quote that must stand in a line
WIDTH = 400  # characters of a line that are shown


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log as it may be shown; `hit` marks what was looked for."""

    record: int
    role: str
    text: str
    hit: bool = False


@dataclass(slots=True)
class _Found:
    """A line and those around it, as far as they were read."""

    lines: list[Line]
    missing: int  # lines still wanted after the hit


@dataclass(slots=True)
class _Wanted:
    """A source that is looked for, and where it was found."""

    source: Source
    exact: _Found | None = None
    likely: _Found | None = None  # the record, where none of its lines holds the quote


def places(events: Iterable[Event], sources: Sequence[Source], context: int) -> list[list[Line]]:
    """For each of `sources` its line with `context` lines before and after it; no lines where it was not found.

    Walks through the log once and keeps no more of it than that.
    """
    wanted: dict[int, list[_Wanted]] = {}
    order = [_Wanted(source) for source in sources]
    for one in order:
        wanted.setdefault(one.source.record, []).append(one)
    before: deque[Line] = deque(maxlen=context)
    growing: list[_Found] = []
    for event in events:
        for line in _lines(event):
            for found in growing:
                found.lines.append(line)
                found.missing -= 1
            growing = [found for found in growing if found.missing > 0]
            for one in wanted.get(line.record, ()):
                _look(one, line, before, context, growing)
            before.append(line)
    return [best.lines if (best := one.exact or one.likely) else [] for one in order]


def _look(one: _Wanted, line: Line, before: Iterable[Line], context: int, growing: list[_Found]) -> None:
    exact = one.source.quote[:LEAST] in line.text
    if one.exact or (one.likely and not exact):
        return
    found = _Found([*before, Line(line.record, line.role, line.text, True)], context)
    if exact:
        one.exact = found
    else:
        one.likely = found
    if context:
        growing.append(found)


def _lines(event: Event) -> Iterator[Line]:
    counts: Counter[str] = Counter()
    if event.action is not None:
        action = event.action
        text = f"[{action.kind}] {action.target} {action.detail}".split("\n", 1)[0]
        yield Line(event.record, str(event.role), clean(masked(text, counts))[:WIDTH])
        return
    for number, text in enumerate(masked(event.text, counts).split("\n")):
        if plain := clean(text):
            yield Line(event.record + number if event.by_line else event.record, str(event.role), plain)
