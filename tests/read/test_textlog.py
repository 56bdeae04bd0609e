from io import BytesIO

import pytest

from distill.read.log import Log
from distill.read.textlog import Fence, Lines, is_text, located, trimmed, when


def log(text: str) -> Log:
    return Log("log", BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-03-15 10:02", "2026-03-15T10:02:00Z"),
        ("on 2026/3/5 09:33:05 or so", "2026-03-05T09:33:05Z"),
        ("2026年3月5日", "2026-03-05T00:00:00Z"),
        ("2026年3月5日 下午3:20", "2026-03-05T15:20:00Z"),
        ("2026-02-09 22:24:05-0700", "2026-02-10T05:24:05Z"),
        ("2026/2/28 at GMT+8 10:28:33", "2026-02-28T02:28:33Z"),
        ("01/15/2026 at 14:49:25 GMT+8", "2026-01-15T06:49:25Z"),
        ("(1/2/2025, 1:06:30 PM)", "2025-01-02T13:06:30Z"),
        ("17/09/2025 at 9:03:55", "2025-09-17T09:03:55Z"),
        ("05.03.2026 12:00", "2026-03-05T12:00:00Z"),
        ("5/6/2026 at 19:44:57", None),  # May or June
        ("2026-13-40", None),
        ("no time", None),
    ],
)
def test_times(text: str, time: str | None) -> None:
    assert when(text) == time


@pytest.mark.parametrize(
    "text",
    ["plain words", "[2026-03-15 10:02] me: hi", "[INFO] started", "{user} wrote", "[ ] buy milk", "[[note]] a link"],
)
def test_text(text: str) -> None:
    assert is_text(log(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user"}',
        '{"trajectory": [',
        '{\n  "messages": [\n    {"role": "user"',
        '[{"a": 1',
        '["a", "b"',
        "[]",
        "[1, 2]",
        '{"a": 1}\n{"a": 2}\n',
        'loading\n{"a": 1}\n{"a": 2}\n{"a": 3}',
    ],
)
def test_json_broken_or_not_is_no_text(text: str) -> None:
    assert not is_text(log(text))


def test_a_fence_closes_with_a_mark_at_least_as_long() -> None:
    fence = Fence()
    for line, inside in [("````md", True), ("```", True), ("text", True), ("````", True), ("text", False)]:
        assert fence.feed(line) is inside


def test_code_on_one_line_opens_no_fence() -> None:
    fence = Fence()
    assert not fence.feed("```rm -r build```")
    assert fence.mark == ""


def test_a_fence_that_another_one_follows_was_never_closed() -> None:
    fence = Fence()
    fence.feed("```")
    assert fence.closes_in(["a", "```"]) == 2
    assert fence.closes_in(["a", "```python", "b", "```"]) == 0
    assert fence.closes_in(["a", "over", "```"], lambda line: line == "over") == 0


def test_lines_can_be_looked_at_before_they_are_taken() -> None:
    lines = Lines(log("a\nb\nc"))
    assert list(lines.ahead(2)) == ["a", "b"]
    assert list(lines) == [(1, "a"), (2, "b"), (3, "c")]


def test_own_output_is_counted_and_comes_out_empty() -> None:
    one = log("a\n<!-- distill:begin -->\nb\n<!-- distill:end -->\nc")
    assert [text for _, text in Lines(one)] == ["a", "", "", "", "c"]
    assert one.tally.set_aside["own output"] == 1


def test_trimmed_and_located() -> None:
    assert trimmed(4, ["", "  ", "one ", "", "two", ""]) == (6, "one\n\ntwo")
    assert located("b.py", 10, ["x", "write a/b.py"], 3) == 11
    assert located("b.py", 10, ["x"], 3) == 3
