"""Relative dates get the date beside them; what could mean two days is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.text.dates import dated

THURSDAY = "2026-03-05T10:00:00Z"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ship it tomorrow", "Ship it tomorrow (2026-03-06)"),
        ("Yesterday the disk was full.", "Yesterday (2026-03-04) the disk was full."),
        ("the day after tomorrow we move", "the day after tomorrow (2026-03-07) we move"),
        ("the draft is due by friday", "the draft is due by friday (2026-03-06)"),
        ("until Thursday", "until Thursday (2026-03-05)"),
        ("it broke last Thursday", "it broke last Thursday (2026-02-26)"),
        ("this monday", "this monday (2026-03-02)"),
        ("next Monday", "next Monday (2026-03-09)"),
        ("call them next thursday", "call them next thursday (2026-03-12)"),
        ("in 10 days", "in 10 days (2026-03-15)"),
        ("in two weeks", "in two weeks (2026-03-19)"),
        ("3 days ago", "3 days ago (2026-03-02)"),
        ("next week", "next week (2026-03-09 – 2026-03-15)"),
        ("next month", "next month (2026-04)"),
        ("by the end of the month", "by the end of the month (2026-03-31)"),
        ("明天上线", "明天（2026-03-06）上线"),
        ("昨晚跑完了", "昨晚（2026-03-04）跑完了"),
        ("下周三再发", "下周三（2026-03-11）再发"),
        ("上週五改的", "上週五（2026-02-27）改的"),
        ("本周五之前", "本周五（2026-03-06）之前"),
        ("下禮拜日", "下禮拜日（2026-03-15）"),
        ("三天后复查", "三天后（2026-03-08）复查"),
        ("2 周前", "2 周前（2026-02-19）"),
        ("下个月再弄", "下个月（2026-04）再弄"),
        ("月底前", "月底（2026-03-31）前"),
        ("明天用 staging，tomorrow", "明天（2026-03-06）用 staging，tomorrow (2026-03-06)"),
    ],
)
def test_relative_dates(text: str, shown: str) -> None:
    assert dated(text, THURSDAY) == shown


@pytest.mark.parametrize(
    "text",
    [
        "every Friday at five",
        "next Friday",
        "the Sunday after next Sunday",
        "the next Mondays",
        "周五发版",
        "每周五发版",
        "在下周末之前",
        "tomorrow (2026-03-06)",
        "今天天气（晴）"[:2] + "（3 月 5 日）",
        "the todayness of it",
        "in 3 days of work",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert dated(text, THURSDAY) == text


def test_without_a_time_nothing_is_invented() -> None:
    assert dated("Ship it tomorrow", None) == "Ship it tomorrow"
    assert dated("Ship it tomorrow", "soon") == "Ship it tomorrow"


def test_december_ends_with_its_year() -> None:
    assert dated("next month", "2026-12-31T23:00:00Z") == "next month (2027-01)"
    assert dated("月底", "2026-12-05T23:00:00Z") == "月底（2026-12-31）"


@given(st.text(max_size=60))
def test_dating_twice_changes_nothing(text: str) -> None:
    once = dated(text, THURSDAY)
    assert dated(once, THURSDAY) == once
