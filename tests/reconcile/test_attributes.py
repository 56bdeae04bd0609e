"""What has one value at a time."""

from __future__ import annotations

import pytest

from distill.reconcile.attributes import other_value
from distill.reconcile.subjects import replaces, subject_of


@pytest.mark.parametrize(("first", "then"), [
    ("Root cause of the sensor dropouts: the DNS cache", "The root cause of the sensor dropouts is a full pool"),
    ("The default branch is main", "The default branch is trunk"),
    ("The owner of the price module is Ana", "The owner of the price module is now Ben"),
    ("Deadline: end of June", "Deadline: middle of July"),
    ("价格模块负责人是小林", "价格模块负责人改成小周"),
    ("时区：UTC", "时区：东八区"),
    ("传感器掉线的根因是缓存过期", "传感器掉线的根因是连接池占满"),
])
def test_another_value_of_one_attribute(first: str, then: str) -> None:
    assert other_value(then, first)
    assert replaces(subject_of(then), subject_of(first))


@pytest.mark.parametrize(("first", "then"), [
    ("The owner of the price module is Ana", "The owner of the map module is Ben"),
    ("The name is shown in bold", "The name is cut after twenty letters"),
    ("The list is sorted by date", "The list is cached"),
    ("Root cause: the DNS cache", "Root cause: a full pool"),  # of what?
    ("The default language is German", "The default currency is EUR"),
    ("The root cause of the dropouts is the DNS cache", "Root cause of the dropouts: the DNS cache of the gateway"),
    ("根因：缓存过期", "根因：连接池占满"),
    ("价格模块负责人是小林", "地图模块负责人是小周"),
])
def test_no_other_value(first: str, then: str) -> None:
    assert not other_value(then, first)
    assert not replaces(subject_of(then), subject_of(first))
