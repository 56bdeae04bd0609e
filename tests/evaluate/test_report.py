from __future__ import annotations

import json
from typing import Any

import pytest

from distill.evaluate.report import Run, from_data, run_of, to_data, widest
from distill.evaluate.score import Judged, LogScore, Told, Verdict
from distill.model import DistillError, Kind

SCORE = LogScore(
    items=(
        Judged(kind=Kind.DECISION, text="Paint it blue", verdict=Verdict.RIGHT, label="Blue paint",
               label_kind=Kind.DECISION, rule="decision/x", record=3),
        Judged(kind=Kind.FACT, text="It floats", verdict=Verdict.WRONG),
    ),
    labels=(
        Told(kind=Kind.DECISION, text="Blue paint", weight=3, found=True, shown=(Kind.DECISION, Kind.FACT), record=3),
        Told(kind=Kind.OPEN, text="Sand the hull", weight=1, found=False),
    ),
    size=7.6,
)
RUNS = {"none": run_of({"a.md": SCORE, "b.md": SCORE}), "500": run_of({"a.md": SCORE, "b.md": SCORE})}


def data() -> Any:
    return json.loads(json.dumps(to_data(RUNS, "logs", "1.0")))


def test_a_run_is_its_figures_and_its_logs() -> None:
    run = data()["budgets"]["none"]
    assert run["by_kind"]["decision"] == {"p": 1.0, "r": 1.0, "f1": 1.0, "gold": 2}
    assert (run["macro_f1"], run["any_recall"], run["kept"]) == (0.5, 0.5, 0.75)
    assert (run["dup"], run["stale"], run["size"]) == (0, 0, 8)
    log = run["logs"]["b.md"]
    assert log["kept"] == 0.75
    assert log["items"][0]["verdict"] == "right"
    assert log["labels"][0]["shown"] == ["decision", "fact"]


def test_there_and_back() -> None:
    assert from_data(data(), "x") == RUNS


def test_unknown_fields_are_passed_over() -> None:
    found = data() | {"diff": {}, "later": 1}
    found["budgets"]["none"]["logs"]["a.md"]["items"][0]["later"] = 1
    assert from_data(found, "x") == RUNS


OTHERS: list[object] = [None, [], "text", {}, {"budgets": {}}, {"budgets": [1]}, {"schema": 1, "decisions": []}]


@pytest.mark.parametrize("other", OTHERS)
def test_what_is_no_result(other: object) -> None:
    with pytest.raises(DistillError, match=r"^old\.json: not a result of distill eval --json"):
        from_data(other, "old.json")


A_MD = ["budgets", "500", "logs", "a.md"]


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (["schema"], 2, "schema: 2 is unknown"),
        (["budgets", "none"], 3, "budgets.none.logs: must be an object"),
        (["budgets", "none", "size"], "8", "budgets.none.size: must be a whole number"),
        (["budgets", "none", "macro_f1"], None, "budgets.none.macro_f1: must be a number"),
        (["budgets", "none", "by_kind", "fact", "gold"], True, "by_kind.fact.gold: must be a whole number"),
        ([*A_MD, "items", 1, "verdict"], "odd", "budgets.500.logs.a.md.items[1].verdict: 'odd' is none of"),
        ([*A_MD, "items", 0], 1, "budgets.500.logs.a.md.items[0].kind: must be a text"),
        ([*A_MD, "labels", 0, "found"], 1, "budgets.500.logs.a.md.labels[0].found: must be true or false"),
        ([*A_MD, "labels", 0, "shown", 1], "x", "budgets.500.logs.a.md.labels[0].shown.1: 'x' is none of"),
    ],
)
def test_a_fault_names_the_field(path: list[Any], value: object, where: str) -> None:
    found: Any = data()
    place = found
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(DistillError) as caught:
        from_data(found, "old.json")
    assert str(caught.value).startswith("old.json: ")
    assert where in str(caught.value)


def test_a_budget_that_is_none() -> None:
    found = data()
    found["budgets"]["many"] = found["budgets"]["none"]
    with pytest.raises(DistillError, match="'many' is neither"):
        from_data(found, "old.json")


def test_the_widest_budget() -> None:
    runs: dict[str, Run] = dict.fromkeys(("500", "none", "2000"), RUNS["none"])
    assert widest(runs) == "none"
    del runs["none"]
    assert widest(runs) == "2000"
