"""How an item that an earlier state holds changes when it is said again."""

from __future__ import annotations

from dataclasses import replace

from distill.model import CLOSING, LATE, Item, Source, Status, is_passing, left, passing
from distill.reconcile.endings import FILE, path_of
from distill.reconcile.merge import SOURCES

HAND, PINNED, REMOVED = "hand", "pinned", "removed"
FADING = "fading"  # the tag of what was a conclusion only as long as its session did not go on
CONFIRMED = 0.05  # what a second place adds to the confidence of an item
Place = tuple[str, int, str]


def refreshed(old: Item, new: Item, *, reword: bool) -> Item:
    """`old`, said again: the later time, all places; with `reword` in the words of `new`."""
    words, other = (new, old) if reword else (old, new)
    sources = [*words.sources, *(one for one in other.sources if _place(one) not in places(words))]
    if len(sources) > SOURCES:
        sources = [sources[0], *sources[1 - SOURCES :]]
    confidence = max(old.confidence, words.confidence)
    if len(old.sources) < 2 and len(new.sources) < 2 and len(sources) > 1:
        confidence = max(confidence, min(0.99, round(confidence + CONFIRMED, 2)))
    times = [time for time in (old.first_at, new.first_at, old.at, new.at) if time]
    return replace(
        words,
        at=max((time for time in (old.at, new.at) if time), default=None),
        first_at=old.first_at if old.first_at and not earlier(new.first_at, old.first_at) else min(times, default=None),
        confidence=confidence,
        tags=_tags(old, new),
        sources=tuple(sources),
        supersedes=tuple(dict.fromkeys((*old.supersedes, *(one for one in new.supersedes if one != old.id)))),
        status=old.status,
        by=old.by,
    )


def _tags(old: Item, new: Item) -> tuple[str, ...]:
    """The tags of both: near the end of a log stands only what does so wherever it is said."""
    kept = [tag for tag in old.tags if tag != FADING and not is_passing(tag)]
    said = [tag for tag in new.tags if tag != "overtaken" and not is_passing(tag)]
    passes = [tag for tag in new.tags if is_passing(tag)]
    if FADING not in old.tags:
        both = ((name, left(old.tags, name), left(new.tags, name)) for name in (CLOSING, LATE))
        passes = [passing(name, max(one, other)) for name, one, other in both if one is not None and other is not None]
    return tuple(dict.fromkeys((*kept, *said, *passes)))


def describes(new: Item, old: Item) -> bool:
    """Whether the later words say of a file what it is, where others only named it or said so before."""
    return (
        new.rule == old.rule == FILE
        and new.status is Status.LIVE
        and new.text.startswith(f"{path_of(old)}: ")
        and not (by_hand(old) or earlier(new.at, old.at))
    )


def _place(source: Source) -> Place:
    return source.path, source.record, source.quote


def places(item: Item) -> set[Place]:
    """Where an item was said."""
    return {_place(source) for source in item.sources}


def by_hand(item: Item) -> bool:
    """Whether a hand made the item what it is: later rewordings and outcomes leave it alone."""
    return HAND in item.tags or PINNED in item.tags


def earlier(one: str | None, other: str | None) -> bool:
    """Whether `one` is certainly the earlier time."""
    return bool(one and other and one < other)
