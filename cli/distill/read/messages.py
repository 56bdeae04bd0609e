"""What the message-list formats share: the events of a conversation, and what a document tells of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.actions import tool_actions
from distill.read.codex_words import folder, typed
from distill.read.log import Log, Record, Tally
from distill.read.own import without_own_output
from distill.read.parts import (
    Content,
    ToolCall,
    ToolResult,
    add_calls,
    first_text,
    looks_failed,
    tool_result,
    unpack,
    without_thoughts,
)
from distill.read.roles import Speaker, event_role, speaker_of, time_of
from distill.read.teller import USERS, Call, Teller
from distill.read.wrappers import interrupted, is_summary, rejection, strip_wrappers

WAITING = 500  # calls that may wait for their results at a time


class Talk:
    """One conversation on its way to events: joins calls with results, sets aside what nobody said.

    A call is held until its result comes; one whose result never comes is yielded as not done, once the user has
    spoken again or, at the end, if anything came after it.
    """

    def __init__(self, log: Log, *, session: str = "", project: str = "") -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.teller.session, self.teller.cwd = session or self.teller.session, project or self.teller.cwd
        self._waiting: dict[str, tuple[Call, int]] = {}  # by id, with the count of the message that held the call
        self._order = 0
        self._said = ""  # the user's last words, while nobody has answered them

    def message(self, message: object, record: int) -> Iterator[Event]:
        """The events of one message of the shape `{role, content, tool_calls?, tool_call_id?}`."""
        if not isinstance(message, dict):
            self.tally.skip("not a message", record)
            return
        role = message.get("role")
        if role is None and isinstance(message.get("type"), str):  # an item of its own: a call or a result
            content, part, name = unpack(message), None, str(message["type"])
        else:
            content, part, name = unpack(message.get("content")), speaker_of(role), str(role)
        self.tally.types[name[:40]] += 1
        add_calls(message, content)
        when = time_of(message)
        if part is Speaker.TOOL and not content.results:
            content = Content(results=[_plain_result(message, content)])
        if part is None and not (content.calls or content.results):
            if content:
                self.tally.set_aside["unknown role"] += 1
            return
        yield from self.turn(part or Speaker.ASSISTANT, content, record, when)

    def turn(self, part: Speaker | None, content: Content, record: int, time: str | None) -> Iterator[Event]:
        """The events of what `part` said and did in one message; None is somebody known by name alone."""
        self._order += 1
        for what in content.aside:
            self.tally.set_aside[what] += 1
        if part in (Speaker.SYSTEM, Speaker.USER) and not self.teller.cwd:
            self._enter(content)
        if part is Speaker.SYSTEM:
            self.tally.set_aside["system prompt"] += 1
            return
        for result in content.results:
            yield from self.result(result, record, time)
        if part is not Speaker.TOOL:
            yield from self.speech(event_role(part), content.text, record, time)
        elif content.texts:
            self.tally.set_aside["tool output"] += 1
        for call in content.calls:
            self.call(call, record, time)
        if len(self._waiting) > WAITING:
            yield from self._unanswered()

    def _enter(self, content: Content) -> None:
        """Note the working directory where an injected text names it."""
        found = next((path for text in content.texts if (path := folder(text))), "")
        self.teller.cwd = found
        self.tally.project = self.tally.project or found

    def speech(self, role: Role, text: str, record: int, time: str | None) -> Iterator[Event]:
        """What somebody said, freed of thinking, wrappers and what `distill` wrote itself."""
        text, own = without_own_output(text)
        if own:
            self.tally.set_aside["own output"] += own
        if role is Role.ASSISTANT:
            plain, thought = without_thoughts(text)
            if thought:
                self.tally.set_aside["thinking"] += 1
            if plain.strip():
                self._said = ""
            yield from self.teller.assistant(plain, record, time)
            return
        yield from self._typed(text, record, time)

    def _typed(self, text: str, record: int, time: str | None) -> Iterator[Event]:
        """What a user typed, without what programs put into the message."""
        if is_summary(text):
            if self.tally.understood:
                self.tally.set_aside["summary"] += 1
            else:  # the earlier part is missing
                yield from self.teller.assistant(text, record, time, Voice.SUMMARY)
            return
        if interrupted(text):
            yield from self._unanswered()
            yield self.teller.act(Action(kind=ActionKind.INTERRUPTED), record, time)
        plain = strip_wrappers(typed(text))
        if plain != text.strip():
            self.tally.set_aside["injected text"] += 1
        if not plain:
            return
        if plain == self._said:
            self.tally.set_aside["repeated turn"] += 1
            return
        self._said = plain
        yield from self._unanswered()
        yield from self.teller.user(plain, record, time)

    def call(self, call: ToolCall, record: int, time: str | None) -> None:
        """Hold a call until its result comes."""
        self._said = ""
        given = call.arguments if isinstance(call.arguments, dict) else {"input": call.arguments}
        key = call.id if call.id and call.id not in self._waiting else f"{call.id}#{self._order}.{len(self._waiting)}"
        self._waiting[key] = Call(call.name, given, record, time), self._order

    def result(self, result: ToolResult, record: int, time: str | None) -> Iterator[Event]:
        """The acts of the call that `result` answers, and the user's words where the user refused it."""
        call = self._answered(result)
        if call is None:
            self.tally.set_aside["tool output"] += 1
            return
        reason = rejection(result.output)
        if reason is not None:
            yield from self.teller.refusal(call, reason, record, time)
            return
        failed = looks_failed(result.output) if result.failed is None else result.failed
        yield from self.teller.done(call, result.output, record, time, failed=failed)

    def close(self) -> Iterator[Event]:
        """At the end: calls without a result after which something else came."""
        yield from self._unanswered()

    def _unanswered(self) -> Iterator[Event]:
        waiting, self._waiting = self._waiting, {}
        for call, order in waiting.values():
            if order == self._order:
                continue  # the log ends here: whether it was done is not known
            for act in tool_actions(call.name, call.arguments, "", failed=True, cwd=self.teller.cwd):
                if act.kind not in USERS:
                    yield self.teller.act(act, call.record, call.time)

    def _answered(self, result: ToolResult) -> Call | None:
        """The call with the result's id; a result without one answers the first call that waits."""
        key = result.id
        if not key:
            named = (k for k, (call, _) in self._waiting.items() if not result.name or call.name == result.name)
            key = next(named, "")
        found = self._waiting.pop(key, None)
        return found[0] if found else None


