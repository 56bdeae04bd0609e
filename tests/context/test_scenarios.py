"""Over scripted talks the layers hold what a task needs and nothing of another, in fewer tokens than the history."""

from __future__ import annotations

from pathlib import Path

import pytest

from distill.context.switching import Verdict
from distill.layered import Context
from tests.context.recalled import filled, memories
from tests.context.scenario import NOW, WAYS, judged, load
from tests.context.told import figures

SCENARIOS = load()


def test_the_scripts_are_as_many_and_as_long_as_they_should_be() -> None:
    assert len(SCENARIOS) >= 18
    assert len({one.business for one in SCENARIOS}) == 3
    assert {one.lang for one in SCENARIOS} == {"en", "zh"}
    for one in SCENARIOS:
        assert 6 <= len(one.turns) <= 12
        assert any(turn.do in ("new", "child") for turn in one.turns[1:-1]), one.name


@pytest.mark.parametrize(("way", "polluted"), [("layered", 0.0), ("layered, by itself", 0.1)])
def test_every_turn_sees_what_it_needs_and_nothing_else(way: str, polluted: float) -> None:
    """Where a change is missed, what comes after it sees the task before it."""
    assert way in WAYS
    turns = judged(SCENARIOS, way)
    assert sum(bool(one.foreign) for one in turns) <= polluted * len(turns)
    assert sum(not one.missing for one in turns) / len(turns) >= 0.98
    whole = sum(one.tokens for one in judged(SCENARIOS, "whole history"))
    assert sum(one.tokens for one in turns) <= 0.72 * whole


def test_the_other_ways_do_leak() -> None:
    """The judge can tell: the whole history is polluted in most turns, and the last turns in many."""
    for way in ("whole history", "last five turns"):
        turns = judged(SCENARIOS, way)
        assert sum(bool(one.foreign) for one in turns) / len(turns) > 0.4


def test_most_changes_are_found_and_none_is_made_up() -> None:
    for found in (figures(SCENARIOS, replies=True), *(figures(load("turns"), replies=one) for one in (True, False))):
        assert found.found >= 0.9 * found.changes
        assert found.wrong <= 0.02 * found.turns
    assert figures(SCENARIOS, replies=True).needless <= 10


@pytest.mark.parametrize(("lang", "name"), [("en", "stock-then-trend"), ("zh", "库存与周报")])
def test_the_report_on_a_models_trend_does_not_inherit_the_region(tmp_path: Path, lang: str, name: str) -> None:
    (talk,) = [one for one in SCENARIOS if one.name == name]
    context = Context.init(tmp_path, now=NOW)
    first, report = talk.turns[0], next(turn for turn in talk.turns[1:] if turn.do == "new")
    context.start(first.title)
    for key, value in first.sets.items():
        context.set(key, value)
    model, region = first.sets.values()
    turned = context.turn(report.says, apply=True, title=report.title)
    assert (turned.decision.verdict, turned.decision.target) == (Verdict.SWITCH, 0)
    assert turned.moved
    prompt = context.prompt(report.says).text()
    assert model in prompt
    assert region not in prompt
    context.switch(first.title)
    assert region in context.prompt().user


def test_recall_answers_with_at_most_two_short_hits(tmp_path: Path) -> None:
    tasks, queries = memories()
    context = filled(str(tmp_path), tasks)
    missed = []
    for one in queries:
        hits = context.recall(one["query"])
        assert len(hits) <= 2
        assert all(len(hit.memory.summary) <= 200 for hit in hits)
        if one["task"] not in ([hit.memory.title for hit in hits] or [""]):
            missed.append(one["query"])
    assert len(missed) <= 2, missed


