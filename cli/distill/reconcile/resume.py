"""A state and the end of a log whose beginning it holds: what the end tells anew goes before it is told again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from distill.model import Item, Kind, Status, Tail
from distill.reconcile.goeson import TASK
from distill.reconcile.previous import HOLD
from distill.reconcile.refresh import HAND, PINNED, REMOVED
from distill.reconcile.runs import TEST_RUN
from distill.reconcile.select import certain, most

PUSH = "open/failed-push"
MADE = ("artifact/file", "artifact/commit")
_BY_HAND = frozenset((HAND, PINNED, REMOVED))


def before_tail(items: Sequence[Item], found: Sequence[Item], tail: Tail) -> list[Item]:
    """The items as they stood before the part that is read again, without what `found` replaces as a whole."""
    kept: list[Item] = []
    runs = {_command(item) for item in found if item.rule == TEST_RUN}
    for item in items:
        if not (item.sources and _BY_HAND.isdisjoint(item.tags)):
            kept.append(item)
            continue
        rest = [one for one in item.sources if one.record < tail.since or one.path != tail.path]
        if not rest:
            continue
        if len(rest) < len(item.sources):
            item = replace(item, sources=tuple(rest))
        if item.status is Status.LIVE and all(one.path == tail.path for one in rest):
            if _told_anew(item, tail, runs):
                continue
            if (item.rule == HOLD and tail.changed) or tail.overtaken(item):
                item = replace(item, status=Status.SUPERSEDED)
        kept.append(item)
    return kept


def _told_anew(item: Item, tail: Tail, runs: Collection[str]) -> bool:
    if item.rule == TEST_RUN:
        return _command(item) in runs
    if item.rule in MADE:
        return tail.touched(item)
    return (item.rule == TASK and tail.planned) or (item.rule == PUSH and tail.pushed)


def _command(item: Item) -> str:
    return item.text.rpartition("`: ")[0]


def after_tail(
    items: Sequence[Item], path: str, weighed: int, share: Mapping[Kind, float], before: Mapping[str, Item]
) -> list[Item]:
    """The items once the end of the log is among them: as many of each kind as one log may have.

    `weighed` are the statements of the whole log. What had left for one of the items `before`, by id, which is not
    found again, is back.
    """
    lost = before.keys() - {item.id for item in items}
    items = [
        replace(item, status=Status.LIVE, by=None) if item.by in lost and item.status is not Status.LIVE else item
        for item in items
    ]
    items = [_no_surer(item, before.get(item.id)) for item in _linked(items)]
    gone: set[str] = set()
    for kind in Kind:
        rivals = [item for item in items if item.kind is kind and _competes(item, path)]
        rivals.sort(key=lambda item: (-item.confidence, item.at or "", item.sources[0].record))
        gone.update(item.id for item in rivals[most(kind, weighed, share) :])
    return [item for item in items if item.id not in gone]


def _no_surer(item: Item, old: Item | None) -> Item:
    """`item`, no surer than it was where it stands at no more places: one was only read again."""
    if old is None or item.confidence <= old.confidence or len(item.sources) > len(old.sources):
        return item
    return replace(item, confidence=old.confidence)


def _linked(items: Sequence[Item]) -> list[Item]:
    """The items, each with the ids of all that left for it."""
    left: dict[str, list[str]] = {}
    for item in items:
        if item.by is not None and item.status is Status.SUPERSEDED:
            left.setdefault(item.by, []).append(item.id)
    return [
        replace(item, supersedes=tuple(dict.fromkeys((*item.supersedes, *left[item.id])))) if item.id in left else item
        for item in items
    ]


def _competes(item: Item, path: str) -> bool:
    return (
        item.status is Status.LIVE
        and bool(item.sources)
        and all(one.path == path for one in item.sources)
        and _BY_HAND.isdisjoint(item.tags)
        and not certain(item.rule, item.role)
    )
