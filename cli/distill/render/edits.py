"""What people did to a state by hand: added, changed, moved, ticked, pinned and removed lines."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from distill.model import Item, Kind, Role, State, Status, item_id
from distill.render.contract import list_of, woven
from distill.render.lines import Shown, one_line

HAND = "hand"
REMOVED = "removed"
PINNED = "pinned"
PROPOSAL = "proposal"
_ELSEWHERE = -1  # the line of an item that was moved to another section


@dataclass(slots=True)
class _Section:
    """A section: what stood in it when it was written, what stands in it now, and which belongs to which."""

    kind: Kind
    written: list[Item]
    lines: Sequence[Shown]
    line_of: dict[int, int]  # by index in `written`
    item_of: dict[int, int]  # by index in `lines`

    def pair(self, line: int, item: int) -> None:
        self.line_of[item] = line
        self.item_of[line] = item


def apply(state: State, lines: Mapping[Kind, Sequence[Shown]], forgotten: Collection[int] = ()) -> State:
    """`state` as it was written, with what the item lines of its file now say.

    `forgotten` are indices into `state.items` of history items whose line was taken out; those that a hand made history
    stay all the same, since they would come back when a log says them again. Where nothing was edited, the
    same state comes back. A line without an item is new; a line in the place of an item that lost its line changes it;
    an item without a line was removed and is kept in the history with the tag "removed", so that it stays away.
    """
    sections = [_Section(kind, list(state.live(kind)), lines.get(kind, ()), {}, {}) for kind in Kind]
    for section in sections:
        _pair_equal(section, lambda text, kind: one_line(text))
        _pair_equal(section, lambda text, kind: item_id(kind, text))
    fetched, back = _fetched(sections, state)
    lists: dict[str, list[Item]] = defaultdict(list)
    for n, item in enumerate(state.items):
        if item.status is not Status.LIVE and n not in back and (n not in forgotten or _by_hand(item)):
            lists[list_of(item)].append(item)
    for section in sections:
        _pair_by_place(section, fetched)
    for section in sections:
        _settle(section, fetched, lists)
    return replace(state, items=woven([list_of(item) for item in state.items], lists))


def _by_hand(item: Item) -> bool:
    return REMOVED in item.tags or HAND in item.tags


def _pair_equal(section: _Section, key: Callable[[str, Kind], str]) -> None:
    """Pair the lines and items still alone that have the same key, in their order."""
    alone: dict[str, deque[int]] = defaultdict(deque)
    for n, item in enumerate(section.written):
        if n not in section.line_of:
            alone[key(item.text, section.kind)].append(n)
    for n, line in enumerate(section.lines):
        if n not in section.item_of and (queue := alone.get(key(line.text, section.kind))):
            section.pair(n, queue.popleft())


def _fetched(sections: list[_Section], state: State) -> tuple[dict[tuple[Kind, int], Item], set[int]]:
    """New lines that repeat an item of another section (moved) or of the history (wanted back), with that item.

    Also the indices into `state.items` of what came back from the history.
    """
    past: dict[str, int] = {one_line(i.text): n for n, i in enumerate(state.items) if i.status is not Status.LIVE}
    moved: dict[str, tuple[_Section, int]] = {}
    for section in sections:
        for n, item in enumerate(section.written):
            if n not in section.line_of:
                moved[one_line(item.text)] = section, n
    found: dict[tuple[Kind, int], Item] = {}
    back: set[int] = set()
    for section in sections:
        for n, line in enumerate(section.lines):
            if n in section.item_of or not line.text:
                continue
            if line.text in moved:
                home, index = moved.pop(line.text)
                found[section.kind, n] = home.written[index]
                home.line_of[index] = _ELSEWHERE
            elif line.text in past:
                index = past.pop(line.text)
                found[section.kind, n] = state.items[index]
                back.add(index)
    return found, back


def _pair_by_place(section: _Section, fetched: Mapping[tuple[Kind, int], Item]) -> None:
    """Pair a line still alone with the item that lost its line at the same place."""
    at = 0
    for n, line in enumerate(section.lines):
        if n in section.item_of:
            at = section.item_of[n] + 1
        elif line.text and (section.kind, n) not in fetched and at < len(section.written) and at not in section.line_of:
            section.pair(n, at)
            at += 1


def _settle(section: _Section, fetched: Mapping[tuple[Kind, int], Item], lists: dict[str, list[Item]]) -> None:
    """Put every line and every item without one into its list."""
    ids = set()
    for n, line in enumerate(section.lines):
        old = fetched.get((section.kind, n))
        if n in section.item_of:
            old = section.written[section.item_of[n]]
        if old is None and not line.text:
            continue  # a bullet that was left empty
        item = _read(line, section.kind, old)
        ids.add(item.id)
        lists[list_of(item)].append(item)
        if old is not None and old.id != item.id:
            tags = _with(old.tags, HAND)
            lists[Status.SUPERSEDED.value].append(replace(old, status=Status.SUPERSEDED, by=item.id, tags=tags))
    for n, old in enumerate(section.written):
        if n not in section.line_of and old.id not in ids:
            tags = _with(old.tags, REMOVED)
            lists[Status.SUPERSEDED.value].append(replace(old, status=Status.SUPERSEDED, tags=tags))


def _read(line: Shown, kind: Kind, old: Item | None) -> Item:
    """The item that a line says, with what is known of it from `old`."""
    if old is None:
        new = item_id(kind, line.text)
        item = Item(id=new, kind=kind, text=line.text, role=Role.USER, confidence=1.0, tags=(HAND,))
    elif old.kind is kind and old.status is Status.LIVE and one_line(old.text) == line.text:
        item = old
    else:
        fresh = item_id(kind, line.text)
        same = old.kind is kind and item_id(kind, old.text) == fresh  # at most another way to write it
        item = replace(
            old,
            id=old.id if same else fresh,
            kind=kind,
            text=line.text,
            role=Role.USER,
            confidence=1.0,
            tags=_with(_without(old.tags, REMOVED), HAND),
            supersedes=old.supersedes if same else (*old.supersedes, old.id),
            status=Status.LIVE,
            by=None,
        )
    return _marked(item, line)


def _marked(item: Item, line: Shown) -> Item:
    """`item` with the date, the marks and the tick of its line."""
    tags = item.tags
    for tag, wanted in ((PROPOSAL, line.proposed), (PINNED, line.pinned)):
        tags = _with(tags, tag) if wanted else _without(tags, tag)
    at, first = item.at, item.first_at
    if line.date and (at or "")[: len(line.date)] != line.date:
        at = f"{line.date}T00:00:00Z"
        first = at if first is None or first > at else first
    if line.ticked:
        return replace(item, tags=_with(tags, HAND), at=at, first_at=first, status=Status.RESOLVED)
    return replace(item, tags=tags, at=at, first_at=first)


def _with(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tags if tag in tags else (*tags, tag)


def _without(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tuple(t for t in tags if t != tag) if tag in tags else tags
