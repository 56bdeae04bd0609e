"""opencode's JSON export, and what plugins write in the user's name."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import ActionKind, Event, Role, Voice
from distill.read.log import Log
from distill.read.opencode_json import FORMAT, typed

Json = dict[str, Any]
START = 1772442000000  # 2026-03-02T09:00:00Z
SESSION = {"id": "ses_1", "title": "The cart", "directory": "/w/shop", "time": {"created": START}}


def _message(number: int, role: str, *parts: Json, **info: object) -> Json:
    head = {"id": f"msg_{number}", "role": role, "time": {"created": START + 60_000 * number}, **info}
    return {"info": head, "parts": list(parts)}


def _text(words: str, **more: object) -> Json:
    return {"type": "text", "text": words, **more}


def _tool(name: str, given: Json, output: str = "", status: str = "completed", **state: object) -> Json:
    return {
        "type": "tool",
        "tool": name,
        "callID": f"call_{name}",
        "state": {"status": status, "input": given, "output": output, "title": "", "metadata": {}, **state},
    }


def _log(*messages: Json, **session: object) -> Log:
    found = {"info": {**SESSION, **session}, "messages": list(messages)}
    return Log("log", io.BytesIO(json.dumps(found).encode()))


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_session() -> None:
    log = _log(
        _message(
            1,
            "user",
            _text("Limit the cart to 12 items."),
            _text("Called the Read tool: we chose Redis", synthetic=True),
            {"type": "file", "url": "file:///w/shop/a.md"},
        ),
        _message(
            2,
            "assistant",
            {"type": "step-start"},
            {"type": "reasoning", "text": "Redis?"},
            _text("I add the limit."),
            _tool("write", {"filePath": "/w/shop/cart.ts", "content": "const LIMIT = 12"}, "Wrote file"),
            _tool("bash", {"command": "npm test"}, "Tests:       5 passed, 5 total", metadata={"exit": 0}),
            {"type": "patch", "hash": "x", "files": ["/w/shop/cart.ts"]},
        ),
        _message(3, "assistant", _text("The limit is 12.")),
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.USER, "Limit the cart to 12 items."),
        (2, Role.ASSISTANT, "I add the limit."),
        (3, Role.ASSISTANT, "The limit is 12."),
    ]
    assert _acts(events) == [(2, ActionKind.WROTE, "cart.ts", True), (2, ActionKind.TESTED, "npm test", True)]
    assert events[0].time == "2026-03-02T09:01:00Z"
    assert (log.tally.title, log.tally.session, log.tally.project) == ("The cart", "ses_1", "/w/shop")
    assert log.tally.set_aside["injected text"] == 1
    assert log.tally.set_aside["thinking"] == 1
    assert log.tally.records == 3


def test_failures_refusals_and_what_never_came_back() -> None:
    refused = "The user rejected permission to use this specific tool call"
    log = _log(
        _message(1, "assistant", _tool("edit", {"filePath": "a.ts"}, status="error", error="oldString not found")),
        _message(2, "assistant", _tool("bash", {"command": "touch b.ts"}, "", metadata={"exit": 1})),
        _message(
            3,
            "assistant",
            _tool(
                "bash",
                {"command": "rm -r dist"},
                status="error",
                error=f"{refused} with the following feedback: keep it",
            ),
        ),
        _message(4, "assistant", _tool("write", {"filePath": "c.ts"}, status="error", error=f"{refused}.")),
        _message(5, "assistant", _tool("write", {"filePath": "d.ts"}, status="running")),
        _message(6, "assistant", _text("Stopped."), error={"name": "MessageAbortedError"}),
    )
    events = list(FORMAT.events(log))
    assert _acts(events) == [
        (1, ActionKind.EDITED, "a.ts", False),
        (2, ActionKind.WROTE, "b.ts", False),
        (3, ActionKind.REJECTED, "rm -r dist", False),
        (4, ActionKind.REJECTED, "c.ts", False),
        (6, ActionKind.INTERRUPTED, "", True),
        (5, ActionKind.WROTE, "d.ts", False),
    ]
    assert (3, Role.USER, "keep it") in _said(events)


def test_questions_and_to_dos() -> None:
    questions = [
        {"question": "Which store?", "header": "Store", "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"question": "Tests?", "options": [{"label": "Yes"}, {"label": "No"}]},
    ]
    todos = [{"id": "1", "content": "Ship", "status": "in_progress", "priority": "high"}]
    log = _log(
        _message(
            1,
            "assistant",
            _tool("question", {"questions": questions}, "…", metadata={"answers": [["SQLite"], []]}),
            _tool("todowrite", {"todos": todos}, "[]"),
        ),
        _message(
            2,
            "assistant",
            _tool("question", {"questions": questions}, status="error", error="The user dismissed this question"),
        ),
    )
    answered, planned = [e for e in FORMAT.events(log) if e.action]
    assert answered.action is not None
    assert planned.action is not None
    assert (answered.role, answered.action.kind) == (Role.USER, ActionKind.ANSWERED)
    assert (answered.action.target, answered.action.detail) == ("Which store?", "SQLite")
    assert answered.action.options == ("Postgres", "SQLite")
    assert [(t.text, t.status) for t in planned.action.tasks] == [("Ship", "in_progress")]


def test_compactions() -> None:
    summary = _message(2, "assistant", _text("They chose Go."), summary=True)
    log = _log(_message(1, "user", _text("Use Go.")), summary)
    assert _said(list(FORMAT.events(log))) == [(1, Role.USER, "Use Go.")]
    assert log.tally.set_aside["summary"] == 1
    events = list(FORMAT.events(_log(summary, _message(3, "user", _text("Go on.")))))
    assert events[0].voice is Voice.SUMMARY


def test_the_session_of_a_subagent_has_no_user() -> None:
    log = _log(
        _message(1, "user", _text("You must never use Go.")),
        _message(2, "assistant", _text("Found it.")),
        parentID="ses_0",
    )
    assert _said(list(FORMAT.events(log))) == [(2, Role.ASSISTANT, "Found it.")]


def test_a_reverted_session_goes_back_to_before_the_message() -> None:
    log = _log(
        _message(1, "user", _text("Use Go.")),
        _message(2, "assistant", _text("Done.")),
        _message(3, "user", _text("Use Rust.")),
        revert={"messageID": "msg_3"},
    )
    last = list(FORMAT.events(log))[-1]
    assert last.action is not None
    assert (last.action.kind, last.action.back_to) == (ActionKind.REWOUND, 2)


def test_messages_alone() -> None:
    found = [_message(1, "user", _text("Use Go.")), _message(2, "assistant", _text("Go it is."), path={"cwd": "/w"})]
    log = Log("log", io.BytesIO(json.dumps(found).encode()))
    assert FORMAT.recognise(log)
    assert len(_said(list(FORMAT.events(log)))) == 2
    assert log.tally.project == "/w"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Use Go.", "Use Go."),
        ("[SYSTEM REMINDER - TODO CONTINUATION]\n\nIncomplete tasks remain. You must not stop.", ""),
        ("[BACKGROUND TASK COMPLETED] Task finished", ""),
        ("[ALL BACKGROUND TASKS COMPLETE]\n**Completed:** x", ""),
        ("<system-reminder>\n[BACKGROUND TASK COMPLETED]\n</system-reminder>\n<!-- OMO_INTERNAL_INITIATOR -->", ""),
        ("[search-mode]\nMAXIMIZE SEARCH EFFORT. Never stop.\n\n---\n\nFind the cart.", "Find the cart."),
        ("[search-mode]\nMAXIMIZE SEARCH EFFORT.", ""),
        ("<ultrawork-mode>\nYou must delegate.\n</ultrawork-mode>\n\n---\n\nFind the cart.", "Find the cart."),
        ("1. TASK: find\n2. EXPECTED OUTCOME: list\n3. MUST DO: all\n4. MUST NOT DO: edit", ""),
        ("The team must do it, and the EXPECTED OUTCOME is a list.",) * 2,
        ("[CONTEXT]: a\n[GOAL]: b\n[REQUEST]: c", ""),
    ],
)
def test_what_a_person_typed(said: str, words: str) -> None:
    assert typed(said) == words


def test_pasted_text_leaves_no_marker_in_the_words() -> None:
    assert "Pasted" not in typed("[Pasted ~3 lines] Use Go.")
    assert typed("[Pasted ~3 lines] Use Go.").endswith("Use Go.")


def test_neighbours_are_not_taken() -> None:
    def log(found: object) -> Log:
        return Log("log", io.BytesIO(json.dumps(found).encode()))

    assert not FORMAT.recognise(log({"info": {}, "messages": [{"role": "user", "content": "x"}]}))
    assert not FORMAT.recognise(log([{"role": "user", "parts": [{"text": "x"}]}]))
    assert not FORMAT.recognise(log({"info": {"exit_status": "x"}, "messages": []}))
