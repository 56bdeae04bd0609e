"""Several states to one list of items, so that it does not matter how they are bracketed.

All items of all states are kept; which of them hold is told anew from the whole. An item is what has the same id (or
is the same file); items that say the same in other words form a cluster, in which the best words speak for all. A
cluster leaves the list where a later one ends it, where its own last mention says that it is over, or where a hand took
it out. Times and places of a cluster only ever add up, and what one cluster is to another depends on nothing else, so
that two states joined first give the same as all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status
from distill.reconcile.endings import path_of
from distill.reconcile.merge import SOURCES
from distill.reconcile.refresh import HAND, PINNED, REMOVED
from distill.reconcile.relations import Reader, Relation

REWORDED = "reworded"  # the tag of other words for what another item says: that one holds times and places
OVERTAKEN = "overtaken"  # the tag of what a hand wrote and later words ended, not the hand
_PASSING = frozenset([REMOVED, REWORDED, OVERTAKEN])  # tags that say how an item stood, not what it is
_Place = tuple[int, str, int, str]  # number of the log, its path, record, quote


def united(states: Sequence[State], logs: Sequence[SourceLog]) -> list[Item]:
    """The items of `states`, older first, as one list in no particular order.

    `logs` are the logs of all states, in their order: they place what has no time. A line that was added by hand is as
    old as the file it was added to. Nothing that stands in one state alone is decided anew.
    """
    table = _Table({log.path: number for number, log in reversed(list(enumerate(logs)))})
    for number, state in enumerate(states):
        table.add(number, [_dated(item, state.written_at) for item in state.items])
    table.relate()
    return table.items()


class _Hand(IntEnum):
    """What a hand made of an item; of what one state says, the highest counts."""

    REMOVED = 0
    CHANGED = 1  # to another item
    TICKED = 2
    KEPT = 3


@dataclass(slots=True, eq=False)
class _Cluster:
    """Everything that says one thing: its times, places, tags and what the states say of it."""

    members: list[int] = field(default_factory=list)
    held: set[int] = field(default_factory=set)  # numbers of the states that hold it
    first: str | None = None
    last: str | None = None
    places: set[_Place] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    hand: tuple[int, _Hand] | None = None  # the last state in which a hand settled it, and how
    over: tuple[str, int] = ("", 0)  # the last mention, and whether it (0) holds, (1) left or (2) is done
    unproved: str | None = None  # what an item that no state holds is said to have done to it

    def absorb(self, other: _Cluster) -> None:
        """Take in a cluster that says the same."""
        self.members += other.members
        self.held |= other.held
        self.first = min((time for time in (self.first, other.first) if time), default=None)
        self.last = max((time for time in (self.last, other.last) if time), default=None)
        self.places |= other.places
        self.tags |= other.tags
        self.hand = max((one for one in (self.hand, other.hand) if one), default=None)
        self.over = max(self.over, other.over)
        self.unproved = max((one for one in (self.unproved, other.unproved) if one), default=None)

    def by_hand(self) -> _Hand | None:
        """What a hand made of it last."""
        return self.hand[1] if self.hand else None

    def newest(self) -> tuple[int, int]:
        """The log and record of the last place; before all logs where there is none."""
        return max(((log, record) for log, _, record, _ in self.places), default=(-1, 0))

    def oldest(self) -> tuple[int, int]:
        """The log and record of the first place; after all logs where there is none."""
        return min(((log, record) for log, _, record, _ in self.places), default=(1 << 30, 0))


class _Table:
    def __init__(self, logs: dict[str, int]) -> None:
        self._logs = logs
        self._faces: list[Item] = []  # an item each, in its best form
        self._rows: dict[tuple[str, str], int] = {}
        self._by_id: dict[str, int] = {}
        self._clusters: list[_Cluster] = []  # by row; the members of one share it
        self._held: list[set[int]] = []  # by row: numbers of the states that hold the item
        self._states: list[list[tuple[int, Item]]] = []
        self._ends: set[tuple[int, int]] = set()  # rows: what was ended, and by what
        self._lost: dict[int, set[str]] = {}  # ids an item replaced that no state holds

    # -- taking in ----------------------------------------------------------------------------------------------------

    def add(self, state: int, items: Sequence[Item]) -> None:
        """Take in the items of one state."""
        here: list[tuple[int, Item]] = []
        for item in items:
            path = path_of(item) if item.rule == "artifact/file" else ""
            key = ("file", path) if path else ("id", item.id)
            row = self._rows.setdefault(key, len(self._faces))
            if row == len(self._faces):
                self._faces.append(item)
                self._clusters.append(_Cluster(members=[row]))
                self._held.append(set())
            else:
                self._faces[row] = max(self._faces[row], item, key=_face)
            self._by_id.setdefault(item.id, row)
            self._held[row].add(state)
            here.append((row, item))
        self._states.append(here)

    def relate(self) -> None:
        """Find what says the same and what ends what; give every cluster what is known of it."""
        self._recorded()
        for state, here in enumerate(self._states):
            for row, item in here:
                self._clusters[row].absorb(self._evidence(state, row, item))
        reader = Reader(self._faces)
        ends: list[tuple[int, int]] = []
        for pair in reader.near():
            for old, new, relation in reader.relations(*pair):
                if relation is Relation.ENDS:
                    ends.append((old, new))
                elif len(self._held[old] | self._held[new]) > 1:
                    self._unite(old, new)
        for old, new in ends:
            one, other = self._clusters[old], self._clusters[new]
            apart = len(one.held | other.held) > 1  # what stands in one state alone was settled there
            if one is not other and apart and self._followed(one, other):
                self._ends.add((old, new))

    def _recorded(self) -> None:
        """What the states have found already: other words for the same, and what ended what."""
        for here in self._states:
            for row, item in here:
                by = self._by_id.get(item.by) if item.by else None
                if by is not None and by != row:
                    if REWORDED in item.tags:
                        self._unite(row, by)
                    else:
                        self._ends.add((row, by))
                for name in item.supersedes:
                    old = self._by_id.get(name)
                    if old is None:
                        self._lost.setdefault(row, set()).add(name)
                    elif old != row:
                        self._ends.add((old, row))

    def _evidence(self, state: int, row: int, item: Item) -> _Cluster:
        """What one state says of one item."""
        if REWORDED in item.tags:
            return _Cluster(held={state})
        gone = item.status is not Status.LIVE
        ended = gone and item.by is not None and item.by in self._by_id
        level = 0 if not gone or ended else 2 if item.status is Status.RESOLVED else 1
        hand: _Hand | None = None
        if REMOVED in item.tags and level == 1:
            hand = _Hand.REMOVED
        elif HAND in item.tags and ended and item.status is Status.SUPERSEDED and OVERTAKEN not in item.tags:
            hand = _Hand.CHANGED
        elif HAND in item.tags and level != 1:
            hand = _Hand.TICKED if level else _Hand.KEPT
        places = {(self._logs.get(one.path, len(self._logs)), one.path, one.record, one.quote) for one in item.sources}
        return _Cluster(
            held={state}, first=item.first_at or item.at, last=item.at, places=places,
            tags=set(item.tags) - _PASSING, hand=None if hand is None else (state, hand), over=(item.at or "", level),
            unproved=item.by if gone and not ended else None,
        )

    def _unite(self, one: int, other: int) -> None:
        home, guest = self._clusters[one], self._clusters[other]
        if home is not guest:
            home.absorb(guest)
            for row in guest.members:
                self._clusters[row] = home

    @staticmethod
    def _followed(old: _Cluster, new: _Cluster) -> bool:
        """Whether there is a mention of `new` after one of `old`."""
        if new.last and old.first and new.last != old.first:
            return new.last > old.first
        return new.newest() > old.oldest()

    # -- telling ------------------------------------------------------------------------------------------------------

    def items(self) -> list[Item]:
        """All items, with what holds and what does not."""
        speakers = {id(one): max(one.members, key=lambda row: _face(self._faces[row])) for one in self._clusters}
        ended: dict[int, set[int]] = {}
        replaced: dict[int, set[int]] = {}
        for old, new in sorted(self._ends):
            first, second = self._clusters[old], self._clusters[new]
            if first is second:
                continue
            if self._later(first, second):
                first, second = second, first
            loser, winner = speakers[id(first)], speakers[id(second)]
            ended.setdefault(loser, set()).add(winner)
            replaced.setdefault(winner, set()).add(loser)
        found = []
        for row, cluster in enumerate(self._clusters):
            speaker = speakers[id(cluster)]
            if row != speaker:
                found.append(self._word(row, self._faces[speaker]))
                continue
            gone = {self._faces[one].id for one in replaced.get(row, ())}
            gone |= {one for member in cluster.members for one in self._lost.get(member, ())}
            found.append(self._spoken(row, cluster, ended.get(row, set()), gone))
        return found

    @staticmethod
    def _later(one: _Cluster, other: _Cluster) -> bool:
        """Whether `one` was said after `other`; what a hand changed into something else comes before all."""
        changed = one.by_hand() is _Hand.CHANGED, other.by_hand() is _Hand.CHANGED
        if changed[0] is not changed[1]:
            return changed[1]
        if one.last and other.last and one.last != other.last:
            return one.last > other.last
        return one.newest() > other.newest()

    def _spoken(self, row: int, cluster: _Cluster, by: Iterable[int], gone: Iterable[str]) -> Item:
        """The item that speaks for a cluster."""
        face = self._faces[row]
        status, winner = self._standing(row, cluster, list(by))
        tags = set(cluster.tags)
        if cluster.by_hand() is _Hand.REMOVED:
            tags.add(REMOVED)
        elif HAND in tags and status is Status.SUPERSEDED and cluster.by_hand() is not _Hand.CHANGED:
            tags.add(OVERTAKEN)
        return replace(
            face, at=cluster.last, first_at=cluster.first, tags=tuple(sorted(tags)), sources=_kept(cluster.places),
            supersedes=tuple(sorted(gone)), by=winner, status=status,
        )

    def _standing(self, row: int, cluster: _Cluster, by: list[int]) -> tuple[Status, str | None]:
        """Whether a cluster holds, and what ended it."""
        hand = cluster.by_hand()
        if hand is _Hand.REMOVED:
            return Status.SUPERSEDED, None
        if hand is _Hand.TICKED:
            return Status.RESOLVED, None
        if PINNED in cluster.tags and hand is not _Hand.CHANGED:
            return Status.LIVE, None
        if (level := cluster.over[1]) and hand is None:
            return (Status.SUPERSEDED, Status.RESOLVED)[level - 1], cluster.unproved
        if not by:
            return Status.LIVE, None
        winner = min(by, key=lambda one: (self._clusters[one].last or "", self._faces[one].id))
        asked = self._faces[row].kind is Kind.OPEN and self._faces[winner].kind is not Kind.OPEN
        done = asked and hand is not _Hand.CHANGED
        return Status.RESOLVED if done else Status.SUPERSEDED, self._faces[winner].id

    def _word(self, row: int, speaker: Item) -> Item:
        """Other words for what `speaker` says: kept so that a later state that uses them is understood."""
        return replace(
            self._faces[row], at=None, first_at=None, tags=(REWORDED,), sources=(), supersedes=(), by=speaker.id,
            status=Status.SUPERSEDED,
        )


def _dated(item: Item, written: str | None) -> Item:
    if item.at or item.sources or HAND not in item.tags:
        return item
    return replace(item, at=written, first_at=written)


def _face(item: Item) -> tuple[bool, float, int, str, str, str]:
    """By what the best form of an item is told: the user's own, the surest, the fullest words."""
    return item.role is Role.USER, item.confidence, len(item.text), item.text, item.rule, item.id


def _kept(places: Iterable[_Place]) -> tuple[Source, ...]:
    """The sources of an item, the first one and the latest ones where there are too many."""
    rows = sorted(places)
    if len(rows) > SOURCES:
        rows = [rows[0], *rows[1 - SOURCES :]]
    return tuple(Source(path=path, record=record, quote=quote) for _, path, record, quote in rows)
