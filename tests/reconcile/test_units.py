"""A time told in another unit is another value of the same thing; another sort of quantity is not."""

from __future__ import annotations

import pytest

from distill.reconcile.subjects import replaces, subject_of


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("缓存时间改成 10 分钟吧", "还是太短，缓存时间定为 1 小时"),
        ("会话超时定为 30 分钟", "会话超时定为 2 小时"),
        ("草稿保留 90 天", "草稿保留 6 个月"),
        ("心跳间隔 500 毫秒", "心跳间隔 2 秒"),
        ("The session timeout is 30 minutes.", "The session timeout is 2 hours."),
        ("Drafts live for 90 days.", "Drafts live for 6 months."),
        ("Poll the gauge every 90 seconds.", "Poll the gauge every 5 minutes."),
        ("The gate closes after 45 sec.", "The gate closes after 2 min."),
    ],
)
def test_another_unit_of_time_is_another_value(earlier: str, later: str) -> None:
    assert replaces(subject_of(later), subject_of(earlier))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("草稿保留 90 天", "草稿保留 6 份"),
        ("缓存时间定为 10 分钟", "缓存上限定为 200 MB"),
        ("会话超时定为 30 分钟", "登录超时定为 2 小时"),
        ("每 10 分钟备份一次数据库", "每 2 小时备份一次图片"),
        ("Drafts live for 90 days.", "Drafts hold 6 pages."),
        ("The session timeout is 30 minutes.", "The login timeout is 2 hours."),
        ("Poll the gauge every 90 seconds.", "Poll the tide table every 5 minutes."),
        ("The gate closes after 45 sec.", "The lift stops after 2 min."),
    ],
)
def test_another_thing_or_sort_of_quantity_replaces_nothing(one: str, other: str) -> None:
    assert not replaces(subject_of(other), subject_of(one))
