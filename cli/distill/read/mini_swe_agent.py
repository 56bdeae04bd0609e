"""mini-swe-agent trajectories (`.traj.json`): a chat in which every answer of the model holds shell commands.

Version 1 stored the bare list of messages, later ones `{info, messages, trajectory_format}`. The first prompt is a
template around the task; what follows under the role of the user is what commands printed, except where somebody sat at
the terminal and refused a command, broke in, or gave a new task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event
from distill.read.documents import opening, opening_dict, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.outcome import Outcome
from distill.read.parts import output_text, parsed_arguments
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_OPEN = Lazy(r"^```(?:mswea_bash_command|bash)[ \t]*$", re.MULTILINE)
_CLOSE = Lazy(r"^```[ \t]*$", re.MULTILINE)
_CODE = Lazy(r"<returncode>\s*(-?\d+)\s*</returncode>")
_MARKS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_REFUSED = "Command not executed. The user rejected your command with the following message:"
_BROKE_IN = ("Interrupted by user:", "Interrupted with message:", "Temporary interruption caught:")
_NEW_TASK = "The user added a new task:"
_NOT_RUN = ("Command not executed.", "Please always provide EXACTLY ONE action", "The last command <command>")


def recognise(log: Log) -> bool:
    """Whether the document is a run: by its name for the format, or by commands in fences and their return codes."""
    found = opening_dict(log)
    if isinstance(found.get("messages"), list):
        if text(found.get("trajectory_format")).startswith("mini-swe-agent"):
            return True
        info = mapping(found.get("info"))
        return ("mini_version" in info or "exit_status" in info) and _is_run(found["messages"])
    messages = opening(log)
    return isinstance(messages, list) and _is_run(messages)


def _is_run(messages: list[Any]) -> bool:
    fenced = named = answered = False
    for message in messages[:12]:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str) or "parts" in message:
            return False
        said = output_text(message.get("content"))
        if message["role"] == "assistant":
            fenced = fenced or bool(_OPEN.search(said)) or bool(_commands(message))
            named = named or "```mswea_bash_command" in said
        else:
            answered = answered or "<returncode>" in said or any(mark in said for mark in _MARKS)
    return fenced and (named or answered)


def events(log: Log) -> Iterator[Event]:
    """The events of a run; a record is a message's place."""
    document = whole(log)
    info = mapping(mapping(document).get("info"))
    messages = document if isinstance(document, list) else items(mapping(document).get("messages"))
    tally = log.tally
    tally.records = len(messages)
    tally.session = text(mapping(document).get("instance_id"))
    teller = Teller(log)
    environment = mapping(mapping(mapping(info.get("config")).get("environment")))
    teller.cwd = tally.project = text(environment.get("cwd"))
    outcome = Outcome(info.get("submission"))
    run = _Run(teller)
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            tally.skip("not a message", number)
            continue
        tally.types[text(message.get("role")) or "unknown"] += 1
        for event in run.message(message, number):
            confirmed = outcome.confirm(event)
            if confirmed is None:
                tally.set_aside["scratch file"] += 1
            else:
                yield confirmed
    yield from teller.close()
    texts = ((n, output_text(mapping(message).get("content"))) for n, message in enumerate(messages, 1))
    for place, action in outcome.rest(texts, max(len(messages), 1)):
        yield teller.act(action, place)


class _Run:
    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._waiting: list[str] = []
        self._prompted = False

    def message(self, message: Record, number: int) -> Iterator[Event]:
        role, said = message.get("role"), output_text(message.get("content"))
        extra = mapping(message.get("extra"))
        when = rfc3339(extra.get("timestamp", message.get("timestamp")))
        tally = self._teller.tally
        if role == "assistant":
            yield from self._answer(message, said, number, when)
        elif role == "system":
            tally.set_aside["system prompt"] += 1
        elif role == "exit":
            tally.set_aside["tool output"] += 1
        elif not self._prompted:
            self._prompted = True
            tally.set_aside["prompt from a template"] += 1
        else:
            yield from self._printed(message, extra, said, number, when)

    def _answer(self, message: Record, said: str, number: int, when: str | None) -> Iterator[Event]:
        prose, fenced = _split(said)
        yield from self._teller.assistant(prose, number, when)
        for index, (call_id, command) in enumerate(_commands(message) or [("", one) for one in fenced]):
            key = call_id or f"{number}.{index}"
            self._waiting.append(key)
            self._teller.call(key, Call("bash", {"command": command}, number, when))

    def _printed(self, message: Record, extra: Record, said: str, number: int, when: str | None) -> Iterator[Event]:
        teller = self._teller
        for opener in (_NEW_TASK, *_BROKE_IN):
            if said.startswith(opener):
                if opener != _NEW_TASK:
                    yield teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)
                yield from teller.user(said[len(opener) :].strip(), number, when)
                return
        if said.startswith(_REFUSED):
            words = said[len(_REFUSED) :].strip()
            calls = [call for key in self._waiting if (call := teller.take(key))]
            self._waiting = []
            for call in calls[:1]:
                yield from teller.refusal(call, words, number, when)
            return
        call_id = text(message.get("tool_call_id"))
        key = call_id if teller.waiting(call_id) else next((k for k in self._waiting if teller.waiting(k)), "")
        self._waiting = [k for k in self._waiting if k != key]
        code = _CODE.search(said[:400]) or _CODE.search(said[-400:])
        told = extra.get("returncode")
        failed = (int(code[1][:9]) if code else told if isinstance(told, int) else 0) != 0 or said.startswith(_NOT_RUN)
        yield from teller.result(key, _output(said, extra), number, when, failed=failed)


def _split(said: str) -> tuple[str, list[str]]:
    """What an answer says and the commands in its fences."""
    prose: list[str] = []
    commands: list[str] = []
    at = 0
    while mark := _OPEN.search(said, at):
        end = _CLOSE.search(said, mark.end())
        prose.append(said[at : mark.start()])
        commands.append(said[mark.end() : end.start() if end else len(said)].strip("\n"))
        at = end.end() if end else len(said)
    prose.append(said[at:])
    text_only = "".join(prose).strip()
    return text_only.removeprefix("THOUGHT:").lstrip(), commands


def _commands(message: Record) -> list[tuple[str, str]]:
    """The commands that stand beside a message's text, each with the id of its call."""
    found: list[tuple[str, str]] = []
    for call in items(message.get("tool_calls")):
        one = mapping(call)
        arguments = parsed_arguments(mapping(one.get("function")).get("arguments"))
        command = text(mapping(arguments).get("command"))
        if command:
            found.append((text(one.get("id")), command))
    if found:
        return found
    for action in items(mapping(message.get("extra")).get("actions")):
        command = text(mapping(action).get("command")) or text(action)
        if command:
            found.append((text(mapping(action).get("tool_call_id")), command))
    return found


def _output(said: str, extra: Record) -> str:
    """What a command printed, without the tags around it."""
    if raw := text(extra.get("raw_output")):
        return raw
    start = said.find("<output>")
    end = said.rfind("</output>")
    return said[start + 8 : end if end > start else len(said)].strip("\n") if start >= 0 else said


FORMAT = Format(
    name="mini-swe-agent",
    title="mini-swe-agent",
    where="*.traj.json",
    order=18,
    document=True,
    recognise=recognise,
    events=events,
)
