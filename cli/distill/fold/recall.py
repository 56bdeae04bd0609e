"""Which cards of earlier sessions are about a task: those that share its rare words."""

from __future__ import annotations

from collections.abc import Sequence

from distill.fold.cards import Card
from distill.fold.drift import Rarity, features

LEAST = 0.15  # of what the task is about, that a card must share with it


def relevant(cards: Sequence[Card], task: str, most: int) -> list[Card]:
    """The cards that say most about `task`, best first, `most` at most; newer before older where they say as much."""
    wanted = features(task)
    rarity = Rarity()
    about = [features(" ".join([card.goal, *card.goals, *(item.text for item in card.items), card.error, card.cause]))
             for card in cards]
    for one in about:
        rarity.learn(one)
    scores = [(round(rarity.likeness(wanted, one), 6), number) for number, one in enumerate(about)]
    best = sorted((pair for pair in scores if pair[0] >= LEAST), reverse=True)[:most]
    return [cards[number] for _, number in best]
