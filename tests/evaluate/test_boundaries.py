"""Scores of segmentations, against figures worked out by hand."""

from __future__ import annotations

import pytest

from distill.evaluate.boundaries import read_boundaries, score, together
from distill.model import DistillError


def test_what_is_found_exactly_has_no_error() -> None:
    one = score([4, 8], [4, 8], 12)
    assert (one.precision, one.recall, one.f1, one.window_diff, one.pk) == (1, 1, 1, 0, 0)


def test_a_boundary_may_be_off_by_a_turn_and_counts_once() -> None:
    assert score([5], [6], 10).right == 1
    assert score([5], [7], 10).right == 0
    assert score([5], [4, 5, 6], 10).right == 1
    assert score([4, 6], [5], 10).right == 1
    assert score([5], [6], 10, tolerance=0).right == 0
    assert score([3, 4], [4, 5], 10).right == 2


def test_nothing_wanted_and_nothing_found() -> None:
    none, false, missed = score([], [], 10), score([], [3], 10), score([3], [], 10)
    assert (none.precision, none.recall, none.f1) == (1, 1, 1)
    assert (false.precision, false.recall, false.f1) == (0, 1, 0)
    assert (missed.precision, missed.recall, missed.f1) == (1, 0, 0)


def test_window_errors_by_hand() -> None:
    """12 turns in two tasks: windows of 3; turn 7 begins the second task, 5 was found."""
    one = score([7], [5], 12)
    assert one.window_diff == pytest.approx(4 / 9)
    assert one.pk == pytest.approx(4 / 9)
    near = score([7], [7, 8], 12)
    assert near.window_diff == pytest.approx(3 / 9)
    assert near.pk == pytest.approx(1 / 9)


def test_a_near_miss_costs_less_than_a_far_one() -> None:
    errors = [score([10], [place], 20).window_diff for place in (10, 11, 13, 16)]
    assert errors == sorted(errors)
    assert errors[0] == 0 < errors[1]


def test_sessions_add_up() -> None:
    both = together([score([5], [5], 10), score([5, 9], [2], 30)])
    assert (both.turns, both.wanted, both.found, both.right) == (40, 3, 2, 1)
    assert both.precision == 0.5
    assert both.recall == pytest.approx(1 / 3)
    assert together([]).f1 == 1


def test_labels_are_record_numbers() -> None:
    assert read_boundaries("12  # the mails\n\n# more\n4\n12\n", "x") == (4, 12)
    with pytest.raises(DistillError, match="x:2: '-3' is no record number"):
        read_boundaries("4\n-3\n", "x")
