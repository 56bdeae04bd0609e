"""The expected values are worked out by hand from the definition of the measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.evaluate.labels import Evidence, Label
from distill.evaluate.likeness import alike, terms
from distill.evaluate.score import Figures, Judged, KindFigures, LogScore, Measure, Told, Verdict, figures
from distill.model import Item, Kind, Source, State, Status

D, F, A, O = Kind  # noqa: E741


def label(kind: Kind, text: str, *evidence: tuple[int | None, str], weight: int = 2,
          status: Status = Status.LIVE) -> Label:
    places = tuple(Evidence(record=record, quote=quote) for record, quote in evidence)
    return Label(kind=kind, text=text, weight=weight, status=status, evidence=places)


def item(kind: Kind, text: str, *records: int, status: Status = Status.LIVE) -> Item:
    sources = tuple(Source(path="a.md", record=record, quote=text) for record in records)
    return Item(id="x-000000", kind=kind, text=text, sources=sources, status=status, rule="decision/x")


def verdicts(labels: list[Label], *items: Item) -> list[Verdict]:
    return [one.verdict for one in Measure(labels).score(State(items=items)).items]


POSTGRES = label(D, "Use PostgreSQL 16 as the database", (12, "decided on PostgreSQL 16"))


@pytest.mark.parametrize(("record", "right"), [(12, True), (10, True), (14, True), (9, False), (15, False)])
def test_half_of_a_quote_is_enough_within_two_records(record: int, right: bool) -> None:
    # {pick postgresql 16} holds 2 of {decided postgresql 16}: 0.67; and 2 of the text's 4 terms: 0.5
    expected = Verdict.RIGHT if right else Verdict.WRONG
    assert verdicts([POSTGRES], item(D, "We pick PostgreSQL 16", record)) == [expected]


def test_any_source_of_an_item_may_be_near() -> None:
    assert verdicts([POSTGRES], item(D, "We pick PostgreSQL 16", 3, 40, 13)) == [Verdict.RIGHT]


def test_farther_off_three_quarters_of_a_quote_are_needed() -> None:
    quoted = label(D, "Another wording altogether", (5, "alpha beta gamma delta"))
    assert verdicts([quoted], item(D, "alpha beta gamma zeta zeta zeta zeta zeta", 90)) == [Verdict.RIGHT]  # 3/4
    assert verdicts([quoted], item(D, "alpha beta eta zeta zeta zeta zeta zeta", 90)) == [Verdict.WRONG]  # 2/4


def test_a_quote_without_a_record_is_never_near() -> None:
    quoted = label(D, "Another wording altogether", (None, "alpha beta gamma delta"))
    assert verdicts([quoted], item(D, "alpha beta eta zeta zeta zeta", 1)) == [Verdict.WRONG]
    assert verdicts([quoted], item(D, "alpha beta gamma zeta zeta zeta", 1)) == [Verdict.RIGHT]


def test_seven_tenths_of_the_text_say_a_label_wherever_it_stands() -> None:
    ten = label(F, "n1 n2 n3 n4 n5 n6 n7 n8 n9 n10")
    rest = " ".join(f"m{number}" for number in range(20))
    assert verdicts([ten], item(F, f"n1 n2 n3 n4 n5 n6 n7 {rest}")) == [Verdict.RIGHT]
    assert verdicts([ten], item(F, f"n1 n2 n3 n4 n5 n6 {rest}")) == [Verdict.WRONG]
    assert verdicts([ten], item(F, "n1 n2 n3")) == [Verdict.RIGHT]  # a fragment: 0.75


def test_chinese_goes_by_pairs_of_characters() -> None:
    # 重试 试次 次数 定在 在三 三次 against 重试 试次 次数 数定 定在 在三 三次: 6 of 7
    assert verdicts([label(D, "重试次数定在三次")], item(D, "重试次数，定在三次吧")) == [Verdict.RIGHT]
    assert verdicts([label(D, "重试次数定在三次")], item(D, "重试间隔是三次心跳")) == [Verdict.WRONG]


def test_an_item_of_another_kind_is_wrong_but_shows_the_label() -> None:
    score = Measure([POSTGRES]).score(State(items=(item(F, "Use PostgreSQL 16 as the database", 12),)))
    (judged,) = score.items
    assert (judged.verdict, judged.label_kind, judged.label) == (Verdict.WRONG, D, POSTGRES.text)
    assert score.labels == (Told(kind=D, text=POSTGRES.text, weight=2, found=False, shown=(F,), record=12),)


def test_a_label_said_again_is_a_duplicate() -> None:
    items = item(D, "decided on PostgreSQL 16", 12), item(D, "PostgreSQL 16 decided", 13)
    assert verdicts([POSTGRES], *items) == [Verdict.RIGHT, Verdict.DUPLICATE]


def test_an_item_takes_the_best_label_that_is_left() -> None:
    one, two = label(A, "report alpha beta gamma"), label(A, "report alpha beta delta")
    both = item(A, "report alpha beta delta"), item(A, "report alpha beta delta")
    score = Measure([one, two]).score(State(items=both))
    assert [(j.verdict, j.label) for j in score.items] == [(Verdict.RIGHT, two.text), (Verdict.RIGHT, one.text)]


def test_a_near_quote_beats_a_text() -> None:
    # by its text 4/5 for the first label; by its quote 3/4 + 0.2 for the second
    text = label(D, "k1 k2 k3 k4 other")
    quote = label(D, "Something else entirely", (7, "k1 k2 k3 far"))
    score = Measure([text, quote]).score(State(items=(item(D, "k1 k2 k3 k4 p q r s t", 7),)))
    assert score.items[0].label == quote.text
    far = Measure([text, quote]).score(State(items=(item(D, "k1 k2 k3 k4 p q r s t", 70),)))
    assert far.items[0].label == text.text


def test_stale_is_what_says_a_label_that_no_longer_holds_better_than_any_that_does() -> None:
    old = label(D, "the port stays 8080", status=Status.SUPERSEDED)
    new = label(F, "the port stays 9090")
    assert verdicts([old, new], item(D, "the port stays 8080")) == [Verdict.STALE]
    assert verdicts([old], item(F, "the port stays 8080")) == [Verdict.WRONG]  # of another kind
    level = label(F, "the port stays 8080")
    assert verdicts([old, level], item(D, "the port stays 8080")) == [Verdict.WRONG]  # no better than the live one


def test_an_item_that_says_a_live_label_as_well_as_an_old_one_is_not_stale() -> None:
    old = label(O, "check the pump again today", status=Status.RESOLVED)
    new = label(O, "check the pump again")
    both = item(O, "check the pump again today"), item(O, "check the pump again")
    score = Measure([new, old]).score(State(items=both))
    # the first says the live one fully too, so it is not stale; what it says is taken then
    assert [one.verdict for one in score.items] == [Verdict.RIGHT, Verdict.DUPLICATE]
    worse = label(O, "check the pump again tomorrow evening")
    score = Measure([worse, old]).score(State(items=(item(O, "check the pump again today"),)))
    # 3 of 5 terms, or 0.75 * 3/4 of its own: under 0.7, so the live one is not even shown
    assert [one.verdict for one in score.items] == [Verdict.STALE]
    assert score.labels[0].shown == ()


def test_history_is_not_judged() -> None:
    assert verdicts([POSTGRES], item(D, "Use PostgreSQL 16", 12, status=Status.SUPERSEDED)) == []


def test_items_are_taken_kind_by_kind() -> None:
    items = item(O, "nothing here"), item(D, "Use PostgreSQL 16 as the database")
    score = Measure([POSTGRES]).score(State(items=items))
    assert [one.kind for one in score.items] == [D, O]


def test_where_an_item_comes_from() -> None:
    (judged,) = Measure([]).score(State(items=(item(D, "Paint it blue", 9, 4),))).items
    assert judged == Judged(kind=D, text="Paint it blue", verdict=Verdict.WRONG, rule="decision/x", record=4)


def test_figures_by_hand() -> None:
    labels = [
        label(D, "keep the blue paint", weight=3),
        label(D, "never sand the hull", weight=1),
        label(F, "mast height 12 metres", weight=2),
        label(F, "old engine was diesel", status=Status.SUPERSEDED),
    ]
    items = (
        item(D, "keep the blue paint"),  # right
        item(D, "keep blue paint"),  # duplicate
        item(D, "varnish everything twice"),  # wrong
        item(F, "old engine was diesel"),  # stale
        item(A, "mast height 12 metres"),  # wrong, shows the fact
    )
    got = figures([Measure(labels).score(State(items=items))])
    # decisions: 1 of 2 claimed, 1 of 2 labelled; facts: 0 of 1, 0 of 1; artifacts have no label, so no part in the mean
    # words: keep the blue paint 4, keep blue paint 3, varnish everything twice 3, old engine was diesel 4, mast.. 4
    assert got == Figures(
        by_kind={
            D: KindFigures(p=0.5, r=0.5, f1=0.5, gold=2), F: KindFigures(p=0.0, r=0.0, f1=0.0, gold=1),
            A: KindFigures(p=0.0, r=0.0, f1=0.0, gold=0), O: KindFigures(p=0.0, r=0.0, f1=0.0, gold=0),
        },
        macro_f1=0.25, any_recall=0.667, kept=0.833, dup=1, stale=1, size=round(18 * 0.88),
    )


def test_figures_of_several_logs_add_up_the_counts() -> None:
    first = Measure([label(D, "keep the blue paint")]).score(State(items=(item(D, "keep the blue paint"),)))
    second = Measure([label(D, "never sand the hull"), label(D, "two coats at most")]).score(State())
    got = figures([first, second])
    # 1 of 1 claimed, 1 of 3 labelled: 2 * 1 * 1/3 / (4/3) = 0.5; the mean of the logs would be 0.5 for recall
    assert got.by_kind[D] == KindFigures(p=1.0, r=0.333, f1=0.5, gold=3)
    assert got.size == round(4 * 0.88 / 2)


def test_figures_of_nothing() -> None:
    for scores in ([], [LogScore(items=(), labels=(), size=0)]):
        got = figures(scores)
        assert (got.macro_f1, got.any_recall, got.kept, got.size) == (0.0, 0.0, 0.0, 0)


_VOCABULARY = "a/b.c a b.c c not the x 用库 库 换用库 9"
WORDS = st.lists(st.sampled_from(_VOCABULARY.split()), min_size=1, max_size=6).map(" ".join)


@given(
    st.lists(st.tuples(WORDS, st.lists(st.tuples(st.none() | st.integers(1, 9), WORDS), max_size=2)), max_size=4),
    WORDS, st.lists(st.integers(1, 9), max_size=2),
)
def test_the_index_finds_what_a_plain_search_finds(
    rows: list[tuple[str, list[tuple[int | None, str]]]], text: str, records: list[int]
) -> None:
    labels = [label(D, wanted, *evidence) for wanted, evidence in rows]

    def worth(other: str) -> float:
        one, two = terms(text), terms(other)
        return alike((one & two).total(), one.total(), two.total())

    expected: dict[int, float] = {}
    for number, (wanted, evidence) in enumerate(rows):
        found = [worth(wanted)] if worth(wanted) >= 0.7 else []
        for record, quote in evidence:
            near = record is not None and any(abs(record - other) <= 2 for other in records)
            if worth(quote) >= (0.5 if near else 0.75):
                found.append(worth(quote) + (0.2 if near else 0))
        if found:
            expected[number] = max(found)
    said = Measure(labels).said(item(D, text, *records))
    assert said == pytest.approx(expected)
    assert list(said) == sorted(said, key=lambda number: (-said[number], number))
