"""The stream of `codex exec --json`: lines of `{"type": "item.completed", "item": {…}}`.

It holds what the assistant said and did, not the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event, Task, Voice
from distill.read.actions import relative, shell_actions, todo_tasks
from distill.read.codex_talk import Talk
from distill.read.codex_tools import result
from distill.read.codex_words import spoken
from distill.read.formats import Format
from distill.read.log import Log, Record

_STARTS = frozenset(("thread.started", "turn.started", "turn.completed", "item.started", "item.completed"))
_CHANGES = {"add": ActionKind.WROTE, "update": ActionKind.EDITED, "delete": ActionKind.DELETED}


def recognise(log: Log) -> bool:
    """Whether any of the first lines is of this stream."""
    return any(_kind(record) in _STARTS and _shape(record) for record in log.objects)


def events(log: Log) -> Iterator[Event]:
    """The events of the stream in order; it tells no times."""
    tally = log.tally
    talk = Talk(tally)
    started: dict[str, tuple[int, Record]] = {}  # commands that have not come to an end
    plan: tuple[Task, ...] = ()
    for number, record in log.records():
        kind = _kind(record)
        item = record.get("item")
        item = item if isinstance(item, dict) else {}
        what = item.get("type", item.get("item_type"))
        tally.types[f"{kind}/{what[:80]}" if isinstance(what, str) else kind[:80] or "no type"] += 1
        if kind == "thread.started" and not tally.session:
            tally.session = str(record.get("thread_id") or "")
        if not kind.startswith("item.") or not isinstance(what, str):
            continue
        key = str(item.get("id", ""))
        if what == "todo_list":
            tasks = todo_tasks(_todos(item.get("items")))
            if tasks and tasks != plan:
                plan = tasks
                yield talk.act(number, Action(kind=ActionKind.PLANNED, tasks=tasks))
        elif kind == "item.started" and what == "command_execution":
            started[key] = number, item
        elif kind == "item.completed":
            started.pop(key, None)
            if what in ("agent_message", "assistant_message", "plan"):
                if text := spoken(item.get("text")):
                    yield from talk.answer(number, text, Voice.SPEECH, None)
            else:
                for action in _actions(what, item):
                    yield talk.act(number, action)
    for number, item in started.values():
        if number < talk.last:
            for action in _command(item, failed=True):
                yield talk.act(number, action)


def _actions(what: str, item: Record) -> Iterator[Action]:
    """What a finished item did."""
    status = item.get("status")
    if what == "command_execution":
        code = item.get("exit_code")
        failed = status in ("failed", "declined") or (isinstance(code, int) and code != 0)
        yield from _command(item, failed=failed)
    elif what == "file_change":
        changes = item.get("changes")
        for change in changes if isinstance(changes, list) else ():
            path, kind = (change.get("path"), change.get("kind")) if isinstance(change, dict) else (None, None)
            if isinstance(kind, dict):
                kind = kind.get("type")
            if isinstance(path, str) and isinstance(kind, str) and kind in _CHANGES:
                yield Action(kind=_CHANGES[kind], target=relative(path, ""), done=status == "completed")


def _command(item: Record, *, failed: bool) -> tuple[Action, ...]:
    command = item.get("command")
    if not isinstance(command, (str, list)):
        return ()
    output = result(item.get("aggregated_output")).text
    words = command if isinstance(command, str) else [word for word in command if isinstance(word, str)]
    return shell_actions(words, output, failed=failed)


def _todos(items: Any) -> list[Record]:
    """The entries of a to-do list with a status for their tick."""
    entries = [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    return [{**one, "status": "completed" if one.get("completed") is True else "pending"} for one in entries]


def _kind(record: Record) -> str:
    kind = record.get("type")
    return kind if isinstance(kind, str) else ""


def _shape(record: Record) -> bool:
    kind = record["type"]
    if kind == "thread.started":
        return "thread_id" in record
    return isinstance(record.get("item"), dict) if kind.startswith("item.") else True


FORMAT = Format(
    name="codex-exec",
    title="OpenAI Codex, codex exec --json",
    where="the standard output of codex exec --json",
    order=21,
    recognise=recognise,
    events=events,
)
