"""A log laid over a state: a log of its own, more of a session that is known, or the end of a log that has grown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from distill.model import Item, Kind, State, Tail
from distill.reconcile.goeson import Session, fade, goes_on, in_parts, parts, settled, weighed_in, within
from distill.reconcile.heads import LogHead, knows, with_log
from distill.reconcile.previous import carry
from distill.reconcile.said import Endings


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one log tells, judged."""

    head: LogHead
    items: list[Item]
    endings: Endings
    tail: Tail | None = None  # where only the end was read
    weighed: int = 0  # statements of the whole log
    planned: bool = False  # it holds a to-do list
    lost: Mapping[Kind, int] = field(default_factory=dict)  # conclusions that were too many to be kept


def laid_over(
    state: State, items: Sequence[Item], told: Told, *, share: Mapping[Kind, float], edited: str | None
) -> tuple[State, list[Item]]:
    """`state` with a log added, its items aside, and its `items` with those of the log.

    `share` says how many conclusions one log may have, `edited` from when on edits by hand count.
    """
    head, tail = told.head, told.tail
    known = knows(state, head.source)
    if known and in_parts(state.sources, head.source):
        return state, list(items)  # what it lacks went when the session went on
    more = not known and not tail and goes_on(state, head)
    grew = tail is not None and _grew(state, head)
    session = Session.of([*parts(state.sources), head.source] if more else [head.source])
    held = {item.id: item for item in items}
    if tail:
        from distill.reconcile.resume import after_tail, before_tail

        items = before_tail(items, told.items, tail)
    if grew or more:
        items = fade(items, session, planned=told.planned and more)
    items = carry(items, told.items, known=known, endings=told.endings, edited=edited, since=tail.since if tail else 0)
    state = with_log(state, head, more=more)
    if grew or more:
        items = settled(items)
    if tail:
        return state, after_tail(items, head.source.path, told.weighed, share, held)
    if more:
        return state, within(items, session, weighed_in(state, head, told.weighed), share)
    return state, items


def _grew(state: State, head: LogHead) -> bool:
    """Whether a log that `state` holds has more records by now."""
    return any(one.path == head.source.path and one.records < head.source.records for one in state.sources)
