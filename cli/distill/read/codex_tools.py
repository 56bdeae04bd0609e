"""Tool calls in Codex logs: from a call and its result, which stand in different records, to actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from distill.model import Action, ActionKind
from distill.read.actions import change_actions, in_result, patch_actions, tool_actions, tool_kind
from distill.read.codex_words import parts
from distill.read.decoding import TOLERANT, decoded
from distill.read.shellprograms import worth
from distill.text.lazy import Lazy

HEAD, TAIL = 64 << 10, 8 << 10  # characters of a long output that are looked at
_SCRIPT, _SCRIPT_CALLS = 256 << 10, 200  # characters and calls of a script that are looked at
_PATCH = "*** Begin Patch"
_EXIT = Lazy(r"(?:Exit code: |Process exited with code )(-?\d+)")
_RUNNING = Lazy(r"(?:Process running with session ID |Script running with cell ID )(\w+)")
_WRAPPED = ('{"output":', '{"exit_code":', '{"chunk_id":', '{"stdout":')
_HEADER = ("Exit code: ", "Chunk ID: ", "Wall time", "Script ", "Process ")
_FAILED = (
    "script failed",
    "failed in sandbox",
    "failed to parse",
    "failed to ",
    "execution error",
    "apply_patch verification failed",
    "patch rejected",
    "exec command rejected",
    "exec_command failed",
    "write_stdin failed",
    "aborted",
    "command timed out",
    "sandbox error",
    "tool call error",
    "unsupported call",
    "error:",
    "err:",
)
_MORE = ("write_stdin", "wait")  # what asks for the rest of an output
_TOOL = Lazy(r"\btools\.(\w+)\(\s*")
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`"
_LITERAL = Lazy(_STRING, re.DOTALL)
_PAIR = Lazy(rf"[{{,]\s*[\"']?(\w+)[\"']?\s*:\s*({_STRING}|[\w.+-]+)\s*", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back: its text, whether it failed, whether the user refused it, what it still runs as."""

    text: str = ""
    failed: bool = False
    refused: bool = False
    running: str = ""


def result(output: object) -> Result:
    """The result that an output of any of Codex's forms stands for; a long text keeps its beginning and its end."""
    code: object = None
    if isinstance(output, dict):
        code = 1 if output.get("success") is False else None
        output = output.get("content", output.get("output"))
    text = _cut(output if isinstance(output, str) else "\n".join(parts(output)))
    running = ""
    for _ in range(2):  # a script's own header, then the one of the command it printed
        if text.startswith(_WRAPPED):
            text, inner = _unwrapped(text, output)
            code = inner if inner is not None else code
            break
        if not text.startswith(_HEADER):
            break
        head, found, rest = text.partition("Output:")
        head = head[:600]
        if exited := _EXIT.search(head):
            code = int(exited[1])
        elif head.startswith("Script failed"):
            code = 1
        if still := _RUNNING.search(head):
            running = still[1]
        if not found:
            break
        text = rest.lstrip("\r\n")
        if not head.startswith("Script "):
            break
    start = text[:300].lower()
    refused = "rejected by user" in start and "approval settings" not in start
    failed = code != 0 if isinstance(code, int) else start.startswith(_FAILED)
    return Result(text, failed or refused, refused, running)


def _unwrapped(text: str, output: object) -> tuple[str, object]:
    """The output and exit code in a JSON object; `text` may be cut, `output` is whole where it is that object."""
    whole = output if isinstance(output, str) and output.startswith(_WRAPPED) else text
    try:
        found = decoded(whole)
    except (ValueError, RecursionError):
        return text, None
    inner = found.get("output", found.get("stdout")) if isinstance(found, dict) else None
    if not isinstance(inner, str):
        return text, None
    meta = found.get("metadata")
    return _cut(inner), (meta.get("exit_code") if isinstance(meta, dict) else found.get("exit_code"))


def _cut(text: str) -> str:
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n…\n{text[-TAIL:]}"


