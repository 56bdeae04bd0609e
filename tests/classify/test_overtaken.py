"""What later words, acts or test runs overtake is not shown as if it still held."""

from __future__ import annotations

import pytest

from distill.classify.roots import project_root
from distill.classify.testruns import latest, shown_command
from distill.model import Action, ActionKind, Event, Kind, Role
from distill.text.testruns import tells_tests
from tests.classify.talk import LATE, decisions, live, wrote

ENDS = (f"u: {LATE}", "a: Here.")


def _ran(command: str, detail: str, *, done: bool = True) -> Action:
    return Action(kind=ActionKind.TESTED, target=command, detail=detail, done=done)


@pytest.mark.parametrize(
    "hold",
    [
        "don't fix anything yet, i want to understand it first",
        "先查原因，别动代码",
        "先给方案，别急着写",
        "Don't write any code yet.",
    ],
)
def test_a_hold_ends_with_the_next_change(hold: str) -> None:
    before = decisions(f"u: {hold}", "a: The cause is the cache.", *ENDS)
    fixed = ("u: ok fix it", wrote("app/cache.py"), "a: Done.")
    after = decisions(f"u: {hold}", "a: The cause is the cache.", *fixed, *ENDS)
    assert hold[:12] in before
    assert hold[:12] not in after


def test_a_ban_outlives_the_next_change() -> None:
    said = decisions("u: Don't touch the billing code.", "a: Fine.", "u: go on", wrote("app/x.py"), "a: Done.", *ENDS)
    assert "billing code" in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cap it at 30 days", "30 days is too short, make it 60"),
        ("the retry limit is 5 attempts", "raise the limit from 5 to 8"),
        ("上限定在 30 天", "30 天太短，改成 60 天"),
    ],
)
def test_a_replaced_value_is_gone(old: str, new: str) -> None:
    said = decisions(f"u: {old}", "a: Done.", "u: And name it cap.", "a: Ok.", f"u: {new}", "a: Done.", *ENDS)
    assert old not in said
    assert new[-4:] in said


def test_another_value_beside_it_replaces_nothing() -> None:
    other = ("u: the page shows 30 rows, the export at most 200", "a: Ok.")
    said = decisions("u: cap it at 30 days", "a: Done.", *other, *ENDS)
    assert "cap it at 30 days" in said


def test_words_on_tests_end_with_the_next_run() -> None:
    talk = (_ran("pytest -q", "1 failed, 37 passed"), "a: One of the 38 tests still fails, the one for the race.")
    assert "still fails" in " | ".join(live(Kind.FACT, "u: Run them.", *talk))
    later = ("u: Now?", _ran("pytest -q", "38 passed"), "a: All 38 tests pass.")
    assert "still fails" not in " | ".join(live(Kind.FACT, "u: Run them.", *talk, *later))


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("38 tests pass", True),
        ("the two new tests are still red", True),
        ("单元测试全部通过", True),
        ("并发测试还红", True),
        ("The test data lies in fixtures/", False),
        ("Write tests for the parser", False),
        ("测试数据放在 fixtures/ 下", False),
    ],
)
def test_status_of_tests(text: str, tells: bool) -> None:
    assert tells_tests(text) is tells


def _runs(*runs: tuple[str, str]) -> list[str]:
    events = [
        Event(record=number, role=Role.ASSISTANT, action=_ran(command, detail))
        for number, (command, detail) in enumerate(runs, 1)
    ]
    return [f"{event.record}" for event in latest(events)]


def test_the_last_run_covers_what_ran_before_in_it() -> None:
    assert _runs(("pytest app/a", "12 passed"), ("pytest app/b", "5 passed"), ("pytest -q", "80 passed")) == ["3"]


def test_a_look_at_one_file_does_not_hide_the_whole_suite() -> None:
    assert _runs(("pytest -q", "80 passed"), ("pytest app/a", "12 passed")) == ["1", "2"]


def test_runs_of_two_programs_stand_side_by_side() -> None:
    assert _runs(("npx jest", "Tests: 4 passed, 4 total"), ("go test ./...", "9 tests passed")) == ["1", "2"]


def test_runs_without_totals_are_covered_by_the_same_command_alone() -> None:
    assert _runs(("go test ./a", "ok a 0.1s"), ("go test ./b", "ok b 0.1s"), ("go test ./a", "ok a 0.2s")) == ["2", "3"]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("pytest -q 2>&1", "pytest -q"),
        ("cd server && pytest -q 2>&1 | tail -5", "pytest -q"),
        ("go test ./... > out.txt", "go test ./..."),
        ("make test", "make test"),
    ],
)
def test_commands_are_shown_without_what_only_moves_their_output(command: str, shown: str) -> None:
    assert shown_command(command) == shown


def test_the_project_is_what_absolute_paths_have_in_common() -> None:
    paths = ["/home/me/kiln/src/a.py", "/home/me/kiln/src/ui/b.py", "/home/me/kiln/src/c.py"]
    assert project_root(paths) == "/home/me/kiln/"
    assert project_root([*paths, "/home/me/other/d.py"]) == ""
    assert project_root(paths[:2]) == ""
    assert project_root(["src/a.py", "src/b.py", "src/c.py"]) == ""
