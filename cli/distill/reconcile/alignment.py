"""Two lines of words laid side by side: what both have, and what stands between that."""

from __future__ import annotations

from collections.abc import Sequence

#: "equal", "replace", "insert" or "delete", where it begins and ends in the first line, and where in the second
Code = tuple[str, int, int, int, int]
_Block = tuple[int, int, int]  # where words that both have begin in either, and how many they are


def codes(one: Sequence[str], other: Sequence[str]) -> list[Code]:
    """How the first line becomes the second, as `difflib` tells it: the longest common stretch first, then the rest."""
    places = {word: place for place, word in enumerate(other)}
    if len(places) == len(other) and len(set(one)) == len(one):
        return _between(_blocks(one, places), len(one), len(other))
    from difflib import SequenceMatcher

    return list(SequenceMatcher(None, one, other, autojunk=False).get_opcodes())


def _blocks(one: Sequence[str], places: dict[str, int]) -> list[_Block]:
    """The common stretches of lines in which no word stands twice: no two of them share a place, so none is cut."""
    runs: list[_Block] = []
    next_one = next_other = -1
    for place, word in enumerate(one):
        at = places.get(word)
        if at is None:
            continue
        if place == next_one and at == next_other:
            start, begin, size = runs[-1]
            runs[-1] = start, begin, size + 1
        else:
            runs.append((place, at, 1))
        next_one, next_other = place + 1, at + 1
    kept: list[_Block] = []
    for run in sorted(runs, key=lambda run: (-run[2], run[0])) if len(runs) > 1 else runs:
        if all((run[0] < block[0]) is (run[1] < block[1]) for block in kept):
            kept.append(run)
    kept.sort()
    return kept


def _between(blocks: list[_Block], size: int, length: int) -> list[Code]:
    found: list[Code] = []
    one = other = 0
    for start, begin, count in [*blocks, (size, length, 0)]:
        if one < start:
            found.append(("replace" if other < begin else "delete", one, start, other, begin))
        elif other < begin:
            found.append(("insert", one, one, other, begin))
        one, other = start + count, begin + count
        if count:
            found.append(("equal", start, one, begin, other))
    return found
