"""The final state of a chain of many sessions, held against what is true."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from distill.model import Item, Kind, Role, item_id
from distill.reconcile.previous import HISTORY
from tests.simulate.chain import chained
from tests.simulate.project import Truth, logs

SESSIONS = 50


def test_the_final_state_of_fifty_sessions(tmp_path: Path) -> None:
    """The bounds lie a little below what is reached (see `python -m tests.simulate`)."""
    ends = []
    for seed in (11, 12, 13):
        (tmp_path / str(seed)).mkdir()
        ends += chained(seed, SESSIONS, tmp_path / str(seed))
    assert all(one.sessions == SESSIONS and one.truths >= 35 for one in ends)
    assert mean(one.precision for one in ends) >= 0.90
    assert mean(one.recall for one in ends) >= 0.94
    assert min(one.recall for one in ends) >= 0.90


def test_the_state_grows_with_the_truth_and_not_with_the_sessions(tmp_path: Path) -> None:
    marks = (25, 50, 100, 150)
    early, *_, late = found = chained(14, marks[-1], tmp_path, marks)
    assert [one.sessions for one in found] == list(marks)
    assert all(one.right + len(one.wrong) + len(one.twice) + one.idle <= 1.5 * one.truths for one in found)
    assert late.size <= 1.3 * early.size * max(1.0, late.truths / early.truths)
    assert late.history <= HISTORY


def test_the_project_is_the_same_every_time_and_speaks_both_languages() -> None:
    first = [text for text, _, _ in logs(3, 10)]
    assert first == [text for text, _, _ in logs(3, 10)]
    assert first != [text for text, _, _ in logs(4, 10)]
    told = "".join(first)
    assert "decided" in told.casefold()
    assert "缓存" in told


@pytest.mark.parametrize(("text", "told"), [
    ("Store the user sessions in Redis.", True),
    ("Store the user sessions in Postgres instead of Redis.", False),
    ("Redis holds the cache.", False),
])
def test_what_was_given_up_does_not_tell_the_truth(text: str, told: bool) -> None:
    item = Item(id=item_id(Kind.DECISION, text), kind=Kind.DECISION, text=text, role=Role.USER)
    assert Truth(Kind.DECISION, "sessions", "sessions?", r"(?<![\w.])Redis(?![\w])").told_by(item) is told