def _plain_result(message: Record, content: Content) -> ToolResult:
    found = tool_result(message)
    key = first_text(message, "tool_call_id", "tool_use_id", "call_id")
    return ToolResult(key, found.name, content.text or found.output, found.failed)


# -- what a document tells of itself ---------------------------------------------------------------------------------

_AROUND = ("metadata", "_metadata", "meta", "info")


def describe(tally: Tally, head: object, *, inner: bool = False) -> None:
    """Note title, session, project and branch where `head`, the object around a conversation, names them."""
    if not isinstance(head, dict):
        return
    keys = ("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "chat_id")
    outer = {} if inner else head  # around a conversation a name is its name; in its metadata it may be anybody's
    tally.title = tally.title or first_text(head, "title", "标题") or first_text(outer, "name", "topic")
    tally.session = tally.session or first_text(head, *keys) or first_text(outer, "id", "uuid")
    tally.project = tally.project or first_text(head, "cwd", "project", "workspace", "working_directory", "directory")
    tally.branch = tally.branch or first_text(head, "gitBranch", "git_branch", "branch")
    if not inner:
        for key in _AROUND:
            describe(tally, head.get(key), inner=True)


def each_message(log: Log, messages: list[Any], talk: Talk) -> Iterator[Event]:
    """The events of a document's messages, numbered from 1."""
    log.tally.records = len(messages)
    for index, message in enumerate(messages, 1):
        yield from talk.message(message, index)
    yield from talk.close()
