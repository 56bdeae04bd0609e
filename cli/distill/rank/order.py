"""The order in which items stand, and in which a budget takes them."""

from __future__ import annotations

from distill.model import Item, Role
from distill.text.language import width

PINNED, BINDING, REST = 0, 1, 2


def tier(item: Item) -> int:
    """0 pinned by hand; 1 prohibitions and the user's own explicit decisions, last to be cut; 2 the rest."""
    if "pinned" in item.tags:
        return PINNED
    if "constraint" in item.tags and item.role is not Role.ASSISTANT:
        return BINDING
    return REST


def value(item: Item) -> float:
    """What an item is worth by its length: confidence over the fourth root of its width.

    The fourth root was best of the exponents tried on labelled logs: it favours short items a little.
    """
    return round(item.confidence / max(8, width(item.text)) ** 0.25, 6)


def ranked(items: tuple[Item, ...]) -> list[Item]:
    """Items best first: by tier, worth, recency; ties by id, so that the order never depends on chance."""
    newest = sorted({item.at or "" for item in items})
    place = {at: number for number, at in enumerate(newest)}
    return sorted(items, key=lambda i: (tier(i), -value(i), -place[i.at or ""], i.id))
