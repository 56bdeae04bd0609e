"""How old something is: limits as people write them, ages in words."""

from __future__ import annotations

import re
from datetime import datetime

from distill.text.lazy import Lazy

_AGE = Lazy(r"\s*(\d{1,6})\s*(d|days?|w|weeks?|m|months?|y|years?|天|日|周|个?月|年)?\s*", re.IGNORECASE)
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365, "天": 1, "日": 1, "周": 7, "个": 30, "月": 30, "年": 365}
_WORDS = {
    "en": {"day": ("{} day", "{} days"), "week": ("{} week", "{} weeks"), "month": ("{} month", "{} months"),
           "year": ("{} year", "{} years")},
    "zh": {"day": ("{} 天", "{} 天"), "week": ("{} 周", "{} 周"), "month": ("{} 个月", "{} 个月"),
           "year": ("{} 年", "{} 年")},
    "zh-Hant": {"day": ("{} 天", "{} 天"), "week": ("{} 週", "{} 週"), "month": ("{} 個月", "{} 個月"),
                "year": ("{} 年", "{} 年")},
}  # fmt: skip


def days_in(text: str) -> int | None:
    """The days that a limit such as "30d", "6 weeks", "3 months", "1y" or "45" stands for; None for "never".

    Raises ValueError where `text` is no limit.
    """
    if text.strip().casefold() in ("never", "none", "永不"):
        return None
    found = _AGE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return int(found[1]) * _DAYS[(found[2] or "d")[0].casefold()]


def age(then: str | None, now: str) -> int | None:
    """The whole days from `then` to `now`, both RFC 3339 in UTC; None where a time is unknown or lies ahead."""
    if not then or not now:
        return None
    days = (_day(now) - _day(then)).days
    return days if days >= 0 else None


def age_in_words(then: str, now: str, lang: str) -> str:
    """The age in its largest whole unit: "3 months", 「3 个月」; weeks from 2 on, months from 2 on, years from 2 on."""
    first, last = _day(then), _day(now)
    days = (last - first).days
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    if months >= 24:
        unit, count = "year", months // 12
    elif months >= 2:
        unit, count = "month", months
    elif days >= 14:
        unit, count = "week", days // 7
    else:
        unit, count = "day", days
    one, many = _WORDS.get(lang, _WORDS["en"])[unit]
    return (one if count == 1 else many).format(count)


def _day(time: str) -> datetime:
    return datetime.fromisoformat(time[:10])
