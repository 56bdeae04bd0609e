"""A session whose log comes in parts: what only the end of a part made a conclusion goes where the next part follows.

A state that was made of the parts one by one is to hold what the whole would have shown: as many conclusions as one log
may have, none of which stands there because a part ended with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from distill.model import CLOSING, LATE, Item, Kind, SourceLog, State, Status, is_passing, left
from distill.reconcile.heads import PIPE, LogHead, elsewhere
from distill.reconcile.refresh import FADING, HAND, PINNED, REMOVED
from distill.reconcile.select import certain, most

TASK = "open/task"
_BY_HAND = frozenset((HAND, PINNED, REMOVED))


def goes_on(state: State, log: LogHead) -> bool:
    """Whether `log` is more of the session whose log went into `state` last.

    It names the same session, or it has no beginning and the log before it is of its format.
    """
    before = [one for one in state.sources if one.path != log.source.path or one.path == PIPE]
    if not before or elsewhere(state, log) or (log.source.newest or "~") < (state.covers[1] or ""):
        return False
    if log.session:
        return log.session == state.task.id
    return log.headless and before[-1].format == log.source.format


def parts(sources: Sequence[SourceLog]) -> list[SourceLog]:
    """The logs of the session at hand, older first: the last one and those it continues."""
    found: list[SourceLog] = []
    for source in reversed(sources):
        found.insert(0, source)
        if not source.continues:
            break
    return found


def in_parts(sources: Sequence[SourceLog], log: SourceLog) -> bool:
    """Whether `log`, one of the `sources`, is a part of a session that has more."""
    for number, one in enumerate(sources):
        if one.sha256 == log.sha256 and (one.continues or any(later.continues for later in sources[number + 1 :][:1])):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Session:
    """Where the logs of one session begin, by their paths, and how many records they have together."""

    logs: Mapping[str, int]
    records: int

    @classmethod
    def of(cls, sources: Sequence[SourceLog]) -> Session:
        """The session whose `sources`, older first, these are."""
        logs: dict[str, int] = {}
        records = 0
        for one in sources:
            logs[one.path] = records
            records += one.records
        return cls(logs, records)

    def says(self, item: Item) -> bool:
        """Whether an item holds that nothing but these logs, and no hand, has said."""
        return (
            item.status is Status.LIVE
            and bool(item.sources)
            and all(one.path in self.logs for one in item.sources)
            and _BY_HAND.isdisjoint(item.tags)
        )

    def is_late(self, item: Item) -> bool:
        """Whether an item was said last in the last quarter."""
        return max(self.logs[one.path] + one.record for one in item.sources) * 4 >= self.records * 3


def fade(items: Sequence[Item], session: Session, *, planned: bool = False) -> list[Item]:
    """The items before more of `session` is told: none of its logs ends with what it said any more.

    `session` counts what is about to be told in. `planned` says that there is a new to-do list in it, which takes the
    place of the one before.
    """
    return [_faded(item, session, planned) for item in items]


def _faded(item: Item, session: Session, planned: bool) -> Item:
    if not (planned or any(map(is_passing, item.tags))) or not session.says(item):
        return item
    names = (CLOSING,) if session.is_late(item) else (LATE, CLOSING)
    rest = next((rest for name in names if (rest := left(item.tags, name)) is not None), None)
    if rest == 0 or (planned and item.rule == TASK):
        return replace(item, tags=(*item.tags, FADING))
    gone = tuple(f"{name}:" for name in (CLOSING, *names))
    tags = tuple(tag for tag in item.tags if not tag.startswith(gone))
    return item if rest is None else replace(item, tags=tags, confidence=min(rest, item.confidence))


def settled(items: Sequence[Item]) -> list[Item]:
    """The items once more of their session is told: what faded and was not said again is gone, but for its history."""
    kept: list[Item] = []
    for item in items:
        if FADING not in item.tags:
            kept.append(item)
        elif item.status is not Status.LIVE:
            tags = tuple(tag for tag in item.tags if tag != FADING and not is_passing(tag))
            kept.append(replace(item, tags=tags))
    return kept


def within(items: Sequence[Item], session: Session, weighed: float, share: Mapping[Kind, float]) -> list[Item]:
    """The items without those that are too many for one `session`, of `weighed` statements."""
    gone: set[str] = set()
    for kind in Kind:
        rivals = [i for i in items if i.kind is kind and session.says(i) and not certain(i.rule, i.role)]
        rivals.sort(key=lambda item: (-item.confidence, item.at or ""))
        gone.update(item.id for item in rivals[most(kind, round(weighed), share) :])
    return [item for item in items if item.id not in gone]


def weighed_in(state: State, log: LogHead, weighed: int) -> float:
    """About how many statements the session at hand has, of whose last `log` so many were weighed; by its tokens."""
    records = sum(one.records for one in parts(state.sources))
    share = records / max(1, sum(one.records for one in state.sources))
    return max(float(weighed), weighed * state.tokens.source * share / max(1, log.tokens))
