"""Cline since its SDK."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.cline_sdk import FORMAT
from distill.read.log import Log

Json = dict[str, Any]
START = 1772442000000  # 2026-03-02T09:00:00Z


def _log(messages: list[Json], **more: object) -> Log:
    for number, message in enumerate(messages):
        message.setdefault("ts", START + 60_000 * number)
    found = {
        "version": 1,
        "agent": "lead",
        "sessionId": "s1",
        "messages": messages,
        "system_prompt": "Use Redis.",
        **more,
    }
    return Log("log", io.BytesIO(json.dumps(found).encode()))


def _user(words: str, **more: object) -> Json:
    return {"id": "u", "role": "user", "content": [{"type": "text", "text": words}], **more}


def _use(key: str, name: str, given: object, words: str = "") -> Json:
    content: list[Json] = [{"type": "thinking", "thinking": "Redis?"}]
    content += [{"type": "text", "text": words}] if words else []
    return {"role": "assistant", "content": [*content, {"type": "tool_use", "id": key, "name": name, "input": given}]}


def _result(key: str, content: object, **more: object) -> Json:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": content, **more}]}


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_session() -> None:
    log = _log(
        [
            _user(
                '<user_input mode="act"><mode_notice>The user switched from plan to act.</mode_notice>\n'
                "Limit the cart to 12 items.</user_input>"
            ),
            _use("c1", "editor", {"path": "/w/shop/cart.ts", "new_text": "const LIMIT = 12"}, "I add the limit."),
            _result("c1", [{"query": "create", "result": "Created", "success": True}]),
            _use("c2", "editor", {"path": "/w/shop/app.ts", "old_text": "5", "new_text": "12"}),
            _result("c2", json.dumps([{"query": "edit", "result": "", "error": "not found", "success": False}])),
            _use("c3", "run_commands", {"commands": ["npm test", {"command": "touch", "args": ["docs.md"]}]}),
            _result(
                "c3",
                [
                    {"query": "npm test", "result": "Tests:       1 failed, 4 passed, 5 total", "success": False},
                    {"query": "touch docs.md", "result": "", "success": True},
                ],
            ),
            {"role": "assistant", "content": "One test is red."},
        ],
        metadata={"title": "The cart", "cwd": "/w/shop"},
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.USER, "Limit the cart to 12 items."),
        (2, Role.ASSISTANT, "I add the limit."),
        (8, Role.ASSISTANT, "One test is red."),
    ]
    acts = _acts(events)
    assert acts[0] == (2, ActionKind.WROTE, "cart.ts", True)
    assert acts[1] == (4, ActionKind.EDITED, "app.ts", False)
    assert acts[2][1:] == (ActionKind.TESTED, "npm test", False)
    assert acts[3][1:] == (ActionKind.WROTE, "docs.md", True)
    assert events[0].time == "2026-03-02T09:00:00Z"
    assert (log.tally.title, log.tally.session, log.tally.project) == ("The cart", "s1", "/w/shop")
    assert log.tally.set_aside["system prompt"] == 1


def test_attached_files_notices_and_compactions_are_not_the_users_words() -> None:
    log = _log(
        [
            {"role": "user", "content": [{"type": "file", "path": "a.md", "content": "Use Redis."}]},
            _user("Use Redis.", metadata={"kind": "compaction", "displayRole": "system"}),
            _user("Use Redis.", metadata={"kind": "recovery_notice"}),
            _user('<user_input mode="act">[TASK RESUMPTION] Please continue where you left off.</user_input>'),
            _user("Use Go."),
        ]
    )
    assert _said(list(FORMAT.events(log))) == [(5, Role.USER, "Use Go.")]


def test_questions_answers_and_the_last_word() -> None:
    log = _log(
        [
            _use("c1", "ask_question", {"question": "Which store?", "options": ["Postgres", "SQLite"]}),
            _result("c1", "SQLite"),
            _use("c2", "submit_and_exit", {"summary": "SQLite is in place.", "verified": True}),
            _result("c2", "ok"),
        ]
    )
    events = list(FORMAT.events(log))
    answer = next(e for e in events if e.action)
    assert answer.action is not None
    assert (answer.role, answer.action.kind, answer.action.detail) == (Role.USER, ActionKind.ANSWERED, "SQLite")
    assert _said(events) == [(3, Role.ASSISTANT, "SQLite is in place.")]


def test_a_command_that_prints_json_is_not_taken_for_a_list_of_results() -> None:
    log = _log([_use("c1", "run_commands", {"commands": "touch a.md"}), _result("c1", '{"error": "none"}')])
    assert _acts(list(FORMAT.events(log))) == [(1, ActionKind.WROTE, "a.md", True)]


def test_neighbours_are_not_taken() -> None:
    def log(found: object) -> Log:
        return Log("log", io.BytesIO(json.dumps(found).encode()))

    assert not FORMAT.recognise(log({"sessionId": "s", "projectHash": "h", "messages": []}))
    assert not FORMAT.recognise(log({"messages": []}))
    assert not FORMAT.recognise(log({"sessionId": "s", "agent": "a"}))
