"""OpenHands before its SDK: the event stream as the web interface downloads it, one JSON array.

An event is an action (`action`, `args`) or an observation (`observation`, `content`, `extras`) whose `cause` is the id
of the action that it answers. What the model answered in full (`tool_call_metadata`) is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from distill.model import Event
from distill.read.documents import opening_list, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.teller import UNDO, Call, Teller, items, mapping, text
from distill.text.times import rfc3339

_SOURCES = ("user", "agent", "environment")
# What is recognised and left out, and what it is called in the account.
_ASIDE = {
    "system": "system prompt",
    "recall": "injected text",
    "think": "thinking",
    "condensation": "summary",
    "condense": "summary",
    "condensation_request": "state change",
    "change_agent_state": "state change",
    "agent_state_changed": "state change",
    "null": "state change",
    "pause": "state change",
    "resume": "state change",
    "stop": "state change",
}


def recognise(log: Log) -> bool:
    """Whether this is an array of events with a source."""
    return any(is_event(one) for one in opening_list(log)[:5])


def is_event(record: object) -> bool:
    """Whether `record` is an action or an observation of this stream."""
    if not isinstance(record, dict) or record.get("source") not in _SOURCES:
        return False
    if isinstance(record.get("action"), str):
        return isinstance(record.get("args"), dict)
    return isinstance(record.get("observation"), str) and ("content" in record or "extras" in record)


def events(log: Log) -> Iterator[Event]:
    """The events of the stream; a record is an event's place in the array."""
    found = items(whole(log))
    log.tally.records = len(found)
    teller = Teller(log)
    teller.cwd = log.tally.project = working_dir(found)
    stream = Stream(teller)
    for number, record in enumerate(found, 1):
        yield from stream.event(record, number)
    yield from teller.close()


def working_dir(found: Iterable[object]) -> str:
    """The directory in which the first command ran, "" where no command tells."""
    for record in found:
        extras = mapping(mapping(record).get("extras"))
        if where := text(mapping(extras.get("metadata")).get("working_dir")):
            return where
    return ""


