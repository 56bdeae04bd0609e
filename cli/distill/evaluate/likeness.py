"""How far an item says a label: which share of the words of the one stands in the other.

Words are counted, not collected: a quote that says a word twice wants it twice. Chinese counts by pairs of neighbouring
characters, a path by its components. This is the measure of the scores alone; it is fixed, so that scores can be
compared across versions, while the likeness that merges items may go on improving.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import pairwise

#: Words that say nothing. `not` is none of them: it turns a conclusion round.
_IDLE = (
    "a an and are as at be been by did do does for had has have i in is it its of on or that the this to was we were"
    " will with would you"
)
STOP = frozenset(_IDLE.split())
NAME = 2  # what the last component of a path counts; each folder counts 1
PART = 0.75  # what it is worth that an item is held by the label, against the label being held by the item
HAN_TOKENS = 0.95  # tokens of a Chinese character, about what o200k_base counts
WORD_TOKENS = 0.88  # tokens of a word or a mark

_TERM = re.compile(r"[a-z0-9_]+(?:[./\\-][a-z0-9_]+)*")
_SLASH = re.compile(r"[/\\]")
_HAN = re.compile("[\u3400-\u9fff]+")
_WORD = re.compile(r"\w+|[^\w\s]")


def terms(text: str) -> Counter[str]:
    """The Latin words, path components and Chinese character pairs of `text`, folded, with what each counts."""
    folded = unicodedata.normalize("NFKC", text).lower()
    found: Counter[str] = Counter()
    for term in _TERM.findall(folded):
        parts = _SLASH.split(term)
        for folder in parts[:-1]:
            found[folder] += 1
        found[parts[-1]] += NAME if len(parts) > 1 else 1
    for word in STOP & found.keys():
        del found[word]
    for run in _HAN.findall(folded):
        if len(run) == 1:
            found[run] += 1
        else:
            found.update(map("".join, pairwise(run)))
    return found


def alike(common: int, said: int, wanted: int) -> float:
    """How far a text of `said` terms says a wanted text of `wanted` terms when `common` are in both, 0 to 1.

    One term in common is chance, unless nothing more is wanted.
    """
    if not common or (common == 1 and wanted > 1):
        return 0.0
    return max(common / wanted, PART * common / said)


def tokens(text: str) -> float:
    """About how many tokens `text` has: an estimate that is the same on every machine."""
    han = sum(map(len, _HAN.findall(text)))
    return HAN_TOKENS * han + WORD_TOKENS * len(_WORD.findall(_HAN.sub(" ", text)))
