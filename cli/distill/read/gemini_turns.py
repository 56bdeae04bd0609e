"""What Gemini CLI records of a turn: messages with their tool calls, or turns of the API."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event
from distill.read.actions import tool_actions
from distill.read.answers import plan_actions
from distill.read.cuts import cut_between
from distill.read.log import Log, Record
from distill.read.own import without_own_output
from distill.read.teller import Call, Teller, items, mapping, text
from distill.read.wrappers import strip_wrappers
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_INJECTED = (  # texts under the role "user" that the program wrote
    "This is the Gemini CLI. We are setting up the context",
    "<session_context>",
    "Here is a summary of changes in the user's editor context",
    "Here is the user's editor context",
    "System: Please continue",
    "<hook_context>",
)
_SUMMARY = ("<state_snapshot>", "<compressed_chat_history>")
_FILES = "--- Content from referenced files ---", "--- End of content ---"
_HOOK = "<hook_context>", "</hook_context>"
_RAN = "I ran the following shell command:\n```sh\n"
_PRODUCED = "\n```\n\nThis produced the following result:\n```\n"
_FOLDER = Lazy(
    r"(?:I'm currently working in the directory: |Workspace Directories:\*\*\s*\n\s*- |working directory is: )([^\n]+)"
)
_EXIT = Lazy(r"^Exit Code: (-?\d+)", re.MULTILINE)
_LABELS = ("Output: ", "Stdout: ", "Stderr: ")
_PLAN_REFUSED = Lazy(r"Plan rejected\.(?: User feedback: (.*?))?(?:\n\nThe plan is stored|\Z)", re.DOTALL)
_SHELL, _PLAN = "run_shell_command", "exit_plan_mode"
_ENDED = ("success", "error", "cancelled")


class Turns:
    """The events of one session. `machine` says that its prompts were written by another agent."""

    def __init__(self, log: Log, *, machine: bool = False) -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.teller.session = log.tally.session
        self.machine = machine
        self._waiting: dict[str, deque[str]] = defaultdict(deque)  # calls by the name of their tool
        self._calls = 0
        self._plan = ""  # the Markdown file written last

    def message(
        self, number: int, message: Record, *, last: bool, told: bool = False, calls_told: set[str] | None = None
    ) -> Iterator[Event]:
        """A message of a recorded session.

        `last` says that nothing follows it. `told` and `calls_told` say of an updated message which of its parts are
        known: its words, and the ids of calls, to which those that are told now are added.
        """
        kind = text(message.get("type"))
        self.tally.types[kind[:80] or "no type"] += 1
        when = rfc3339(message.get("timestamp"))
        if kind == "user":
            if not told:
                shown = message.get("displayContent")
                yield from self._user(number, _words(shown) or _words(message.get("content")), when)
        elif kind == "gemini":
            if not told:
                yield from self._assistant(number, _words(message.get("content")), when)
            known = calls_told if calls_told is not None else set()
            for call in items(message.get("toolCalls")):
                if isinstance(call, dict):
                    yield from self._called(number, call, when, last, known)
        elif kind == "info" and _words(message.get("content")).startswith("Request cancelled"):
            yield self.teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)

    def turn(self, number: int, turn: Record) -> Iterator[Event]:
        """A turn of the API: `{"role": "user" | "model", "parts": […]}`."""
        role = text(turn.get("role"))
        self.tally.types[role[:80] or "no role"] += 1
        parts = [part for part in items(turn.get("parts")) if isinstance(part, dict)]
        if role == "model":
            yield from self._assistant(number, _words(parts), None)
        for part in parts:
            call, response = mapping(part.get("functionCall")), mapping(part.get("functionResponse"))
            if call:
                self._calls += 1
                key = text(call.get("id")) or f"#{self._calls}"
                name = text(call.get("name"))
                self._waiting[name].append(key)
                self.teller.call(key, Call(name, mapping(call.get("args")), number))
            elif response:
                yield from self._response(number, response)
        if role == "user":
            yield from self._user(number, _words(parts), None)

    # -- what was said -------------------------------------------------------------------------------------------

    def _user(self, number: int, said: str, when: str | None) -> Iterator[Event]:
        said = said.strip()
        if not said:
            return
        if said.startswith(_RAN):
            command, _, output = said[len(_RAN) :].partition(_PRODUCED)
            call = Call("bash", {"command": command}, number, when, user=True)
            yield from self.teller.done(call, output.removesuffix("```"), number, when)
            return
        if said.startswith(_SUMMARY):
            self.tally.set_aside["summary"] += 1
            return
        if said.startswith(_INJECTED):
            self.tally.set_aside["injected text"] += 1
            if not self.teller.cwd and (folder := _FOLDER.search(said)):
                self.tally.project = self.teller.cwd = folder[1].strip()
            return
        said = cut_between(said, *_FILES, open_end=True)
        said = cut_between(said, *_HOOK, open_end=True)
        words = self._without_own(strip_wrappers(said))
        if self.machine:
            self.tally.set_aside["side chain"] += 1
        elif words:
            yield from self.teller.user(words, number, when)
        else:
            self.tally.set_aside["injected text"] += 1

    def _assistant(self, number: int, said: str, when: str | None) -> Iterator[Event]:
        if words := self._without_own(said):
            yield from self.teller.assistant(words, number, when)

    def _without_own(self, words: str) -> str:
        words, own = without_own_output(words)
        if own:
            self.tally.set_aside["own output"] += own
        return words.strip()

    # -- what was done -------------------------------------------------------------------------------------------

    def _called(self, number: int, found: Record, when: str | None, last: bool, told: set[str]) -> Iterator[Event]:
        """A tool call with its outcome."""
        status, key = text(found.get("status")), text(found.get("id"))
        if key in told or (status not in _ENDED and last):
            return
        if key:
            told.add(key)
        when = rfc3339(found.get("timestamp")) or when
        call = Call(text(found.get("name")), mapping(found.get("args")), number, when)
        output, failed = _outcome(found.get("result"))
        if not output:
            output = text(found.get("resultDisplay"))
        if status == "cancelled":
            yield from self._refused(call, number, when)
        else:
            yield from self._done(call, output, number, when, failed or status != "success")

    def _response(self, number: int, response: Record) -> Iterator[Event]:
        """The result of a call in a turn of its own; a call without an id is the first of its tool that waits."""
        key, name = text(response.get("id")), text(response.get("name"))
        queue = self._waiting[name]
        if key in queue:
            queue.remove(key)
        elif queue:
            key = queue.popleft()
        call = self.teller.take(key)
        if call is None:
            return
        output, failed = _outcome([{"functionResponse": response}])
        if failed and "[Operation Cancelled]" in output[:100]:
            yield from self._refused(call, number, None)
        else:
            yield from self._done(call, output, number, None, failed)

    def _refused(self, call: Call, number: int, when: str | None) -> Iterator[Event]:
        """The user did not allow a call; of one that only reads there is nothing to tell."""
        if tool_actions(call.name, call.arguments, "", failed=True, cwd=self.teller.cwd):
            yield from self.teller.refusal(call, "", call.record, when)

    def _done(self, call: Call, output: str, number: int, when: str | None, failed: bool) -> Iterator[Event]:
        if call.name == _PLAN:
            yield from self._planned(call, output, number, when, failed)
            return
        if call.name == _SHELL:
            exited = _EXIT.search(output[-400:])
            failed = failed or (exited is not None and exited[1] != "0")
            for label in _LABELS:  # so that what was printed begins its line
                output = f"\n{output}".replace(f"\n{label}", "\n", 1)[1:]
        elif call.name == "write_file" and text(call.arguments.get("file_path")).endswith(".md") and not failed:
            self._plan = text(call.arguments.get("content"))
        yield from self.teller.done(call, output, number, when, failed=failed)

    def _planned(self, call: Call, output: str, number: int, when: str | None, failed: bool) -> Iterator[Event]:
        """What the user said to a plan."""
        if refused := _PLAN_REFUSED.match(output):
            words = (refused[1] or "").strip()
            action = Action(kind=ActionKind.REJECTED, target="plan", detail=words, done=False)
            yield self.teller.act(action, number, when)
            yield from self.teller.user(words, number, when)
        elif not failed and output.startswith("Plan approved"):
            for action in plan_actions(call.arguments, output, failed=False, plan=self._plan):
                yield self.teller.act(action, number, when)


def _words(content: Any) -> str:
    """The text of a message's content: a text, a part, or a list of them; thoughts are left out."""
    if isinstance(content, str):
        return content
    found = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict):
            found.append("" if part.get("thought") is True else text(part.get("text")))
        else:
            found.append(text(part))
    return "".join(found)


def _outcome(result: Any) -> tuple[str, bool]:
    """The text of a call's result, and whether it is an error."""
    if isinstance(result, str):
        return result, False
    texts: list[str] = []
    failed = False
    for part in items(result):
        response = mapping(mapping(part).get("functionResponse")).get("response")
        if isinstance(response, dict):
            error = response.get("error")
            failed = failed or bool(error)
            texts.append(text(error) or text(response.get("output")) or text(response.get("result")))
        else:
            texts.append(text(mapping(part).get("text")))
    return "\n".join(one for one in texts if one), failed
