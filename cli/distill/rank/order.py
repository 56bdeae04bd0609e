"""The order in which items stand, and in which a budget takes them."""

from __future__ import annotations

from collections import Counter

from distill.model import Item, Kind, Role
from distill.text.language import width
from distill.text.likeness import content, grams

TEST_RUN = "fact/test-run"
PINNED, BINDING, REST = 0, 1, 2
# How much a right item of each kind matters to the next task, as labelled from 1 (minor) to 3 (it goes wrong without);
# a fact weighs a little less, since its confidence promises more than it holds.
WEIGHT = {Kind.DECISION: 2.3, Kind.FACT: 1.8, Kind.ARTIFACT: 2.2, Kind.OPEN: 2.4}
REPEATED = 1.12  # what is said at several places matters more
AGAIN = 0.6  # what one command tells again at any time, the totals of a test run, matters less
VARIED = 200  # items, the best, of which none is to say over again what stands before it
ALIKE, LESS = 0.2, 0.25  # share of common words from which an item is worth less, and how much less one that adds none


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
    """Items best first: by tier, worth, recency; ties by id, so that the order never depends on chance.

    What shares words with an item that stands before it says less that is new, and is worth less by that.
    """
    newest = sorted({item.at or "" for item in items})
    place = {at: number for number, at in enumerate(newest)}
    rows = sorted(((tier(i), -value(i), -place[i.at or ""], i.id), number) for number, i in enumerate(items))
    usual = [items[number] for _, number in rows]
    worth = [-key[1] for key, _ in rows[:VARIED]]
    return [*_varied(usual[:VARIED], worth), *usual[VARIED:]]


def _varied(usual: list[Item], worth: list[float]) -> list[Item]:
    """`usual`, best first and of this `worth`, so that each item is the one worth most beside those before it."""
    words = [grams(item.text) for item in usual]
    words = [content(one) or one for one in words]
    places: dict[str, list[int]] = {}
    for number, one in enumerate(words):
        for word in one:
            places.setdefault(word, []).append(number)
    keys = [(tier(item), -worth[number], number) for number, item in enumerate(usual)]
    told = [0.0] * len(usual)  # share of its words that stands in one of the items before it
    left = set(range(len(usual)))
    order: list[Item] = []
    while left:
        best = min(left, key=keys.__getitem__)
        left.remove(best)
        order.append(usual[best])
        common = Counter(number for word in words[best] for number in places[word] if number in left)
        for number, both in common.items():
            share = both / min(len(words[best]), len(words[number]))
            if share >= ALIKE and share > told[number]:
                told[number] = share
                keys[number] = (keys[number][0], -worth[number] * (1 - LESS * share), number)
    return order
