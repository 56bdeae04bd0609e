"""Limits as people write them, ages in words."""

from __future__ import annotations

import pytest

from distill.text.ages import age, age_in_words, days_in


@pytest.mark.parametrize(("text", "days"), [
    ("30d", 30), ("45", 45), ("6 weeks", 42), ("3m", 90), ("1 month", 30), ("1y", 365), ("2 Years", 730), ("0d", 0),
    ("30天", 30), ("2 周", 14), ("3个月", 90), ("1年", 365), ("never", None), ("None", None),
])
def test_limits(text: str, days: int | None) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize("text", ["", "soon", "-3d", "3 fortnights", "1.5m", "d"])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^{text}$"):
        days_in(text)


@pytest.mark.parametrize(("then", "now", "en", "zh"), [
    ("2026-03-04", "2026-03-05", "1 day", "1 天"),
    ("2026-02-20", "2026-03-05", "13 days", "13 天"),
    ("2026-02-19", "2026-03-05", "2 weeks", "2 周"),
    ("2026-01-06", "2026-03-05", "8 weeks", "8 周"),
    ("2026-01-05", "2026-03-05", "2 months", "2 个月"),
    ("2025-11-20", "2026-03-05", "3 months", "3 个月"),
    ("2024-03-06", "2026-03-05", "23 months", "23 个月"),
    ("2024-03-05", "2026-03-05", "2 years", "2 年"),
    ("2016-02-29", "2026-03-05", "10 years", "10 年"),
])
def test_ages_in_words(then: str, now: str, en: str, zh: str) -> None:
    assert age_in_words(f"{then}T23:00:00Z", f"{now}T01:00:00Z", "en") == en
    assert age_in_words(f"{then}T23:00:00Z", f"{now}T01:00:00Z", "zh") == zh


def test_an_age_that_nobody_knows() -> None:
    assert age("2026-03-01T00:00:00Z", "2026-03-05T00:00:00Z") == 4
    assert age(None, "2026-03-05T00:00:00Z") is None
    assert age("2026-03-06T00:00:00Z", "2026-03-05T00:00:00Z") is None
    assert age("2026-03-01T00:00:00Z", "") is None
