"""pi and OpenClaw sessions: a header line, then entries that each name the one before; or the same as a JSON array.

An entry whose parent is not the entry before it starts a branch: what stands between never happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.documents import opening_list, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.own import without_own_output
from distill.read.teller import Call, Teller, items, mapping, text
from distill.read.wrappers import strip_wrappers
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_ENTRIES = frozenset(("message", "model_change", "thinking_level_change", "compaction", "custom", "session_info"))
# What OpenClaw puts before a user's words: data about the sender, what happened meanwhile, the time.
_METADATA = Lazy(r"[A-Z][^\n]{0,80}\(untrusted[^\n]{0,80}\):[ \t]*\n```(?:json)?\n.*?\n```\s*", re.DOTALL)
_HAPPENED = Lazy(r"System: \[[^\]\n]{1,80}\][^\n]*(?:\n|\Z)\s*")
_MEDIA = Lazy(r"\[media attached[^\n]*(?:\n|\Z)(?:To send an image back[^\n]*(?:\n|\Z))?\s*")
_STAMP = Lazy(r"\[[^\]\n]{0,120}\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d[^\]\n]{0,40}\]\s*")
_MESSAGE_ID = Lazy(r"\n\[message_id: [^\]\n]{1,100}\]\s*\Z")
_REPLY = Lazy(r"\A\s*\[\[\s*(?:reply_to_current|reply_to:[^\]\n]{0,100}|audio_as_voice)\s*\]\]\s*")
_MACHINE = (
    "Read HEARTBEAT.md",
    "[cron:",
    "A new session was started via /new or /reset",
    "Pre-compaction memory flush",
    "[Subagent Context]",
)
_SILENT = frozenset(("NO_REPLY", "HEARTBEAT_OK"))
_EXITED = Lazy(r"Command exited with code (\d+)")


def recognise(log: Log) -> bool:
    """Whether the first object is a session's header and its entries follow."""
    first, *rest = (opening_list(log) if log.first == "[" else log.objects) or [{}]
    if first.get("type") != "session" or not ("cwd" in first or "version" in first):
        return False
    return not rest or any(text(one.get("type")) in _ENTRIES for one in rest)


def events(log: Log) -> Iterator[Event]:
    """The events of a session in file order."""
    reader = _Reader(log)
    entries = log.records() if log.first != "[" else _elements(log)
    for number, entry in entries:
        yield from reader.entry(number, entry)
    yield from reader.teller.close()


def _elements(log: Log) -> Iterator[tuple[int, Record]]:
    for number, entry in enumerate(items(whole(log)), 1):
        log.tally.records = number
        if isinstance(entry, dict):
            yield number, entry
        else:
            log.tally.skip("not a JSON object", number)


