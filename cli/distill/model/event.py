"""What a log says: the stream of events that every reader yields."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Who speaks in an event."""

    USER = "user"
    ASSISTANT = "assistant"
    UNKNOWN = "unknown"  # a text without speakers

    __hash__ = str.__hash__  # Enum's own is a Python function, and roles are keys everywhere


class Voice(StrEnum):
    """How far the words of an event are the speaker's own conclusion."""

    SPEECH = "speech"  # what was said; the last assistant message of a turn is found later, by place
    NARRATION = "narration"  # the log itself marks it as progress talk (Codex commentary)
    SUMMARY = "summary"  # a machine's summary of an earlier part that this log no longer holds


class ActionKind(StrEnum):
    """What a tool did, whatever the agent calls the tool."""

    WROTE = "wrote"  # target: path of the new or overwritten file; detail: a beginning of its content
    EDITED = "edited"  # target: path; detail: the new text of the edit, shortened
    DELETED = "deleted"  # target: path
    MOVED = "moved"  # target: new path; detail: old path
    RESTORED = "restored"  # target: path whose changes were thrown away (git checkout/restore)
    COMMITTED = "committed"  # target: commit id; detail: subject
    UNCOMMITTED = "uncommitted"  # target: commit id that was undone, "" for the last one
    PUSHED = "pushed"  # target: remote and branch as far as known
    OPENED = "opened"  # target: URL of a pull request, merge request, issue or release
    CLOSED = "closed"  # target: name, number or URL of what was taken away again; detail: what sort of thing it is
    TESTED = "tested"  # target: command; detail: totals as printed ("12 passed, 1 failed")
    RAN = "ran"  # target: command; detail: the last line of an error
    PLANNED = "planned"  # tasks: the whole to-do list as it now stands
    ANSWERED = "answered"  # target: question; detail: the user's answer; options: what was offered
    APPROVED = "approved"  # detail: the plan the user approved
    REJECTED = "rejected"  # target: what was refused (path, command, "plan"); detail: the user's reason, may be ""
    REWOUND = "rewound"  # back_to: record after which everything never happened
    INTERRUPTED = "interrupted"  # the user stopped the assistant


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One entry of a to-do list; `status` is pending, in_progress or completed."""

    text: str
    status: str = "pending"
    record: int = field(default=0, compare=False)  # where it stands, when not in the record of the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One act of a tool. `done` is False when it failed, was refused or has no result."""

    kind: ActionKind
    target: str = ""
    detail: str = ""
    done: bool = True
    tasks: tuple[Task, ...] = ()
    options: tuple[str, ...] = ()
    back_to: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that was said or done.

    `record` is the 1-based line of a line-oriented log, or the 1-based index of the message in a JSON document.
    `time` is RFC 3339 in UTC with seconds ("2026-03-02T09:01:00Z") or None where the log does not say.
    An event holds either `text` or an `action`. `session` and `project` (the working directory) may be "".
    """

    record: int
    role: Role
    text: str = ""
    time: str | None = None
    action: Action | None = None
    voice: Voice = Voice.SPEECH
    session: str = ""
    project: str = ""
    by_line: bool = False  # each line of `text` is a line of the log, from `record` on
