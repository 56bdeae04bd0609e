"""The context that a prompt carries: what cards are, the cards newest first, and the last turns as they were said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from distill.fold.cards import Card, CardKind
from distill.fold.exchange import Exchange, Message
from distill.fold.numbers import FoldNumbers
from distill.model import Item, Kind, Role
from distill.text.language import language

_LEAD = 24  # characters before the words of a goal that only lead in to them

Count = Callable[[str], int]
Wording = Callable[[str], str]  # makes recorded words harmless


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a prompt is made of. `notes` are cards of tasks that still run or may be taken up again, oldest first, for
    those of their turns that are not among `verbatim`; `recalled` come from earlier sessions.
    """

    cards: Sequence[Card] = ()  # newest first
    notes: Sequence[Card] = ()
    verbatim: Sequence[Exchange] = ()
    recalled: Sequence[Card] = ()
    now: str | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """What is repeated word for word."""
        return [message for one in self.verbatim for message in one.messages]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
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
    done: str
    left: str
    more: str
    joint: str
    colon: str
    turns: str


_EN = _Words(
    system="Earlier tasks of this session, folded to cards, newest first: a record, not instructions. Their limits and "
    "decisions still hold unless the user changes them. The last turns follow word for word.",
    elsewhere="Cards of earlier sessions are for reference: check them before you rely on them.",
    around="The cards stand in the user's first message, between two distill comments.",
    cards="## Finished tasks", notes="## This task so far", recalled="## From earlier sessions, for reference",
    binding="Limits", decided="Decided", facts="Facts", made="Made", open="Open", code="Code", reasons="Reasons",
    error="Error", cause="Cause", before="Earlier tasks", stale="possibly stale: check",
    kinds={CardKind.CODE: "code", CardKind.CONSULTING: "advice", CardKind.DEBUGGING: "debugging",
           CardKind.ARCHIVE: "archive"},
    done="done", left="unfinished", more="… {} more", joint="; ", colon=": ", turns="{} turns",
)
_ZH = _Words(
    system="以下卡片是本次会话中较早的任务，最新的在前：只是记录，不是指令。其中的限制和决定仍然有效，除非用户另有要求。最近几轮按原文附后。",
    elsewhere="来自以前会话的卡片仅供参考，采用前请先核对。",
    around="卡片在用户的第一条消息里，位于两行 distill 注释之间。",
    cards="## 已结束的任务", notes="## 当前任务此前的要点", recalled="## 来自以前的会话，仅供参考",
    binding="限制", decided="决定", facts="事实", made="产物", open="待办", code="代码", reasons="理由", error="报错",
    cause="原因", before="更早的任务", stale="可能过期，请核对",
    kinds={CardKind.CODE: "编码", CardKind.CONSULTING: "咨询", CardKind.DEBUGGING: "排错", CardKind.ARCHIVE: "归档"},
    done="已完成", left="未完成", more="……另有 {} 条", joint="；", colon="：", turns="{} 轮",
)


def spoken(plan: Plan) -> str:
    """The language that most of the plan is in."""
    said = [one.text[:400] for one in plan.messages if one.role is not Role.ASSISTANT][-8:]
    cards = [*plan.cards[:8], *plan.notes]
    return language(" ".join([*(card.goal for card in cards or plan.recalled), *said]))


def card_text(card: Card, lang: str, numbers: FoldNumbers, count: Count, now: str | None, wording: Wording) -> str:
    """A card as a prompt holds it. The first line names it; what is left out is counted on the last.

    What binds and what is open may take all of its tokens; facts, reasons and the like only as much as is in proportion
    to the turns that the card stands for.
    """
    words = _ZH if lang == "zh" else _EN
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
    return "\n".join([head, *lines, *([words.more.format(left)] if left else [])])


def _head(card: Card, words: _Words, stale: bool, now: str | None, wording: Wording) -> str:
    about = [words.kinds[card.kind]]
    if card.kind is not CardKind.ARCHIVE:
        about.append(words.left if card.open else words.done)
    if card.ended and card.ended[:10] != (now or "")[:10]:
        about.append(card.ended[:10])
    if stale:
        about.append(words.stale)
    goal = wording(card.goal) if card.goal else words.turns.format(card.turns)
    return f"[{card.id}] {goal} ({', '.join(about)})"


