"""The parts of a message's content in every dialect: prose, tool calls, tool results, thinking."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from distill.read.log import Record
from distill.text.lazy import Lazy

CALLS = frozenset((
    "tool_call", "tool_use", "function_call", "toolcall", "tool-call", "tooluse", "functioncall", "server_tool_use",
    "mcp_tool_use",
))  # fmt: skip
RESULTS = frozenset((
    "tool_result", "tool-result", "toolresult", "tool_output", "function_call_output", "function_response",
    "functionresponse", "tool_call_output", "mcp_tool_result",
))  # fmt: skip
_THINKING = frozenset((
    "thinking", "reasoning", "redacted_thinking", "thought", "thoughts", "think", "reasoning_content",
))  # fmt: skip
_WRAPPED = ("toolUse", "toolResult", "functionCall", "functionResponse", "tool_use", "tool_result")
_PROSE = frozenset(("", "text", "input_text", "output_text", "markdown", "plain_text", "message"))
# Marks of thinking in a text; in backticks they are what the text speaks of.
_THOUGHT = Lazy(r"(?<!`)<(/?)(think|thinking|thought|reasoning|analysis)>(?!`)", re.IGNORECASE)
_FAILURE = Lazy(
    r"\s*(?:<tool_use_error>|Error\b|ERROR\b|Traceback \(most recent|fatal: |错误[:：]|apply_patch verification failed"
    r"|failed in sandbox|patch rejected|The user doesn't want to (?:proceed|take))"
)
_EXIT = Lazy(r"^(?:Process exited with code|Exit code:?|exit status:?|exited with) (?:[1-9]|-\d)", re.MULTILINE)
CLIP = 400  # characters of an output that are looked at for signs of failure


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that was called: its id ("" where the log gives none), name and arguments."""

    id: str
    name: str
    arguments: dict[str, Any] | str
    record: int = 0
    time: str | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back; `failed` is None where the log does not say."""

    id: str
    name: str
    output: str
    failed: bool | None


@dataclass(slots=True)
class Content:
    """A message's content, sorted: prose, tool calls, results; `aside` names what is neither."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All prose of the message."""
        return "\n\n".join(self.texts)

    def __bool__(self) -> bool:
        return bool(self.texts or self.calls or self.results)


def unpack(content: object) -> Content:
    """Sort a message's content: a text, a part, or a list of texts and parts, in any of the usual dialects."""
    found = Content()
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            if part.strip():
                found.texts.append(part)
        elif isinstance(part, dict):
            _unpack_part(part, found)
    return found


def _unpack_part(part: Record, found: Content) -> None:
    kind = part.get("type")
    kind = kind.casefold() if isinstance(kind, str) else ""
    for name in () if kind else _WRAPPED:  # a part that wraps what it is: {"toolUse": {...}}
        inner = part.get(name)
        if isinstance(inner, dict):
            part, kind = inner, name.casefold()
            break
    if kind in _PROSE:
        text = _part_text(part)
        if text.strip():
            found.texts.append(text)
        elif not text:
            found.aside.append("attachment")
    elif kind in CALLS:
        found.calls.append(tool_call(part))
    elif kind in RESULTS:
        found.results.append(tool_result(part))
    elif kind in _THINKING:
        found.aside.append("thinking")
    else:
        found.aside.append("attachment")


def _part_text(part: Record) -> str:
    for key in ("text", "value", "content"):
        value = part.get(key)
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, str):
            return value
    return ""


def tool_call(part: Record) -> ToolCall:
    """The call that an object states, whatever its keys are named."""
    inner = part.get("function")
    inner = inner if isinstance(inner, dict) else part
    arguments: object = {}
    for key in ("arguments", "input", "args", "parameters", "tool_input"):
        if key in inner or key in part:
            arguments = inner.get(key, part.get(key))
            break
    return ToolCall(
        id=first_text(part, "id", "call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId"),
        name=first_text(inner, "name", "toolName", "tool_name", "tool") or first_text(part, "name"),
        arguments=parsed_arguments(arguments),
    )


