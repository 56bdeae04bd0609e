"""How far a turn is from the turns before it: rare words weigh more, and parts of words find their relatives.

The usual TF-IDF over words and character n-grams, with frequencies learnt from the session itself as it goes: nothing
is fitted twice, and a turn costs what it is long. Sets serve as well as counts, since a turn is short.

It stands on its own since a library gains nothing here. In its place, on all sessions with marked boundaries and each
at the best of several scales, scikit-learn's TF-IDF over words finds boundaries at F1 0.79, with character n-grams at
0.78, but has to be fitted anew at every turn; its HashingVectorizer, which has not, at 0.63; this module at 0.76, with
a higher threshold at 0.78. And scikit-learn takes 1.6 s to import, all of folding 0.2 s.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from functools import lru_cache

from distill.text.lazy import Lazy
from distill.text.likeness import grams

LONGEST = 6000  # characters of a message that are looked at
PART = 0.35  # what a part of a word weighs beside a word
_NGRAM = 4
_PIECES = Lazy(r"[a-z]+")


def features(text: str) -> frozenset[str]:
    """What `text` is about: its content words and Chinese character pairs, and parts of its Latin words ("#word")."""
    words = grams(text[:LONGEST])
    return words.union(*(_parts(word) for word in words if word.isascii())) if words else words


@lru_cache(maxsize=1 << 13)
def _parts(word: str) -> frozenset[str]:
    """The beginnings of the pieces of a name, and its runs of four letters."""
    found: set[str] = set()
    for piece in _PIECES.findall(word):
        if len(piece) >= _NGRAM:
            found.update("#" + piece[start : start + _NGRAM] for start in range(len(piece) - _NGRAM + 1))
    return frozenset(found)


class Rarity:
    """How rare each feature is among the turns so far."""

    def __init__(self, turns: int = 0, counts: dict[str, int] | None = None) -> None:
        self.turns = turns
        self.counts: dict[str, int] = counts if counts is not None else {}

    def learn(self, found: Iterable[str]) -> None:
        """One more turn, with these features."""
        self.turns += 1
        for one in found:
            self.counts[one] = self.counts.get(one, 0) + 1

    def weight(self, feature: str) -> float:
        """The inverse document frequency of a feature, smoothed; parts of words weigh less."""
        idf = math.log((self.turns + 2) / (self.counts.get(feature, 0) + 1)) + 0.1
        return idf * PART if feature[0] == "#" else idf

    def likeness(self, one: Set[str], other: Set[str]) -> float:
        """The share of what `one` is about that `other` is about as well, 0 to 1, rare features first."""
        whole = sum(map(self.weight, sorted(one)))
        return sum(map(self.weight, sorted(one & other))) / whole if whole else 0.0

    def cosine(self, one: Set[str], other: Set[str]) -> float:
        """The cosine of two sets of features as vectors of their weights, 0 to 1."""
        both = sum(self.weight(word) ** 2 for word in sorted(one & other))
        if not both:
            return 0.0
        lengths = (sum(self.weight(word) ** 2 for word in sorted(side)) for side in (one, other))
        return both / math.sqrt(math.prod(lengths))
