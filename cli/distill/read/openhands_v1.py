"""OpenHands since its SDK: events with a `kind`, one JSON object a line, a file, or an element of an array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from distill.model import Action, ActionKind, Event, Voice
from distill.read.documents import opening_dict, opening_list, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.openhands_v0 import created, editor, exit_code, task_list
from distill.read.parts import output_text, parsed_arguments
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.times import rfc3339

_KINDS = (
    *("SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "UserRejectObservation"),
    *("AgentErrorEvent", "Condensation", "CondensationRequest", "CondensationSummaryEvent", "PauseEvent"),
    *("ConversationStateUpdateEvent", "ConversationErrorEvent", "InterruptEvent", "TokenEvent"),
)
_REFUSED = ("User rejected the action", "User rejected", "Action rejected")  # written where the user gave no reason
_Tool = tuple[str, dict[str, Any]]


def recognise(log: Log) -> bool:
    """Whether this is an event of the SDK, a list of them, or one a line."""
    if any(is_event(one) for one in log.objects[:5]):
        return True
    return is_event(opening_dict(log)) or any(is_event(one) for one in opening_list(log)[:5])


def is_event(record: object) -> bool:
    """Whether `record` is an event of the SDK."""
    if not isinstance(record, dict):
        return False
    kind = record.get("kind")
    if not isinstance(kind, str) or not (kind in _KINDS or (kind.endswith("Event") and "source" in record)):
        return False
    return any(key in record for key in ("source", "timestamp", "llm_message", "tool_call_id"))


def events(log: Log) -> Iterator[Event]:
    """The events of a session; a record is a line, or the place in an array."""
    teller = Teller(log)
    stream = Stream(teller)
    for number, record in _numbered(log):
        yield from stream.event(record, number)
    yield from teller.close()


def _numbered(log: Log) -> Iterable[tuple[int, object]]:
    if not log.is_document:
        return log.records()
    document = whole(log)
    found = document if isinstance(document, list) else [document]
    log.tally.records = len(found)
    return enumerate(found, 1)


class Stream:
    """Turns events, in order, into what was said and done.

    `machine` says that a program and not a person stands behind the user's messages, as in evaluations.
    """

    def __init__(self, teller: Teller, *, machine: bool = False) -> None:
        self._teller = teller
        self._machine = machine
        self._ids: dict[str, str] = {}  # id of an action event -> id of its tool call
        self._begun = False

    def event(self, record: object, number: int) -> Iterator[Event]:
        """What one event comes to; `number` is the record to cite."""
        tally = self._teller.tally
        if not isinstance(record, dict):
            tally.skip("not an event", number)
            return
        kind = text(record.get("kind"))
        tally.types[kind or "unknown"] += 1
        when = rfc3339(record.get("timestamp"))
        if kind == "MessageEvent":
            yield from self._message(record, number, when)
        elif kind == "ActionEvent":
            yield from self._action(record, number, when)
        elif kind == "ObservationEvent":
            yield from self._observed(record, number, when)
        elif kind in ("UserRejectObservation", "AgentErrorEvent"):
            yield from self._not_done(kind, record, number, when)
        elif kind in ("PauseEvent", "InterruptEvent"):
            yield self._teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)
        elif kind in ("Condensation", "CondensationSummaryEvent"):
            yield from self._summary(record, number, when)
        elif kind == "SystemPromptEvent":
            tally.set_aside["system prompt"] += 1
        else:
            if kind == "ConversationStateUpdateEvent":
                self._state(record)
            tally.set_aside["state change"] += 1

    def _message(self, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller = self._teller
        message = mapping(record.get("llm_message"))
        said = output_text(message.get("content"))
        source = text(record.get("source")) or {"assistant": "agent"}.get(text(message.get("role")), "user")
        if items(record.get("extended_content")):
            teller.tally.set_aside["injected text"] += 1
        self._begun = True
        if source == "agent":
            yield from teller.assistant(said, number, when)
        elif source != "user":
            teller.tally.set_aside["injected text"] += 1
        elif self._machine:
            teller.tally.set_aside["prompt from a template"] += 1
        else:
            yield from teller.user(said, number, when)

    def _action(self, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller = self._teller
        self._begun = True
        yield from teller.assistant(output_text(record.get("thought")), number, when)
        action = mapping(record.get("action"))
        name = text(record.get("tool_name")) or text(action.get("kind"))
        if not action:  # the model's call could not be understood: an error answers it
            given = parsed_arguments(mapping(record.get("tool_call")).get("arguments"))
            action = given if isinstance(given, dict) else {}
        if name == "finish" or action.get("kind") == "FinishAction":
            yield from teller.assistant(text(action.get("message")), number, when)
            return
        if name == "think" or action.get("kind") == "ThinkAction":
            teller.tally.set_aside["thinking"] += 1
            return
        tool = _tool(name, action)
        if tool is None:
            teller.tally.set_aside["tool output"] += 1
            return
        call_id = text(record.get("tool_call_id")) or text(record.get("id")) or f"@{number}"
        if event_id := text(record.get("id")):
            self._ids[event_id] = call_id
        teller.call(call_id, Call(*tool, number, when, record.get("source") == "user"))

    def _key(self, record: Record) -> str:
        call_id = self._ids.pop(text(record.get("action_id")), "")
        return call_id or text(record.get("tool_call_id"))

    def _observed(self, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller, found = self._teller, mapping(record.get("observation"))
        self._place(found)
        call = teller.take(self._key(record))
        if call is None:
            return
        output = output_text(found.get("content")) or text(found.get("output"))
        failed = found.get("is_error") is True or exit_code(found) > 0 or bool(text(found.get("error")))
        if call.name == "str_replace_editor" and found.get("prev_exist") is False:
            call = created(call, found)
        yield from teller.done(call, output, number, when, failed=failed)

    def _not_done(self, kind: str, record: Record, number: int, when: str | None) -> Iterator[Event]:
        teller, key = self._teller, self._key(record)
        if kind == "UserRejectObservation" and record.get("rejection_source", "user") == "user":
            reason = text(record.get("rejection_reason")).strip()
            call = teller.take(key) or Call(text(record.get("tool_name")) or "action", {}, number, when)
            yield from teller.refusal(call, "" if reason.rstrip(".") in _REFUSED else reason, number, when)
            return
        if kind == "UserRejectObservation":
            teller.tally.set_aside["refused by a hook"] += 1
        yield from teller.result(key, text(record.get("error")), number, when, failed=True)

    def _summary(self, record: Record, number: int, when: str | None) -> Iterator[Event]:
        """A summary of events in this log is set aside; one before the first message stands for what is gone."""
        summary = text(record.get("summary"))
        if not self._begun and summary:
            yield from self._teller.assistant(summary, number, when, Voice.SUMMARY)
        else:
            self._teller.tally.set_aside["summary"] += 1

    def _place(self, found: Record) -> None:
        """Note the working directory, which the first command's result tells."""
        where = text(mapping(found.get("metadata")).get("working_dir"))
        if where and not self._teller.cwd:
            self._teller.cwd = self._teller.tally.project = where

    def _state(self, record: Record) -> None:
        value = mapping(record.get("value"))
        where = text(mapping(value.get("workspace")).get("working_dir"))
        if where and not self._teller.cwd:
            self._teller.cwd = self._teller.tally.project = where


def _tool(name: str, action: Record) -> _Tool | None:
    kind = text(action.get("kind"))
    if name in ("terminal", "execute_bash", "bash") or kind in ("TerminalAction", "ExecuteBashAction"):
        return None if action.get("is_input") is True else ("bash", {"command": action.get("command")})
    if name in ("file_editor", "str_replace_editor", "planning_file_editor") or kind == "FileEditorAction":
        return editor(action)
    if name == "task_tracker" or kind == "TaskTrackerAction":
        return task_list(action)
    arguments = action.get("data") if kind == "MCPToolAction" else action
    return (name, {k: v for k, v in mapping(arguments).items() if k != "kind"}) if name else None


FORMAT = Format(
    name="openhands-v1",
    title="OpenHands (SDK)",
    where="~/.openhands/conversations/<id>/events/",
    order=12,
    keys=("kind",),
    recognise=recognise,
    events=events,
)