def tool_result(part: Record) -> ToolResult:
    """The result that an object states, whatever its keys are named."""
    output: object = ""
    for key in ("content", "output", "result", "value", "response", "tool_output", "text"):
        if part.get(key) is not None:
            output = part[key]
            break
    failed: bool | None = None
    for key in ("is_error", "isError", "error"):
        if isinstance(part.get(key), bool):
            failed = part[key]
    if part.get("status") in ("error", "failed", "failure", "cancelled", "rejected"):
        failed = True
    return ToolResult(
        id=first_text(part, "tool_use_id", "tool_call_id", "call_id", "toolCallId", "toolUseId", "id"),
        name=first_text(part, "name", "tool_name", "toolName"),
        output=output_text(output),
        failed=failed,
    )


def parsed_arguments(arguments: object) -> dict[str, Any] | str:
    """A call's arguments as an object; a text that is no JSON object stays a text."""
    if isinstance(arguments, dict):
        return arguments
    if not isinstance(arguments, str):
        return {}
    if arguments.lstrip()[:1] == "{":
        try:
            found = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            return arguments
        if isinstance(found, dict):
            return found
    return arguments


def output_text(output: object) -> str:
    """What a tool printed, as text."""
    if isinstance(output, str):
        return output
    if isinstance(output, list):
        return "\n".join(part if isinstance(part, str) else _part_text(part) for part in output
                         if isinstance(part, (str, dict)))  # fmt: skip
    if isinstance(output, dict):
        text = first_text(output, "output", "text", "stdout", "content", "result")
        return text or json.dumps(output, ensure_ascii=False)
    return ""


def looks_failed(output: str) -> bool:
    """Whether a tool's output, by its first words, tells of a failure that the log does not mark otherwise."""
    head = output[:CLIP]
    if head.lstrip()[:1] == "{":
        try:
            told = json.loads(output, strict=False)
        except (ValueError, RecursionError):
            return False
        if not isinstance(told, dict):
            return False
        meta = told.get("metadata")
        code = meta.get("exit_code") if isinstance(meta, dict) else told.get("exit_code", told.get("exitCode"))
        if isinstance(code, int):
            return code != 0
        return bool(told.get("error")) or told.get("success") is False
    return bool(_FAILURE.match(head) or _EXIT.search(head))


def without_thoughts(text: str) -> tuple[str, bool]:
    """An assistant's text without its thinking, and whether there was any.

    An end without a beginning closes what the prompt had opened; a beginning at the very start without an end was cut
    off while thinking.
    """
    if "<" not in text:
        return text, False
    kept: list[str] = []
    at, opened = 0, ""
    start = 0
    for mark in _THOUGHT.finditer(text):
        name = mark[2].casefold()
        if not mark[1]:
            if not opened:
                opened, start = name, mark.start()
        elif opened == name:
            kept.append(text[at:start])
            at, opened = mark.end(), ""
        elif not opened and not at and name in ("think", "thinking"):
            at = mark.end()
    if opened and not text[at:start].strip() and not "".join(kept).strip():
        at = len(text)
    if not at:
        return text, False
    return "".join([*kept, text[at:]]), True


def first_text(record: Record, *keys: str) -> str:
    """The first of `keys` whose value is a text and not empty, or ""."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def add_calls(message: Record, content: Content) -> None:
    """Add the tool calls that stand beside a message's content."""
    calls = message.get("tool_calls")
    more = message.get("additional_kwargs")
    if not calls and isinstance(more, dict):
        calls = more.get("tool_calls") or more.get("function_call")
    calls = calls or message.get("function_call")
    for one in calls if isinstance(calls, list) else [calls]:
        if isinstance(one, dict):
            call = tool_call(one)
            if call.name and not any(c.id == call.id and c.id for c in content.calls):
                content.calls.append(call)
