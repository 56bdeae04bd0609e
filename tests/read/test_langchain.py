"""LangChain and LangGraph messages."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import ActionKind, Event
from distill.read.langchain import FORMAT
from distill.read.log import Log


def _log(data: object) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Log("log", io.BytesIO(text.encode()))


def _read(data: object) -> tuple[list[Event], Log]:
    log = _log(data)
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log)), log


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events if e.text]


TURNS = [("system", "Be kind."), ("human", "Use Poetry."), ("ai", "Agreed.")]
SAID = [(2, "user", "Use Poetry."), (3, "assistant", "Agreed.")]
CLASSES = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage"}
NESTED: list[dict[str, Any]] = [{"type": t, "data": {"content": c, "additional_kwargs": {}}} for t, c in TURNS]
FLAT: list[dict[str, Any]] = [{"type": t, "content": c, "id": f"m-{t}"} for t, c in TURNS]
SERIALISED: list[dict[str, Any]] = [
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", CLASSES[t]], "kwargs": {"content": c}}
    for t, c in TURNS
]


@pytest.mark.parametrize(
    "data",
    [
        NESTED,
        FLAT,
        SERIALISED,
        {"messages": FLAT},
        {"values": {"messages": FLAT}, "next": []},
        {"messages": SERIALISED},
        [{"values": {"messages": FLAT}}, {"values": {"messages": FLAT[:2]}}],  # a state's history, newest first
        "".join(json.dumps(m) + "\n" for m in NESTED),
        "".join(json.dumps(m) + "\n" for m in FLAT),
    ],
)
def test_every_shape_says_the_same(data: object) -> None:
    events, log = _read(data)
    assert _said(events) == SAID
    assert log.tally.set_aside["system prompt"] == 1
    assert log.tally.records == 3


def test_states_one_a_line_cite_their_line() -> None:
    events, _ = _read(json.dumps({"messages": FLAT}) + "\n" + json.dumps({"messages": FLAT[:2]}) + "\n")
    assert _said(events) == [(1, "user", "Use Poetry."), (1, "assistant", "Agreed."), (2, "user", "Use Poetry.")]


@pytest.mark.parametrize(
    "calls",
    [
        {"tool_calls": [{"name": "Write", "args": {"file_path": "a.py", "content": "x"}, "id": "t1"}]},
        {
            "additional_kwargs": {
                "tool_calls": [
                    {"id": "t1", "function": {"name": "Write", "arguments": '{"file_path": "a.py", "content": "x"}'}}
                ]
            }
        },
        {
            "content": [
                {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "a.py", "content": "x"}}
            ],
            "tool_calls": [{"name": "Write", "args": {"file_path": "a.py", "content": "x"}, "id": "t1"}],
        },
    ],
)
@pytest.mark.parametrize("status", ["success", "error"])
def test_tool_calls_of_every_dialect(calls: dict[str, Any], status: str) -> None:
    events, _ = _read(
        [
            {"type": "human", "data": {"content": "Write it."}},
            {"type": "ai", "data": {"content": "", **calls}},
            {"type": "tool", "data": {"content": "ok", "tool_call_id": "t1", "status": status, "name": "Write"}},
            {"type": "ai", "data": {"content": "Finished."}},
        ]
    )
    acts = [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]
    assert acts == [(2, ActionKind.WROTE, "a.py", status == "success")]


def test_chunks_chat_roles_and_odd_types() -> None:
    events, log = _read(
        [
            {"type": "human", "content": "Use Poetry."},
            {"type": "AIMessageChunk", "content": [{"type": "text", "text": "Yes."}, {"type": "image_url"}]},
            {"type": "chat", "content": "And 3.12.", "role": "user"},
            {"type": "chat", "content": "?", "role": 4},
            {"type": "ai", "content": 5, "tool_calls": 6},
            {"type": "tool", "content": None, "tool_call_id": 3},
            {"type": "remove", "id": "x"},
            {"type": 9, "content": "x"},
            None,
        ]
    )
    assert _said(events) == [(1, "user", "Use Poetry."), (2, "assistant", "Yes."), (3, "user", "And 3.12.")]
    assert log.tally.skipped == {"not a message": [9]}


@pytest.mark.parametrize(
    "data",
    [
        {"messages": [{"role": "user", "content": "x"}]},
        {"sessionId": "s", "projectHash": "h", "messages": [{"id": "1", "type": "user", "content": "x"}]},
        [{"type": "tool", "content": "x"}],
        [{"type": "session"}, {"type": "message"}],
        [{"id": 1, "source": "user", "action": "message", "args": {"content": "x"}}],
        {"messages": []},
        '{"type":"user","content":"x","timestamp":"2026-03-02T09:00:00Z"}\n' * 2,
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
