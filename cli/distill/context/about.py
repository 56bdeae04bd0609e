"""What turns and tasks are about, and how alike they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache

from distill.context.model import Desk, Sort, Task
from distill.text.likeness import content, grams

# The same number may count anything, much happens on the same day, and much is noted.
_NOTHING = (
    "noted year month week day today tomorrow yesterday morning afternoon evening night noon now time weekend "
    "monday tuesday wednesday thursday friday saturday sunday "
    "今天 明天 昨天 后天 今年 明年 去年 本周 这周 下周 上周 周一 周二 周三 周四 周五 周六 周日 "
    "周末 本月 这个 个月 下月 上月 上午 下午 晚上 早上 现在 时候"
)
_SHORT = 2  # letters of a name that may mean anything
_COMMON = 0.5  # what a word weighs that every open task holds


@lru_cache(maxsize=1 << 12)
def about_of(text: str) -> frozenset[str]:
    """The words that say what a text is about."""
    words = grams(unicodedata.normalize("NFKC", text))
    parts = (part for word in words if "_" in word for part in word.split("_") if len(part) > _SHORT)
    found = content(words.union(parts))
    return frozenset(word for word in found if not word.isdigit()) - _nothing()


@cache
def _nothing() -> frozenset[str]:
    return grams(_NOTHING)  # as stems, as all words are


def says(about: frozenset[str]) -> float:
    """How much a turn says: its words, two pairs of Chinese characters for one."""
    return sum(1.0 if word.isascii() else 0.5 for word in about)


def profile(desk: Desk, task: Task) -> frozenset[str]:
    """What a task is about: its title, conditions, results, steps, questions and the latest turns."""
    told = [task.title]
    told += [f"{one.name} {one.text}" if one.sort is not Sort.TURN else one.text for one in desk.of(task.id)]
    return frozenset().union(*map(about_of, told))


def likeness(about: frozenset[str], other: frozenset[str], profiles: Collection[frozenset[str]]) -> float:
    """The share of what `about` says that `other` holds, 0 to 1; what all open tasks hold tells less."""
    weight = {word: _COMMON if len(profiles) > 1 and all(word in one for one in profiles) else 1.0 for word in about}
    whole = sum(weight.values())
    return sum(value for word, value in weight.items() if word in other) / whole if whole else 0.0
