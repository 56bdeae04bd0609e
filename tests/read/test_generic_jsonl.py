"""JSON Lines that no known program writes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import ActionKind, Event
from distill.read.generic_jsonl import FORMAT
from distill.read.log import Log


def _log(*records: object) -> Log:
    text = "".join(r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    return Log("log", io.BytesIO(text.encode()))


def _read(log: Log) -> list[Event]:
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log))


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events if e.text]


@pytest.mark.parametrize(
    ("asks", "answers"),
    [
        ({"speaker": "human", "msg": "{}"}, {"speaker": "bot", "msg": "{}"}),
        ({"role": "me", "text": "{}"}, {"role": "agent", "text": "{}"}),
        ({"角色": "客户", "内容": "{}"}, {"角色": "客服", "内容": "{}"}),
        ({"from": "Customer", "body": "{}"}, {"from": "AI", "body": "{}"}),
        ({"author": {"role": "user"}, "message": "{}"}, {"author": {"role": "model"}, "message": "{}"}),
        ({"sender": "alice", "text": "{}"}, {"sender": "gpt-4o", "text": "{}"}),
        ({"name": "Alice", "is_user": True, "mes": "{}"}, {"name": "Aria", "is_user": False, "mes": "{}"}),
        ({"type": "user_message", "content": "{}"}, {"type": "assistant_message", "content": "{}"}),
        ({"type": "UserMessage", "value": "{}"}, {"type": "AIMessage", "value": "{}"}),
        ({"role": "user", "content": [{"type": "text", "text": "{}"}], "x": 1}, {"role": "gpt", "output": "{}"}),
        ({"prompt": "{}"}, {"response": "{}"}),
        ({"user": "{}"}, {"assistant": "{}"}),
        ({"fromMe": True, "body": "{}"}, {"fromMe": False, "from": "Helpdesk Bot", "body": "{}"}),
        ({"who": "Human:", "say": 1, "text": "{}"}, {"who": "Bot:", "text": "{}"}),
        ({"t": "turn", "payload": {"who": "human", "body": "{}"}}, {"payload": {"who": "agent", "body": "{}"}}),
        ({"role": "user", "message": {"text": "{}"}}, {"role": "assistant", "message": {"text": "{}"}}),
        (
            {"event": "chat", "data": {"message": {"author": {"role": "human"}, "text": "{}"}}},
            {"event": "chat", "data": {"message": {"author": {"role": "ai"}, "text": "{}"}}},
        ),
    ],
)
def test_role_and_text_are_found_by_their_usual_names(asks: dict[str, Any], answers: dict[str, Any]) -> None:
    question, answer = "Use port 8080.", "Port 8080 it is."
    first = json.loads(json.dumps(asks, ensure_ascii=False).replace("{}", question))
    second = json.loads(json.dumps(answers, ensure_ascii=False).replace("{}", answer))
    log = _log(first, second)
    assert _said(_read(log)) == [(1, "user", question), (2, "assistant", answer)]
    assert log.tally.records == 2
    assert log.tally.understood == 2


@pytest.mark.parametrize(
    "time",
    [
        {"ts": 1772442000000},
        {"time": 1772442000},
        {"timestamp": "2026-03-02T10:00:00+01:00"},
        {"created_at": "2026-03-02 09:00:00"},
        {"create_time": 1772442000.25},
        {"ts": "1772442000.000200"},
        {"meta": {"timestamp": "1772442000"}},
        {"时间": "2026/3/2 09:00"},
        {"time": {"created": 1772442000000}},
    ],
)
def test_times_in_seconds_milliseconds_and_words(time: dict[str, Any]) -> None:
    events = _read(_log({"role": "human", "text": "Keep it.", **time}))
    assert [e.time for e in events] == ["2026-03-02T09:00:00Z"]


def test_a_record_that_holds_question_and_answer_gives_both() -> None:
    log = _log(
        {"question": "Which port?", "answer": "8080", "source": "faq"},
        {"instruction": "Name the port.", "input": "A web server.", "output": "It is 8080."},
    )
    assert _said(_read(log)) == [
        (1, "user", "Which port?"),
        (1, "assistant", "8080"),
        (2, "user", "Name the port.\n\nA web server."),
        (2, "assistant", "It is 8080."),
    ]


def test_what_is_no_message_is_counted_and_nothing_else() -> None:
    log = _log(
        {"type": "header", "version": 3, "cwd": "/w/app", "session_id": "s1"},
        {"type": "system", "text": "You are a bot."},
        {"role": "user", "text": "Use vite."},
        {"role": "tool", "text": "We decided to use webpack."},
        "not json\n",
        {"role": "assistant", "text": "<think>Or webpack.</think>Vite."},
        {"type": "heartbeat"},
    )
    assert _said(_read(log)) == [(3, "user", "Use vite."), (6, "assistant", "Vite.")]
    assert log.tally.skipped == {"invalid JSON": [5]}
    assert log.tally.set_aside["system prompt"] == 1
    assert log.tally.set_aside["tool output"] == 1
    assert log.tally.types == {"header": 1, "system": 1, "user": 1, "tool": 1, "assistant": 1, "heartbeat": 1}
    assert (log.tally.project, log.tally.session) == ("/w/app", "s1")


def test_tool_calls_become_acts() -> None:
    log = _log(
        {"role": "human", "text": "Write it."},
        {"type": "tool_use", "id": "a", "tool_name": "write", "tool_input": {"filePath": "a.md", "content": "x"}},
        {"type": "tool_result", "tool_use_id": "a", "tool_name": "write", "tool_output": {"output": "Wrote file."}},
        {"role": "bot", "text": "There it is."},
    )
    acts = [(e.record, e.action.kind, e.action.target, e.action.done) for e in _read(log) if e.action]
    assert acts == [(2, ActionKind.WROTE, "a.md", True)]


def test_odd_field_types_are_survived() -> None:
    log = _log(
        {"role": "human", "text": "Keep it."},
        {"role": ["human"], "text": {"a": []}, "time": {}, "message": [], "payload": {"role": 4, "text": 5}},
        {"speaker": {"name": None}, "text": [[]], "author": 3},
        {"type": "tool_use", "name": 3, "input": []},
        {"type": "tool_result", "content": 3},
        {"role": "assistant", "text": None, "tool_calls": "x", "is_user": "yes"},
        {"data": {"data": {"data": {"role": "user", "text": "Too deep."}}}},
        [1, 2],
        {},
    )
    assert _said(_read(log)) == [(1, "user", "Keep it.")]
    assert log.tally.skipped == {"not a JSON object": [8]}


@pytest.mark.parametrize(
    "records",
    [
        [{"level": "info", "msg": "server started on port 80", "ts": 1772442000, "name": "app"}] * 2,
        [{"level": "info", "message": "job done in time", "user": "bob", "pid": 3}] * 2,
        [{"event": "click", "user": "u1", "value": "buy"}] * 2,
        [{"kind": "decision", "text": "Use PostgreSQL 16", "weight": 3, "evidence": []}] * 2,
        [{"tool": "bash", "input": "ls -l", "output": "a b c"}] * 2,
        [{"query": "select a from b", "duration": 3}] * 2,
        [{"name": "Widget", "text": "A very nice widget"}] * 2,
        [{"id": 1}, {"id": 2}],
        ["no json at all\n"],
        [{"title": "x", "turns": [{"speaker": "human", "text": "a"}, {"speaker": "bot", "text": "b"}]}],
    ],
)
def test_what_holds_no_talk_is_not_taken(records: list[object]) -> None:
    assert not FORMAT.recognise(_log(*records))
