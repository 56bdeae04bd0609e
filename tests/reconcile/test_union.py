"""States merged to one: laws that hold for any, and what becomes of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, item_id
from distill.pipeline import Options, merge_states
from distill.reconcile.union import REWORDED
from distill.render.markdown import parse, render
from tests.reconcile.states import states

NOW = Options(now="2026-03-31T00:00:00Z")


def merged(*parts: State) -> State:
    return merge_states(parts, NOW)


def text(state: State) -> str:
    return render(state, "en")


# -- laws -------------------------------------------------------------------------------------------------------------


@given(states(3))
@settings(max_examples=120, deadline=None)
def test_brackets_do_not_matter(parts: Sequence[State]) -> None:
    a, b, c = parts
    whole = text(merged(a, b, c))
    assert text(merged(merged(a, b), c)) == whole
    assert text(merged(a, merged(b, c))) == whole


@given(states(5))
@settings(max_examples=40, deadline=None)
def test_brackets_do_not_matter_for_many(parts: Sequence[State]) -> None:
    a, b, c, d, e = parts
    whole = text(merged(*parts))
    assert text(merged(merged(a, merged(b, c)), merged(d, e))) == whole
    one = a
    for other in (b, c, d, e):
        one = merged(one, other)
    assert text(one) == whole


@given(states(2))
@settings(max_examples=50, deadline=None)
def test_the_same_again_adds_nothing(parts: Sequence[State]) -> None:
    one, other = parts
    both = merged(one, other)
    assert merged(one) == one
    assert merged(one, one) == one
    assert text(merged(both, both)) == text(both)


@given(states(2))
@settings(max_examples=50, deadline=None)
def test_no_item_is_lost_and_what_is_written_is_read(parts: Sequence[State]) -> None:
    both = merged(*parts)
    files = {one.text.split(" (")[0].split(": ")[0] for one in both.items if one.rule == "artifact/file"}
    for part in parts:
        for item in part.items:
            if item.rule == "artifact/file":
                assert item.text.split(" (")[0].split(": ")[0] in files
            else:
                assert any(one.id == item.id for one in both.items)
    assert parse(text(both), "state.md") == both


# -- what becomes of what ---------------------------------------------------------------------------------------------


def item(kind: Kind, words: str, day: int | None = 1, *, rule: str = "", **more: object) -> Item:
    at = f"2026-03-{day:02}T09:00:00Z" if day else None
    given = Item(id=item_id(kind, words), kind=kind, text=words, at=at, first_at=at, rule=rule, role=Role.USER,
                 sources=(Source(path=f"{day}.jsonl", record=1, quote=words),))
    return replace(given, **more)  # type: ignore[arg-type]


def state(*items: Item) -> State:
    paths = {source.path for one in items for source in one.sources}
    logs = [SourceLog(path=path, format="text", records=1, skipped=0, sha256=path) for path in sorted(paths)]
    return State(sources=tuple(logs), items=items)


def live(whole: State) -> list[str]:
    return sorted(one.text for one in whole.items if one.status is Status.LIVE)


D, F, A, O = Kind  # noqa: E741


@pytest.mark.parametrize(("old", "new"), [
    ((D, "decided to store sessions in Redis"), (D, "Change of plan: store sessions in Postgres.")),
    ((D, "set retries to 3"), (D, "set retries to 5")),
    ((D, "数据库决定用 Postgres"), (D, "数据库还是改回 MySQL")),
    ((F, "The lint run gives 37 warnings."), (F, "The lint run gives 15 warnings.")),
    ((O, "Open: pick a licence."), (D, "Licence picked: MIT, decided.")),
    ((O, "待定：部署环境选哪家"), (D, "部署环境决定用阿里云")),
    ((O, "TODO: add pagination tests"), (A, "Commit 1a2b3c4: Add pagination tests")),
])
@pytest.mark.parametrize("timed", [True, False])
def test_the_later_ends_the_earlier(old: tuple[Kind, str], new: tuple[Kind, str], timed: bool) -> None:
    first, second = state(item(*old, 1)), state(item(*new, 2))
    if not timed:
        first, second = (replace(one, items=tuple(replace(two, at=None, first_at=None) for two in one.items))
                         for one in (first, second))
    whole = merged(first, second)
    assert live(whole) == [new[1]]
    (gone,) = [one for one in whole.items if one.status is not Status.LIVE]
    assert gone.status is (Status.RESOLVED if old[0] is O else Status.SUPERSEDED)
    assert gone.by == item_id(*new)


def test_time_goes_before_the_order_of_the_states() -> None:
    newer, older = state(item(D, "set retries to 5", 9)), state(item(D, "set retries to 3", 2))
    assert live(merged(newer, older)) == ["set retries to 5"]


def test_what_was_given_up_and_taken_again_holds() -> None:
    whole = merged(state(item(D, "set retries to 3", 1)), state(item(D, "set retries to 5", 2)),
                   state(item(D, "set retries to 3", 3)))
    assert live(whole) == ["set retries to 3"]


def test_the_same_in_other_words_is_one_with_all_places() -> None:
    whole = merged(state(item(D, "Sessions are stored in Redis 7, decided.", 1)),
                   state(item(D, "Decided: the sessions stay stored in Redis 7.", 3)))
    (one,) = [one for one in whole.items if one.status is Status.LIVE]
    assert (one.first_at, one.at) == ("2026-03-01T09:00:00Z", "2026-03-03T09:00:00Z")
    assert [source.path for source in one.sources] == ["1.jsonl", "3.jsonl"]
    (other,) = [one for one in whole.items if one.status is not Status.LIVE]
    assert (other.by, other.tags, other.sources) == (one.id, (REWORDED,), ())


@pytest.mark.parametrize(("one", "other"), [
    ((D, "set retries to 3"), (D, "set the timeout to 3 seconds")),
    ((D, "Never touch the legacy/ folder."), (D, "Always touch the legacy/ folder first.")),
    ((D, "上传的文件最多 20 MB"), (D, "日志只保留 14 天")),
    ((O, "TODO: add pagination tests"), (A, "Commit 1a2b3c4: Order new ropes")),
    ((O, "TODO: phase 3 of the migration"), (A, "Commit 1a2b3c4: Phase 2 of the migration")),
])
def test_different_things_stay(one: tuple[Kind, str], other: tuple[Kind, str]) -> None:
    assert live(merged(state(item(*one, 1)), state(item(*other, 2)))) == sorted([one[1], other[1]])


def test_a_file_is_known_by_its_path() -> None:
    made, told = item(A, "src/a.py (created)", 1, rule="artifact/file"), item(A, "src/a.py: the boats", 2)
    whole = merged(state(made), state(replace(told, rule="artifact/file")))
    assert live(whole) == ["src/a.py: the boats"]
    assert len(whole.items) == 1


def test_what_a_later_state_saw_leave_is_gone() -> None:
    file = item(A, "src/a.py (created)", 1, rule="artifact/file")
    todo = item(O, "TODO: order the ropes", 1)
    whole = merged(state(file, todo), state(replace(file, status=Status.SUPERSEDED),
                                            replace(todo, status=Status.RESOLVED)))
    assert live(whole) == []
    assert live(merged(whole, state(item(O, "TODO: order the ropes", 5)))) == ["TODO: order the ropes"]


def test_what_a_hand_removed_stays_away_until_a_hand_brings_it_back() -> None:
    words = "Never touch the legacy/ folder."
    removed = item(D, words, 1, status=Status.SUPERSEDED, tags=("removed",))
    again = item(D, words, 5)
    assert live(merged(state(removed), state(again))) == []
    assert live(merged(state(removed), state(again), state(item(D, words, 6, tags=("hand",))))) == [words]


def test_a_changed_line_wins_over_the_words_it_had() -> None:
    old, new = item(D, "Set retries to 3", 1), item(D, "Set retries to 4, said Mei", 1)
    changed = state(replace(new, tags=("hand",), supersedes=(old.id,)),
                    replace(old, tags=("hand",), status=Status.SUPERSEDED, by=new.id))
    assert live(merged(changed, state(item(D, "Set retries to 3", 7)))) == ["Set retries to 4, said Mei"]


def test_a_pinned_item_is_not_replaced() -> None:
    pinned = item(D, "set retries to 3", 1, tags=("pinned",))
    assert "set retries to 3" in live(merged(state(pinned), state(item(D, "set retries to 5", 2))))


def test_a_line_added_by_hand_is_as_old_as_its_file() -> None:
    added = Item(id="d-1", kind=D, text="set retries to 4", role=Role.USER, confidence=1.0, tags=("hand",))
    old, new = state(item(D, "set retries to 3", 2)), state(item(D, "set retries to 5", 9))
    by_hand = State(written_at="2026-03-04T00:00:00Z", items=(added,))
    assert live(merged(old, by_hand)) == ["set retries to 4"]
    assert live(merged(old, by_hand, new)) == ["set retries to 5"]
