"""The order of items: by tier and worth, and what says again what stands before it comes later."""

from __future__ import annotations

import random

import pytest

from distill.model import Item, Kind, Role
from distill.rank.order import VARIED, ranked, tier, value


def _item(number: int, text: str, *, confidence: float = 0.8, tags: tuple[str, ...] = (), rule: str = "x") -> Item:
    return Item(
        id=f"d-{number:06x}", kind=Kind.DECISION, text=text, at=None, first_at=None, role=Role.USER,
        confidence=confidence, rule=rule, tags=tags,
    )


def _texts(*items: Item) -> list[str]:
    return [item.text for item in ranked(items)]


@pytest.mark.parametrize(
    ("first", "again", "other"),
    [
        ("The gate opens at nine on weekdays", "On weekdays the gate opens at nine o'clock",
         "Use oak for the new benches"),
        ("大门工作日九点开", "工作日大门九点钟打开", "长椅统一用橡木板"),
    ],
)
def test_what_is_said_again_comes_after_what_is_new(first: str, again: str, other: str) -> None:
    one, two = _item(1, first, confidence=0.99), _item(2, again, confidence=0.96)
    three = _item(3, other)
    assert value(one) > value(two) > value(three)
    assert _texts(one, two, three) == [first, other, again]


def test_a_constraint_stands_before_what_is_worth_more() -> None:
    ban = _item(1, "Never open the north gate in the dark months of the year", confidence=0.6, tags=("constraint",))
    pin = _item(2, "The north gate key hangs in the porter's room on a nail", confidence=0.5, tags=("pinned",))
    assert _texts(_item(3, "Use oak", confidence=0.99), ban, pin) == [pin.text, ban.text, "Use oak"]


def test_the_totals_of_a_test_run_are_worth_less() -> None:
    assert value(_item(1, "`make check`: 12 passed", rule="fact/test-run")) < value(_item(1, "`make check`: 12 passed"))


def test_the_order_depends_on_the_items_alone() -> None:
    words = ["gate", "bell", "lamp", "berth", "port", "map", "row", "key"]
    some = random.Random(7)
    items = [_item(n, " ".join(some.sample(words, 4)), confidence=some.randrange(50, 99) / 100) for n in range(60)]
    wanted = [item.id for item in ranked(tuple(items))]
    for _ in range(5):
        some.shuffle(items)
        assert [item.id for item in ranked(tuple(items))] == wanted


def test_every_item_stands_once_in_a_long_list() -> None:
    items = tuple(_item(n, f"berth {n} has a lamp", confidence=0.6 + n % 30 / 100) for n in range(3 * VARIED))
    order = ranked(items)
    assert sorted(item.id for item in order) == sorted(item.id for item in items)
    assert [tier(item) for item in order] == sorted(tier(item) for item in items)
