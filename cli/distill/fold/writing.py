"""Cards as text, and the words around them in each language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from distill.fold.cards import Card
from distill.fold.numbers import FoldNumbers
from distill.fold.traits import CardKind
from distill.model import Item, Kind, Role
from distill.text.lazy import Lazy
from distill.text.likeness import grams

_LEAD = 24  # characters before the words of a goal that only lead in to them
_NUMBER = Lazy(r"\d+")
_DATED = Lazy(r"\s?[(（]\d{4}-\d\d(?:-\d\d)?[)）]")  # the date that is put behind a word such as "today"
_SAME = 0.8  # of the words of an item that the goal must hold to say it already

Count = Callable[[str], int]
Wording = Callable[[str], str]  # makes recorded words harmless


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a context says by itself."""

    system: str
    elsewhere: str
    around: str
    cards: str
    notes: str
    recalled: str
    binding: str
    decided: str
    facts: str
    made: str
    open: str
    code: str
    reasons: str
    error: str
    cause: str
    before: str
    stale: str
    kinds: Mapping[CardKind, str]
    left: str
    more: str
    joint: str
    colon: str
    turns: str


EN = Words(
    system="Earlier tasks of this session as cards, newest first: a record, not instructions. Their limits and "
    "decisions hold until the user changes them. The last turns follow word for word.",
    elsewhere="Cards of earlier sessions are for reference: check them before you rely on them.",
    around="The cards stand in the user's first message, between two distill comments.",
    cards="## Finished tasks", notes="## This task so far", recalled="## From earlier sessions, for reference",
    binding="Limits", decided="Decided", facts="Facts", made="Made", open="Open", code="Code", reasons="Reasons",
    error="Error", cause="Cause", before="Earlier tasks", stale="possibly stale: check",
    kinds={CardKind.CODE: "code", CardKind.CONSULTING: "advice", CardKind.DEBUGGING: "debugging",
           CardKind.ARCHIVE: "archive"},
    left="unfinished", more="{} more", joint="; ", colon=": ", turns="{} turns",
)
ZH = Words(
    system="以下卡片是本次会话中较早的任务，最新的在前：只是记录，不是指令。其中的限制和决定在用户改变之前有效。最近几轮按原文附后。",
    elsewhere="来自以前会话的卡片仅供参考，采用前请先核对。",
    around="卡片在用户的第一条消息里，位于两行 distill 注释之间。",
    cards="## 已结束的任务", notes="## 当前任务此前的要点", recalled="## 来自以前的会话，仅供参考",
    binding="限制", decided="决定", facts="事实", made="产物", open="待办", code="代码", reasons="理由", error="报错",
    cause="原因", before="更早的任务", stale="可能过期，请核对",
    kinds={CardKind.CODE: "编码", CardKind.CONSULTING: "咨询", CardKind.DEBUGGING: "排错", CardKind.ARCHIVE: "归档"},
    left="未完成", more="另有 {} 条", joint="；", colon="：", turns="{} 轮",
)


def card_text(card: Card, lang: str, numbers: FoldNumbers, count: Count, now: str | None, wording: Wording) -> str:
    """A card as a prompt holds it. The first line names it and counts what is left out.

    What binds and what is open may take all of its tokens; facts, reasons and the like only as much as is in proportion
    to the turns that the card stands for.
    """
    words = ZH if lang == "zh" else EN
    archive = card.kind is CardKind.ARCHIVE
    head = _head(card, words, card.stale(now, numbers), now, wording)
    most = numbers.archive_tokens if archive else numbers.card_tokens
    share = most if archive else min(most, int(numbers.share * card.tokens))
    taken, left = count(head), 0
    rows: dict[str, list[str]] = {}
    for name, text, binds in _entries(card, words):
        entry = wording(text)
        cost = count(entry) + 1 + (0 if name in rows else count(name) + 1)
        if taken + cost > (most if binds else share):
            left += 1
            continue
        taken += cost
        rows.setdefault(name, []).append(entry)
    order = [words.error, words.cause, words.binding, words.decided, words.facts, words.reasons, words.made, words.code,
             words.open, words.before]
    lines = [f"{name}{words.colon}{words.joint.join(rows[name])}" for name in order if name in rows]
    head = f"{head[:-1]}, {words.more.format(left)})" if left else head
    return "\n".join([head, *lines])


def _head(card: Card, words: Words, stale: bool, now: str | None, wording: Wording) -> str:
    about = [words.kinds[card.kind]]
    if card.open and card.kind is not CardKind.ARCHIVE:
        about.append(words.left)
    if card.ended and card.ended[:10] != (now or "")[:10]:
        about.append(card.ended[:10])
    if stale:
        about.append(words.stale)
    goal = wording(card.goal) if card.goal else words.turns.format(card.turns)
    return f"[{card.id}] {goal} ({', '.join(about)})"


def _entries(card: Card, words: Words) -> list[tuple[str, str, bool]]:
    """What a card holds and whether it binds, the most binding first: the order in which its tokens are spent."""
    found: list[tuple[str, str, bool]] = []
    if card.error and card.error != card.goal:
        found.append((words.error, card.error, True))
    if card.cause:
        found.append((words.cause, card.cause, True))
    told = " ".join([card.goal, *(text for _, text, _ in found)])
    items = [item for item in card.items if not _told(_line(item), card.goal, told) and not _again(item, card.goal)]
    decisions = [item for item in items if item.kind is Kind.DECISION]
    limits = [item for item in decisions if "constraint" in item.tags]
    said = [item for item in decisions if item not in limits and item.role is not Role.ASSISTANT]
    found += [(words.binding, _line(item), True) for item in limits]
    found += [(words.decided, _line(item), True) for item in said]
    found += [(words.binding, one.rstrip(".。;；"), True) for one in card.bounds
              if not _told(one.rstrip(".。;；"), card.goal, told)]
    found += [(words.open, _line(item), True) for item in items if item.kind is Kind.OPEN]
    found += [(words.made, _line(item), False) for item in items if item.kind is Kind.ARTIFACT]
    found += [(words.decided, _line(item), False) for item in decisions if item not in limits and item not in said]
    found += [(words.before, goal, False) for goal in card.goals]
    told = " ".join(text for _, text, _ in found)
    found += [(words.reasons, text, False) for text in card.reasons if text[:60] not in told]
    found += [(words.code, f"`{text}`", False) for text in card.code]
    found += [(words.facts, _line(item), False) for item in items if item.kind is Kind.FACT]
    return found


def _told(line: str, goal: str, told: str) -> bool:
    """Whether a line says no more than what is on the card already; a few words before the goal do not count."""
    lead = len(line) - len(goal)
    return line in told or (0 <= lead <= _LEAD and line.casefold().endswith(goal.casefold()))


def _again(item: Item, goal: str) -> bool:
    """Whether an item says in the same words what the goal says; what binds or has another number never does."""
    text = _DATED.sub("", item.text)
    if "constraint" in item.tags or not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(goal)):
        return False
    words = grams(text)
    return len(words & grams(goal)) >= _SAME * len(words)


def _line(item: Item) -> str:
    return " ".join(item.text.split()).rstrip(".。;；")
