"""Marks of how far a log was read: where reading goes on, and when it must begin anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from distill.model import Reached, Start
from distill.store.progress import Mark, load_marks, mark_of, save_marks, start_of

LINES = [f'{{"record": {number}, "say": "第 {number} 行 {"x" * number}"}}\n'.encode() for number in range(1, 200)]
START = Start(format="codex", offset=0, record=120, since=150, known=160, turn=4, seen=31, tokens=500, skipped=2,
              session="s", project="/w/app", memory={"tasks": {"1": ["写文档", "pending", 3]}})  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(LINES[:160]))
    return path


def marked(log: Path, start: Start = START, from_record: int = 1) -> Mark:
    found = mark_of(str(log), Reached(start=start, from_record=from_record, size=log.stat().st_size))
    assert found
    return found


def test_reading_goes_on_at_the_byte_where_the_record_begins(log: Path) -> None:
    start = start_of(str(log), marked(log))
    assert start is not None
    assert start == replace(START, offset=len(b"".join(LINES[:119])))
    assert log.read_bytes()[start.offset :].startswith(LINES[119])


def test_the_byte_is_counted_from_the_place_where_the_run_began(log: Path) -> None:
    begun = replace(START, offset=len(b"".join(LINES[:99])))
    assert marked(log, begun, from_record=100) == marked(log)


def test_the_first_record_begins_at_the_first_byte(log: Path) -> None:
    assert marked(log, replace(START, record=1, since=1)).start.offset == 0


def test_a_log_that_has_grown_is_read_on(log: Path) -> None:
    mark = marked(log)
    with log.open("ab") as stream:
        stream.writelines(LINES[160:])
    assert start_of(str(log), mark) == mark.start


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "change",
    [
        lambda data, mark: flipped(data, 5),
        lambda data, mark: flipped(data, mark.start.offset - 2),
        lambda data, mark: flipped(data, mark.size - 2),
        lambda data, mark: data[: mark.size - 1],
        lambda data, mark: data[: mark.start.offset],
        lambda data, mark: b"",
        lambda data, mark: b"".join(LINES[40:]),
    ],
)
def test_a_log_that_is_another_is_read_anew(log: Path, change: Callable[[bytes, Mark], bytes]) -> None:
    mark = marked(log)
    log.write_bytes(change(log.read_bytes(), mark))
    assert start_of(str(log), mark) is None


def test_a_log_that_is_gone_has_no_place(log: Path) -> None:
    mark = marked(log)
    log.unlink()
    assert start_of(str(log), mark) is None
    assert mark_of(str(log), Reached(start=START, from_record=1, size=mark.size)) is None


def test_a_log_that_was_cut_while_it_was_read_gets_no_mark(log: Path) -> None:
    size = log.stat().st_size
    log.write_bytes(b"".join(LINES[:100]))
    assert mark_of(str(log), Reached(start=START, from_record=1, size=size)) is None


def test_marks_are_kept_and_those_of_lost_logs_are_not(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "日志.jsonl"
    other.write_bytes(b"".join(LINES[:160]))
    marks = {str(log): marked(log), str(other): marked(other), str(tmp_path / "gone.jsonl"): marked(log)}
    save_marks(tmp_path / "progress.json", marks)
    del marks[str(tmp_path / "gone.jsonl")]
    assert load_marks(tmp_path / "progress.json") == marks


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"version": 2, "logs": {}}', '{"version": 1}', '{"version": 1, "logs": {"a": {}}}',
     '{"version": 1, "logs": {"a": {"size": 1, "check": "", "start": {"format": "x"}}}}', "\xff"],
)  # fmt: skip
def test_what_is_no_record_of_marks_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "progress.json").write_text(text, "latin-1")
    assert load_marks(tmp_path / "progress.json") == {}
    assert load_marks(tmp_path / "missing.json") == {}


@pytest.mark.parametrize(("field", "value"), [("offset", -1), ("record", "3"), ("memory", []), ("project", None)])
def test_a_mark_with_a_wrong_value_is_none(log: Path, tmp_path: Path, field: str, value: object) -> None:
    path = tmp_path / "progress.json"
    save_marks(path, {str(log): marked(log)})
    data = json.loads(path.read_text("utf-8"))
    data["logs"][str(log)]["start"][field] = value
    path.write_text(json.dumps(data), "utf-8")
    assert load_marks(path) == {}
