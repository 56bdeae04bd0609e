"""The order in which items stand, and in which a budget takes them."""

from __future__ import annotations

from distill.model import Item, Kind, Role
from distill.text.language import width

TEST_RUN = "fact/test-run"
PINNED, BINDING, REST = 0, 1, 2
# How much a right item of each kind matters to the next task, as labelled from 1 (minor) to 3 (it goes wrong without);
# a fact weighs a little less, since its confidence promises more than it holds.
WEIGHT = {Kind.DECISION: 2.3, Kind.FACT: 1.8, Kind.ARTIFACT: 2.0, Kind.OPEN: 2.4}
REPEATED = 1.12  # what is said at several places matters more
AGAIN = 0.6  # what one command tells again at any time, the totals of a test run, matters less


def tier(item: Item) -> int:
    """0 pinned by hand; 1 prohibitions and the user's own explicit decisions, last to be cut; 2 the rest."""
    if "pinned" in item.tags:
        return PINNED
    if "constraint" in item.tags and item.role is not Role.ASSISTANT:
        return BINDING
    return REST


def value(item: Item) -> float:
    """What an item is worth for its length.

    That is how sure it is, times what its kind weighs, over its width to the power of 0.4: of the exponents 0 to 1
    tried on labelled logs, a quarter to a half kept most at 500 tokens.
    """
    weight = WEIGHT[item.kind] * (REPEATED if len({source.record for source in item.sources}) > 1 else 1.0)
    if item.rule == TEST_RUN:
        weight *= AGAIN
    length: float = max(8, width(item.text)) ** 0.4
    return round(item.confidence * weight / length, 6)


def ranked(items: tuple[Item, ...]) -> list[Item]:
    """Items best first: by tier, worth, recency; ties by id, so that the order never depends on chance."""
    newest = sorted({item.at or "" for item in items})
    place = {at: number for number, at in enumerate(newest)}
    return sorted(items, key=lambda i: (tier(i), -value(i), -place[i.at or ""], i.id))
