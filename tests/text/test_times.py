from datetime import UTC, datetime, timedelta, timezone

import pytest

from distill.text.times import rfc3339


@pytest.mark.parametrize(("value", "wanted"), [
    ("2026-03-02T09:01:02Z", "2026-03-02T09:01:02Z"),
    ("2026-03-02T09:01:02.345Z", "2026-03-02T09:01:02Z"),
    ("2026-01-31T23:59:59.9Z", "2026-01-31T23:59:59Z"),
    ("2026-03-02T09:01:02+08:00", "2026-03-02T01:01:02Z"),
    ("2026-03-02 09:01", "2026-03-02T09:01:00Z"),
    ("2026/3/2", "2026-03-02T00:00:00Z"),
    ("2026-02-29T09:01:02Z", None),
    ("2028-02-29T09:01:02Z", "2028-02-29T09:01:02Z"),
    ("2026-99-99T99:99:99Z", None),
    ("2026-04-31T00:00:00.000Z", None),
    ("2026-03-02T24:00:00Z", None),
    ("noon", None),
    ("", None),
    (1772442062, "2026-03-02T09:01:02Z"),
    (1772442062345, "2026-03-02T09:01:02Z"),
    ("1772442062", "2026-03-02T09:01:02Z"),
    (12, None),
    (True, None),
    (float("nan"), None),
    (None, None),
    ([], None),
    (datetime(2026, 3, 2, 9, 1, 2, tzinfo=UTC), "2026-03-02T09:01:02Z"),
    (datetime(2026, 3, 2, 9, 1, 2, tzinfo=timezone(timedelta(hours=-5))), "2026-03-02T14:01:02Z"),
])
def test_times(value: object, wanted: str | None) -> None:
    assert rfc3339(value) == wanted
