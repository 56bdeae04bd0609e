"""Claude.ai's data export."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import ActionKind, Event
from distill.read.claude_ai import FORMAT
from distill.read.log import Log


def _log(data: object) -> Log:
    return Log("conversations.json", io.BytesIO(json.dumps(data, ensure_ascii=False).encode()))


def _read(log: Log) -> list[Event]:
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log))


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events if e.text]


def _talk(
    *messages: object, name: str = "A talk", updated: str = "2026-03-02T10:00:00Z", key: str = "u"
) -> dict[str, Any]:
    return {
        "uuid": key,
        "name": name,
        "summary": "An overview that a machine wrote.",
        "created_at": "2026-03-01T09:00:00Z",
        "updated_at": updated,
        "chat_messages": list(messages),
    }


def test_content_is_read_once_and_attachments_are_set_aside() -> None:
    log = _log(
        [
            _talk(
                {
                    "uuid": "m1",
                    "sender": "human",
                    "text": "Use SQLite.",
                    "content": [{"type": "text", "text": "Use SQLite."}],
                    "attachments": [{"file_name": "spec.txt", "extracted_content": "We decided to use Oracle."}],
                    "files": [{"file_name": "shot.png"}],
                    "created_at": "2026-03-02T09:00:00.5Z",
                },
                {
                    "uuid": "m2",
                    "sender": "assistant",
                    "text": "SQLite it is.",
                    "content": [
                        {"type": "thinking", "thinking": "Oracle?"},
                        {"type": "text", "text": "SQLite it is."},
                        {"type": "token_budget"},
                    ],
                    "created_at": "2026-03-02T09:01:00Z",
                },
                {"uuid": "m3", "sender": "human", "text": "An older export has only this.", "attachments": []},
            )
        ]
    )
    events = _read(log)
    assert _said(events) == [
        (1, "user", "Use SQLite."),
        (2, "assistant", "SQLite it is."),
        (3, "user", "An older export has only this."),
    ]
    assert [e.time for e in events] == ["2026-03-02T09:00:00Z", "2026-03-02T09:01:00Z", None]
    assert log.tally.set_aside == {"summary": 1, "pasted document": 1, "attachment": 1, "thinking": 1}
    assert (log.tally.title, log.tally.session, log.tally.records) == ("A talk", "u", 3)


def test_documents_beside_the_talk_and_tools_are_acts() -> None:
    log = _log(
        _talk(
            {"sender": "human", "text": "Write the letter and the script."},
            {
                "sender": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": "t1",
                        "name": "artifacts",
                        "input": {
                            "command": "create",
                            "id": "letter",
                            "title": "Letter to the board",
                            "content": "Dear all",
                        },
                    },
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "name": "artifacts",
                        "content": [{"type": "text", "text": "OK"}],
                    },
                    {
                        "type": "tool_use",
                        "id": "t2",
                        "name": "artifacts",
                        "input": {"command": "update", "id": "letter"},
                    },
                    {"type": "text", "text": "Both are there."},
                ],
            },
        )
    )
    events = _read(log)
    acts = [(e.record, e.action.kind, e.action.target, e.action.detail) for e in events if e.action]
    assert acts == [(2, ActionKind.WROTE, "Letter to the board", "Dear all")]
    assert _said(events)[-1] == (2, "assistant", "Both are there.")


def test_only_the_branch_of_the_current_message_is_read() -> None:
    talk = _talk(
        {"uuid": "a", "sender": "human", "text": "Which port?"},
        {"uuid": "b", "sender": "assistant", "text": "9090.", "parent_message_uuid": "a"},
        {"uuid": "c", "sender": "assistant", "text": "8080.", "parent_message_uuid": "a"},
    )
    talk["current_leaf_message_uuid"] = "c"
    log = _log(talk)
    assert _said(_read(log)) == [(1, "user", "Which port?"), (3, "assistant", "8080.")]
    assert log.tally.set_aside["other branch"] == 1


def test_the_newest_conversation_is_read_unless_another_is_named() -> None:
    def both() -> Log:
        old = _talk({"sender": "human", "text": "Old."}, name="Garden", updated="2026-01-01T00:00:00Z", key="k1")
        new = _talk({"sender": "human", "text": "New."}, name="Roof", updated="2026-02-01T00:00:00Z", key="k2")
        return _log([new, old])

    assert [e.text for e in _read(both())] == ["New."]
    log = both()
    log.conversation = "garden"
    assert [e.text for e in _read(log)] == ["Old."]


def test_odd_field_types_are_survived() -> None:
    log = _log(
        _talk(
            {"sender": "human", "text": "Keep it.", "attachments": {"a": 1}, "files": [3, None]},
            {"sender": 4, "text": "x"},
            {"sender": "assistant", "text": 5, "content": {"type": "text"}},
            {"sender": "assistant", "content": [{"type": "tool_use", "name": "artifacts", "input": 4}]},
            6,
        )
    )
    assert _said(_read(log)) == [(1, "user", "Keep it.")]
    assert log.tally.skipped == {"not a message": [5]}


@pytest.mark.parametrize(
    "data",
    [
        [{"title": "x", "mapping": {}, "current_node": "a"}],
        {"chat_messages": "none"},
        [{"uuid": "p", "name": "A project", "docs": [{"filename": "a", "content": "b"}]}],
        {"messages": [{"role": "user", "content": "x"}]},
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
