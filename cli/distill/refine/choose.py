"""What a model is asked about: the entries that rules left undecided, with what stands around them, in chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distill.model import Item, Role, Status
from distill.refine.transcript import CHOICES, Entry

BEFORE = 2  # entries shown before one that is asked about: what it answers
AFTER = 1  # and after it: how it was taken
OVERLAP = 2  # entries of a chunk that the next one repeats
HEAD, TAIL = 1000, 2000  # characters of a long entry that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Entries to be sent together, those asked about by their place, and the items that they touch."""

    entries: tuple[Entry, ...]
    asked: frozenset[int]  # places in `entries`
    items: tuple[Item, ...] = ()

    @property
    def records(self) -> frozenset[int]:
        """The records that the model sees."""
        return frozenset(entry.record for entry in self.entries)


def chunks(
    entries: Sequence[Entry], undecided: frozenset[int], items: Sequence[Item], most: int, count: Callable[[str], int]
) -> list[Chunk]:
    """The entries around the records `undecided` as chunks of at most `most` tokens, in order of the log.

    A single entry that is longer stands alone, its middle left out.
    """
    places = {place for place, entry in enumerate(entries) if entry.record in undecided}
    shown = sorted({one for place in places for one in _around(entries, place)})
    found: list[Chunk] = []
    part: list[int] = []
    fresh = size = 0
    for place in shown:
        cost = count(clipped(entries[place].text)) + 8
        if fresh and size + cost > most:
            found.append(_chunk(entries, part, places, items))
            part = part[-OVERLAP:]
            size = sum(count(clipped(entries[one].text)) + 8 for one in part)
            if size + cost > most:
                part, size = [], 0
            fresh = 0
        part.append(place)
        size += cost
        fresh += place in places
    if fresh:
        found.append(_chunk(entries, part, places, items))
    return found


def clipped(text: str) -> str:
    """`text` without the middle of a long one."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} […] {text[-TAIL:]}"


def _around(entries: Sequence[Entry], place: int) -> range:
    """The places around one: further back only as far as the last word of the user, and what the user says next."""
    start = place
    while start > 0 and place - start < BEFORE:
        start -= 1
        if entries[start].role is Role.USER and entries[start].act is None:
            break
    stop = place + 1
    for one in range(stop, min(len(entries), stop + AFTER)):
        if entries[one].role is Role.USER or entries[one].act in CHOICES:
            stop = one + 1
    return range(start, stop)


def _chunk(entries: Sequence[Entry], part: Sequence[int], places: set[int], items: Sequence[Item]) -> Chunk:
    chosen = tuple(entries[place] for place in part)
    records = {entry.record for entry in chosen}
    touched = tuple(item for item in items if item.status is Status.LIVE
                    and any(source.record in records for source in item.sources))
    return Chunk(entries=chosen, asked=frozenset(at for at, place in enumerate(part) if place in places), items=touched)
