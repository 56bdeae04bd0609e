"""Times of every sort that logs hold, to RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from distill.text.lazy import Lazy

# ISO 8601 with `T` or a blank, optional seconds, fraction and zone.
_ISO = Lazy(
    r"\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})"
    r"(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|UTC|GMT)?\s*(?:([+-])(\d{2}):?(\d{2})?)?)?"
)
# What most agents write, and surely a time: the last days of a month are looked at more closely.
_USUAL = Lazy(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]*)?Z"
)
_EARLIEST, _LATEST = 315_532_800, 4_102_444_800  # 1980 to 2100: outside it a number is no time


def rfc3339(value: object) -> str | None:
    """The time `value` as "YYYY-MM-DDTHH:MM:SSZ", or None where it is no time.

    Takes ISO 8601 texts (a text without a zone counts as UTC), datetimes, and seconds, milliseconds, microseconds or
    nanoseconds since 1970 as a number or a text of digits.
    """
    if isinstance(value, str):
        if value[-1:] == "Z" and _USUAL.match(value):
            return value[:19] + "Z"
        return _from_text(value)
    if isinstance(value, datetime):
        return _show(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _from_number(float(value))
    return None


def _from_number(number: float) -> str | None:
    for scale in (1, 1e3, 1e6, 1e9):
        if _EARLIEST <= number / scale < _LATEST:
            return _show(datetime.fromtimestamp(int(number / scale), UTC))
    return None


def _from_text(text: str) -> str | None:
    found = _ISO.match(text[:64])
    if not found:
        plain = text.strip()[:20]
        return _from_number(float(plain)) if plain.isascii() and plain.isdigit() and len(plain) >= 9 else None
    year, month, day, hour, minute, second, _, sign, off_hour, off_minute = found.groups()
    zone: timezone = UTC
    if sign:
        offset = timedelta(hours=int(off_hour), minutes=int(off_minute or 0))
        zone = timezone(offset if sign == "+" else -offset) if offset < timedelta(hours=24) else UTC
    try:
        when = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=zone
        )
        return _show(when)
    except (ValueError, OverflowError):
        return None


def _show(when: datetime) -> str:
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
