"""How well the ends of tasks are found: precision and recall with a tolerance, WindowDiff and Pk.

A segmentation of a session is the set of turns that begin a task, the first turn aside. WindowDiff (Pevzner and Hearst
2002) slides a window of half the mean task length over the turns and counts the places where the numbers of boundaries
inside differ; Pk (Beeferman and others 1999) those where the two disagree whether its ends lie in one task. Both are
errors: 0 is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distill.model import DistillError

SUFFIX = ".boundaries"  # of the file of labels beside a log: one record number a line
TOLERANCE = 1  # turns by which a boundary may be off


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryScore:
    """The score of one session, or of several: `right` of `found` boundaries, of `wanted` ones."""

    turns: int
    wanted: int
    found: int
    right: int
    window_diff: float
    pk: float

    @property
    def precision(self) -> float:
        """The share of the boundaries found that are right; 1 where none was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of the boundaries wanted that were found; 1 where none was wanted."""
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.wanted + self.found
        return 2 * self.right / both if both else 1.0


def read_boundaries(text: str, where: str) -> tuple[int, ...]:
    """The records that begin a task, one a line; `#` opens a comment. Raises DistillError naming the line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        plain = line.partition("#")[0].strip()
        if not plain:
            continue
        if not (plain.isascii() and plain.isdigit() and int(plain)):
            raise DistillError(f"{where}:{number}: {plain!r} is no record number")
        found.append(int(plain))
    return tuple(sorted(set(found)))


def score(wanted: Sequence[int], found: Sequence[int], turns: int, tolerance: int = TOLERANCE) -> BoundaryScore:
    """The score of the turns `found` to begin a task against those `wanted`, in a session of `turns` turns.

    Each counts for one other that is at most `tolerance` turns away.
    """
    want, have = set(wanted), set(found)
    right = 0
    left = sorted(have)
    for one in sorted(want):  # the earliest that is near enough leaves most for those after it
        near = next((other for other in left if abs(one - other) <= tolerance), None)
        if near is not None:
            left = [other for other in left if other > near]
            right += 1
    difference, disagree = _windows(want, have, turns)
    return BoundaryScore(turns=turns, wanted=len(want), found=len(have), right=right, window_diff=difference,
                         pk=disagree)


def together(scores: Sequence[BoundaryScore]) -> BoundaryScore:
    """The score of several sessions: counts add up, window errors are weighed by turns."""
    turns = sum(one.turns for one in scores)
    return BoundaryScore(
        turns=turns, wanted=sum(one.wanted for one in scores), found=sum(one.found for one in scores),
        right=sum(one.right for one in scores),
        window_diff=sum(one.window_diff * one.turns for one in scores) / turns if turns else 0.0,
        pk=sum(one.pk * one.turns for one in scores) / turns if turns else 0.0,
    )


def _windows(want: set[int], have: set[int], turns: int) -> tuple[float, float]:
    """WindowDiff and Pk, for turns numbered from 1."""
    size = max(1, round(turns / (len(want) + 1) / 2))
    places = range(1, turns - size + 1)
    if not places:
        return 0.0, 0.0
    different = disagreed = 0
    for start in places:
        inside = range(start + 1, start + size + 1)
        first, second = sum(one in want for one in inside), sum(one in have for one in inside)
        different += first != second
        disagreed += bool(first) is not bool(second)
    return different / len(places), disagreed / len(places)
