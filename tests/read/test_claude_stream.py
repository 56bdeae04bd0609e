import json
from io import BytesIO
from typing import Any

import pytest

from distill.model import Action, ActionKind, Role
from distill.read.claude_stream import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log

Record = dict[str, Any]
INIT: Record = {
    "type": "system",
    "subtype": "init",
    "session_id": "s-1",
    "cwd": "/srv/kiln",
    "tools": ["Bash"],
    "model": "m",
}


def said(text: str, name: str = "m1", **more: object) -> Record:
    message = {"id": name, "role": "assistant", "content": [{"type": "text", "text": text}]}
    return {"type": "assistant", "message": message, "parent_tool_use_id": None, "session_id": "s-1", **more}


CALL: Record = {
    "type": "assistant",
    "parent_tool_use_id": None,
    "session_id": "s-1",
    "message": {
        "id": "m2",
        "content": [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": "/srv/kiln/a.md"}}],
    },
}
RESULT: Record = {
    "type": "user",
    "parent_tool_use_id": None,
    "session_id": "s-1",
    "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
}
END: Record = {"type": "result", "subtype": "success", "is_error": False, "result": "Done.", "session_id": "s-1"}


def lines(*entries: Record) -> Log:
    data = "".join(json.dumps(entry) + "\n" for entry in entries).encode()
    return Log("run.jsonl", BytesIO(data), len(data))


def document(value: object) -> Log:
    data = json.dumps(value, indent=1).encode()
    return Log("run.json", BytesIO(data), len(data))


def test_a_run() -> None:
    side = said("Side talk.", "m9", parent_tool_use_id="t0")
    log = lines(
        INIT,
        said("I will."),
        side,
        {"type": "stream_event", "session_id": "s-1", "event": {}},
        CALL,
        RESULT,
        said("Done.", "m3"),
        END,
    )
    assert recognise(log) is FORMAT
    events = list(FORMAT.events(log))
    assert [(event.record, event.text) for event in events] == [(2, "I will."), (5, ""), (7, "Done.")]
    assert events[1].action == Action(kind=ActionKind.WROTE, target="a.md")
    assert (events[0].session, events[0].project) == ("s-1", "/srv/kiln")
    assert log.tally.types["result"] == 1


def test_the_result_is_told_where_nothing_else_was() -> None:
    events = list(FORMAT.events(lines(INIT, END)))
    assert [(event.record, event.role, event.text) for event in events] == [(2, Role.ASSISTANT, "Done.")]


def test_the_prompt_where_it_was_asked_for() -> None:
    prompt = {
        "type": "user",
        "session_id": "s-1",
        "parent_tool_use_id": None,
        "message": {"role": "user", "content": "Go."},
    }
    assert [(event.role, event.text) for event in FORMAT.events(lines(INIT, prompt, said("Done."), END))] == [
        (Role.USER, "Go."),
        (Role.ASSISTANT, "Done."),
    ]


@pytest.mark.parametrize("value", [END, [INIT, said("Done."), END]])
def test_one_document(value: object) -> None:
    log = document(value)
    assert recognise(log) is FORMAT
    assert [event.text for event in FORMAT.events(log)] == ["Done."]


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "user", "sessionId": "s", "parentUuid": None, "message": {"content": "x"}},
        {"type": "session", "session_id": "x", "cwd": "/srv"},
        {"session_id": "x", "ts": 1, "text": "hi"},
        {"role": "user", "content": "session_id"},
    ],
)
def test_neighbours_are_not_taken(entry: Record) -> None:
    assert not FORMAT.recognise(lines(entry, entry))


def test_odd_entries_are_counted() -> None:
    log = document([INIT, 3, said("Done."), None, {"type": "assistant", "session_id": 4, "message": "x"}])
    assert [event.text for event in FORMAT.events(log)] == ["Done."]
    assert log.tally.skipped == {"not a JSON object": [2, 4], "message without content": [5]}
