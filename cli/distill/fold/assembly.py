"""The context that a prompt carries: what cards are, the cards newest first, and the last turns as they were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distill.fold.cards import Card
from distill.fold.exchange import Exchange, Message
from distill.fold.numbers import FoldNumbers
from distill.fold.writing import EN, ZH, Count, Wording, Words, card_text
from distill.model import Role
from distill.text.language import language


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


def spoken(plan: Plan) -> str:
    """The language that most of the plan is in."""
    said = [one.text[:400] for one in plan.messages if one.role is not Role.ASSISTANT][-8:]
    cards = [*plan.cards[:8], *plan.notes]
    return language(" ".join([*(card.goal for card in cards or plan.recalled), *said]))


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


def _system(plan: Plan, words: Words) -> str:
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
        words = ZH if lang == "zh" else EN
        parts = []
        for heading, cards in self._sections(plan, words):
            parts.append(heading + "\n" + "\n\n".join(self._text(card, lang, plan.now)[0] for card in cards))
        return Assembled(system=_system(plan, words), around=words.around, block="\n\n".join(parts),
                         messages=plan.messages, marker=self._marker)

    def tokens(self, plan: Plan) -> int:
        """What the context of a plan takes: the sum of its parts."""
        lang = self._lang if self._lang != "auto" else spoken(plan)
        words = ZH if lang == "zh" else EN
        total = sum(one.tokens for one in plan.verbatim)
        sections = self._sections(plan, words)
        if sections:
            total += self._count(_system(plan, words)) + sum(map(self._count, self._marker))
        for heading, cards in sections:
            total += self._count(heading) + sum(self._text(card, lang, plan.now)[1] for card in cards)
        return total

    @staticmethod
    def _sections(plan: Plan, words: Words) -> list[tuple[str, Sequence[Card]]]:
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
