"""Cards: what stands for a finished task, made of the same items as a state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from distill.fold.exchange import Exchange
from distill.fold.numbers import FoldNumbers
from distill.model import ActionKind, Item, Kind, Role, Status
from distill.rulebook import Rulebook
from distill.text.lazy import Lazy
from distill.text.likeness import grams

GOAL = 140  # characters of a goal
SHOWN = 220  # characters of a reason, an error or a cause
SIGNATURES, REASONS = 6, 3
GOALS = 60  # goals that an archive card names
KEPT = 120  # items that it keeps
Records = tuple[int, int]

# What opens a definition in the common languages: it tells what was built better than any sentence about it.
_DEFINES = Lazy(
    r"^[ \t]*((?:export\s+)?(?:default\s+)?(?:pub\s+)?(?:public\s+|private\s+|static\s+)*(?:async\s+)?"
    r"(?:def|class|function|func|fn|interface|struct|trait|enum|type|CREATE\s+(?:TABLE|INDEX|VIEW))\s+[\w.\"`(].{0,110}?)"
    r"\s*[{:;=(]?\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_FENCED = Lazy(r"^(```|~~~)[^\n]*\n(.*?)(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_REASON = Lazy(
    r"\b(?:because|since|so that|otherwise|the reason|therefore)\b|因为|由于|原因|所以|否则|免得|以免", re.IGNORECASE
)
_CAUSE = Lazy(
    r"(\broot cause\b|\bthe cause (?:is|was)\b|根本原因|根因|原因是|原因：)|\b(?:because|caused by)\b|因为|由于|导致",
    re.IGNORECASE,
)
_LABEL = Lazy(r"^(?:the )?(?:root cause|cause|根本原因|根因|原因)\s*[:：]\s*", re.IGNORECASE)
_ERROR = Lazy(
    r"^.*?(\b[\w.]*(?:Error|Exception|Warning|Failure)\b[^\n]{0,160}|\bFATAL\b[^\n]{0,160}|\bpanic: [^\n]{0,160})",
    re.MULTILINE,
)


class CardKind(StrEnum):
    """What sort of task it was."""

    CODE = "code"
    CONSULTING = "consulting"
    DEBUGGING = "debugging"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What stands for a task. `records` are the ranges of the log behind it, `turns` how many turns, `tokens` theirs.

    `items` are live and best first. `code` are signatures, `reasons` what a consultation rests on, `error` and `cause`
    those of a fault. An archive card names the tasks it holds in `goals`.
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


@dataclass(slots=True, kw_only=True)
class Traits:
    """What is told of a task turn by turn, so that none needs to be looked at twice."""

    goal: str = ""
    wrote: bool = False
    failing: bool = False
    code: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    error: str = ""
    cause: str = ""
    cause_rank: int = 0  # 1 where words only give a reason, 2 where they name the cause

    def take(self, one: Exchange, book: Rulebook) -> None:
        """One more turn of the task."""
        faulted = next((said.text for said in one.asked if _heard(said.text, "faulted", book)), "")
        if not self.goal:
            self.goal = goal_of(one, book)
            self.failing = bool(faulted) or _ERROR.search(one.request) is not None
        if not self.error and (self.failing or faulted):
            found = _ERROR.search(one.request)
            self.error = _short(found[1] if found else max(self.goal, faulted, key=len))
        self.wrote = self.wrote or one.changed or bool(_FENCED.search(one.reply))
        for said in one.closing:
            if said.role is Role.ASSISTANT and self.cause_rank < 2 and (found := _CAUSE.search(said.text)):
                rank = 2 if found[1] else 1
                if rank > self.cause_rank:
                    self.cause, self.cause_rank = _short(_LABEL.sub("", said.text)), rank
            if len(self.reasons) < REASONS and _REASON.search(said.text):
                self.reasons = (*self.reasons, _short(said.text))
        self.code = tuple(dict.fromkeys((*self.code, *_signatures(one))))[:SIGNATURES]

    @property
    def kind(self) -> CardKind:
        """A search for a fault, work on code, or advice."""
        if self.failing:
            return CardKind.DEBUGGING
        return CardKind.CODE if self.wrote else CardKind.CONSULTING


def card_of(
    traits: Traits, items: Sequence[Item], *, id: str, log: str, records: Sequence[Records], turns: int, tokens: int,
    began: str | None, ended: str | None,
) -> Card:
    """The card of a task; each kind keeps what matters to it beside the items."""
    kind = traits.kind
    return Card(
        id=id, kind=kind, goal=traits.goal, records=_ranges(records), turns=turns, tokens=tokens, began=began,
        ended=ended,
        items=tuple(item for item in items if item.status is Status.LIVE),
        code=traits.code if kind is CardKind.CODE else (),
        reasons=traits.reasons if kind is CardKind.CONSULTING else (),
        error=traits.error if kind is CardKind.DEBUGGING else "",
        cause=traits.cause if kind is CardKind.DEBUGGING else "",
        log=log,
    )


def goal_of(one: Exchange, book: Rulebook) -> str:
    """What a task is about, in the user's words: the first statement that asks for something."""
    for said in one.asked:
        text = _without_switch(said.text, book)
        if len(grams(text)) >= 2 and not _heard(said.text, "finished", book):
            return _short(text.rstrip(".。"), GOAL)
    words = next((said.text for said in one.asked), "") or one.request or one.reply
    return _short(words, GOAL)


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
        goals=(card.goal, *before.goals)[:GOALS],
    )


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


def _without_switch(text: str, book: Rulebook) -> str:
    """`text` without the words at its beginning that only turn to something else."""
    for one in book.speech(text):
        if one.name in ("switched", "added") and one.start == 0:
            rest = text[one.end:].lstrip(" ,，:：.。;；、-")
            return rest[:1].upper() + rest[1:]
    return text


def _heard(text: str, name: str, book: Rulebook) -> bool:
    return any(one.name == name for one in book.speech(text))


def _signatures(one: Exchange) -> Iterable[str]:
    blocks = [found[2] for found in _FENCED.finditer(one.reply)]
    blocks += [
        event.action.detail for event in one.events
        if event.action is not None and event.action.kind in (ActionKind.WROTE, ActionKind.EDITED)
    ]
    for block in blocks:
        for found in _DEFINES.finditer(block[:20_000]):
            yield " ".join(found[1].split())


def _short(text: str, most: int = SHOWN) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"

