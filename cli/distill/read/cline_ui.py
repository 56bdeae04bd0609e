"""Cline and Roo, what the screen showed: `ui_messages.json`, a list of things said (`say`) and asked (`ask`).

A tool or command is shown before it is known how it ended; that follows from what comes after it, up to the next
request to the model, whose text repeats the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from distill.model import Action, ActionKind, Event, Role
from distill.read.cline_text import FLAG, answered, options, plan, where
from distill.read.documents import opening_list, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.parts import parsed_arguments
from distill.read.teller import Call, Teller, items, mapping, text
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_APPROVAL = "REQ_APP"  # glued to the end of a command that needs approval
_DENIED = "The user denied this operation"
_BROKEN = ("The tool execution failed with the following error", '"status":"error"')
_WRONG = ("error", "diff_error", "clineignore_error", "rooignore_error", "command_permission_denied")
_DONE = ("checkpoint_created", "checkpoint_saved", "command_output", "mcp_server_response")
_CODE = Lazy(r"[Ee]xit(?:ed with)? code:? (\d{1,3})")
# What is recognised and left out.
_ASIDE = {
    "reasoning": "thinking",
    "condense_context": "summary",
    "condense": "summary",
    "summarize_task": "summary",
    "subtask_result": "side chain",
    "subagent": "side chain",
    "use_subagents": "side chain",
    "new_task": "side chain",
}
# Tools of the screen that change files or the to-do list; the others read.
_CHANGING = (
    *("editedExistingFile", "appliedDiff", "insertContent", "searchAndReplace"),
    *("newFileCreated", "fileDeleted", "updateTodoList"),
)


def recognise(log: Log) -> bool:
    """Whether these are things said and asked, with a time."""
    found = opening_list(log)[:5]
    return bool(found) and all(
        isinstance(one.get("ts"), int | float) and isinstance(one.get("say", one.get("ask")), str) for one in found
    )


def events(log: Log) -> Iterator[Event]:
    """The events of a task; a record is a message's place."""
    shown = items(whole(log))
    log.tally.records = len(shown)
    yield from _Screen(log, shown).events()


@dataclass(slots=True)
class _After:
    """What came after a tool or command, up to the next request to the model."""

    output: list[str] = field(default_factory=list)
    last: int = 0  # the record of the last output
    feedback: str = ""
    denied: bool = False
    wrong: bool = False
    done: bool = False
    any: bool = False


