"""Cline since its SDK: one session, `{version, agent, sessionId, messages, system_prompt}`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from distill.model import Event
from distill.read.cline_text import answered, without_added
from distill.read.documents import opening_dict, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.parts import output_text
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_INPUT = Lazy(r"<user_input(?:\s[^<>\n]{0,100})?>")
_ASK = ("ask_question", "ask_followup_question")
_DENIED = ("User denied", "The user denied", "Tool call denied", "User rejected", "The user rejected")
_MACHINE = ("[TASK RESUMPTION]", "[SYSTEM]", "[ERROR]")


def recognise(log: Log) -> bool:
    """Whether this is a session with an agent and messages."""
    found = opening_dict(log)
    if not isinstance(found.get("messages"), list):
        return "messages" not in found and _entry(found) and "system_prompt" in found
    return _entry(found)


def _entry(found: Record) -> bool:
    return isinstance(found.get("sessionId"), str) and "agent" in found and "projectHash" not in found


def events(log: Log) -> Iterator[Event]:
    """The events of a session; a record is a message's place."""
    document = mapping(whole(log))
    messages = items(document.get("messages"))
    tally = log.tally
    tally.records = len(messages)
    teller = Teller(log)
    teller.session = tally.session = text(document.get("sessionId"))
    metadata = mapping(document.get("metadata"))
    teller.cwd = tally.project = text(document.get("cwd")) or text(metadata.get("cwd"))
    tally.title = text(metadata.get("title")) or text(document.get("title"))
    if document.get("system_prompt"):
        tally.set_aside["system prompt"] += 1
    for number, message in enumerate(messages, 1):
        if isinstance(message, dict):
            yield from _message(teller, message, number)
        else:
            tally.skip("not a message", number)
    yield from teller.close()


def _message(teller: Teller, message: Record, number: int) -> Iterator[Event]:
    role, when = message.get("role"), rfc3339(message.get("ts"))
    tally = teller.tally
    tally.types[text(role) or "unknown"] += 1
    metadata = mapping(message.get("metadata"))
    if metadata.get("displayRole") == "system" or metadata.get("kind") in ("compaction", "recovery_notice"):
        tally.set_aside["summary" if metadata.get("kind") == "compaction" else "injected text"] += 1
        return
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    for index, block in enumerate(map(mapping, blocks)):
        kind = text(block.get("type")).replace("-", "_")
        if kind == "text":
            said = text(block.get("text"))
            if role == "assistant":
                yield from teller.assistant(said, number, when)
            else:
                yield from _prompt(teller, said, number, when)
        elif kind in ("tool_use", "tool_call"):
            key = text(block.get("id")) or text(block.get("toolUseId")) or f"{number}.{index}"
            given = block.get("input", block.get("arguments"))
            arguments = given if isinstance(given, dict) else {"input": given}
            teller.call(key, Call(text(block.get("name")), arguments, number, when))
        elif kind == "tool_result":
            yield from _result(teller, block, number, when)
        else:
            tally.set_aside["thinking" if kind in ("thinking", "reasoning", "redacted_thinking") else "attachment"] += 1


def _prompt(teller: Teller, said: str, number: int, when: str | None) -> Iterator[Event]:
    """What was typed: it stands in a tag of its own, and notices stand in it too."""
    mark = _INPUT.search(said)
    if mark:
        end = said.find("</user_input>", mark.end())
        said = said[mark.end() : end if end >= 0 else len(said)]
    words = without_added(said).strip()
    if words.startswith(_MACHINE):
        teller.tally.set_aside["injected text"] += 1
    else:
        yield from teller.user(words, number, when)


def _result(teller: Teller, block: Record, number: int, when: str | None) -> Iterator[Event]:
    call = teller.take(text(block.get("tool_use_id")) or text(block.get("toolUseId")))
    if call is None:
        teller.tally.set_aside["tool output"] += 1
        return
    content = block.get("content")
    failed = block.get("is_error") is True or block.get("isError") is True
    parts = _parts(content)
    output = parts[0][0] if len(parts) == 1 else output_text(content)
    if call.name in _ASK:
        question = dict(call.arguments)
        action = answered(question, output)
        if action is not None and not failed:
            yield teller.act(action, number, when)
        elif not failed:
            yield from teller.assistant(text(question.get("question")), call.record, call.time)
            yield from teller.user(output, number, when)
    elif call.name in ("submit_and_exit", "attempt_completion"):
        words = text(call.arguments.get("summary")) or text(call.arguments.get("result"))
        yield from teller.assistant(words, call.record, call.time)
    elif output.startswith(_DENIED):
        yield from teller.refusal(call, output.partition(":")[2], number, when)
    elif call.name in ("run_commands", "run_command"):
        for index, command in enumerate(_commands(call.arguments)):
            printed, bad = parts[index] if index < len(parts) else ("", failed or bool(parts))
            one = Call("bash", {"command": command}, call.record, call.time)
            yield from teller.done(one, printed, number, when, failed=failed or bad)
    else:
        bad = any(wrong for _, wrong in parts)
        yield from teller.done(_known(call), output, number, when, failed=failed or bad)


def _parts(content: object) -> list[tuple[str, bool]]:
    """(output, failed) of each thing a tool was asked for: results are objects, texts, or such objects as JSON."""
    if isinstance(content, str):
        found = _loads(content) if content.lstrip()[:1] in ("[", "{") else None
        content = found if _are_results(found) else [content]
    parts: list[tuple[str, bool]] = []
    for one in [content] if isinstance(content, dict) else items(content):
        if isinstance(one, str):
            parts.append((one, False))
        elif isinstance(one, dict) and isinstance(one.get("text"), str):
            inner = _loads(one["text"]) if one["text"].lstrip()[:1] in ("[", "{") else None
            parts += _parts(inner) if _are_results(inner) else [(one["text"], False)]
        elif isinstance(one, dict) and ("result" in one or "error" in one):
            wrong = text(one.get("error"))
            parts.append((output_text(one.get("result")) or wrong, one.get("success") is False or bool(wrong)))
    return parts


def _are_results(found: object) -> bool:
    """Whether JSON that stood in a text is a tool's own, and not what a command happened to print."""
    return all("success" in mapping(one) for one in items(found)) and bool(found) and isinstance(found, list)


def _loads(value: str) -> Any:
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None


def _commands(given: Any) -> list[str]:
    """The commands of a call, in any of the forms it takes."""
    value = given.get("commands", given.get("command", given.get("cmd", given.get("input"))))
    found: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            words = [text(one.get("command")), *(text(word) for word in items(one.get("args")))]
            found.append(" ".join(word for word in words if word))
    return [one for one in found if one.strip()]


def _known(call: Call) -> Call:
    """The file editor under the names that the common mapping knows: without an old text or a line the file is new."""
    given = call.arguments
    if call.name != "editor":
        return call
    new = not text(given.get("old_text")) and given.get("insert_line") is None
    arguments = {"path": given.get("path"), "content": given.get("new_text")}
    return replace(call, name="write" if new else "edit", arguments=arguments)


FORMAT = Format(
    name="cline-sdk",
    title="Cline (SDK)",
    where="~/.cline/data/sessions/<id>/<id>.messages.json",
    order=24,
    document=True,
    recognise=recognise,
    events=events,
)
