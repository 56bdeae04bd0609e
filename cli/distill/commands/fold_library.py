"""The library of cards: those of finished sessions, kept in the store of the layered context."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from distill.fold.cards import Card
from distill.fold.plain_data import pack, unpack
from distill.layered import Context, home_of
from distill.model import DistillError


def keep(cards: Sequence[Card]) -> int:
    """Keep cards in the store of the working directory, those of the same log and name in the place of older ones; how
    many the library then holds. Raises DistillError where the store cannot be written."""
    context = Context.at(home_of(Path.cwd()))
    return context.store.keep_cards([(card.log, card.id, json.dumps(pack(card), ensure_ascii=False)) for card in cards])


def kept() -> list[Card]:
    """The cards of earlier sessions, oldest first; none where there is no store. DistillError where one is damaged."""
    context = Context(home_of(Path.cwd()))
    if not context.store.path.exists():
        return []
    found: list[Card] = []
    for number, value in enumerate(context.store.cards(), 1):
        try:
            found.append(unpack(Card, json.loads(value)))
        except (TypeError, ValueError, KeyError) as error:
            raise DistillError(f"{context.store.path}: card {number} is damaged ({error})") from None
    return found