class _Screen:
    def __init__(self, log: Log, shown: list[Any]) -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.shown = [mapping(one) for one in shown]
        self.plan: Action | None = None
        self.completed = ""
        self.question: Record | None = None  # one that waits for the user's words
        self.asked = 0

    def events(self) -> Iterator[Event]:
        first = True
        for number, one in enumerate(self.shown, 1):
            kind = text(one.get("say")) if one.get("type") != "ask" else text(one.get("ask"))
            self.tally.types[f"{text(one.get('type')) or 'say'}:{kind}" if kind else "unknown"] += 1
            if not kind:
                self.tally.skip("not a message", number)
                continue
            if one.get("partial") is True:
                self.tally.set_aside["streaming copy"] += 1
                continue
            said, when = text(one.get("text")), rfc3339(one.get("ts"))
            if first and kind in ("task", "text"):
                yield from self.teller.user(said, number, when)
            elif one.get("type") == "ask":
                yield from self._asked(kind, one, said, number, when)
            else:
                yield from self._said(kind, said, number, when)
            first = False
        yield from self._unanswered()

    # -- what was said -------------------------------------------------------------------------------------------

    def _said(self, kind: str, said: str, number: int, when: str | None) -> Iterator[Event]:
        teller = self.teller
        if kind == "user_feedback":
            yield from self._feedback(said, number, when)
        elif kind == "user_feedback_diff":
            yield from self._hand_edit(said, number, when)
        elif kind == "text":
            yield from self._unanswered()
            yield from teller.assistant(said, number, when)
        elif kind == "completion_result":
            self.completed = said.removesuffix(FLAG).rstrip()
            yield from teller.assistant(self.completed, number, when)
        elif kind in ("tool", "command", "use_mcp_server"):
            yield from self._tool(kind, said, number, when, asked=False)
        elif kind == "task_progress":
            yield from self._planned(said, number, when)
        elif kind == "user_edit_todos":
            listed = plan(_object(said).get("todos"))
            if listed is not None:
                yield teller.act(listed, number, when, Role.USER)
        elif kind == "api_req_started":
            yield from self._request(said, number, when)
        else:
            self.tally.set_aside[_ASIDE.get(kind, "state change")] += 1

    def _request(self, said: str, number: int, when: str | None) -> Iterator[Event]:
        """A request to the model repeats the whole prompt: only where it was made and whether it was stopped counts."""
        self.tally.set_aside["state change"] += 1
        if not self.teller.cwd and (found := where(said)):
            self.teller.cwd = self.tally.project = found
        if '"cancelReason":"user_cancelled"' in said:
            yield self.teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)

    def _feedback(self, said: str, number: int, when: str | None) -> Iterator[Event]:
        question, self.question = self.question, None
        action = answered(question, said) if question is not None else None
        if action is not None:
            yield self.teller.act(action, number, when)
            return
        if question is not None:
            yield from self.teller.assistant(text(question.get("question")), self.asked)
        yield from self.teller.user(said, number, when)

    def _hand_edit(self, said: str, number: int, when: str | None) -> Iterator[Event]:
        """A file that the user changed by hand after the assistant had."""
        found = _object(said)
        if not found:
            yield from self.teller.user(said, number, when)
            return
        call = Call("editedExistingFile", found, number, when, user=True)
        yield from self.teller.done(call, "", number, when)

    def _planned(self, value: object, number: int, when: str | None) -> Iterator[Event]:
        listed = plan(value)
        if listed is not None and listed != self.plan:
            self.plan = listed
            yield self.teller.act(listed, number, when)

    # -- what was asked ------------------------------------------------------------------------------------------

    def _asked(self, kind: str, one: Record, said: str, number: int, when: str | None) -> Iterator[Event]:
        teller = self.teller
        if kind == "followup":
            yield from self._unanswered()
            found = _object(said) or {"question": said}
            yield from self._pick(found, text(found.get("question")), number, when)
        elif kind in ("plan_mode_respond", "act_mode_respond"):
            found = _object(said) or {"response": said}
            response = text(found.get("response"))
            yield from teller.assistant(response, number, when)
            if text(found.get("selected")):
                lines = [line for line in response.split("\n") if line.strip()]
                yield from self._pick(found, lines[-1].strip() if lines else "", number, when)
        elif kind == "completion_result":
            words = said.removesuffix(FLAG).rstrip()
            if words and words != self.completed:
                yield from teller.assistant(words, number, when)
        elif kind in ("tool", "command", "use_mcp_server"):
            yield from self._tool(kind, said, number, when, asked=True)
        elif kind == "command_output":
            self.tally.set_aside["tool output"] += 1
        else:
            self.tally.set_aside[_ASIDE.get(kind, "state change")] += 1

    def _pick(self, found: Record, question: str, number: int, when: str | None) -> Iterator[Event]:
        """A question: answered on the spot where an option was picked, else by the words that follow."""
        selected = text(found.get("selected"))
        if not selected:
            self.question, self.asked = found, number
            return
        action = Action(kind=ActionKind.ANSWERED, target=question, detail=selected, options=options(found))
        yield self.teller.act(action, number, when)

    def _unanswered(self) -> Iterator[Event]:
        """A question that nobody answered is still something the assistant said."""
        question, self.question = self.question, None
        if question is not None:
            yield from self.teller.assistant(text(question.get("question")), self.asked)

    # -- what was done -------------------------------------------------------------------------------------------

    def _tool(self, kind: str, said: str, number: int, when: str | None, *, asked: bool) -> Iterator[Event]:
        call = _call(kind, said, number, when)
        if call is None:
            self.tally.set_aside["tool output"] += 1
            return
        after = self._after(number)
        if not after.any:
            return  # the log ends here: what became of it is not known
        if asked and (after.denied or (after.feedback and not after.done and not after.wrong)):
            action = Action(kind=ActionKind.REJECTED, target=call.subject, detail=after.feedback, done=False)
            yield self.teller.act(action, number, when)
            return
        if call.name == "updateTodoList":
            yield from self._planned(call.arguments.get("todos"), number, when)
            return
        output = "\n".join(after.output)
        failed = after.wrong or after.denied
        yield from self.teller.done(call, output, after.last or number, when, failed=failed)

    def _after(self, number: int) -> _After:
        found = _After()
        for place in range(number, len(self.shown)):
            one = self.shown[place]
            kind = text(one.get("say")) or text(one.get("ask"))
            said = text(one.get("text"))
            if one.get("partial") is True:
                continue
            found.any = True
            if kind == "command_output":
                found.output.append(said)
                found.last = place + 1
            elif kind == "mcp_server_response":
                found.output.append(said)
            elif kind == "user_feedback" and not found.feedback:
                found.feedback = said
            elif kind in ("tool", "command", "use_mcp_server", "text", "completion_result", "followup", "task"):
                break
            found.done = found.done or kind in _DONE
            found.wrong = found.wrong or kind in _WRONG
            if kind == "api_req_started":
                self._verdict(said, found)
                break
        return found

    def _verdict(self, request: str, found: _After) -> None:
        """What the next request says of the result, which it begins with."""
        head = request[:4000]
        found.denied = _DENIED in head
        found.wrong = found.wrong or any(mark in head for mark in _BROKEN)
        code = _CODE.search(head)
        found.wrong = found.wrong or (code is not None and int(code[1]) != 0)
        found.done = found.done or ("Result:" in head and not found.denied)


def _call(kind: str, said: str, number: int, when: str | None) -> Call | None:
    if kind == "command":
        command = said.removesuffix(_APPROVAL).rstrip()
        return Call("execute_command", {"command": command}, number, when) if command else None
    found = _object(said)
    if kind == "use_mcp_server":
        arguments = parsed_arguments(found.get("arguments"))
        name = text(found.get("toolName"))
        return Call(name, arguments if isinstance(arguments, dict) else {}, number, when) if name else None
    name = text(found.get("tool"))
    return Call(name, found, number, when) if name in _CHANGING else None


def _object(said: str) -> Record:
    """The object that a message's text is the JSON of; empty where it is plain words."""
    if said.lstrip()[:1] != "{":
        return {}
    try:
        return mapping(json.loads(said, strict=False))
    except (ValueError, RecursionError):
        return {}


FORMAT = Format(
    name="cline-ui",
    title="Cline and Roo (screen)",
    where="globalStorage/…/tasks/<id>/ui_messages.json",
    order=20,
    document=True,
    recognise=recognise,
    events=events,
)