@dataclass(slots=True)
class _Call:
    """A call of a tool whose result has not come yet."""

    name: str
    parts: list[tuple[str, Mapping[str, Any] | str]]  # names and arguments: of the call, or of a script's calls
    record: int
    cwd: str
    folder: str
    patches: int  # of a script: patch events before it
    output: str = ""  # of a command that went on running


class Calls:
    """The calls that wait for their results. `end` and `drop` give (record, action) pairs."""

    def __init__(self) -> None:
        self._open: dict[str, _Call] = {}
        self._running: dict[str, _Call] = {}
        self._patched: set[str] = set()
        self._patches = 0

    def begin(self, call_id: object, name: object, arguments: object, record: int, *, cwd: str, folder: str) -> None:
        """A call: `arguments` is an object, its JSON text, or the text of a tool that takes plain text.

        It ran in `folder`; paths are shown as seen from `cwd`.

        A call that can only read is not waited for.
        """
        if not isinstance(call_id, str) or not isinstance(name, str):
            return
        given: Mapping[str, Any] | str = ""
        if isinstance(arguments, dict):
            given = arguments
        elif isinstance(arguments, str):
            given = arguments
            if arguments.startswith("{"):
                try:
                    found = decoded(arguments)
                    given = found if isinstance(found, dict) else arguments
                except (ValueError, RecursionError):
                    pass
        scripted = name == "exec" and isinstance(given, str)
        calls = script_calls(given) if scripted and isinstance(given, str) else [(name, given)]
        acting = [one for one in calls if _acts(*one)]
        if acting or name in _MORE:
            self._open[call_id] = _Call(name, acting or calls, record, cwd, folder, self._patches if scripted else -1)

    def waits(self, call_id: str) -> bool:
        """Whether this call waits for its result."""
        return call_id in self._open

    def patch(self, call_id: object, changes: object, *, done: bool, cwd: str) -> tuple[Action, ...]:
        """The event that reports what a patch changed; the result of the same call adds nothing to it."""
        if isinstance(call_id, str):
            self._patched.add(call_id)
        self._patches += 1
        return change_actions(changes, done=done, cwd=cwd) if isinstance(changes, dict) else ()

    def end(self, call_id: object, output: object, record: int) -> Iterator[tuple[int, Action]]:
        """The result of a call, in `record`."""
        call = self._open.pop(call_id, None) if isinstance(call_id, str) else None
        if call is None:
            return
        found = result(output)
        handle = _handle(call)
        if handle in self._running:  # more of what an earlier command printed
            call_id, call = handle, self._running.pop(handle)
        if found.running:
            call.output = _cut(call.output + found.text)
            self._running[found.running] = call
            return
        if call.output:
            found = Result(_cut(call.output + found.text), found.failed, found.refused)
        patched = isinstance(call_id, str) and call_id in self._patched
        self._patched.discard(call_id if isinstance(call_id, str) else "")
        for action in self._actions(call, found, patched):
            yield record if in_result(action) else call.record, action

    def drop(self, *, since: int | None = None) -> Iterator[tuple[int, Action]]:
        """Give up what waits (of it, with `since`, only calls before that record): no result, so it was not done."""
        waiting, self._open = self._open, {}
        for call_id, call in waiting.items():
            if (since is None or call.record < since) and call_id not in self._patched:
                for action in self._actions(call, Result(failed=True), patched=False):
                    yield call.record, action
        self._patched.clear()

    def forget(self) -> None:
        """Nothing that waits ever happened."""
        self._open.clear()
        self._running.clear()
        self._patched.clear()

    def _actions(self, call: _Call, found: Result, patched: bool) -> tuple[Action, ...]:
        patched = patched or 0 <= call.patches < self._patches  # a script's patches have call ids of their own
        acts: list[Action] = []
        for name, arguments in call.parts:
            acts += _one(name, arguments, found, call, patched)
        return tuple(acts)