class _Reader:
    def __init__(self, log: Log) -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.path: list[str] = []  # the ids of the branch that holds
        self.records: dict[str, int] = {}  # and where they stand
        self.parents: dict[str, str] = {}  # of all entries
        self.start = 0
        self.any = False

    def entry(self, number: int, entry: Record) -> Iterator[Event]:
        kind = text(entry.get("type"))
        message = mapping(entry.get("message"))
        role = text(message.get("role"))
        self.tally.types[f"{kind}/{role}"[:80] if role else kind[:80] or "no type"] += 1
        when = rfc3339(entry.get("timestamp")) or rfc3339(message.get("timestamp"))
        if kind == "session":
            self._session(number, entry)
            return
        yield from self._branch(number, entry, when)
        if kind == "message":
            yield from self._message(number, role, message, when)
        elif kind == "compaction":
            yield from self._summary(number, entry, when)
        elif kind == "session_info":
            self.tally.title = text(entry.get("name")).strip() or self.tally.title
        elif kind == "branch_summary":
            self.tally.set_aside["summary"] += 1
        elif kind == "custom_message":
            self.tally.set_aside["injected text"] += 1

    def _session(self, number: int, entry: Record) -> None:
        if self.start:
            return
        self.start = number
        self.tally.session = self.teller.session = text(entry.get("id"))
        self.tally.project = self.teller.cwd = text(entry.get("cwd"))

    def _branch(self, number: int, entry: Record, when: str | None) -> Iterator[Event]:
        """Keep the branch that ends in this entry; where it leaves another one, that is rewound."""
        key, parent = text(entry.get("id")), text(entry.get("parentId"))
        if not key or key in self.parents:
            return
        if parent not in self.parents:  # unknown, or the start
            known, parent = entry.get("parentId", ...) is None, ""
        else:
            known = True
        if self.path and known and parent != self.path[-1]:
            above = parent
            while above and above not in self.records:  # a branch that was left before
                above = self.parents[above]
            while self.path and self.path[-1] != above:
                del self.records[self.path.pop()]
            back_to = self.records.get(above, self.start)
            yield self.teller.act(Action(kind=ActionKind.REWOUND, back_to=back_to), number, when, Role.USER)
        self.parents[key] = parent
        self.path.append(key)
        self.records[key] = number

    def _message(self, number: int, role: str, message: Record, when: str | None) -> Iterator[Event]:
        if role == "user":
            yield from self._user(number, message, when)
        elif role == "assistant":
            yield from self._assistant(number, message, when)
        elif role == "toolResult":
            details = mapping(message.get("details"))
            output = _texts(message.get("content"))
            code = details.get("exitCode")
            exited = _EXITED.search(output[-200:])
            failed = message.get("isError") is True or (isinstance(code, int) and code != 0)
            failed = failed or (exited is not None and exited[1] != "0")
            yield from self.teller.result(text(message.get("toolCallId")), output, number, when, failed=failed)
        elif role == "bashExecution":
            code = message.get("exitCode")
            failed = message.get("cancelled") is True or (isinstance(code, int) and code != 0)
            call = Call("bash", {"command": text(message.get("command"))}, number, when, user=True)
            yield from self.teller.done(call, text(message.get("output")), number, when, failed=failed)
        elif role in ("compactionSummary", "branchSummary"):
            self.tally.set_aside["summary"] += 1
        elif role:
            self.tally.set_aside["injected text"] += 1

    def _user(self, number: int, message: Record, when: str | None) -> Iterator[Event]:
        said = _texts(message.get("content"))
        origin = text(mapping(message.get("provenance")).get("kind"))
        words = "" if origin not in ("", "external_user") else typed(said)
        words = self._without_own(words)
        if words:
            self.any = True
            yield from self.teller.user(words, number, when)
        elif said.strip():
            self.tally.set_aside["injected text"] += 1

    def _assistant(self, number: int, message: Record, when: str | None) -> Iterator[Event]:
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else items(content):
            kind = mapping(block).get("type")
            if kind == "text":
                said = _REPLY.sub("", text(block.get("text")))
                said = self._without_own(said)
                if said.strip() in _SILENT:
                    self.tally.set_aside["injected text"] += 1
                elif said.strip():
                    self.any = True
                    yield from self.teller.assistant(said, number, when)
            elif kind == "toolCall":
                call = Call(text(block.get("name")), mapping(block.get("arguments")), number, when)
                self.teller.call(text(block.get("id")), call)
        if message.get("stopReason") == "aborted":
            yield self.teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)

    def _summary(self, number: int, entry: Record, when: str | None) -> Iterator[Event]:
        """A summary counts only where the log no longer holds what it sums up."""
        summary = text(entry.get("summary"))
        if self.any or not summary.strip():
            self.tally.set_aside["summary"] += 1
            return
        self.any = True
        yield from self.teller.assistant(summary, number, when, Voice.SUMMARY)

    def _without_own(self, words: str) -> str:
        words, own = without_own_output(words)
        if own:
            self.tally.set_aside["own output"] += own
        return words.strip()


def typed(said: str) -> str:
    """What the user typed: without the data on the sender, the time and the notices that OpenClaw puts before it."""
    said = said.strip()
    at = 0
    while found := _METADATA.match(said, at) or _HAPPENED.match(said, at) or _MEDIA.match(said, at):
        at = found.end()
    if said.startswith(_MACHINE, at):
        return ""
    if found := _STAMP.match(said, at):
        at = found.end()
    said = said[at:]
    said = _MESSAGE_ID.sub("", said)
    return "" if said.startswith(_MACHINE) else strip_wrappers(said)


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    found = [
        text(block.get("text")) for block in items(content) if isinstance(block, dict) and block.get("type") == "text"
    ]
    return "\n".join(found)


FORMAT = Format(
    name="pi",
    title="pi, OpenClaw",
    where="~/.pi/agent/sessions/--FOLDER--/*.jsonl, ~/.openclaw/agents/NAME/sessions/*.jsonl",
    order=25,
    heads=True,
    recognise=recognise,
    events=events,
)
