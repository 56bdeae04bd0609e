import json
from io import BytesIO
from typing import Any

from distill.model import Action, ActionKind, Event, Role
from distill.read.codex_flat import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log

Record = dict[str, Any]
HEADER: Record = {
    "id": "f-1",
    "timestamp": "2025-09-01T08:00:00.000Z",
    "instructions": None,
    "git": {"branch": "dock", "commit_hash": "0" * 40},
}
STATE: Record = {"record_type": "state"}


def message(role: str, *texts: str) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


def log_of(*records: object) -> Log:
    return Log("log", BytesIO("".join(f"{json.dumps(r)}\n" for r in records).encode()))


def read(*records: object) -> tuple[list[Event], Log]:
    log = log_of(HEADER, *records)
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def test_words_stand_among_injected_texts() -> None:
    events, log = read(
        message("user", "<user_instructions>\nUse tabs\n</user_instructions>"),
        STATE,
        message("user", "<environment_context>\n  <cwd>/work/dock</cwd>\n</environment_context>"),
        STATE,
        message("user", "berth four stays free"),
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        message("assistant", "Noted."),
    )
    assert [(e.record, e.role, e.text) for e in events] == [
        (6, Role.USER, "berth four stays free"),
        (8, Role.ASSISTANT, "Noted."),
    ]
    assert {(e.time, e.session, e.project) for e in events} == {("2025-09-01T08:00:00Z", "f-1", "/work/dock")}
    assert log.tally.branch == "dock"
    assert log.tally.types == {"session": 1, "message": 4, "state": 2, "reasoning": 1}
    assert log.tally.set_aside == {"injected text": 2}


def test_a_patch_in_a_shell_call() -> None:
    patch = "*** Begin Patch\n*** Update File: berth.py\n@@\n-FREE = 3\n+FREE = 4\n*** End Patch"
    arguments = json.dumps({"command": ["bash", "-lc", f"apply_patch <<'PATCH'\n{patch}\nPATCH"]})
    events, _ = read(
        message("user", "free berth four"),
        {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "c"},
        {
            "type": "function_call_output",
            "call_id": "c",
            "output": json.dumps({"output": "Success. Updated:\nM berth.py\n", "metadata": {"exit_code": 0}}),
        },
    )
    assert [(e.record, e.action) for e in events if e.action] == [
        (3, Action(kind=ActionKind.EDITED, target="berth.py", detail="FREE = 4"))
    ]


def test_neighbours_are_not_taken_for_it() -> None:
    assert FORMAT.recognise(log_of(HEADER, STATE))
    assert not FORMAT.recognise(log_of(HEADER))
    assert not FORMAT.recognise(log_of(message("user", "hi"), STATE))
    assert not FORMAT.recognise(
        log_of({"type": "session", "id": "p", "timestamp": "x", "cwd": "/"}, {"type": "message"})
    )
    assert not FORMAT.recognise(
        log_of({"timestamp": "x", "type": "session_meta", "payload": {"id": "x"}}, {"type": "message"})
    )


def test_odd_field_types_are_survived() -> None:
    odds: list[Any] = [None, 3, [], {}, [[]]]
    for odd in odds:
        records = [{"type": odd, "record_type": odd}, {"type": "message", "role": odd, "content": odd}]
        events, _ = read(
            message("user", "x"), *records, {"type": "function_call_output", "call_id": odd, "output": odd}
        )
        assert [e.text for e in events] == ["x"]