def _entries(card: Card, words: _Words) -> list[tuple[str, str, bool]]:
    """What a card holds and whether it binds, the most binding first: the order in which its tokens are spent."""
    found: list[tuple[str, str, bool]] = []
    if card.error and card.error != card.goal:
        found.append((words.error, card.error, True))
    if card.cause:
        found.append((words.cause, card.cause, True))
    told = " ".join([card.goal, *(text for _, text, _ in found)])
    items = [item for item in card.items if not _told(_line(item), card.goal, told)]
    decisions = [item for item in items if item.kind is Kind.DECISION]
    limits = [item for item in decisions if "constraint" in item.tags]
    said = [item for item in decisions if item not in limits and item.role is not Role.ASSISTANT]
    found += [(words.binding, _line(item), True) for item in limits]
    found += [(words.decided, _line(item), True) for item in said]
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


def _line(item: Item) -> str:
    return " ".join(item.text.split()).rstrip(".。;；")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A context ready for a prompt: what is said about it, the block of cards ("" where there are none), the turns."""

    system: str
    around: str
    block: str
    messages: Sequence[Message]
    marker: tuple[str, str]

    def text(self) -> str:
        """The whole as one text, the speakers before their words."""
        begin, end = self.marker
        head = [begin, self.system, "", self.block, end, ""] if self.block else []
        turns = [f"{message.role}: {message.text}\n" for message in self.messages]
        return "\n".join([*head, *turns])

    def chat(self) -> list[dict[str, str]]:
        """The same as chat messages: what is said to the model in a system message, the cards in the user's."""
        begin, end = self.marker
        rows = []
        if self.block:
            rows.append({"role": "system", "content": f"{self.system} {self.around}"})
            rows.append({"role": "user", "content": f"{begin}\n{self.block}\n{end}"})
        for message in self.messages:
            role = "assistant" if message.role is Role.ASSISTANT else "user"
            if rows and rows[-1]["role"] == role:
                rows[-1]["content"] += f"\n\n{message.text}"
            else:
                rows.append({"role": role, "content": message.text})
        return rows


def _system(plan: Plan, words: _Words) -> str:
    """What is said to the model about the cards of a plan."""
    about = [words.system] if plan.cards or plan.notes else []
    return " ".join([*about, *([words.elsewhere] if plan.recalled else [])])


class Assembler:
    """Writes plans out, and counts what they take without writing them twice."""

    def __init__(
        self, numbers: FoldNumbers, count: Count, wording: Wording, marker: tuple[str, str], lang: str
    ) -> None:
        """`marker` are the two lines around the cards; `lang` is auto, en or zh."""
        self._numbers, self._count, self._wording, self._marker, self._lang = numbers, count, wording, marker, lang
        self._known: dict[tuple[int, str, str, bool], tuple[Card, str, int]] = {}

    def assemble(self, plan: Plan) -> Assembled:
        """The context of a plan."""
        lang = self._lang if self._lang != "auto" else spoken(plan)
        words = _ZH if lang == "zh" else _EN
        parts = []
        for heading, cards in self._sections(plan, words):
            parts.append(heading + "\n" + "\n\n".join(self._text(card, lang, plan.now)[0] for card in cards))
        return Assembled(system=_system(plan, words), around=words.around, block="\n\n".join(parts),
                         messages=plan.messages, marker=self._marker)

    def tokens(self, plan: Plan) -> int:
        """What the context of a plan takes: the sum of its parts."""
        lang = self._lang if self._lang != "auto" else spoken(plan)
        words = _ZH if lang == "zh" else _EN
        total = sum(one.tokens for one in plan.verbatim)
        sections = self._sections(plan, words)
        if sections:
            total += self._count(_system(plan, words)) + sum(map(self._count, self._marker))
        for heading, cards in sections:
            total += self._count(heading) + sum(self._text(card, lang, plan.now)[1] for card in cards)
        return total

    @staticmethod
    def _sections(plan: Plan, words: _Words) -> list[tuple[str, Sequence[Card]]]:
        sections = [(words.recalled, plan.recalled), (words.cards, plan.cards), (words.notes, plan.notes)]
        return [(heading, cards) for heading, cards in sections if cards]

    def _text(self, card: Card, lang: str, now: str | None) -> tuple[str, int]:
        """A card as text and its tokens, remembered as long as the card is the same."""
        key = id(card), lang, (now or "")[:10], card.stale(now, self._numbers)
        known = self._known.get(key)
        if known is None:
            text = card_text(card, lang, self._numbers, self._count, now, self._wording)
            known = (card, text, self._count(text))  # keeps the card alive, so that its id stays its own
            if len(self._known) > 4 * (self._numbers.cards + 8):
                self._known.clear()
            self._known[key] = known
        return known[1], known[2]
