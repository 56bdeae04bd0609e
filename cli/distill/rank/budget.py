"""What fits a budget: whole items, best first, with a note for what is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from distill.model import SECTIONS, DistillError, Item
from distill.rank.order import PINNED, tier

Omitted = tuple[int, int, int, int]
Whole = Callable[[Sequence[Item], Omitted], str]  # the sections as they will be written, notes included


def fit(
    ranked: Sequence[Item], budget: int, count: Callable[[str], int], whole: Whole, line: Callable[[Item], str]
) -> tuple[list[Item], Omitted]:
    """The items of `ranked` (best first) that fit `budget` tokens, in that order, and how many of each kind do not.

    The budget covers what `whole` writes: headings, item lines and the notes on what was left out. Items are taken
    whole; where one is too long, shorter ones after it may still fit. What a hand has pinned is never left out. A
    budget too small for the notes or for what is pinned is an error.
    """
    if count(whole(ranked, (0, 0, 0, 0))) <= budget:
        return list(ranked), (0, 0, 0, 0)
    frame = count(whole((), _omitted(ranked, ())))
    if frame > budget:
        raise DistillError(f"a budget of {budget} tokens is smaller than the frame alone, which needs {frame}")
    pinned = {place for place, item in enumerate(ranked) if tier(item) == PINNED}
    if pinned:
        kept = [ranked[place] for place in sorted(pinned)]
        least = count(whole(kept, _omitted(ranked, kept)))
        if least > budget:
            raise DistillError(
                f"a budget of {budget} tokens is smaller than the pinned items alone, which need {least}: "
                "raise it, or take [pin] from some of them"
            )
    costs = [count(line(item) + "\n") for item in ranked]
    chosen = set(pinned)
    used, room = frame + sum(costs[place] for place in pinned), budget
    while True:
        for place, cost in enumerate(costs):
            if place not in chosen and used + cost <= room:
                chosen.add(place)
                used += cost
        kept = [item for place, item in enumerate(ranked) if place in chosen]
        size = count(whole(kept, _omitted(ranked, kept)))
        if size <= budget:
            return kept, _omitted(ranked, kept)
        last = max(chosen - pinned)  # the counts of parts do not add up exactly: give the least back
        chosen.remove(last)
        costs[last] = budget + 1


def _omitted(ranked: Sequence[Item], kept: Sequence[Item]) -> Omitted:
    left = [sum(i.kind is kind for i in ranked) - sum(i.kind is kind for i in kept) for kind in SECTIONS]
    return left[0], left[1], left[2], left[3]


def added(one: Omitted, other: Omitted) -> Omitted:
    """What two steps left out together, by kind."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]
