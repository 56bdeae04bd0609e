"""Cards: what stands for a finished task, made of the same items as a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from distill.fold.numbers import FoldNumbers
from distill.fold.traits import BOUNDS, REASONS, SIGNATURES, CardKind, Traits
from distill.model import Item, Kind, Status
from distill.text.likeness import grams

GOALS = 60  # goals that an archive card names
KEPT = 120  # items that it keeps
MOST = 0.6  # of a statement that an item must tell, so that it need not be said beside it
Records = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What stands for a task. `records` are the ranges of the log behind it, `turns` how many turns, `tokens` theirs.

    `items` are live and best first. `bounds` are statements of the user that set a bound to the work and are no items.
    `code` are signatures, `reasons` what a consultation rests on, `error` and `cause` those of a fault. An archive card
    names the tasks it holds in `goals`.
    """

    id: str
    kind: CardKind
    goal: str
    records: tuple[Records, ...]
    turns: int
    tokens: int
    began: str | None = None
    ended: str | None = None
    items: tuple[Item, ...] = ()
    bounds: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    error: str = ""
    cause: str = ""
    goals: tuple[str, ...] = ()
    log: str = ""

    @property
    def open(self) -> bool:
        """Whether something of it is unfinished."""
        return any(item.kind is Kind.OPEN for item in self.items)

    @property
    def constraints(self) -> tuple[Item, ...]:
        """What must or must not be."""
        return tuple(item for item in self.items if "constraint" in item.tags)

    def stale(self, now: str | None, numbers: FoldNumbers) -> bool:
        """Whether its time to live is over at `now`."""
        if not now or not self.ended:
            return False
        age = datetime.fromisoformat(now) - datetime.fromisoformat(self.ended)
        return age.total_seconds() > numbers.lifetime


def card_of(
    traits: Traits, items: Sequence[Item], known: Sequence[Item], *, id: str, log: str, records: Sequence[Records],
    turns: int, tokens: int, began: str | None, ended: str | None,
) -> Card:
    """The card of a task; each kind keeps what matters to it beside the items, which are live and best first.

    `known` are all items of the task, with those that hold no more.
    """
    kind = traits.kind
    return Card(
        id=id, kind=kind, goal=traits.goal, records=_ranges(records), turns=turns, tokens=tokens, began=began,
        ended=ended,
        items=tuple(item for item in items if item.status is Status.LIVE),
        bounds=_no_items(traits.bounds, known),
        code=traits.code if kind is CardKind.CODE else (),
        reasons=traits.reasons if kind is CardKind.CONSULTING else (),
        error=traits.error if kind is CardKind.DEBUGGING else "",
        cause=traits.cause if kind is CardKind.DEBUGGING else "",
        log=log,
    )


def likeness(one: str, other: str) -> float:
    """How far two goals are the same, 0 to 1: the cosine of their content words."""
    first, second = grams(one), grams(other)
    if not first or not second:
        return 0.0
    return float(len(first & second) / (len(first) * len(second)) ** 0.5)


def merged(older: Card, newer: Card, join: Callable[[Sequence[Item], Sequence[Item]], list[Item]]) -> Card:
    """Two cards of one matter as one, by the name of the older; `join` brings later items to earlier ones."""
    items = [item for item in join(older.items, newer.items) if item.status is Status.LIVE]
    return replace(
        newer,
        id=older.id,
        kind=CardKind.DEBUGGING if older.kind is CardKind.DEBUGGING else newer.kind,
        goal=older.goal,
        records=_ranges((*older.records, *newer.records)),
        turns=older.turns + newer.turns,
        tokens=older.tokens + newer.tokens,
        began=older.began or newer.began,
        ended=newer.ended or older.ended,
        items=tuple(items),
        bounds=_no_items(tuple(dict.fromkeys((*older.bounds, *newer.bounds))), items)[-BOUNDS:],
        code=tuple(dict.fromkeys((*newer.code, *older.code)))[:SIGNATURES],
        reasons=tuple(dict.fromkeys((*newer.reasons, *older.reasons)))[:REASONS],
        error=newer.error or older.error,
        cause=newer.cause or older.cause,
    )


def archived(archive: Card | None, card: Card) -> Card:
    """The archive card with one more card in it: goals, and of the items what still binds or is unfinished."""
    kept = tuple(item for item in card.items if item.kind in (Kind.DECISION, Kind.OPEN))
    before = archive or Card(id="archive", kind=CardKind.ARCHIVE, goal="", records=(), turns=0, tokens=0, log=card.log)
    return replace(
        before,
        records=_ranges((*before.records, *card.records)),
        turns=before.turns + card.turns,
        tokens=before.tokens + card.tokens,
        began=before.began or card.began,
        ended=card.ended or before.ended,
        items=_bounded((*kept, *before.items)),
        bounds=(*card.bounds, *before.bounds)[:BOUNDS],
        goals=(card.goal, *before.goals)[:GOALS],
    )


def _no_items(bounds: Sequence[str], items: Sequence[Item]) -> tuple[str, ...]:
    """Those of the statements that no item tells, be it one that was replaced since, whole or for the most part."""
    told = [" ".join(item.text.split()).casefold().rstrip(".。;；") for item in items]
    return tuple(one for one in bounds if not any(
        one.casefold().rstrip(".。;；") in text or (text in one.casefold() and MOST * len(one) <= len(text))
        for text in told))


def _bounded(items: Sequence[Item]) -> tuple[Item, ...]:
    """No more than `KEPT` of them: what binds first, newer before older."""
    if len(items) <= KEPT:
        return tuple(items)
    order = sorted(range(len(items)), key=lambda place: ("constraint" not in items[place].tags, place))
    return tuple(items[place] for place in sorted(order[:KEPT]))


def _ranges(records: Iterable[Records]) -> tuple[Records, ...]:
    """Ranges in order, those that touch made one."""
    found: list[Records] = []
    for first, last in sorted(records):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)
