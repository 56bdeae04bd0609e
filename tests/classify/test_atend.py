"""What a statement is only by its place near the end of its log is told beside it."""

from __future__ import annotations

import pytest

from distill.classify.atend import passing_tags
from distill.classify.candidate import Candidate
from distill.classify.cues import Verdict
from distill.model import CLOSING, LATE, Kind, Role, Shape, Statement, is_passing, left, passing
from distill.rulebook.signals import Signal, Signals

SIGNALS = Signals([
    Signal(name="said", why="", points=(0, 1, 0, 0)), Signal(name="final_message", why="", points=(0, 2, 1, 2)),
    Signal(name="late", why="", points=(0, 1, 0, 1)), Signal(name="asks", why="", points=(0, 0, 0, 3)),
    Signal(name="asked_before", why="", points=(0, 0, 0, -6)),
])  # fmt: skip


def tags(*names: str, kind: Kind = Kind.FACT, rule: str = "") -> list[str]:
    statement = Statement(text="x", quote="x", record=1, turn=1, index=0, count=1, size=1, role=Role.ASSISTANT,
                          time=None, shape=Shape.SENTENCE)  # fmt: skip
    candidate = Candidate(statement=statement, signals=set(names), words=frozenset(), verdict=Verdict(), text="x",
                          rule=rule)  # fmt: skip
    candidate.points = SIGNALS.sum(names)

    def kind_of(one: Candidate) -> Kind | None:
        return kind if one.points[kind] >= SIGNALS.bars[kind] else None

    found = passing_tags(candidate, kind, SIGNALS, kind_of)
    assert candidate.points == SIGNALS.sum(names)
    return found


def test_what_stands_elsewhere_has_no_tag() -> None:
    assert tags("said") == []
    assert tags("said", "final_message", "late", rule="decision/accepted") == []


def test_each_tag_tells_what_is_left() -> None:
    assert tags("said", "final_message", "late") == ["closing:54", "late:47"]
    assert tags("said", "late") == ["late:47"]
    assert tags("final_message") == ["closing:0"]
    assert tags("late", "final_message") == ["closing:47", "late:0"]


def test_a_question_would_have_been_put_before() -> None:
    assert tags("asks", "final_message", kind=Kind.OPEN) == ["closing:0"]


@pytest.mark.parametrize("confidence", [0.0, 0.47, 1.0])
def test_a_tag_is_read_as_it_was_written(confidence: float) -> None:
    tag = passing(CLOSING, confidence)
    assert is_passing(tag)
    assert left(["constraint", tag], CLOSING) == confidence
    assert left([tag], LATE) is None


def test_what_a_hand_made_of_a_tag_is_none() -> None:
    assert left(["closing:soon"], CLOSING) is None
    assert left(["closing:250"], CLOSING) == 1.0
