"""A to-do list that nobody took up again does not tell for ever what is left."""

from __future__ import annotations

import pytest

from distill.conclusions import concluded
from distill.model import Action, ActionKind, Kind, Status, Task
from tests.classify.talk import book, judged, wrote

TASKS = ("Flow solver for the locks", "Rendering of the gates", "Archive page of the harbour")


def _planned(*statuses: str) -> Action:
    tasks = tuple(Task(text=text, status=status) for text, status in zip(TASKS, statuses, strict=True))
    return Action(kind=ActionKind.PLANNED, tasks=tasks)


def _open(*lines: str | Action) -> set[str]:
    judge, findings = judged(*lines)
    items, _ = concluded(judge, findings, judge.seen, None, book().signals.share)
    return {item.text for item in items if item.kind is Kind.OPEN and item.status is Status.LIVE} & set(TASKS)


def _work(turns: int) -> list[str | Action]:
    said = ["The flow solver of the locks uses units.", "The rendering of the gates is a shader.", "The buoys are red."]
    talk: list[str | Action] = []
    for number in range(turns):
        talk += [f"u: next point, number {number}", wrote(f"part{number}.py"), f"a: {said[number % 3]}"]
    return talk


def test_what_the_work_went_on_to_speak_of_is_left_by_an_old_list_only_where_nobody_spoke_of_it() -> None:
    plan = _planned("in_progress", "pending", "pending")
    assert _open("u: Build it.", plan, "a: Here is the list.", *_work(4)) == {TASKS[2]}


@pytest.mark.parametrize(
    ("plans", "turns"),
    [
        ((("in_progress", "pending", "pending"),), 2),  # a short way behind
        ((("in_progress", "pending", "pending"), ("in_progress", "pending", "pending")), 4),  # taken up again
    ],
)
def test_a_list_that_is_kept_tells_what_is_left(plans: tuple[tuple[str, ...], ...], turns: int) -> None:
    lists = [_planned(*one) for one in plans]
    assert _open("u: Build it.", *lists, "a: Here is the list.", *_work(turns)) == set(TASKS)


def test_a_list_of_which_something_was_done_tells_what_is_left() -> None:
    plan = _planned("completed", "pending", "pending")
    assert _open("u: Build it.", plan, "a: Here is the list.", *_work(4)) == set(TASKS[1:])


def test_work_without_changes_leaves_no_list_behind() -> None:
    talk = [line for line in _work(4) if isinstance(line, str)]
    assert _open("u: Build it.", _planned("pending", "pending", "pending"), "a: The list.", *talk) == set(TASKS)
