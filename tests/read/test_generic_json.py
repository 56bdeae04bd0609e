"""A JSON document that no known program writes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import Event
from distill.read.generic_json import FORMAT
from distill.read.log import HEAD, Log

TURNS: list[dict[str, Any]] = [
    {"speaker": "system", "text": "Be kind."},
    {"speaker": "human", "text": "Use port 8080.", "at": "2026-03-02T09:00:00Z"},
    {"speaker": "bot", "text": "Yes."},
]
SAID = [(2, "user", "Use port 8080."), (3, "assistant", "Yes.")]


def _log(data: object) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Log("log", io.BytesIO(text.encode()))


def _read(log: Log) -> list[Event]:
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log))


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events]


@pytest.mark.parametrize(
    "document",
    [
        TURNS,
        {"turns": TURNS},
        {"title": "Ports", "chat": {"log": {"turns": TURNS}}, "tags": ["a", "b"], "people": [{"name": "Bo"}]},
        {"result": [{"turns": TURNS}]},
        {"messages": {f"-k{n}": turn for n, turn in enumerate(TURNS)}},
        {"greeting": {"speaker": "bot", "text": "Hello."}, "log": {"turns": TURNS}},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_the_list_is_found_wherever_it_stands(document: object, indent: int | None) -> None:
    log = _log(json.dumps(document, indent=indent))
    events = _read(log)
    assert _said(events) == SAID
    assert events[0].time == "2026-03-02T09:00:00Z"
    assert log.tally.records == 3


def test_title_session_and_folder_of_the_object_around_it() -> None:
    log = _log({"title": "Ports", "session_id": "s1", "cwd": "/w", "turns": TURNS})
    _read(log)
    assert (log.tally.title, log.tally.session, log.tally.project) == ("Ports", "s1", "/w")


def test_a_list_that_begins_late_is_found() -> None:
    assert _said(_read(_log({"config": "x" * (HEAD + 10), "turns": TURNS}))) == SAID


def test_of_several_conversations_the_newest_or_the_one_that_is_named() -> None:
    def sessions() -> Log:
        old = {"id": "a", "title": "Old", "turns": [{"who": "user", "text": "Port 1.", "time": "2026-01-01T00:00:00Z"}]}
        new = {"id": "b", "title": "New", "turns": [{"who": "user", "text": "Port 2.", "time": "2026-02-01T00:00:00Z"}]}
        return _log({"sessions": [new, old]})

    log = sessions()
    assert _said(_read(log)) == [(1, "user", "Port 2.")]
    assert log.tally.set_aside["other conversation"] == 1
    log = sessions()
    log.conversation = "old"
    assert _said(_read(log)) == [(1, "user", "Port 1.")]


def test_odd_elements_are_counted() -> None:
    log = _log({"turns": [*TURNS, 3, {"speaker": "human", "text": []}]})
    assert _said(_read(log)) == SAID
    assert log.tally.types["?"] == 2


@pytest.mark.parametrize(
    "data",
    [
        {"a": 1},
        [],
        {},
        {"items": [{"id": 1, "name": "A thing", "text": "What it is good for"}] * 3},
        {
            "schema": 1,
            "decisions": [{"id": "d-1", "kind": "decision", "role": "user", "text": "Use port 8080."}] * 2,
            "facts": [],
            "artifacts": [],
            "open": [],
        },
        "[2026-03-02 09:00] Ann: we keep it",
        "no json",
    ],
)
def test_what_holds_no_talk_is_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
