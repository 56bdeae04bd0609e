import json
from io import BytesIO
from typing import Any

from distill.model import ActionKind, Event, Role, Task
from distill.read.codex_exec import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log

Record = dict[str, Any]
START: Record = {"type": "thread.started", "thread_id": "t-1"}
TURN: Record = {"type": "turn.started"}


def item(kind: str, what: str, key: str = "item_0", **more: object) -> Record:
    return {"type": f"item.{kind}", "item": {"id": key, "type": what, **more}}


def log_of(*records: object) -> Log:
    return Log("log", BytesIO("".join(f"{json.dumps(r)}\n" for r in records).encode()))


def read(*records: object) -> tuple[list[Event], Log]:
    log = log_of(*records)
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def test_words_and_acts() -> None:
    command = "bash -lc \"git commit -m 'add a bell'\""
    ran: Record = {"command": command, "aggregated_output": "[main 91ab3cd] add a bell\n 1 file changed\n"}
    events, log = read(
        START,
        TURN,
        item("completed", "reasoning", text="thinking"),
        item("started", "command_execution", "i1", command=command, aggregated_output="", status="in_progress"),
        item("completed", "command_execution", "i1", **ran, exit_code=0, status="completed"),
        item(
            "completed",
            "file_change",
            "i2",
            changes=[{"path": "bell.py", "kind": "add"}, {"path": "gong.py", "kind": "delete"}, 3],
            status="completed",
        ),
        item("completed", "file_change", "i3", changes=[{"path": "x.py", "kind": "update"}], status="failed"),
        item("completed", "agent_message", "i4", text="A bell rings at noon."),
        {"type": "turn.completed", "usage": {}},
    )
    assert [(e.record, e.role, e.text) for e in events if not e.action] == [
        (8, Role.ASSISTANT, "A bell rings at noon.")
    ]
    assert [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action] == [
        (5, ActionKind.COMMITTED, "91ab3cd", True),
        (6, ActionKind.WROTE, "bell.py", True),
        (6, ActionKind.DELETED, "gong.py", True),
        (7, ActionKind.EDITED, "x.py", False),
    ]
    assert {e.session for e in events} == {"t-1"}
    assert log.tally.types["item.completed/file_change"] == 2
    assert log.tally.understood == 5


def test_the_to_do_list_is_told_when_it_changes() -> None:
    def listed(kind: str, done: bool) -> Record:
        return item(
            kind, "todo_list", "i9", items=[{"text": "cast", "completed": done}, {"text": "hang", "completed": False}]
        )

    events, _ = read(START, listed("started", False), listed("updated", True), listed("completed", True))
    assert [(e.record, e.action.tasks) for e in events if e.action] == [
        (2, (Task(text="cast"), Task(text="hang"))),
        (3, (Task(text="cast", status="completed"), Task(text="hang"))),
    ]


def test_a_command_that_never_ended_is_not_done() -> None:
    started = item("started", "command_execution", "i1", command="rm -f bell.db", status="in_progress")
    events, _ = read(START, started, item("completed", "agent_message", "i2", text="Stopped."))
    assert [(e.action.target, e.action.done) for e in events if e.action] == [("bell.db", False)]
    events, _ = read(START, started)
    assert events == []


def test_neighbours_are_not_taken_for_it() -> None:
    assert not FORMAT.recognise(log_of({"type": "item.completed", "text": "no item"}))
    assert not FORMAT.recognise(log_of({"type": "user", "message": {"role": "user", "content": "thread.started"}}))
    assert not FORMAT.recognise(log_of({"type": "event_msg", "payload": {"type": "item_completed"}}))


def test_odd_field_types_are_survived() -> None:
    odds: list[Any] = [None, 3, "x", [], {}, [[]]]
    acts = ("command_execution", "file_change", "todo_list")
    for odd in odds:
        fields = dict.fromkeys(("text", "command", "changes", "items", "status", "exit_code", "aggregated_output"), odd)
        records: list[Record] = [{"type": odd, "item": odd}, {"type": "item.completed", "item": odd}]
        records += [item("completed", what, "k", **fields) for what in acts]
        events, _ = read(START, *records, item("completed", "agent_message", text="still here"))
        assert events[-1].text == "still here"