def _acts(name: str, arguments: Mapping[str, Any] | str) -> bool:
    """Whether a call may do more than read."""
    kind = tool_kind(name)
    if kind != "shell":
        return bool(kind)
    given = arguments if isinstance(arguments, str) else arguments.get("command", arguments.get("cmd", ""))
    if isinstance(given, list):
        words = [word for word in given if isinstance(word, str)]
        given = words[-1] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)
    return not isinstance(given, str) or worth(given)


def _one(
    name: str, arguments: Mapping[str, Any] | str, found: Result, call: _Call, patched: bool
) -> tuple[Action, ...]:
    """What one call did; nothing where a patch event has told it already."""
    patch = _patch_in(arguments)
    if patch:
        acts = () if patched else patch_actions(patch, done=not found.failed, cwd=call.cwd)
    else:
        acts = tool_actions(name, arguments, found.text, failed=found.failed, cwd=call.cwd, folder=call.folder)
    if found.refused:
        targets = dict.fromkeys(a.target for a in acts if a.target) or {_command(arguments): None}
        return tuple(Action(kind=ActionKind.REJECTED, target=target, done=False) for target in targets if target)
    return acts


def _patch_in(arguments: Mapping[str, Any] | str) -> str:
    """The patch that a call applies, by whatever tool; "" for none."""
    if isinstance(arguments, str):
        text = arguments
    else:
        given = next((arguments[k] for k in ("input", "patch", "command", "cmd") if k in arguments), "")
        if isinstance(given, list):
            given = next((word for word in given if isinstance(word, str) and _PATCH in word), "")
        text = given if isinstance(given, str) else ""
    at = text.find(_PATCH)
    if at < 0:
        return ""
    end = text.rfind("*** End Patch")
    return text[at : end + 13] if end > at else text[at:]


def _command(arguments: Mapping[str, Any] | str) -> str:
    given = arguments if isinstance(arguments, str) else arguments.get("command", arguments.get("cmd", ""))
    if isinstance(given, list):
        given = next((word for word in reversed(given) if isinstance(word, str)), "")
    return given if isinstance(given, str) else ""


def _handle(call: _Call) -> str:
    """The running command that a call asks for more output."""
    given = call.parts[0][1]
    if call.name not in _MORE or isinstance(given, str):
        return ""
    found = given.get("session_id", given.get("cell_id", ""))
    return str(found) if isinstance(found, (str, int)) else ""


def script_calls(source: str) -> list[tuple[str, Mapping[str, Any] | str]]:
    """The tools that a script (JavaScript: `await tools.NAME({…})`) calls, with their arguments as far as literal."""
    source = source[:_SCRIPT]
    calls: list[tuple[str, Mapping[str, Any] | str]] = []
    for found in islice(_TOOL.finditer(source), _SCRIPT_CALLS):
        name, at = found[1], found.end()
        given: Mapping[str, Any] | str = ""
        if source[at : at + 1] == "{":
            given = _object(source, at)
        elif literal := _LITERAL.match(source, at):
            given = _unquoted(literal[0])
        if name == "apply_patch" and not _patch_in(given):
            given = _patch_text(source)  # in a variable
        if given:
            calls.append((name, given))
    return calls


def _object(source: str, at: int) -> dict[str, Any]:
    """The object literal at `at`: as JSON, else its leading pairs of plain values."""
    try:
        found, _ = TOLERANT.raw_decode(source, at)
        if isinstance(found, dict):
            return found
    except (ValueError, RecursionError):
        pass
    pairs: dict[str, Any] = {}
    while pair := _PAIR.match(source, at):
        value = pair[2]
        pairs[pair[1]] = _unquoted(value) if value[0] in "\"'`" else value
        at = pair.end()
    return pairs


def _unquoted(literal: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), literal[1:-1], flags=re.DOTALL)


def _patch_text(source: str) -> str:
    at = source.find(_PATCH)
    end = source.find("*** End Patch", at)
    if at < 0 or end < 0:
        return ""
    patch = source[at : end + 13]
    if "\\n" in patch[:200] and patch.find("\n") < 0:
        return _unquoted(f'"{patch}"')
    return patch
