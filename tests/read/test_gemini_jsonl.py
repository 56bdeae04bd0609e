import json
from io import BytesIO
from typing import Any

import pytest

from distill.model import Action, ActionKind, Event, Role
from distill.read.formats import recognise
from distill.read.gemini_jsonl import FORMAT
from distill.read.log import Log

Record = dict[str, Any]
HEADER: Record = {"sessionId": "g-2", "projectHash": "cd34", "startTime": "2026-03-01T09:00:00Z", "kind": "main"}
TIME = "2026-03-01T09:05:00.000Z"


def log_of(*records: object) -> Log:
    return Log("log", BytesIO("".join(f"{json.dumps(r)}\n" for r in records).encode()))


def message(key: object, kind: str, content: object, **more: object) -> Record:
    return {"id": key, "timestamp": TIME, "type": kind, "content": content, **more}


def wrote(path: str, key: str, status: str = "success") -> Record:
    result = [{"functionResponse": {"name": "write_file", "response": {"output": "ok"}}}]
    return {
        "id": key,
        "name": "write_file",
        "args": {"file_path": path, "content": "x"},
        "status": status,
        "result": result,
    }


def read(*records: object) -> tuple[list[Event], Log]:
    log = log_of(HEADER, *records)
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.action is None]


def test_messages_and_their_updates() -> None:
    events, log = read(
        message("1", "user", "paint it green"),
        message("2", "gemini", ""),
        message("2", "gemini", "Painting.", tokens={"input": 3}),
        message("2", "gemini", "Painting.", toolCalls=[wrote("/w/a.css", "c1", "executing")]),
        message("2", "gemini", "Painting.", toolCalls=[wrote("/w/a.css", "c1")]),
        {"$set": {"lastUpdated": TIME, "summary": "Paint"}},
        message("3", "user", "darker"),
    )
    assert said(events) == [
        (2, Role.USER, "paint it green"),
        (6, Role.ASSISTANT, "Painting."),
        (8, Role.USER, "darker"),
    ]
    assert [(e.record, e.action) for e in events if e.action] == [
        (6, Action(kind=ActionKind.WROTE, target="/w/a.css", detail="x"))
    ]
    assert {(e.session, e.time) for e in events} == {("g-2", "2026-03-01T09:05:00Z")}
    assert log.tally.title == "Paint"
    assert log.tally.set_aside["streaming copy"] == 3


def test_a_late_update_tells_only_what_is_new() -> None:
    events, _ = read(
        message("1", "user", "paint it"),
        message("2", "gemini", "On it.", toolCalls=[wrote("/w/a.css", "c1")]),
        message("3", "user", "quick"),
        message("2", "gemini", "On it.", toolCalls=[wrote("/w/a.css", "c1"), wrote("/w/b.css", "c2")]),
    )
    assert [text for _, _, text in said(events)] == ["paint it", "On it.", "quick"]
    assert [(e.record, e.action.target) for e in events if e.action] == [(3, "/w/a.css"), (5, "/w/b.css")]


def test_a_rewind_drops_the_message_and_all_after_it() -> None:
    events, _ = read(
        message("1", "user", "one"),
        message("2", "gemini", "a"),
        message("3", "user", "two"),  # 4
        message("4", "gemini", "b"),
        {"$rewindTo": "3"},  # 6
        message("3", "user", "two, but short"),
        {"$rewindTo": "unknown"},  # 8
        message("9", "user", "afresh"),
    )
    assert [(e.record, e.role, e.action.back_to) for e in events if e.action] == [
        (6, Role.USER, 3),
        (8, Role.USER, 0),
    ]
    assert said(events)[-2:] == [(7, Role.USER, "two, but short"), (9, Role.USER, "afresh")]


def test_a_history_that_is_set_again_repeats_nothing() -> None:
    events, log = read(
        message("1", "user", "one"),
        {
            "$set": {
                "messages": [message("1", "user", "one"), message("7", "user", "<state_snapshot>all</state_snapshot>")]
            }
        },
        message("2", "gemini", "a"),
    )
    assert said(events) == [(2, Role.USER, "one"), (4, Role.ASSISTANT, "a")]
    assert log.tally.set_aside == {"repeated message": 1, "summary": 1}


def test_a_subagents_prompts_are_not_the_users() -> None:
    log = log_of({**HEADER, "kind": "subagent"}, message("1", "user", "Explore"), message("2", "gemini", "Found."))
    assert said(list(FORMAT.events(log))) == [(3, Role.ASSISTANT, "Found.")]


def test_neighbours_are_not_taken_for_it() -> None:
    assert FORMAT.recognise(log_of({"$rewindTo": "1"}, message("1", "user", "x")))
    assert not FORMAT.recognise(log_of({**HEADER, "messages": []}))
    assert not FORMAT.recognise(log_of({"$set": {"a": 1}}, {"$set": {"b": 2}}))
    assert not FORMAT.recognise(log_of({"sessionId": "x", "type": "user", "uuid": "y"}))


@pytest.mark.parametrize("odd", [None, 3, "x", [], [1], {}, {"text": 4}, True])
def test_odd_field_types_are_survived(odd: Any) -> None:
    events, _ = read(
        {"id": odd, "type": odd, "content": odd},
        message(odd, "user", odd),
        message("1", "gemini", odd, toolCalls=odd),
        {"$set": odd},
        {"$set": {"messages": odd, "summary": odd, "kind": odd}},
        {"$set": {"messages": [{"id": odd}]}},
        {"$rewindTo": odd},
        {"sessionId": odd},
        message("2", "gemini", "still here"),
    )
    assert events[-1].text == "still here"
