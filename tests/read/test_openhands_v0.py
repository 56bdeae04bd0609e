"""OpenHands before its SDK: the downloaded event stream."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.log import Log
from distill.read.openhands_v0 import FORMAT

Json = dict[str, Any]


def _log(events: object) -> Log:
    return Log("log", io.BytesIO(json.dumps(events, ensure_ascii=False).encode()))


def _action(number: int, action: str, args: Json, source: str = "agent", **more: object) -> Json:
    at = f"2026-03-02T09:{number:02}:00.123456"
    return {"id": number, "timestamp": at, "source": source, "message": "", "action": action, "args": args, **more}


def _seen(number: int, observation: str, cause: int, content: str = "", **extras: object) -> Json:
    return {
        "id": number,
        "timestamp": f"2026-03-02T09:{number:02}:30",
        "source": "agent",
        "message": "",
        "cause": cause,
        "observation": observation,
        "content": content,
        "extras": extras,
    }


def _ran(number: int, cause: int, content: str, code: int) -> Json:
    return _seen(number, "run", cause, content, metadata={"exit_code": code, "working_dir": "/workspace/shop"})


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_session() -> None:
    log = _log(
        [
            _action(0, "system", {"content": "You are an agent."}),
            _action(1, "message", {"content": "Store prices as integers."}, "user"),
            _action(2, "recall", {"query": "Store prices as integers."}, "user"),
            _action(
                3,
                "edit",
                {
                    "path": "/workspace/shop/price.py",
                    "command": "create",
                    "file_text": "CENTS = 100",
                    "thought": "I start with the model.",
                },
                tool_call_metadata={"model_response": {"choices": [{"message": {"content": "We chose Redis."}}]}},
            ),
            _seen(4, "edit", 3, "File created", path="/workspace/shop/price.py", prev_exist=False),
            _action(5, "run", {"command": "pytest -q", "thought": ""}),
            _ran(6, 5, "3 passed in 0.10s", 0),
            _action(7, "think", {"thought": "Perhaps floats?"}),
            _seen(8, "think", 7, "Your thought has been logged."),
            _action(9, "message", {"content": "Prices are integers now."}),
            _action(
                10,
                "finish",
                {"final_thought": "All prices are stored in cents.", "outputs": {}},
                message="All done! What's next on the agenda?",
            ),
            _seen(11, "agent_state_changed", 10, "", agent_state="finished"),
        ]
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (2, Role.USER, "Store prices as integers."),
        (4, Role.ASSISTANT, "I start with the model."),
        (10, Role.ASSISTANT, "Prices are integers now."),
        (11, Role.ASSISTANT, "All prices are stored in cents."),
    ]
    wrote, tested = [e.action for e in events if e.action]
    assert (wrote.kind, wrote.target, wrote.detail) == (ActionKind.WROTE, "price.py", "CENTS = 100")
    assert (tested.kind, tested.target, tested.done) == (ActionKind.TESTED, "pytest -q", True)
    assert "3 passed" in tested.detail
    assert events[0].time == "2026-03-02T09:01:00Z"
    assert log.tally.project == "/workspace/shop"
    assert log.tally.records == 12
    assert log.tally.understood == len(events)
    assert log.tally.types["action:run"] == 1
    assert log.tally.set_aside["system prompt"] == 1
    assert log.tally.set_aside["injected text"] == 1
    assert log.tally.set_aside["thinking"] == 2


def test_what_failed_was_not_done() -> None:
    log = _log(
        [
            _action(1, "edit", {"path": "/workspace/a.py", "command": "str_replace", "old_str": "x", "new_str": "y"}),
            _seen(2, "error", 1, "No replacement was performed"),
            _action(3, "write", {"path": "/workspace/b.py", "content": "b"}),
            _seen(4, "write", 3, "ERROR: read-only file system"),
            _action(5, "write", {"path": "/workspace/c.py", "content": "c"}),
            _action(6, "message", {"content": "Stopped."}),
        ]
    )
    assert _acts(list(FORMAT.events(log))) == [
        (1, ActionKind.EDITED, "/workspace/a.py", False),
        (3, ActionKind.WROTE, "/workspace/b.py", False),
        (5, ActionKind.WROTE, "/workspace/c.py", False),
    ]


def test_a_call_at_the_very_end_is_neither_done_nor_failed() -> None:
    log = _log([_action(1, "message", {"content": "Go."}, "user"), _action(2, "write", {"path": "/w/c.py"})])
    assert _acts(list(FORMAT.events(log))) == []


def test_results_are_joined_by_cause_and_not_by_place() -> None:
    log = _log(
        [
            _action(1, "run", {"command": "git commit -m 'Store cents'"}),
            _action(2, "message", {"content": "Hurry up."}, "user"),
            _ran(3, 1, "[main 1a2b3c4] Store cents\n 1 file changed", 0),
        ]
    )
    acts = _acts(list(FORMAT.events(log)))
    assert acts == [(3, ActionKind.COMMITTED, "1a2b3c4", True)]


def test_commands_that_the_user_ran_are_the_users() -> None:
    log = _log([_action(1, "run", {"command": "touch notes.md"}, "user"), _ran(2, 1, "", 0)])
    events = list(FORMAT.events(log))
    assert [(e.role, e.action.target) for e in events if e.action] == [(Role.USER, "notes.md")]


def test_a_refused_action() -> None:
    log = _log(
        [
            _action(1, "run", {"command": "rm -rf data"}),
            _action(2, "change_agent_state", {"agent_state": "user_rejected"}, "user"),
            _seen(3, "user_rejected", 1, "Action has been rejected by the user! Waiting for further user input."),
        ]
    )
    events = list(FORMAT.events(log))
    assert next((e.role, e.action) for e in events if e.action)[0] is Role.USER
    assert _acts(events) == [(3, ActionKind.REJECTED, "rm -rf data", False)]
    assert _said(events) == []


def test_the_to_do_list() -> None:
    tasks = [{"id": "1", "title": "Migrate", "status": "done"}, {"id": "2", "title": "Document", "status": "todo"}]
    log = _log(
        [
            _action(1, "task_tracking", {"command": "plan", "task_list": tasks}),
            _seen(2, "task_tracking", 1, "Task list has been updated"),
            _action(3, "task_tracking", {"command": "view", "task_list": []}),
            _seen(4, "task_tracking", 3, "…"),
        ]
    )
    (planned,) = [e.action for e in FORMAT.events(log) if e.action]
    assert [(t.text, t.status) for t in planned.tasks] == [("Migrate", "completed"), ("Document", "pending")]


def test_an_edit_taken_back_leaves_the_file_as_it_was_only_when_it_was_the_last_one() -> None:
    def change(number: int) -> list[Json]:
        args = {"path": "/w/a.py", "command": "str_replace", "old_str": "x", "new_str": "y"}
        return [_action(number, "edit", args), _seen(number + 1, "edit", number, "edited", prev_exist=True)]

    def undo(number: int) -> list[Json]:
        args = {"path": "/w/a.py", "command": "undo_edit"}
        return [_action(number, "edit", args), _seen(number + 1, "edit", number, "undone", prev_exist=True)]

    log = _log([*change(1), *change(3), *undo(5), *undo(7)])
    assert [kind for _, kind, _, _ in _acts(list(FORMAT.events(log)))] == [
        ActionKind.EDITED,
        ActionKind.EDITED,
        ActionKind.RESTORED,
    ]


def test_a_draft_of_a_file_that_was_not_there_is_a_new_file() -> None:
    log = _log(
        [
            _action(1, "edit", {"path": "/w/new.py", "content": "n = 1", "command": ""}),
            _seen(2, "edit", 1, "created", path="/w/new.py", prev_exist=False, new_content="n = 1"),
            _action(3, "edit", {"path": "/w/old.py", "content": "n = 2", "command": ""}),
            _seen(4, "edit", 3, "changed", path="/w/old.py", prev_exist=True),
        ]
    )
    assert [(kind, path) for _, kind, path, _ in _acts(list(FORMAT.events(log)))] == [
        (ActionKind.WROTE, "/w/new.py"),
        (ActionKind.EDITED, "/w/old.py"),
    ]


def test_an_array_cut_short_is_read_as_far_as_it_goes() -> None:
    whole = json.dumps(
        [_action(1, "message", {"content": "Use pnpm."}, "user"), _action(2, "message", {"content": "Ok"})]
    )
    log = Log("log", io.BytesIO(whole[:-30].encode()))
    assert FORMAT.recognise(log)
    assert _said(list(FORMAT.events(log))) == [(1, Role.USER, "Use pnpm.")]
    assert list(log.tally.skipped) == ["damaged JSON document"]


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_log([{"role": "user", "content": "hi"}]))
    assert not FORMAT.recognise(_log([{"source": "user", "action": "message"}]))
    assert not FORMAT.recognise(_log([]))
    assert not FORMAT.recognise(Log("log", io.BytesIO(b"[2026-03-02 10:00] Ann: hello\n")))
