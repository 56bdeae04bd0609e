from __future__ import annotations

from distill.evaluate.compare import Change, Turn, compare, to_data
from distill.evaluate.report import run_of
from distill.evaluate.score import Judged, LogScore, Told, Verdict
from distill.evaluate.tell import change_lines, change_rows
from distill.model import Kind

D, F = Kind.DECISION, Kind.FACT


def told(text: str, found: bool, kind: Kind = D) -> Told:
    return Told(kind=kind, text=text, weight=3, found=found, shown=(kind,) if found else ())


def said(text: str, verdict: Verdict, label: str | None = None, rule: str = "decision/old", kind: Kind = D) -> Judged:
    return Judged(kind=kind, text=text, verdict=verdict, label=label, label_kind=kind if label else None, rule=rule)


def log(items: list[Judged], labels: list[Told]) -> LogScore:
    return LogScore(items=tuple(items), labels=tuple(labels), size=1)


BEFORE = log(
    [
        said("blue it is", Verdict.RIGHT, "Paint it blue"),
        said("twaddle", Verdict.WRONG),
        said("twaddle", Verdict.WRONG),
        said("old mast", Verdict.STALE, "The old mast"),
    ],
    [told("Paint it blue", True), told("Sand the hull", False), told("Two coats", False)],
)
AFTER = log(
    [
        said("sand that hull", Verdict.RIGHT, "Sand the hull", "decision/new"),
        said("hull, sand", Verdict.DUPLICATE, "Sand the hull", "decision/new"),
        said("twaddle", Verdict.WRONG),
        said("it rains", Verdict.WRONG, rule="fact/new", kind=F),
    ],
    [told("Paint it blue", False), told("Sand the hull", True), told("Two coats", False)],
)


def test_what_was_won_and_lost() -> None:
    found = compare(run_of({"a.md": BEFORE}), run_of({"a.md": AFTER})).logs["a.md"]
    assert found.changes == (
        Change(turn=Turn.RIGHT, kind=D, text="Sand the hull", weight=3, item="sand that hull", rule="decision/new"),
        Change(turn=Turn.MISSED, kind=D, text="Paint it blue", weight=3, item="blue it is", rule="decision/old"),
        Change(turn=Turn.WRONG, kind=F, text="it rains", rule="fact/new"),
        Change(turn=Turn.NOT_WRONG, kind=D, text="twaddle", rule="decision/old"),  # one of the two
        Change(turn=Turn.NOT_STALE, kind=D, text="old mast", rule="decision/old"),
        Change(turn=Turn.DUPLICATE, kind=D, text="hull, sand", rule="decision/new"),
    )
    assert found.relabelled == 0


def test_the_way_back_is_the_mirror_image() -> None:
    there = compare(run_of({"a": BEFORE}), run_of({"a": AFTER}))
    back = compare(run_of({"a": AFTER}), run_of({"a": BEFORE}))
    for one, other in ((Turn.RIGHT, Turn.MISSED), (Turn.WRONG, Turn.NOT_WRONG), (Turn.STALE, Turn.NOT_STALE)):
        assert (there.count(one), there.count(other)) == (back.count(other), back.count(one))


def test_nothing_changed() -> None:
    found = compare(run_of({"a": BEFORE}), run_of({"a": BEFORE}))
    assert found.logs["a"].changes == ()
    assert list(change_lines({"none": found})) == ["", "in all: no label or item changed"]


def test_labels_and_logs_that_only_one_has_are_not_compared() -> None:
    grown = log([], [told("Paint it blue", True), told("A new label", True), told("Paint it blue", False)])
    found = compare(run_of({"a": BEFORE, "b": BEFORE}), run_of({"a": grown, "c": grown}))
    assert set(found.logs) == {"a"}
    assert (found.only_before, found.only_after) == (("b",), ("c",))
    # "Sand the hull", "Two coats", the new one, and the second "Paint it blue"
    assert found.logs["a"].relabelled == 4
    assert not [change for change in found.logs["a"].changes if change.weight]
    lines = list(change_lines({"none": found}))
    assert "not compared: logs that are there only before: b" in lines
    assert "not compared: logs that are there only now: c" in lines


def test_the_same_text_in_another_kind_is_another_item() -> None:
    before, after = log([said("x y", Verdict.WRONG)], []), log([said("x y", Verdict.WRONG, kind=F)], [])
    turns = [change.turn for change in compare(run_of({"a": before}), run_of({"a": after})).logs["a"].changes]
    assert turns == [Turn.WRONG, Turn.NOT_WRONG]


def test_lines_name_label_item_and_rule() -> None:
    lines = list(change_lines({"none": compare(run_of({"a.md": BEFORE}), run_of({"a.md": AFTER}))}))
    # before: 1 of 4 claimed, 1 of 3 labelled; after: 1 of 2 claimed decisions, 1 of 3 labelled
    assert lines[1] == "a.md, budget none: macro-F1 0.286 > 0.400"
    assert lines[2] == "  newly right          decision  w3  Sand the hull  (decision/new; as: sand that hull)"
    assert lines[4] == "  newly wrong          fact          it rains  (fact/new)"
    assert lines[-1] == ("in all: 1 newly right, 1 newly missed, 1 newly wrong, 1 no longer wrong, 1 no longer stale, "
                         "1 newly duplicate")


def test_the_figures_before_and_after() -> None:
    change = compare(run_of({"a.md": BEFORE}), run_of({"a.md": AFTER}))
    rows = change_rows({"none": change, "500": change})
    assert rows[0] == ["", "budget none", "budget 500"]
    assert rows[1] == ["decision F1", *["0.286 > 0.400 (+0.114)"] * 2]
    assert ["any", "0.333", "0.333"] in rows
    assert ["dup", *["0 > 1 (+1)"] * 2] in rows
    assert ["stale", *["1 > 0 (-1)"] * 2] in rows


def test_as_data() -> None:
    found = to_data(compare(run_of({"a.md": BEFORE}), run_of({"a.md": AFTER})))
    assert found["macro_f1"] == [0.286, 0.4]
    assert found["counts"]["newly right"] == 1
    assert found["logs"]["a.md"]["changes"][2] == {
        "turn": "newly wrong", "kind": "fact", "text": "it rains", "weight": 0, "item": "", "rule": "fact/new",
    }
