"""What both sides say, what is said again later, and what an edit of the log holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from distill.classify.candidate import Candidate
from distill.model import Role

COMMON = 40  # statements that share a word, from which it tells nothing
TWINS = 3  # words that two statements must share to say the same


def mark_repetition(pool: Sequence[Candidate], edits: AbstractSet[str]) -> None:
    """Add the signals `shared`, `again` and `in_edit`; linear but for words that many statements share.

    `edits` are the words that edits of the log brought in.
    """
    index: dict[str, list[int]] = {}
    for number, candidate in enumerate(pool):
        for word in candidate.words:
            index.setdefault(word, []).append(number)
    for number, candidate in enumerate(pool):
        if len(candidate.words) < TWINS:
            continue
        common: Counter[int] = Counter()
        for word in candidate.words:
            if len(places := index[word]) <= COMMON:
                common.update(places)
        for other, both in common.items():
            twin = pool[other]
            if other == number or both < TWINS or both * 2 < min(len(candidate.words), len(twin.words)):
                continue
            if twin.statement.role is not candidate.statement.role:
                candidate.signals.add("shared")
            elif twin.statement.turn > candidate.statement.turn:
                candidate.signals.add("again")
        if edits and candidate.statement.role is Role.ASSISTANT and _stands_in(candidate.words, edits):
            candidate.signals.add("in_edit")


def _stands_in(words: AbstractSet[str], edits: AbstractSet[str]) -> bool:
    """Whether two thirds of the Latin words, and two at least, stand in the edits."""
    named = [word for word in words if len(word) > 3 and word[0].isascii()]
    return len(named) >= 2 and sum(word in edits for word in named) * 3 >= len(named) * 2
