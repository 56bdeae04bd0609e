"""Which items matter to a task: those that hold, and those that share words with it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from distill.model import Item, Kind, Role
from distill.rank.order import BINDING, PINNED, REST, ranked
from distill.text.language import han
from distill.text.lazy import Lazy
from distill.text.words import terms

FEW = 5  # items shown where none shares a word with the task
WEAK = 0.25  # of the best score: what is below shares a word by chance
_K1, _B = 1.2, 0.75  # BM25's usual constants: how soon repetition is enough, how much length counts
# Prohibitions and standing orders that carry no mark, such as those that were added by hand.
_STANDING = Lazy(
    r"^\W*(?:(?:and|but|also|please|so)\W+)*(?:never|always|don['’]?t|do\s+not|no)\b"
    r"|\b(?:must(?:\s+not|n['’]t)|must\s+never|may\s+not|never|not\s+allowed|forbidden|off[- ]limits|hands\s+off)\b"
    r"|不要|不得|不许|不准|不可以|禁止|严禁|切勿|请勿|绝不|务必|一律|始终|别(?=动|碰|改|用|删|提交|推|再|把)",
    re.IGNORECASE,
)
# A task that asks for what is unfinished is about every open item.
_UNFINISHED = Lazy(
    r"\b(?:to-?dos?|remaining|unfinished|left[- ]?overs?)\b|待办|剩余|剩下|未完成|没做完|收尾", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What matters, what holds first, then by how much it says about the task.

    `unrelated` items are not in it; `matched` is False where none shares a word with the task.
    """

    items: tuple[Item, ...]
    unrelated: int = 0
    matched: bool = True


def pick(items: Sequence[Item], task: str = "") -> Picked:
    """The live `items` that matter to `task`, best first; all of them, in the usual order, where no task is named.

    What is pinned, forbidden or limited stays whatever the task is. Where nothing shares a word with the task, the
    `FEW` most important others stay as well.
    """
    usual = ranked(tuple(items))
    if not task.strip():
        return Picked(items=tuple(usual))
    scores = _scores(usual, task)
    best = max(scores, default=0.0)
    tiers = [_tier(item) for item in usual]
    related = [score > 0 and score >= WEAK * best for score in scores]
    if best == 0:
        others = [place for place, tier in enumerate(tiers) if tier == REST]
        for place in others[:FEW]:
            related[place] = True
    places = [place for place, tier in enumerate(tiers) if tier != REST or related[place]]
    places.sort(key=lambda place: (tiers[place], -scores[place], place))
    return Picked(items=tuple(usual[place] for place in places), unrelated=len(usual) - len(places), matched=best > 0)


def standing(item: Item) -> bool:
    """Whether `item` forbids or limits something: it holds whatever the task is."""
    if "constraint" in item.tags:
        return True
    said = item.kind is Kind.DECISION and item.role is not Role.ASSISTANT
    return said and _STANDING.search(item.text) is not None


def _tier(item: Item) -> int:
    if "pinned" in item.tags:
        return PINNED
    return BINDING if standing(item) else REST


def _scores(items: Sequence[Item], task: str) -> list[float]:
    """How much each item says about the task: BM25 over the terms that they share, 0 where there is none."""
    wanted = terms(task)
    found = [terms(item.text, chinese=han(task) > 0) for item in items]
    holding = Counter(term for one in found for term in one & wanted)
    mean = sum(map(len, found)) / max(1, len(found)) or 1.0
    rarity = {term: math.log(1 + len(items) / count) for term, count in holding.items()}
    unfinished = math.log(2) if _UNFINISHED.search(task) else 0.0
    scores = []
    for item, one in zip(items, found, strict=True):
        length = _K1 * (1 - _B + _B * len(one) / mean)
        score = sum(rarity[term] for term in sorted(one & wanted)) * (_K1 + 1) / (1 + length)
        scores.append(round(score + (unfinished if item.kind is Kind.OPEN else 0.0), 6))
    return scores
