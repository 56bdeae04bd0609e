"""Old states to the present schema."""

from __future__ import annotations

from typing import Any

import pytest

from distill.model import SCHEMA, DistillError
from distill.store.upgrade import UPGRADES, upgraded

Data = dict[str, Any]


def one(data: Data) -> Data:
    return {"schema": 1, "name": data["title"]}


def two(data: Data) -> Data:
    return {**data, "name": data["name"].upper()}


def test_steps_follow_each_other() -> None:
    assert upgraded({"schema": 1, "title": "a"}, "s", {1: one, 2: two}, 3) == {"schema": 3, "name": "A"}
    assert upgraded({"schema": 2, "name": "a"}, "s", {1: one, 2: two}, 3) == {"schema": 3, "name": "A"}


def test_the_present_and_a_newer_schema_are_left_alone() -> None:
    for version in (SCHEMA, SCHEMA + 5):
        assert upgraded({"schema": version}, "s") == {"schema": version}


@pytest.mark.parametrize("version", ["1", None, True, 0.5, []])
def test_a_schema_that_is_no_version_is_left_to_the_reader(version: object) -> None:
    assert upgraded({"schema": version}, "s") == {"schema": version}


def test_a_version_without_a_step_is_an_error() -> None:
    with pytest.raises(DistillError, match=r"^s\.md: schema 0 is too old"):
        upgraded({"schema": 0}, "s.md")


@pytest.mark.parametrize("data", [{"schema": 1}, {"schema": 2}, {"schema": 2, "name": 5}])
def test_a_step_that_meets_damage_is_an_error_of_one_line(data: Data) -> None:
    with pytest.raises(DistillError, match=r"^s\.md: schema [12] is not as it was written") as caught:
        upgraded(data, "s.md", {1: one, 2: two}, 3)
    assert "\n" not in str(caught.value)


def test_there_is_a_step_for_every_version_that_was() -> None:
    assert sorted(UPGRADES) == list(range(1, SCHEMA))
