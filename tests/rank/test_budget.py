"""What fits a budget: the best, whole, and nothing silently left out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.model import DistillError, Item, Kind, Role, item_id
from distill.rank.budget import Omitted, fit
from distill.rank.order import ranked


def item(
    text: str, kind: Kind = Kind.DECISION, confidence: float = 0.5, tags: tuple[str, ...] = (), role: Role = Role.USER
) -> Item:
    return Item(id=item_id(kind, text), kind=kind, text=text, confidence=confidence, tags=tags, role=role)


def words(text: str) -> int:
    return len(text.split())


def whole(items: Sequence[Item], omitted: Omitted) -> str:
    return "\n".join([one.text for one in items] + [f"{count} left out" for count in omitted if count])


def line(one: Item) -> str:
    return one.text


def test_everything_stays_where_it_fits() -> None:
    items = [item("a b c"), item("d e")]
    assert fit(items, 5, words, whole, line) == (items, (0, 0, 0, 0))


def test_the_best_are_kept_and_shorter_ones_fill_the_gap() -> None:
    items = [item("one two three"), item("a b c d e f g h"), item("x y", Kind.FACT)]
    kept, omitted = fit(items, 11, words, whole, line)
    assert [one.text for one in kept] == ["one two three", "x y"]
    assert omitted == (1, 0, 0, 0)


def test_a_budget_smaller_than_the_notes_is_an_error() -> None:
    with pytest.raises(DistillError, match="smaller than the frame"):
        fit([item("a b c d e")], 2, words, whole, line)


def test_what_is_pinned_stays_though_better_would_fit() -> None:
    pinned = [item("a b c d e f g h", tags=("pinned",)), item("置顶 的 一 条", tags=("pinned",))]
    items = ranked((*pinned, item("x y z u v w")))
    kept, omitted = fit(items, 16, words, whole, line)
    assert {one.text for one in kept} == {"a b c d e f g h", "置顶 的 一 条"}
    assert omitted == (1, 0, 0, 0)


def test_a_budget_smaller_than_what_is_pinned_is_an_error() -> None:
    items = [item("a b c d e f g h", tags=("pinned",)), item("x y z")]
    with pytest.raises(DistillError, match="budget of 9 tokens is smaller than the pinned items alone, which need 11"):
        fit(items, 9, words, whole, line)


@given(
    st.lists(st.tuples(st.integers(1, 8), st.booleans()), min_size=1, max_size=12), st.integers(12, 60)
)
def test_nothing_pinned_is_ever_left_out(sizes: list[tuple[int, bool]], budget: int) -> None:
    items = ranked(tuple(
        item(" ".join([f"w{n}"] * size), list(Kind)[n % 4], tags=("pinned",) * pinned)
        for n, (size, pinned) in enumerate(sizes)
    ))
    try:
        kept, omitted = fit(items, budget, words, whole, line)
    except DistillError:
        assert sum(size for size, pinned in sizes if pinned) + 4 * 3 > budget  # four notes of three words
        return
    assert {one.id for one in items if "pinned" in one.tags} <= {one.id for one in kept}
    assert words(whole(kept, omitted)) <= budget


@given(st.lists(st.integers(1, 30), max_size=30), st.integers(12, 200))
def test_the_budget_is_never_passed_and_all_is_accounted_for(sizes: list[int], budget: int) -> None:
    kinds = list(Kind)
    items = [item(" ".join([f"w{n}"] * size), kinds[n % 4]) for n, size in enumerate(sizes)]
    kept, omitted = fit(items, budget, words, whole, line)
    assert words(whole(kept, omitted)) <= budget
    assert len(kept) + sum(omitted) == len(items)


def test_pinned_and_binding_items_come_first() -> None:
    order = ranked(
        (
            item("a plain but certain thing", confidence=0.99),
            item("never push to release", confidence=0.3, tags=("constraint",)),
            item("pinned by hand", confidence=0.1, tags=("pinned",)),
        )
    )
    assert [one.text for one in order] == ["pinned by hand", "never push to release", "a plain but certain thing"]


def test_the_order_does_not_depend_on_the_order_of_input() -> None:
    items = [item(f"thing {n}", confidence=0.5) for n in range(8)]
    assert ranked(tuple(items)) == ranked(tuple(reversed(items)))
