"""What held for the moment, and what a list leaves open, is over once later words or acts tell so."""

from __future__ import annotations

import pytest

from distill.conclusions import concluded
from distill.model import Action, ActionKind, Kind, Status, Task
from tests.classify.talk import LATE, book, judged, wrote

ENDS = (f"u: {LATE}", "a: Here.")


def live(kind: Kind, *lines: str | Action) -> list[str]:
    """The texts of one kind that still hold at the end of a talk, by all that ends them."""
    judge, findings = judged(*lines)
    items, _ = concluded(judge, findings, judge.seen, None, book().signals.share)
    return [item.text for item in items if item.kind is kind and item.status is Status.LIVE]


def _planned(*texts: str) -> Action:
    return Action(kind=ActionKind.PLANNED, tasks=tuple(Task(text=text) for text in texts))


@pytest.mark.parametrize(
    "hold",
    [
        "look around first, nothing gets written yet",
        "for now just look at the gauge code and tell me what is in there",
        "for now just read the notes on the gauge, wait until I have called the pilot office",
        "read the notes first, nothing gets changed yet",
        "别急着改潮位的代码，我要先看过",
        "先不写代码，等港务那边回话",
        "先别动手，等我看完再说",
        "這一輪先規劃，還不要改",
    ],
)
def test_a_hold_ends_with_the_next_change(hold: str) -> None:
    begun = ("a: Hello.", f"u: {hold}", "a: The reader parses the feed, the writer fills the table.")
    assert any(hold[:6] in text for text in live(Kind.DECISION, *begun))
    after = (*begun, "u: ok, write the reader", wrote("src/reader.py"), "a: The reader is there.", *ENDS)
    assert not any(hold[:6] in text for text in live(Kind.DECISION, *after))


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Undo stack for moves", "Done, the undo stack for moves works."),
        ("Write the tide importer", "The tide importer is written."),
        ("Draw the berth map", "Completed:\n- berth map"),
        ("补潮位导入接口", "潮位导入接口已完成。"),
        ("画泊位图", "泊位图画好了。"),
        ("加订座限流", "订座限流加上了，已完成。"),
    ],
)
def test_a_listed_task_that_is_said_to_be_done_is_over(task: str, said: str) -> None:
    talk = ("u: Build it.", _planned(task, "Ask the pilot office"), "a: Here is the list.", "u: go on",
            wrote("src/part.py"), f"a: {said}", *ENDS)
    assert live(Kind.OPEN, *talk) == ["Ask the pilot office"]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Undo stack for moves", "The undo button is drawn."),
        ("Write the tide importer", "The berth importer is written."),
        ("Draw the berth map", "I looked at the berth map of the old site."),
        ("Publish the notes", "The notes are not published yet."),
        ("补潮位导入接口", "潮位页面已完成。"),
        ("画泊位图", "泊位表整理好了。"),
        ("加订座限流", "订座页面加上了。"),
        ("发布说明", "说明还没发布。"),
    ],
)
def test_a_listed_task_of_which_other_things_are_told_stays(task: str, said: str) -> None:
    talk = ("u: Build it.", _planned(task), "a: Here is the list.", "u: go on", wrote("part.py"), f"a: {said}", *ENDS)
    assert task in live(Kind.OPEN, *talk)


def test_a_task_that_is_listed_again_after_the_words_is_open() -> None:
    talk = ("u: Build it.", _planned("Write the tide importer"), "a: Here is the list.", "u: go on",
            "a: The tide importer is written.", "u: it fails, put it back on the list",
            _planned("Write the tide importer"), "a: It is on the list.", *ENDS)
    assert "Write the tide importer" in live(Kind.OPEN, *talk)
