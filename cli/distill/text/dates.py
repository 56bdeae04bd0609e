"""Relative dates: "tomorrow" and 「下周三」 get the date beside them, for a reader of another day.

The day is that of the record, in UTC: a log does not say where its user sat. What may mean two days (a bare 「周五」)
and what recurs ("every Friday") is left as it is. "Next Friday" means the Friday of next week to some and the nearest
one to others; it gets a date where both are the same day: where that weekday is past in the running week, or is today.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from distill.text.lazy import Lazy

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}
_HAN = {char: number for number, char in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "兩": 2}
_HAN_DAYS = {char: number for number, char in enumerate("一二三四五六")} | {"日": 6, "天": 6}
_COUNT = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple of)"
_ENGLISH = Lazy(
    r"(?<![\w`/.-])(?:"
    r"(?P<day>(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tonight|tomorrow|yesterday)"
    rf"|(?P<which>by|until|till|before|this|last|next) (?P<weekday>{'|'.join(_DAYS)})"
    rf"|in (?P<ahead>{_COUNT}) (?P<unit>day|week)s?\b(?! of)"
    rf"|(?P<back>{_COUNT}) (?P<ago>day|week)s? ago"
    r"|(?P<near>next|last) (?P<span>week|month)"
    r"|end of (?:the|this) (?P<end>week|month)"
    r")(?![\w`/-]|\.\w)",
    re.IGNORECASE,
)
_CHINESE = Lazy(
    r"(?P<day>大后天|大後天|后天|後天|前天|今天|今日|今晚|明天|明日|明晚|昨天|昨日|昨晚)"
    r"|(?P<which>上|下|这|這|本)个?個?(?:周|週|星期|礼拜|禮拜)(?P<weekday>[一二三四五六日天])(?![天个個])"
    r"|(?P<ahead>\d{1,3}|[一二三四五六七八九十两兩]) ?个?個?(?P<unit>天|周|週|星期|礼拜|禮拜)(?:之?[后後])"
    r"|(?P<back>\d{1,3}|[一二三四五六七八九十两兩]) ?个?個?(?P<ago>天|周|週|星期|礼拜|禮拜)(?:之?前)"
    r"|(?P<near>上|下)(?:个|個)?(?P<span>周|週|星期|礼拜|禮拜|月)(?![一二三四五六日天末底初中内內])"
    r"|(?P<end>月底)"
)
_SHIFT = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "day before yesterday": -2,
    "今天": 0, "今日": 0, "今晚": 0, "明天": 1, "明日": 1, "明晚": 1, "昨天": -1, "昨日": -1, "昨晚": -1,
    "后天": 2, "後天": 2, "前天": -2, "大后天": 3, "大後天": 3,
}
_SIGNS = ("day", "tonight", "tomorrow", "week", "month")  # one of these stands in every English one
Parts = dict[str, str]


def dated(text: str, time: str | None) -> str:
    """`text`, said at `time` (RFC 3339), with the date in brackets behind each relative date."""
    day = _day(time)
    if day is None:
        return text
    folded = text.casefold()
    if any(sign in folded for sign in _SIGNS):
        text = _ENGLISH.sub(_noting(day, " ({})"), text)
    return text if text.isascii() else _CHINESE.sub(_noting(day, "（{}）"), text)


def _day(time: str | None) -> date | None:
    try:
        return date.fromisoformat((time or "")[:10])
    except ValueError:
        return None


def _noting(day: date, form: str) -> Callable[[re.Match[str]], str]:
    def note(found: re.Match[str]) -> str:
        if found.string[found.end() :].lstrip()[:1] in ("(", "（"):
            return found[0]  # something stands beside it already
        parts = {name: value.lower() for name, value in found.groupdict().items() if value}
        try:
            when = _when(day, parts)
        except OverflowError:
            when = ""
        return found[0] + form.format(when) if when else found[0]

    return note


def _when(day: date, parts: Parts) -> str:
    if "day" in parts:
        return str(day + timedelta(days=_SHIFT[parts["day"].removeprefix("the ")]))
    if "weekday" in parts:
        return _weekday(day, parts["which"], parts["weekday"])
    if "unit" in parts:
        return str(day + timedelta(days=_count(parts["ahead"]) * _length(parts["unit"])))
    if "ago" in parts:
        return str(day - timedelta(days=_count(parts["back"]) * _length(parts["ago"])))
    if "end" in parts:
        week = parts["end"] == "week"
        return str(_monday(day) + timedelta(days=4)) if week else str(_month(day, 1) - timedelta(days=1))
    step = 1 if parts["near"] in ("next", "下") else -1
    if parts["span"] in ("month", "月"):
        return str(_month(day, step))[:7]
    monday = _monday(day) + timedelta(days=7 * step)
    return f"{monday} – {monday + timedelta(days=6)}"


def _weekday(day: date, which: str, name: str) -> str:
    number = _DAYS.index(name) if name in _DAYS else _HAN_DAYS[name]
    if which in ("by", "until", "till", "before"):  # the next one to come
        return str(day + timedelta(days=(number - day.weekday()) % 7))
    if which == "last":
        return str(day - timedelta(days=(day.weekday() - number - 1) % 7 + 1))
    if which == "next":
        return str(_monday(day) + timedelta(days=7 + number)) if number <= day.weekday() else ""
    weeks = {"上": -1, "下": 1}.get(which, 0)
    return str(_monday(day) + timedelta(days=7 * weeks + number))


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _month(day: date, step: int) -> date:
    """The first day of the month `step` months from that of `day`."""
    number = day.year * 12 + day.month - 1 + step
    return date(number // 12, number % 12 + 1, 1)


def _length(unit: str) -> int:
    return 1 if unit in ("day", "天") else 7


def _count(number: str) -> int:
    if number.isdecimal():
        return int(number)
    return _HAN.get(number) or _NUMBERS[number]
