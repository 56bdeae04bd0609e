"""The weights of the signs of a change of task, fitted on the scripted talks: `python -m tests.context.fit`.

Prints the table of `distill.context.evidence`, and how well weights do that are fitted without the set that they judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from distill.context import entries
from distill.context.carry import carried
from distill.context.evidence import WEIGHTS
from distill.context.model import Desk, require_active
from distill.context.pointing import signs
from distill.context.switching import seen
from distill.layered import listened
from tests.context.scenario import NOW, Scenario, load
from tests.context.told import followed

MISSED = 6.0  # needless questions that a missed change counts for
RIDGE = 20.0  # penalty on the squared weights of signs that are scaled to a standard deviation of one
ASK = 0.45  # confidence from which is asked
CLASSES = {"new": 1, "back": 2}
Array = Any


@dataclass(frozen=True, slots=True)
class Row:
    """A turn: the set of talks it is from, its signs, what it does, and whether the replies were heard."""

    group: str
    signs: dict[str, float]
    does: int
    other: bool
    replies: bool


def rows(talks: Sequence[Scenario], *, replies: bool) -> Iterator[Row]:
    """The turns of `talks` without the first ones."""
    for talk in talks:
        desk, reply = Desk(), ""
        for number, turn in enumerate(talk.turns):
            if number:
                active = require_active(desk)
                heard = listened(turn.says, reply if replies else "")
                sight = seen(desk, active, turn.says, heard, carried(desk, active, turn.says))
                yield Row(talk.business, signs(sight), CLASSES.get(turn.do, 0), sight.elsewhere, replies)
            desk = followed(desk, turn)
            reply = turn.reply
            if replies and reply and desk.active:
                desk = entries.with_turn(desk, desk.active, reply, NOW)


def names(found: Sequence[Row]) -> list[str]:
    """All signs, in the order of the table, new ones last."""
    return list(dict.fromkeys([*WEIGHTS, *sorted({name for row in found for name in row.signs})]))


def fitted(found: Sequence[Row], order: Sequence[str]) -> Array:
    """Weights by Newton's method: a row for the bias and each sign, a column for something new and going back."""
    import numpy as np

    found = [row for row in found if row.other or row.does != CLASSES["back"]]  # what cannot be told teaches nothing
    data = np.array([[1.0, *(row.signs.get(name, 0.0) for name in order)] for row in found])
    scale = np.where(data.std(0) > 0, data.std(0), 1.0)
    scale[0] = 1.0
    data = data / scale
    does = np.array([row.does for row in found])
    weight = np.where(does > 0, MISSED, 1.0)
    wanted = np.stack([does == 1, does == 2], 1).astype(float)
    possible = np.array([[1.0, float(row.other)] for row in found])
    size = data.shape[1]
    beta = np.zeros((size, 2))
    penalty = np.diag(np.tile([0.0] + [RIDGE] * (size - 1), 2))
    for _ in range(30):
        grown = np.exp(data @ beta) * possible
        share = grown / (1 + grown.sum(1, keepdims=True))
        slope = np.concatenate([data.T @ (weight * (share[:, k] - wanted[:, k])) for k in (0, 1)])
        slope += penalty @ beta.T.ravel()
        blocks = [[data.T @ (data * (weight * share[:, j] * ((j == k) - share[:, k]))[:, None]) for k in (0, 1)]
                  for j in (0, 1)]
        step = np.linalg.solve(np.block(blocks) + penalty, slope)
        beta -= step.reshape(2, size).T
        if np.abs(step).max() < 1e-8:
            break
    return beta / scale[:, None]


def confidence(weights: Array, row: Row, order: Sequence[str]) -> float:
    """How surely a turn changes the task."""
    import numpy as np

    points = np.array([1.0, *(row.signs.get(name, 0.0) for name in order)]) @ weights
    grown = np.exp(points) * [1.0, float(row.other)]
    return float(grown.sum() / (1 + grown.sum()))


def unseen(found: Sequence[Row], order: Sequence[str]) -> str:
    """What is asked about where each set is judged by weights that were fitted on the others."""
    caught = missed = needless = stays = 0
    for group in sorted({row.group for row in found}):
        weights = fitted([row for row in found if row.group != group], order)
        for row in found:
            if row.group == group and row.replies:
                asks = confidence(weights, row, order) >= ASK
                caught += bool(row.does) and asks
                missed += bool(row.does) and not asks
                needless += not row.does and asks
                stays += not row.does
    return (f"{caught} of {caught + missed} changes asked about, "
            f"{needless} needless questions in {stays} turns that stay")


def everything() -> list[Row]:
    """The turns of all talks, with the replies heard and without."""
    talks = [*load("scenarios"), *load("turns")]
    return [row for replies in (True, False) for row in rows(talks, replies=replies)]


if __name__ == "__main__":
    turns = everything()
    order = names(turns)
    for name, (new, back) in zip(("BIAS", *order), fitted(turns, order), strict=True):
        print(f"{name}: {new:.2f}, {back:.2f}")
    print(unseen(turns, order))
