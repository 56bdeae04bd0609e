"""oh-my-opencode transcripts."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.log import Log
from distill.read.opencode_transcript import FORMAT

Json = dict[str, Any]


def _log(*records: Json) -> Log:
    lines = [{"timestamp": f"2026-01-29T10:{i:02}:00.000Z", **one} for i, one in enumerate(records)]
    return Log("log", io.BytesIO("\n".join(json.dumps(one) for one in lines).encode()))


def _user(words: str) -> Json:
    return {"type": "user", "content": words}


def _use(name: str, given: object) -> Json:
    return {"type": "tool_use", "tool_name": name, "tool_input": given}


def _result(name: str, given: object, output: object) -> Json:
    return {"type": "tool_result", "tool_name": name, "tool_input": given, "tool_output": output}


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_session() -> None:
    write = {"filePath": "src/cart.ts", "content": "const LIMIT = 12"}
    edit = {"filePath": "src/app.ts", "oldString": "5", "newString": "12"}
    test = {"command": "npm test"}
    todos = {"todos": [{"id": "1", "content": "Ship", "status": "pending", "priority": "high"}]}
    log = _log(
        _user("Limit the cart to 12 items."),
        _user("Limit the cart to 12 items."),
        _use("write", write),
        _result("write", write, {"output": "Wrote file", "metadata": {}}),
        _use("edit", edit),
        _use("bash", test),
        _result("bash", test, {"output": "Tests:       1 failed, 5 total", "metadata": {"exit": 1}}),
        _result("edit", edit, "Edit applied"),
        _use("todowrite", todos),
        _result("todowrite", todos, {"title": "1 todos"}),
        _user("[SYSTEM REMINDER - TODO CONTINUATION]\n\nYou must not stop."),
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [(1, Role.USER, "Limit the cart to 12 items.")]
    acts = _acts(events)
    assert acts[0] == (3, ActionKind.WROTE, "src/cart.ts", True)
    assert acts[1][1:] == (ActionKind.TESTED, "npm test", False)
    assert acts[2] == (5, ActionKind.EDITED, "src/app.ts", True)
    assert acts[3][1] is ActionKind.PLANNED
    assert events[0].time == "2026-01-29T10:00:00Z"
    assert log.tally.set_aside["repeated turn"] == 1
    assert log.tally.set_aside["injected text"] == 1
    assert log.tally.types["tool_use"] == 4


def test_the_same_words_later_are_said_again() -> None:
    log = _log(_user("go on"), _use("read", {}), _user("go on"))
    assert [number for number, _, _ in _said(list(FORMAT.events(log)))] == [1, 3]


def test_a_call_without_a_result() -> None:
    log = _log(_use("write", {"filePath": "a.ts"}), _user("Stop."), _use("write", {"filePath": "b.ts"}))
    assert _acts(list(FORMAT.events(log))) == [(1, ActionKind.WROTE, "a.ts", False)]


def test_a_result_without_a_call() -> None:
    log = _log(_result("write", {"filePath": "a.ts", "content": "a"}, "ok"))
    assert _acts(list(FORMAT.events(log))) == [(1, ActionKind.WROTE, "a.ts", True)]


def test_malformed_keys_and_odd_inputs_are_survived() -> None:
    odd = {'agent="explore"</arg_value><arg_key>description': "x"}
    log = _log(
        _use("call_omo_agent", odd),
        _result("call_omo_agent", odd, None),
        _use("bash", []),
        _result("bash", [], 1),
        {"type": "assistant"},
        {"type": 3},
    )
    assert list(FORMAT.events(log)) == []


def test_a_log_of_prompts_alone() -> None:
    log = _log(_user("Use Go."))
    assert FORMAT.recognise(log)
    assert _said(list(FORMAT.events(log))) == [(1, Role.USER, "Use Go.")]


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_log({"type": "tool_use", "tool_name": "x", "tool_id": "1", "parameters": {}}))
    assert not FORMAT.recognise(_log({"type": "user", "content": "x", "sessionId": "s"}))
    assert not FORMAT.recognise(_log({"type": "user", "message": {"content": "x"}}))
