"""Cline and Roo, what went to the model: `api_conversation_history.json`, a list of messages with a `ts`.

The user's words stand in tags (`<task>`, `<feedback>`, `<answer>`, `<user_message>`) between files, notices and results
of tools. Older versions wrote tool calls as tags in the answer and their results as texts under a
`[tool for 'x'] Result:` line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from distill.model import Action, Event, Voice
from distill.read.cline_text import answered, closing_words, known_call, plan, split_tools, tagged, where, without_added
from distill.read.documents import opening_list, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.parts import output_text, without_thoughts
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.times import rfc3339

_EARLY = 1e11  # a time below it is not in milliseconds
_DENIED = ("The user denied this operation", "The user rejected", "User denied", "User declined")
_FAILED = (
    "The tool execution failed",
    "This is likely because the SEARCH block",
    "Error ",
    "Error:",
    "<error>",
    "Missing value for required parameter",
    "Invalid JSON argument",
    "Tool [",
    "This tool cannot be used in PLAN MODE",
    "Access to ",
    "No sufficiently similar match found",
)
# Beginnings of texts that the program writes in the user's name.
_MACHINE = ("[", "# ", "The user ", "You ", "New instructions for task", "New message to respond", "(This is an", "<")
_TOLD = ("The user provided", "The user approved", "The user has provided", "<feedback>", "<user_message>", "<answer>")
# Tools whose results hold no text of others but the files they wrote, which are marked.
_EDITS = (
    *("write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "edit_file"),
    *("apply_patch", "new_rule", "update_todo_list", "switch_mode"),
)
_ASK = ("ask_followup_question", "ask_question")
_WORDS_ONLY = (*_ASK, "attempt_completion", "plan_mode_respond", "plan_mode_response", "act_mode_respond")


def recognise(log: Log) -> bool:
    """Whether these are messages with a time in milliseconds, or a first prompt in Cline's tags."""
    found = opening_list(log)
    if not found or any(not isinstance(one.get("role"), str) or "content" not in one for one in found[:4]):
        return False
    if any("parts" in one or "info" in one for one in found[:4]):
        return False
    said = output_text(found[0].get("content"))
    if said.lstrip().startswith(("<task>", "<user_message>")) or "<environment_details>" in said:
        return True
    return any(isinstance(ts := one.get("ts"), int | float) and ts > _EARLY for one in found[:4])


def events(log: Log) -> Iterator[Event]:
    """The events of a task; a record is a message's place."""
    found = items(whole(log))
    log.tally.records = len(found)
    reader = Reader(Teller(log))
    for number, message in enumerate(found, 1):
        if isinstance(message, dict):
            yield from reader.message(message, number)
        else:
            log.tally.skip("not a message", number)
    yield from reader.teller.close()


