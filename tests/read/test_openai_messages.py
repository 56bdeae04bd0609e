"""Chat messages of OpenAI's shape."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import ActionKind, Event, Role, Voice
from distill.read.log import HEAD, Log
from distill.read.openai_messages import FORMAT


def _log(data: object) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Log("log", io.BytesIO(text.encode()))


def _lines(*records: object) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _read(data: object) -> tuple[list[Event], Log]:
    log = _log(data)
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log)), log


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events if e.text]


DOCUMENT: dict[str, Any] = {
    "format": "openai-chat",
    "title": "Choosing a queue",
    "phases": ["plan"],
    "messages": [
        {"role": "system", "content": "Always answer in English. We use Redis."},
        {"role": "developer", "content": "Never mention Redis."},
        {
            "role": "user",
            "content": [{"type": "text", "value": "Use NATS as the queue."}],
            "_metadata": {"timestamp": "2026-03-02T09:00:00.123Z"},
        },
        {"role": "assistant", "content": "<thinking>Maybe Kafka is better?</thinking>\n\nAgreed: NATS."},
        {"role": "user", "content": "Keep three replicas."},
        {"role": "user", "content": "And no TLS inside the cluster."},
        {"role": "assistant", "content": None},
    ],
}


def test_a_document_numbers_its_messages_and_sets_instructions_and_thinking_aside() -> None:
    events, log = _read(DOCUMENT)
    assert _said(events) == [
        (3, "user", "Use NATS as the queue."),
        (4, "assistant", "Agreed: NATS."),
        (5, "user", "Keep three replicas."),
        (6, "user", "And no TLS inside the cluster."),
    ]
    assert events[0].time == "2026-03-02T09:00:00Z"
    assert events[1].time is None
    assert log.tally.records == 7
    assert log.tally.understood == 4
    assert log.tally.set_aside["system prompt"] == 2
    assert log.tally.set_aside["thinking"] == 1
    assert log.tally.title == "Choosing a queue"
    assert log.tally.types == {"system": 1, "developer": 1, "user": 3, "assistant": 2}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_bare_list_is_one_conversation(indent: int | None) -> None:
    messages = [{"role": "user", "content": "Use tabs."}, {"role": "assistant", "content": "Done."}]
    events, log = _read(json.dumps(messages, indent=indent))
    assert _said(events) == [(1, "user", "Use tabs."), (2, "assistant", "Done.")]
    assert log.tally.records == 2


def test_conversations_one_a_line_are_all_read_and_cite_their_line() -> None:
    one = {"id": "a", "messages": [{"role": "user", "content": "Use vite."}, {"role": "assistant", "content": "OK."}]}
    two = {"id": "b", "messages": [{"role": "user", "content": "Drop IE 11."}]}
    events, log = _read(_lines(one, two))
    assert _said(events) == [(1, "user", "Use vite."), (1, "assistant", "OK."), (2, "user", "Drop IE 11.")]
    assert [e.session for e in events] == ["a", "a", "b"]
    assert log.tally.records == 2


def test_messages_one_a_line() -> None:
    events, _ = _read(
        _lines(
            {"role": "user", "content": "Port 8080 stays.", "timestamp": 1772442000},
            {"role": "assistant", "content": "Understood.", "timestamp": 1772442060},
        )
    )
    assert _said(events) == [(1, "user", "Port 8080 stays."), (2, "assistant", "Understood.")]
    assert [e.time for e in events] == ["2026-03-02T09:00:00Z", "2026-03-02T09:01:00Z"]


def test_a_log_of_one_line() -> None:
    events, _ = _read('{"role": "user", "content": "Port 8080 stays."}\n')
    assert _said(events) == [(1, "user", "Port 8080 stays.")]


def _call(key: str, name: str, **arguments: object) -> dict[str, object]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def test_tool_calls_become_acts_once_their_result_confirms_them() -> None:
    events, _ = _read(
        {
            "messages": [
                {"role": "user", "content": "Write the schema."},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        _call("c1", "Write", file_path="db/schema.sql", content="create table t();"),
                        _call("c2", "Write", file_path="db/seed.sql", content="insert"),
                    ],
                },
                {"role": "tool", "tool_call_id": "c2", "content": "Error: EACCES, permission denied"},
                {"role": "tool", "tool_call_id": "c1", "content": "File created successfully at: db/schema.sql"},
                {"role": "assistant", "content": "The schema stands."},
            ]
        }
    )
    acts = {e.action.target: (e.action.kind, e.action.done, e.record) for e in events if e.action}
    assert acts["db/schema.sql"] == (ActionKind.WROTE, True, 2)
    assert acts["db/seed.sql"][1] is False


def test_a_call_without_a_result_is_not_done_and_at_the_end_of_the_log_unknown() -> None:
    call = {"role": "assistant", "tool_calls": [_call("c1", "Write", file_path="a.txt", content="x")]}
    later = {"role": "user", "content": "Stop, leave that file alone."}
    events, _ = _read([{"role": "user", "content": "Go."}, call, later])
    assert [(e.action.target, e.action.done) for e in events if e.action] == [("a.txt", False)]
    events, _ = _read([{"role": "user", "content": "Go."}, call])
    assert not [e for e in events if e.action]


def test_calls_as_items_of_the_content_and_anthropic_blocks() -> None:
    events, _ = _read(
        [
            {"role": "user", "content": "Write both."},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Writing."},
                    {
                        "type": "tool_call",
                        "id": "x1",
                        "name": "Write",
                        "arguments": {"file_path": "a.md", "content": "a"},
                    },
                    {"type": "tool_use", "id": "x2", "name": "Write", "input": {"file_path": "b.md", "content": "b"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "x1", "content": "File created successfully at: a.md"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "x2",
                        "content": [{"type": "text", "text": "no"}],
                        "is_error": True,
                    },
                ],
            },
        ]
    )
    assert [(e.action.target, e.action.done, e.record) for e in events if e.action] == [
        ("a.md", True, 2),
        ("b.md", False, 2),
    ]
    assert _said(events) == [(1, "user", "Write both."), (2, "assistant", "Writing.")]


def test_what_the_user_said_when_refusing_a_tool_are_the_users_words() -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse pnpm"
    )
    events, _ = _read(
        [
            {"role": "user", "content": "Install it."},
            {"role": "assistant", "tool_calls": [_call("c1", "Bash", command="npm install left-pad")]},
            {"role": "tool", "tool_call_id": "c1", "content": refusal},
            {"role": "assistant", "content": "All right."},
        ]
    )
    refused = [e for e in events if e.action and e.action.kind is ActionKind.REJECTED]
    assert len(refused) == 1
    assert refused[0].role is Role.USER
    assert (3, "user", "use pnpm") in _said(events)


def test_injected_context_is_no_user_turn_and_the_same_turn_twice_is_one() -> None:
    events, log = _read(
        [
            {"role": "user", "content": "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"},
            {"role": "user", "content": "Use uv."},
            {"role": "user", "content": "Use uv."},
            {"role": "assistant", "content": "Yes."},
            {"role": "user", "content": "Use uv."},
        ]
    )
    assert _said(events) == [(2, "user", "Use uv."), (4, "assistant", "Yes."), (5, "user", "Use uv.")]
    assert log.tally.set_aside["injected text"] == 1
    assert log.tally.set_aside["repeated turn"] == 1


def test_odd_field_types_are_survived() -> None:
    events, log = _read(
        {
            "id": 7,
            "messages": [
                {"role": "user", "content": "Fine."},
                {"role": "assistant", "content": "Good."},
                {"role": "user", "content": "Go on."},
                {"role": "user", "content": {"text": 3}},
                {"role": "assistant", "content": [None, 4, "Yes.", {"type": 5}, {"type": "text", "text": []}]},
                {"role": "assistant", "content": True, "tool_calls": {"function": "x"}},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [None, 3, {"function": {"name": 4, "arguments": 5}}],
                },
                {"role": "tool", "content": [[]], "tool_call_id": {}},
                {"role": ["user"], "content": "Nobody."},
                "not an object",
                {"role": "critic", "content": "Nobody either."},
                {"role": "assistant", "content": "So be it.", "timestamp": ["x"]},
            ],
        }
    )
    assert _said(events)[2:] == [(3, "user", "Go on."), (5, "assistant", "Yes."), (12, "assistant", "So be it.")]
    assert log.tally.skipped == {"not a message": [10]}
    assert log.tally.set_aside["unknown role"] == 2


def test_a_document_cut_short_keeps_its_messages() -> None:
    text = json.dumps({"messages": [{"role": "user", "content": f"Rule {n}: keep it."} for n in range(12)]})
    events, log = _read(text[:-40])
    assert _said(events)[:2] == [(1, "user", "Rule 0: keep it."), (2, "user", "Rule 1: keep it.")]
    assert len(events) >= 10
    assert log.tally.skipped_records == 1


@pytest.mark.parametrize(
    "data",
    [
        {"sessionId": "s", "projectHash": "h", "messages": [{"id": "1", "type": "user", "content": "x"}]},
        {"sessionId": "s", "agent": "a", "messages": [{"id": "1", "role": "user", "content": [], "ts": 1}]},
        {"info": {}, "messages": [{"info": {"role": "user"}, "parts": []}]},
        {"messages": [{"type": "human", "content": "x"}, {"type": "ai", "content": "y"}]},
        {"trajectory_format": "mini-swe-agent-1.1", "messages": [{"role": "user", "content": "x"}]},
        {"messages": [{"role": "system", "content": "x"}]},
        {"messages": []},
        [{"role": "user", "content": [{"type": "text", "text": "x"}], "ts": 1772442000000}],
        [{"role": "user", "parts": [{"text": "x"}]}],
        [1, 2],
        "[2026-03-02 09:00] Ann: we keep it",
        '{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}\n{"record_type":"state"}\n',
        '{"type":"user","message":{"role":"user","content":"x"},"sessionId":"s","parentUuid":null}\n' * 2,
        '{"speaker":"human","msg":"x"}\n{"speaker":"bot","msg":"y"}\n',
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_first_line_longer_than_the_head_is_a_line_all_the_same(encoding: str, end: str) -> None:
    long = {"messages": [{"role": "user", "content": "Use NATS."}, {"role": "assistant", "content": "y" * (2 * HEAD)}]}
    short = {"messages": [{"role": "user", "content": "Port 8080 stays."}]}
    log = Log("log", io.BytesIO((json.dumps(long) + end + json.dumps(short) + end).encode(encoding)))
    assert FORMAT.recognise(log)
    assert [e.record for e in FORMAT.events(log)] == [1, 1, 2]
    assert not log.tally.skipped


def test_paths_are_shown_from_the_working_directory_that_a_context_block_names() -> None:
    events, log = _read(
        [
            {"role": "system", "content": "<environment_context>\n<cwd>/w/app</cwd>\n</environment_context>"},
            {"role": "user", "content": "Write it."},
            {"role": "assistant", "tool_calls": [_call("c", "write_file", path="/w/app/a.txt", content="x")]},
            {"role": "tool", "tool_call_id": "c", "content": "ok"},
            {"role": "assistant", "content": "Done."},
        ]
    )
    assert [e.action.target for e in events if e.action] == ["a.txt"]
    assert log.tally.project == "/w/app"


def test_the_summary_of_a_missing_part_and_an_interruption_are_told_apart_from_words() -> None:
    summary = "This session is being continued from a previous conversation that ran out of context. We chose NATS."
    events, log = _read(
        [
            {"role": "user", "content": summary},
            {"role": "assistant", "content": "Going on."},
            {"role": "user", "content": "[Request interrupted by user]"},
            {"role": "user", "content": "Use Kafka instead."},
            {"role": "assistant", "content": "Fine."},
            {"role": "user", "content": summary},
        ]
    )
    assert [e.voice for e in events if e.record == 1] == [Voice.SUMMARY]
    assert [(e.record, e.role) for e in events if e.action] == [(3, Role.USER)]
    assert [t for _, role, t in _said(events) if role == "user"] == ["Use Kafka instead."]
    assert log.tally.set_aside["summary"] == 1
