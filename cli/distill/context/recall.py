"""Finding what long-term memory holds: the words that a summary is found by and a query asks for.

Latin words are reduced as everywhere, Chinese is cut into pairs of characters: on the tests' own set they find as much
as words from a dictionary do and more than runs of three, which miss every word of two, and an index that is made of
them can be searched on a machine that has no dictionary.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from distill.context.model import Memory
from distill.text.lazy import Lazy
from distill.text.likeness import GENERIC, grams

HITS = 2
SHARE = 0.15  # of the weight of a query's words, which a hit must hold
_PART = Lazy(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that answers a query, and the share of the query's weight that it holds."""

    memory: Memory
    share: float


def words(text: str) -> tuple[str, ...]:
    """The words of `text` as they stand in the index, each once, in a fixed order."""
    found = grams(unicodedata.normalize("NFKC", text)) - GENERIC
    parts = {part for word in found if word.isascii() for part in _PART.findall(word) if len(part) > 1}
    return tuple(sorted(found | parts))


def indexed(memory: Memory) -> Memory:
    """The memory with the words it is found by."""
    return replace(memory, words=" ".join(words(" ".join((memory.title, memory.summary, *memory.topics)))))


def best(query: str, found: Sequence[Memory], rarity: Mapping[str, int], total: int) -> tuple[Hit, ...]:
    """The at most two of `found` that answer `query`, best first, one for each task.

    `rarity` says how many of all `total` memories hold each word. What holds too small a share of the query's words,
    rare ones counting more, is no hit.
    """
    asked = words(query)
    weight = {word: math.log(1 + total / (rarity.get(word, 0) + 0.5)) for word in asked}
    whole = sum(weight.values())
    if not whole:
        return ()
    hits = []
    for memory in found:
        there = set(memory.words.split())
        share = sum(value for word, value in weight.items() if word in there) / whole
        if share >= SHARE:
            hits.append(Hit(memory=memory, share=round(share, 4)))
    hits.sort(key=lambda hit: (-hit.share, -hit.memory.id))
    once = {hit.memory.task: hit for hit in reversed(hits)}
    return tuple(hit for hit in hits if once[hit.memory.task] is hit)[:HITS]