class Reader:
    """What must be remembered between the messages of a task."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self._named: dict[str, list[str]] = {}  # tool -> keys of calls written as tags, oldest first
        self._questions: dict[str, Record] = {}  # key of a call -> the question it asks
        self._plan: Action | None = None
        self._begun = False

    def message(self, message: Record, number: int) -> Iterator[Event]:
        """What one message comes to."""
        role, when = message.get("role"), rfc3339(message.get("ts"))
        tally = self.teller.tally
        tally.types[text(role) or "unknown"] += 1
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
        if message.get("isSummary") is True:
            yield from self._summary(blocks, number, when)
        elif role == "assistant":
            for index, block in enumerate(blocks):
                yield from self._answer(mapping(block), f"{number}.{index}", number, when)
        elif role == "user":
            yield from self._prompt(blocks, number, when)
        else:
            tally.set_aside["system prompt"] += 1
        self._begun = True

    def _summary(self, blocks: list[Any], number: int, when: str | None) -> Iterator[Event]:
        if self._begun:
            self.teller.tally.set_aside["summary"] += 1
        else:
            yield from self.teller.assistant(output_text(blocks), number, when, Voice.SUMMARY)

    # -- the assistant -------------------------------------------------------------------------------------------

    def _answer(self, block: Record, place: str, number: int, when: str | None) -> Iterator[Event]:
        kind = block.get("type")
        if kind == "text":
            said, thought = without_thoughts(text(block.get("text")))
            if thought:
                self.teller.tally.set_aside["thinking"] += 1
            prose, calls = split_tools(said)
            yield from self.teller.assistant(prose, number, when)
            for index, (name, given) in enumerate(calls):
                key = f"{place}.{index}"
                self._named.setdefault(name, []).append(key)
                yield from self.call(key, name, given, number, when)
        elif kind == "tool_use":
            name = text(block.get("name"))
            yield from self.call(text(block.get("id")) or place, name, mapping(block.get("input")), number, when)
        else:
            self.teller.tally.set_aside["thinking" if kind in ("thinking", "reasoning") else "attachment"] += 1

    def call(self, key: str, name: str, given: Record, number: int, when: str | None) -> Iterator[Event]:
        """A tool call: some only speak, the others wait for their result."""
        if name == "attempt_completion":
            yield from self.teller.assistant(text(given.get("result")), number, when)
        elif name in _WORDS_ONLY and name not in _ASK:
            yield from self.teller.assistant(text(given.get("response")), number, when)
        elif name in _ASK:
            self._questions[key] = given
        listed = plan(given.get("task_progress"))
        if listed is not None and listed != self._plan:
            self._plan = listed
            yield self.teller.act(listed, number, when)
        self.teller.call(key, Call(name, given, number, when))

    # -- the user ------------------------------------------------------------------------------------------------

    def _prompt(self, blocks: list[Any], number: int, when: str | None) -> Iterator[Event]:
        tool: str | None = None  # whose result the next text is
        results = False
        for block in map(mapping, blocks):
            kind = block.get("type")
            if kind == "tool_result":
                output = output_text(block.get("content"))
                failed = block.get("is_error") is True
                yield from self._result(text(block.get("tool_use_id")), output, number, when, failed=failed)
                results = True
                continue
            if kind != "text":
                self.teller.tally.set_aside["attachment"] += 1
                continue
            raw = text(block.get("text"))
            self._place(raw)
            said = without_added(raw).strip()
            if said != raw.strip():
                self.teller.tally.set_aside["injected text"] += 1
            name, rest = _header(said)
            if name:
                if tool:
                    yield from self._result(self._oldest(tool), "", number, when)
                tool, results, said = name, True, rest
            if not said:
                continue
            if tool:
                yield from self._result(self._oldest(tool), said, number, when)
                tool = None
            elif not results or said.startswith(_TOLD):
                yield from self._words(said, number, when)
            else:
                self.teller.tally.set_aside["tool output"] += 1
        if tool:
            yield from self._result(self._oldest(tool), "", number, when)

    def _place(self, raw: str) -> None:
        if not self.teller.cwd and (found := where(raw)):
            self.teller.cwd = self.teller.tally.project = found

    def _oldest(self, tool: str) -> str:
        keys = self._named.get(tool)
        return keys.pop(0) if keys else ""

    def _words(self, said: str, number: int, when: str | None) -> Iterator[Event]:
        found = tagged(said)
        for _, words in found:
            yield from self.teller.user(without_added(words), number, when)
        if not found and not said.startswith(_MACHINE):
            yield from self.teller.user(said, number, when)
        elif not found:
            self.teller.tally.set_aside["injected text"] += 1

    def _result(self, key: str, output: str, number: int, when: str | None, *, failed: bool = False) -> Iterator[Event]:
        """What the result of a tool says: what the user answered, refused or added, and what was done."""
        teller = self.teller
        call = teller.take(key)
        told = _verdict(output)
        said = text(told.get("feedback"))
        if not said and output.lstrip().startswith((*_TOLD, *_DENIED)):  # and no file that happens to hold such tags
            said = "\n".join(words for _, words in tagged(output))
        said = said or closing_words(output, announced=call is None or call.name not in _EDITS)
        if call is None:
            yield from teller.user(said, number, when)
            return
        question = self._questions.pop(key, None)
        if question is not None:
            reply = said or ("" if output.startswith(_MACHINE) else output)
            yield from self._answered(question, reply, call, number, when)
        elif call.name in _WORDS_ONLY:
            yield from teller.user(said, number, when)
        elif told.get("status") == "denied" or output.startswith(_DENIED):
            yield from teller.refusal(_known(call), said, number, when)
        else:
            yield from teller.user(said, number, when)
            failed = failed or told.get("status") == "error" or output.startswith(_FAILED) or _exit_code(output) > 0
            yield from self._done(call, output, number, when, failed=failed)

    def _answered(self, question: Record, reply: str, call: Call, number: int, when: str | None) -> Iterator[Event]:
        action = answered(question, reply)
        if action is not None:
            yield self.teller.act(action, number, when)
            return
        yield from self.teller.assistant(text(question.get("question")), call.record, call.time)
        yield from self.teller.user(reply, number, when)

    def _done(self, call: Call, output: str, number: int, when: str | None, *, failed: bool) -> Iterator[Event]:
        if call.name == "update_todo_list":
            listed = plan(call.arguments.get("todos"))
            if listed is not None and not failed:
                yield self.teller.act(listed, call.record, when or call.time)
            return
        yield from self.teller.done(_known(call), output, number, when, failed=failed)


def _known(call: Call) -> Call:
    name, arguments = known_call(call.name, dict(call.arguments))
    return replace(call, name=name, arguments=arguments)


def _header(said: str) -> tuple[str, str]:
    """The tool and the rest of a text that begins with `[tool for 'x'] Result:`."""
    if not said.startswith("["):
        return "", said
    end = said.find("] Result:", 0, 4000)
    if end < 0:
        return "", said
    name = said[1:end].split(None, 1)[0] if end > 1 else ""
    return name, said[end + 9 :].strip()


def _verdict(output: str) -> Record:
    """The object in which newer versions wrap a refusal or a failure."""
    if not output.startswith('{"status"'):
        return {}
    try:
        return mapping(json.loads(output, strict=False))
    except (ValueError, RecursionError):
        return {}


def _exit_code(output: str) -> int:
    """The exit code that the head of a command's result names; 0 where it names none."""
    head = output[:400]
    for mark in ("Exit code: ", "exit code: ", "exited with code ", "exit code "):
        at = head.find(mark)
        digits = head[at + len(mark) : at + len(mark) + 3].split("\n")[0].strip(" .,)")
        if at >= 0 and digits.isascii() and digits.isdigit():
            return int(digits)
    return 0


FORMAT = Format(
    name="cline-api",
    title="Cline and Roo (API conversation)",
    where="globalStorage/…/tasks/<id>/api_conversation_history.json",
    order=22,
    document=True,
    recognise=recognise,
    events=events,
)
