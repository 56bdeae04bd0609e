"""The weights are what the talks give, and they tell talks that they have not seen."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from distill.context.evidence import BIAS, WEIGHTS, weighed
from tests.context.fit import ASK, Row, confidence, everything, fitted, names

SIGNS = {"unsaid": 3.0, "lines": 0.6}


@pytest.fixture(scope="module")
def turns() -> list[Row]:
    return everything()


def test_the_table_is_what_the_talks_give(turns: list[Row]) -> None:
    order = names(turns)
    assert set(order) == set(WEIGHTS)
    table = [(one.new, one.back) for one in (BIAS, *(WEIGHTS[name] for name in order))]
    given = fitted(turns, order).round(2).tolist()
    assert given == [pytest.approx(row, abs=0.02) for row in table]


def test_talks_that_were_not_fitted_are_told(turns: list[Row]) -> None:
    order = names(turns)
    groups = sorted({row.group for row in turns})
    held = frozenset(groups[::3])
    weights = fitted([row for row in turns if row.group not in held], order)
    judged = [(row.does > 0, confidence(weights, row, order) >= ASK) for row in turns if row.group in held]
    changes = [asked for change, asked in judged if change]
    stays = [asked for change, asked in judged if not change]
    assert sum(changes) >= 0.9 * len(changes)
    assert sum(stays) <= 0.2 * len(stays)


def test_nothing_is_gone_back_to_where_nothing_is_open() -> None:
    assert weighed(SIGNS, other=False).back == 0
    assert weighed(SIGNS, other=True).back > 0


def test_the_signs_that_tell_most_are_told_on_both_sides() -> None:
    reason = weighed(SIGNS | {"beginning": 1.0, "points": 1.0}, other=False).reason
    said, _, against = reason.partition("; ")
    assert said.startswith("it asks for work, or reports trouble (+")
    assert against.startswith("a pronoun stands for what was said before (-")
