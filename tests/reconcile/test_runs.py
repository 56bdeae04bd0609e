"""A later test run takes the place of what was known of the tests before."""

from __future__ import annotations

import pytest

from distill.model import Item, Kind, Role, Source, State, Status, item_id
from distill.pipeline import Options, merge_states
from distill.reconcile.previous import carry

RUN = "fact/test-run"


def item(text: str, day: int, kind: Kind = Kind.FACT, rule: str = RUN) -> Item:
    at = f"2026-05-{day:02}T09:00:00Z"
    return Item(id=item_id(kind, text), kind=kind, text=text, rule=rule, at=at, first_at=at, role=Role.ASSISTANT,
                confidence=0.9, sources=(Source(path=f"{day}.jsonl", record=day, quote=text),))


def live(*items: Item) -> list[str]:
    return [one.text for one in items if one.status is Status.LIVE]


EARLIER = item("`pytest -q`: 120 passed in 4.10s", 4)


@pytest.mark.parametrize(
    ("later", "stays"),
    [
        ("`pytest -q`: 134 passed in 4.60s", False),
        ("`pytest -q`: 3 failed, 117 passed in 4.20s", False),
        ("`python -m pytest`: 134 passed in 4.60s", False),
        ("`pytest tests/test_rows.py`: 9 passed in 0.10s", True),  # a part
        ("`npm test`: Tests: 200 passed, 200 total", True),  # other tests
    ],
)
def test_a_run_covers_the_one_before(later: str, stays: bool) -> None:
    after = item(later, 6)
    found = carry([EARLIER], [after])
    assert live(*found) == [EARLIER.text, later] if stays else [later]
    whole = merge_states([State(items=(EARLIER,)), State(items=(after,))], Options())
    assert sorted(live(*whole.items)) == sorted(live(*found))


def test_a_run_that_failed_and_one_that_passed_are_two() -> None:
    first = item("`npm test`: Tests: 3 failed, 57 passed, 60 total", 4)
    second = item("`npm test`: Tests: 60 passed, 60 total", 6)
    old, new = carry([first], [second])
    assert (old.status, old.by, old.at) == (Status.SUPERSEDED, second.id, first.at)
    assert (new.text, new.status) == (second.text, Status.LIVE)


def test_an_older_run_that_comes_late_does_not_win() -> None:
    newer, older = item("`pytest -q`: 134 passed", 6), item("`pytest -q`: 120 passed", 4)
    assert live(*carry([newer], [older])) == [newer.text]


@pytest.mark.parametrize(
    ("kind", "text", "totals", "stays"),
    [
        (Kind.FACT, "All 120 tests pass", "134 passed", False),
        (Kind.OPEN, "Two of the tests still fail", "134 passed", False),
        (Kind.OPEN, "Two of the tests still fail", "1 failed, 133 passed", True),
        (Kind.OPEN, "还有两个测试失败", "134 passed", False),
        (Kind.OPEN, "Write tests of the import", "134 passed", True),
        (Kind.DECISION, "Tests must pass before a merge", "134 passed", True),
    ],
)
def test_what_was_said_of_the_tests_is_over_with_the_next_run(kind: Kind, text: str, totals: str, stays: bool) -> None:
    said, run = item(text, 4, kind, f"{kind}/signals"), item(f"`pytest -q`: {totals}", 6)
    old, _ = carry([said], [run])
    assert (old.status is Status.LIVE) is stays
    if not stays:
        assert old.status is (Status.RESOLVED if kind is Kind.OPEN else Status.SUPERSEDED)
