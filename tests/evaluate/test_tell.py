from __future__ import annotations

from distill.evaluate.report import run_of
from distill.evaluate.score import Judged, LogScore, Told, Verdict
from distill.evaluate.tell import detail_lines, figure_rows
from distill.model import Kind

D, F, A = Kind.DECISION, Kind.FACT, Kind.ARTIFACT
SCORE = LogScore(
    items=(
        Judged(kind=D, text="blue it is", verdict=Verdict.RIGHT, label="Paint it blue", label_kind=D, record=3),
        Judged(kind=D, text="blue\x1b[31m, again", verdict=Verdict.DUPLICATE, label="Paint it blue", label_kind=D,
               record=4, rule="decision/x"),
        Judged(kind=D, text="the mast is 12 m", verdict=Verdict.WRONG, label="Mast of 12 m", label_kind=F),
        Judged(kind=F, text="diesel", verdict=Verdict.STALE, label="It runs on diesel", label_kind=F, rule="fact/y"),
    ),
    labels=(
        Told(kind=D, text="Paint it blue", weight=3, found=True, shown=(D,), record=2),
        Told(kind=F, text="Mast of 12 m", weight=1, found=False, shown=(D,), record=9),
        Told(kind=D, text="Blue outside only", weight=2, found=False, shown=(D,)),
        Told(kind=A, text="hull.svg", weight=2, found=False),
    ),
    size=20.4,
)


def test_what_became_of_each_label_and_item() -> None:
    assert list(detail_lines(run_of({"a": SCORE}).logs["a"])) == [
        "  found      decision  w3 @2     Paint it blue",
        "                                 as: blue it is",
        "  missed     fact      w1 @9     Mast of 12 m  (shown as decision)",
        "  missed     decision  w2        Blue outside only  (shown within another item)",
        "  missed     artifact  w2        hull.svg",
        "  wrong      decision            the mast is 12 m  (fact label: Mast of 12 m)",
        "  stale      fact                diesel  (fact/y; fact label: It runs on diesel)",
        "  duplicate  decision  @4        blue, again  (decision/x; decision label: Paint it blue)",
    ]


def test_the_table() -> None:
    # decisions: 1 of 2 claimed, 1 of 2 labelled; facts 0 of 1 and 0 of 1; artifacts 0 of 1 labelled: mean of three
    row = ["0.50/0.50/0.50", "0.00/0.00/0.00", "0.00/0.00/0.00", "-", "0.167", "0.75", "0.75", "1", "1", "20"]
    assert figure_rows(run_of({"a": SCORE})) == [
        ["log", "decision", "fact", "artifact", "open", "macro-F1", "any", "kept", "dup", "stale", "size"],
        ["a", *row],
        ["ALL", *row],
    ]


def test_the_short_table() -> None:
    head, *_, whole = figure_rows(run_of({"a": SCORE}), short=True)
    assert head[:6] == ["log", "dec.", "fact", "art.", "open", "macro-F1"]
    assert whole[:6] == ["ALL", "0.50", "0.00", "0.00", "-", "0.167"]
