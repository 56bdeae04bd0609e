"""A session whose log comes in parts ends as it would have ended in one piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, TaskName
from distill.pipeline import Options, distil
from distill.reconcile.goeson import Session, fade, goes_on, parts, settled, weighed_in, within
from distill.reconcile.heads import LogHead
from distill.reconcile.refresh import FADING, HAND, PINNED, refreshed
from tests.cli.tool import jsonl, record

NOW = "2026-12-01T00:00:00Z"
SHARE = {Kind.DECISION: 1.0, Kind.FACT: 1.0, Kind.ARTIFACT: 1.0, Kind.OPEN: 1.0}


def log(path: str, records: int = 100, *, format: str = "aider", continues: bool = False) -> SourceLog:
    return SourceLog(path=path, format=format, records=records, skipped=0, sha256=path, continues=continues)


def item(name: str, kind: Kind = Kind.FACT, *, tags: tuple[str, ...] = (), at: tuple[str, int] = ("a", 95),
         confidence: float = 0.7, rule: str = "") -> Item:  # fmt: skip
    return Item(id=name, kind=kind, text=name, tags=tags, sources=(Source(path=at[0], record=at[1], quote=name),),
                confidence=confidence, role=Role.ASSISTANT, rule=rule)  # fmt: skip


# -- which log is more of the session ---------------------------------------------------------------------------------


def head(session: str = "", *, format: str = "aider", headless: bool = False, project: str = "",
         newest: str | None = None) -> LogHead:  # fmt: skip
    return LogHead(source=replace(log("b", format=format), newest=newest), session=session, project=project,
                   headless=headless, tokens=1000)  # fmt: skip


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (head("s1"), True),
        (head("s2"), False),
        (head(headless=True), True),
        (head(), False),  # it has a beginning, and no name
        (head(headless=True, format="codex"), False),
        (head("s1", project="/w/other"), False),
        (head("s1", newest="2026-03-01T00:00:00Z"), False),  # older than what is known
    ],
)
def test_a_log_goes_on_where_it_names_the_session_or_lacks_its_beginning(more: LogHead, told: bool) -> None:
    covers = ("2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z")
    state = State(task=TaskName(id="s1"), project="/w/app", sources=(log("a"),), covers=covers)
    assert goes_on(state, more) is told


def test_nothing_goes_on_from_an_empty_state_or_the_same_path() -> None:
    assert not goes_on(State(), head(""))
    assert not goes_on(State(task=TaskName(id="s1"), sources=(log("b"),)), head("s1"))


def test_the_parts_of_a_session_end_where_another_begins() -> None:
    sources = [log("x"), log("a"), log("b", continues=True), log("c", continues=True)]
    assert [one.path for one in parts(sources)] == ["a", "b", "c"]
    assert [one.path for one in parts([*sources, log("y")])] == ["y"]
    assert parts([]) == []


# -- what fades -------------------------------------------------------------------------------------------------------


SESSION = Session.of([log("a"), log("b", 100, continues=True)])


def test_what_only_the_end_made_a_conclusion_fades_and_what_lasts_is_less_sure() -> None:
    gone, less, stays = fade(
        [item("x", tags=("closing:0",)), item("y", tags=("closing:54",)), item("z")], SESSION
    )
    assert settled([gone, less, stays]) == [replace(item("y"), confidence=0.54), item("z")]


def test_what_is_near_the_end_of_the_whole_stays_late() -> None:
    session = Session.of([log("a"), log("b", 20, continues=True)])
    tags = ("closing:61", "late:0")
    assert fade([item("x", tags=tags)], session) == [replace(item("x", tags=("late:0",)), confidence=0.61)]
    assert settled(fade([item("x", tags=tags, at=("a", 60))], session)) == []


def test_what_another_log_or_a_hand_said_does_not_fade() -> None:
    others = [item("x", tags=("closing:0",), at=("other", 1)), item("y", tags=("closing:0", HAND)),
              item("z", tags=("closing:0", PINNED)), replace(item("u", tags=("closing:0",)), status=Status.RESOLVED)]
    assert fade(others, SESSION) == others


def test_a_new_list_of_tasks_takes_the_place_of_the_one_before() -> None:
    task = item("x", Kind.OPEN, rule="open/task")
    assert settled(fade([task], SESSION, planned=True)) == []
    assert fade([task], SESSION) == [task]


def test_what_is_said_again_stays_and_what_was_answered_is_history() -> None:
    (old,) = fade([item("x", tags=("closing:0",))], SESSION)
    again = refreshed(old, item("x", at=("b", 3)), reword=False)
    assert settled([again]) == [again]
    assert again.tags == ()
    answered = replace(old, status=Status.RESOLVED)
    assert FADING in answered.tags
    assert settled([answered]) == [replace(answered, tags=())]


def test_what_is_said_at_the_end_of_two_logs_lasts_as_the_surer_of_them() -> None:
    old, new = item("x", tags=("late:40", "closing:54")), item("x", tags=("late:47",), at=("b", 99))
    assert refreshed(old, new, reword=False).tags == ("late:47",)
    assert refreshed(item("x"), new, reword=False).tags == ()


def test_a_session_in_parts_has_no_more_than_one_log() -> None:
    many = [item(f"f{n}", confidence=0.5 + n / 100, at=("a", n + 1)) for n in range(20)]
    sure = [item("user", at=("a", 1)), item("other", at=("x", 1), confidence=0.1)]
    sure[0] = replace(sure[0], role=Role.USER)
    kept = within([*many, *sure], SESSION, 100, SHARE)
    assert [one.id for one in kept] == [f"f{n}" for n in range(10, 20)] + ["user", "other"]


def test_the_statements_of_a_session_are_told_by_its_tokens() -> None:
    state = State(sources=(log("x", 300), log("a", 100), log("b", 100, continues=True)))
    state = replace(state, tokens=replace(state.tokens, source=5000))
    assert weighed_in(state, head("s1"), 50) == 50 * 5000 * 0.4 / 1000


# -- whole sessions ---------------------------------------------------------------------------------------------------


def rows(*talk: tuple[str, str], start: int = 0, session: str = "s1") -> list[dict[str, Any]]:
    return [record(role, text, f"2026-03-02T09:{start + n:02}:00Z", session=session) for n, (role, text) in
            enumerate(talk)]  # fmt: skip


def state_of(folder: Path, *logs: list[dict[str, Any]]) -> State:
    """The state after each of `logs` was laid over the one before."""
    state: State | None = None
    for number, one in enumerate(logs):
        path = folder / f"{number}.jsonl"
        path.write_text(jsonl(*one), encoding="utf-8")
        state = distil([str(path)], Options(now=NOW), previous=state)
    assert state is not None
    return state


def opened(state: State) -> list[str]:
    return [one.text for one in state.live(Kind.OPEN)]


QUESTIONS = [
    ("every hour or", "Look at the cache.", "It holds stale prices. Should it be cleared every hour or on every write?",
     "on every write", "The cache is cleared on every write now."),
    ("要每小时清一次", "看一下缓存。", "缓存里的价格是旧的。要每小时清一次，还是每次写入都清？", "每次写入都清",
     "现在每次写入都会清缓存。"),
]  # fmt: skip


@pytest.mark.parametrize("texts", QUESTIONS)
def test_a_question_that_ends_a_part_is_open_until_the_session_goes_on(texts: tuple[str, ...], tmp_path: Path) -> None:
    words, ask, question, answer, done = texts
    first = rows(("user", ask), ("assistant", question))
    assert any(words in text for text in opened(state_of(tmp_path, first)))
    more = rows(("user", answer), ("assistant", done), start=5)
    assert not any(words in text for text in opened(state_of(tmp_path, first, more)))
    other = rows(("user", "Add a page for imprints."), ("assistant", "Added."), start=5, session="s2")
    assert any(words in text for text in opened(state_of(tmp_path, first, other)))


def test_the_state_tells_which_log_is_more_of_a_session(tmp_path: Path) -> None:
    first = rows(("user", "We use Redis for the cache."), ("assistant", "OK."))
    more = rows(("user", "And Postgres for the orders."), ("assistant", "OK."), start=5)
    other = rows(("user", "Never touch legacy/."), ("assistant", "OK."), start=9, session="s2")
    assert [one.continues for one in state_of(tmp_path, first, more, other).sources] == [False, True, False]


def test_the_same_part_again_changes_nothing(tmp_path: Path) -> None:
    first = rows(("user", "Look at the cache."), ("assistant", "The cache is old. Should I clear it or drop it?"))
    more = rows(("user", "drop it"), ("assistant", "Dropped. Should the index go as well?"), start=5)
    state = state_of(tmp_path, first, more)
    assert distil([str(tmp_path / "1.jsonl")], Options(now=NOW), previous=state) == state
    assert distil([str(tmp_path / "0.jsonl")], Options(now=NOW), previous=state) == state


def use(number: int, name: str, given: dict[str, Any], minute: int) -> list[dict[str, Any]]:
    """A call of a tool and its result."""
    call = record("assistant", "", f"2026-03-02T09:{minute:02}:10Z")
    call["message"]["content"] = [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}]
    result = record("user", "", f"2026-03-02T09:{minute:02}:20Z")
    result["message"]["content"] = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}]
    return [call, result]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Here is what there is now:\n\n- `src/boats.py` - the table of boats and their berths", "the table of boats"),
        ("现在的文件：\n\n- `src/boats.py`：船只和泊位的表", "船只和泊位的表"),
    ],
)
def test_words_on_a_file_go_with_the_file_of_an_earlier_log(said: str, text: str, tmp_path: Path) -> None:
    made = [*rows(("user", "Write it.")), *use(1, "Write", {"file_path": "/w/app/src/boats.py", "content": "x"}, 1),
            *rows(("assistant", "Written."), start=2)]  # fmt: skip
    told = rows(("user", "What is there now?"), ("assistant", said), start=5, session="s2")
    (file,) = state_of(tmp_path, made, told).live(Kind.ARTIFACT)
    assert file.text.startswith("src/boats.py: ") or file.text.startswith("/w/app/src/boats.py: ")
    assert text in file.text
    assert {(Path(one.path).name, one.record) for one in file.sources} == {("0.jsonl", 2), ("1.jsonl", 2)}


def test_a_task_of_the_list_before_is_not_open_where_the_next_part_lists_others(tmp_path: Path) -> None:
    def todo(number: int, minute: int, *tasks: tuple[str, str]) -> list[dict[str, Any]]:
        listed = [{"content": text, "status": status, "activeForm": text} for text, status in tasks]
        return use(number, "TodoWrite", {"todos": listed}, minute)

    first = [*rows(("user", "Paint the boat.")), *todo(1, 1, ("Sand the hull", "pending"), ("Buy paint", "pending")),
             *rows(("assistant", "Planned."), start=2)]  # fmt: skip
    more = [*rows(("user", "Go on."), start=5), *todo(2, 6, ("Buy paint", "pending"), ("Mix the paint", "pending")),
            *rows(("assistant", "Planned anew."), start=7)]  # fmt: skip
    assert sorted(opened(state_of(tmp_path, first, more))) == ["Buy paint", "Mix the paint"]
    for row in more:
        row["sessionId"] = "s2"
    assert "Sand the hull" in opened(state_of(tmp_path, first, more))
