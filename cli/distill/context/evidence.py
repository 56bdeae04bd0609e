"""What speaks for a change of task in one turn and what against it, in numbers, and how surely a change follows.

The weights are those of a multinomial logistic regression over labelled turns, in which a change that is missed counts
as much as six needless questions: `python -m tests.context.fit` makes the table anew and shows how well it does on
talks that it has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

LEAST = 0.3  # points from which a sign is worth telling
TOLD = 3  # signs that are told on either side
MOST = 8.0  # words of content, and more say no more
LONGEST = 1.0  # screen line of 50 columns, and more says no more


@dataclass(frozen=True, slots=True)
class Weight:
    """What each unit of a sign adds towards something new and towards going back to another open task."""

    new: float
    back: float
    why: str


BIAS = Weight(-5.71, -4.40, "a turn goes on with the task in hand unless something speaks against it")
WEIGHTS = {
    "announced": Weight(1.59, -2.11, "one more thing to do is put up"),
    "another": Weight(-2.19, 0.0, "another task is open"),
    "asked_unsaid": Weight(-0.83, -0.94, "the assistant had asked: it may be the answer"),
    "beginning": Weight(3.27, 0.86, "it asks for work, or reports trouble"),
    "apart": Weight(0.86, 3.30, "it shares more words with another open task"),
    "bound": Weight(-1.33, -0.94, "it sets a bound, as one does to the work in hand"),
    "changed": Weight(-3.69, 2.18, "it changes what was settled"),
    "continued": Weight(-1.50, -1.18, "it leans on what was said before"),
    "lines": Weight(4.62, 4.53, "its length"),
    "more": Weight(-0.52, 1.80, "it is more like another task than like that in hand"),
    "piece": Weight(2.20, 1.12, "it names a piece of work"),
    "points": Weight(-1.22, 0.44, "a pronoun stands for what was said before"),
    "question_best": Weight(-14.11, -13.34, "a question about another task is no switch to it"),
    "ready": Weight(1.12, -2.52, "it asks whether something is ready"),
    "returned": Weight(-2.06, 7.21, "words of going back"),
    "switched": Weight(4.68, 0.43, "words of turning to something else"),
    "unsaid": Weight(0.69, 0.22, "words that no open task knows"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Weighed:
    """How surely a turn begins something new or goes back, 0 to 1 each, and the signs that tell most."""

    new: float
    back: float
    reason: str


def weighed(signs: Mapping[str, float], *, other: bool) -> Weighed:
    """The signs of a turn weighed; without an `other` open task nothing can be gone back to."""
    new, back = (BIAS.new, BIAS.back)
    for name, value in signs.items():
        new += WEIGHTS[name].new * value
        back += WEIGHTS[name].back * value
    sizes = exp(new), exp(back) if other else 0.0
    whole = 1 + sum(sizes)
    return Weighed(sizes[0] / whole, sizes[1] / whole, _told(signs, back=sizes[1] > sizes[0]))


def _told(signs: Mapping[str, float], *, back: bool) -> str:
    points = {WEIGHTS[name].why: (WEIGHTS[name].back if back else WEIGHTS[name].new) * value
              for name, value in signs.items()}
    ranked = sorted(points.items(), key=lambda one: (-abs(one[1]), one[0]))
    sides = [[f"{why} ({value:+.1f})" for why, value in ranked if sign * value >= LEAST][:TOLD] for sign in (1, -1)]
    return "; ".join(", ".join(side) for side in sides if side) or "nothing tells much"