class Stream:
    """Turns the events of one stream, in order, into what was said and done.

    `machine` says that a program and not a person stands behind the user's messages, as in evaluations.
    """

    def __init__(self, teller: Teller, *, machine: bool = False) -> None:
        self._teller = teller
        self._machine = machine
        self._open = ""  # the last call, for observations that do not say what caused them
        self._instruction = ""

    def event(self, record: object, number: int) -> Iterator[Event]:
        """What one event comes to; `number` is the record to cite."""
        tally = self._teller.tally
        if not isinstance(record, dict):
            tally.skip("not an event", number)
            return
        when = rfc3339(record.get("timestamp"))
        action, observation = text(record.get("action")), text(record.get("observation"))
        tally.types[f"action:{action}" if action else f"observation:{observation}" if observation else "unknown"] += 1
        if action:
            yield from self._action(action, record, number, when)
        elif observation:
            yield from self._observation(observation, record, number, when)
        else:
            tally.set_aside["unknown event"] += 1

    # -- actions -------------------------------------------------------------------------------------------------

    def _action(self, action: str, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller, args = self._teller, mapping(record.get("args"))
        if action in _ASIDE:
            teller.tally.set_aside[_ASIDE[action]] += 1
        elif action == "message":
            yield from self._message(record, args, number, when)
        elif action in ("finish", "reject"):
            yield from self._finish(args, number, when)
        else:
            by_user = record.get("source") == "user"
            if not by_user:
                yield from teller.assistant(thought(args), number, when)
            tool = _tool(action, args)
            if tool is None:
                teller.tally.set_aside["tool output"] += 1
                return
            self._open = _key(record.get("id"), number)
            teller.call(self._open, Call(*tool, number, when, by_user))

    def _message(self, record: Record, args: Record, number: int, when: str | None) -> Iterator[Event]:
        teller = self._teller
        said = text(args.get("content")) or text(record.get("message"))
        source = record.get("source")
        if source not in _SOURCES:  # before sources were written: the instruction comes first
            source = "agent" if self._instruction and said != self._instruction else "user"
            source = "user" if said.startswith("Please continue working on the task") else source
        if source == "agent":
            yield from teller.assistant(said, number, when)
            return
        self._instruction = self._instruction or said
        if self._machine:
            teller.tally.set_aside["prompt from a template"] += 1
        elif source == "user":
            yield from teller.user(said, number, when)
        else:
            teller.tally.set_aside["injected text"] += 1

    def _finish(self, args: Record, number: int, when: str | None) -> Iterator[Event]:
        """The closing words; what the event's `message` says is always the same."""
        outputs = args.get("outputs")
        told = [text(args.get("final_thought")) or thought(args)]
        told += [text(value) for value in mapping(outputs).values()] if isinstance(outputs, dict) else [text(outputs)]
        for index, said in enumerate(told):
            if said.strip() and said not in told[:index]:
                yield from self._teller.assistant(said, number, when)

    # -- observations --------------------------------------------------------------------------------------------

    def _observation(self, observation: str, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller, extras = self._teller, mapping(record.get("extras"))
        if observation in _ASIDE:
            teller.tally.set_aside[_ASIDE[observation]] += 1
            return
        cause = record.get("cause")
        key = self._open if cause is None else _key(cause, number)
        if observation == "user_rejected":
            yield from teller.refused(key, "", number, when)
            return
        call = teller.take(key)
        if call is None:
            teller.tally.set_aside["tool output"] += 1
            return
        output = text(record.get("content"))
        if observation == "edit" and extras.get("prev_exist") is False:
            call = created(call, extras)
        failed = observation == "error" or exit_code(extras) > 0 or output.startswith(("ERROR:", "[Error"))
        yield from teller.done(call, output, number, when, failed=failed)


def thought(args: Record) -> str:
    """What the agent said before it acted."""
    found = args.get("thought")
    return text(found) or text(mapping(found).get("text"))


def editor(args: Record) -> tuple[str, dict[str, Any]] | None:
    """The call that a command of the file editor comes to; None for one that changes nothing."""
    command = args.get("command")
    if command == "view":
        return None
    if command == "undo_edit":
        return UNDO, {"file_path": text(args.get("path"))}
    return "str_replace_editor", args


def task_list(args: Record) -> tuple[str, dict[str, Any]] | None:
    """The call that the task tracker comes to; None where it only shows the list."""
    return None if args.get("command") == "view" else ("task_tracker", {"task_list": args.get("task_list")})


def _tool(action: str, args: Record) -> tuple[str, dict[str, Any]] | None:
    if action == "run":
        quiet = args.get("is_input") is True or args.get("hidden") is True
        return None if quiet else ("bash", {"command": args.get("command")})
    if action == "edit":
        if args.get("command") in (None, "", "write"):  # a draft that a model worked in
            return "edit", {"path": args.get("path"), "content": args.get("content")}
        return editor(args)
    if action == "task_tracking":
        return task_list(args)
    if action in ("call_tool_mcp", "mcp"):
        return text(args.get("name")) or "mcp", mapping(args.get("arguments"))
    return (action, args) if action in ("write", "run_ipython") else None


def created(call: Call, found: Record) -> Call:
    """An edit whose result says that the file was not there before."""
    given = call.arguments
    texts = (found.get("new_content"), given.get("file_text"), given.get("content"), given.get("new_str"))
    content = next((one for one in texts if isinstance(one, str) and one), "")
    return replace(call, name="write", arguments={"path": given.get("path"), "content": content})


def exit_code(extras: Record) -> int:
    """The exit code of a command; -1 where it is not known or still runs."""
    code = mapping(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
    return code if isinstance(code, int) else -1


def _key(value: object, number: int) -> str:
    return f"{value}" if isinstance(value, int | str) else f"@{number}"


FORMAT = Format(
    name="openhands",
    title="OpenHands (before its SDK)",
    where="the trajectory that the web interface downloads",
    order=14,
    document=True,
    recognise=recognise,
    events=events,
)
