"""What readers of agent logs share: events with the account kept, and tool calls held until their results come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.actions import in_result, relative, tool_actions
from distill.read.log import Log
from distill.read.verdicts import ANSI

#: The name of a call that takes the last edit of the file `file_path` back.
UNDO = "undo_edit"
#: Acts that are the user's, not the assistant's.
USERS = frozenset((ActionKind.ANSWERED, ActionKind.APPROVED, ActionKind.REJECTED, ActionKind.INTERRUPTED))
_SUBJECTS = ("file_path", "filePath", "path", "command", "url", "query")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that was called: its name and arguments, and where the call stands. `user` where the user called it."""

    name: str
    arguments: Mapping[str, Any]
    record: int
    time: str | None = None
    user: bool = False

    @property
    def subject(self) -> str:
        """What it was about to touch: a path, a command, or else the tool's name."""
        found = (self.arguments.get(key) for key in _SUBJECTS)
        return next((value for value in found if isinstance(value, str) and value.strip()), self.name)


class Teller:
    """The events of one session. `cwd` makes paths relative; `session` and `cwd` stand in every event.

    `by_line` says that a record is a line of text, and each line of what was said a line of the log.
    """

    def __init__(self, log: Log) -> None:
        self.tally = log.tally
        self.session = log.tally.session if log.start else ""
        self.cwd = log.tally.project if log.start else ""
        self.by_line = False
        self._calls: dict[str, Call] = {}
        self._edits: Counter[str] = Counter()
        self._latest = 0

    # -- what was said -------------------------------------------------------------------------------------------

    def user(self, text: str, record: int, time: str | None = None) -> Iterator[Event]:
        """The user's own words; nothing where there are none."""
        return self._say(Role.USER, text, record, time, Voice.SPEECH)

    def assistant(
        self, text: str, record: int, time: str | None = None, voice: Voice = Voice.SPEECH
    ) -> Iterator[Event]:
        """The assistant's prose; nothing where there is none."""
        return self._say(Role.ASSISTANT, text, record, time, voice)

    def _say(self, role: Role, text: str, record: int, time: str | None, voice: Voice) -> Iterator[Event]:
        self._latest = max(self._latest, record)
        if "\x1b" in text:
            text = ANSI.sub("", text)
        text = text.strip("\r\n").rstrip()
        if text.strip():
            self.tally.understood += 1
            yield Event(
                record=record,
                role=role,
                text=text,
                time=time,
                voice=voice,
                session=self.session,
                project=self.cwd,
                by_line=self.by_line,
            )

    # -- what was done -------------------------------------------------------------------------------------------

    def act(self, action: Action, record: int, time: str | None = None, role: Role | None = None) -> Event:
        """The event of one act, by default of the role whose act it is."""
        self._latest = max(self._latest, record)
        self.tally.understood += 1
        role = role or (Role.USER if action.kind in USERS else Role.ASSISTANT)
        return Event(record=record, role=role, time=time, action=action, session=self.session, project=self.cwd)

    def call(self, key: str, call: Call) -> None:
        """Hold a call until `result` or `refused` names its key."""
        self._latest = max(self._latest, call.record)
        self._calls[key] = call

    def waiting(self, key: str) -> bool:
        """Whether a call of this key waits for its result."""
        return key in self._calls

    def take(self, key: str) -> Call | None:
        """The call of this key, which waits no longer."""
        return self._calls.pop(key, None)

    def result(
        self, key: str, output: str, record: int, time: str | None = None, *, failed: bool = False
    ) -> Iterator[Event]:
        """The acts of the call that this result answers."""
        self._latest = max(self._latest, record)
        call = self._calls.pop(key, None)
        if call is None:
            self.tally.set_aside["tool output"] += 1
            return
        yield from self.done(call, output, record, time, failed=failed)

    def done(
        self, call: Call, output: str, record: int, time: str | None = None, *, failed: bool = False
    ) -> Iterator[Event]:
        """The acts of a call with its result; an act stands in the record where its words are."""
        if call.name == UNDO:
            acts = () if failed else self._undone(call)
        else:
            acts = tool_actions(call.name, call.arguments, output, failed=failed, cwd=self.cwd)
        if not acts:
            self.tally.set_aside["tool output"] += 1
        for action in acts:
            if action.done and action.kind in (ActionKind.WROTE, ActionKind.EDITED):
                self._edits[action.target] += 1
            place = record if in_result(action) else call.record
            yield self.act(action, place, time or call.time, Role.USER if call.user else None)

    def _undone(self, call: Call) -> tuple[Action, ...]:
        """A file is as it was before once its only edit is taken back."""
        path = relative(call.subject, self.cwd)
        self._edits[path] -= 1
        if self._edits[path] != 0:
            return ()
        return (Action(kind=ActionKind.RESTORED, target=path),)

    def refused(self, key: str, words: str, record: int, time: str | None = None) -> Iterator[Event]:
        """A call that the user refused, and the words with which it was done."""
        call = self._calls.pop(key, None)
        if call is not None:
            yield from self.refusal(call, words, record, time)

    def refusal(self, call: Call, words: str, record: int, time: str | None = None) -> Iterator[Event]:
        """The refusal of a call: the act, and the user's words where there are any."""
        words, target = words.strip(), call.subject
        if target != call.arguments.get("command"):
            target = relative(target, self.cwd)
        yield self.act(Action(kind=ActionKind.REJECTED, target=target, detail=words, done=False), record, time)
        yield from self.user(words, record, time)

    def close(self) -> Iterator[Event]:
        """At the end: the acts of calls without a result after which the log goes on, as not done."""
        calls, self._calls = self._calls, {}
        for call in calls.values():
            if call.record < self._latest:
                for action in tool_actions(call.name, call.arguments, "", failed=True, cwd=self.cwd):
                    if action.kind not in USERS:
                        yield self.act(action, call.record, call.time)


def text(value: object) -> str:
    """`value` where it is a text, else ""."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []
