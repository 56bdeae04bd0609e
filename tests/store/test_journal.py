"""The log of what went wrong: a line each, and no more of them than are worth keeping."""

from __future__ import annotations

import re
from pathlib import Path

from distill.store.journal import LONGEST, MOST, note


def test_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "hook.log"
    note(path, "one\ntwo")
    note(path, "三 " + "x" * 5000)
    first, second = path.read_text("utf-8").splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ one two", first)
    assert len(second) == len("2026-03-02T09:00:00Z ") + LONGEST


def test_it_stays_small_and_keeps_the_latest(tmp_path: Path) -> None:
    path = tmp_path / "hook.log"
    for number in range(3 * MOST // 500):
        note(path, f"{number:06} {'x' * 480}")
        assert path.stat().st_size <= MOST + 600
    lines = path.read_text("utf-8").splitlines()
    assert lines[-1].split()[1] == f"{3 * MOST // 500 - 1:06}"
    numbers = [int(line.split()[1]) for line in lines]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert [one.name for one in tmp_path.iterdir()] == ["hook.log"]


def test_a_place_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    note(tmp_path / "missing" / "hook.log", "lost")
    note(tmp_path, "lost")
    assert list(tmp_path.iterdir()) == []
