"""Claude Code session logs: `~/.claude/projects/FOLDER/SESSION.jsonl`, and the logs of its sub-agents."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event
from distill.read.claude_session import Session
from distill.read.formats import Format
from distill.read.log import Log, Record

_KEYS = frozenset({"parentUuid", "leafUuid", "isSidechain", "permissionMode", "lastPrompt", "operation", "snapshot"})


def recognise(log: Log) -> bool:
    """Whether one of the first records has the keys of a session's records."""
    return log.first == "{" and any(_is_record(entry) for entry in log.objects)


def _is_record(entry: Record) -> bool:
    kind = entry.get("type")
    if not isinstance(kind, str):
        return False
    if isinstance(entry.get("sessionId"), str):
        return not _KEYS.isdisjoint(entry)
    if kind == "summary":
        return "leafUuid" in entry
    if kind == "file-history-snapshot":
        return "snapshot" in entry
    return kind in ("user", "assistant") and "parentUuid" in entry and isinstance(entry.get("message"), dict)


def events(log: Log) -> Iterator[Event]:
    """The events of a session, in the order of the file."""
    talk = [entry for entry in log.objects if entry.get("type") in ("user", "assistant")]
    agent = bool(talk) and all(entry.get("isSidechain") is True for entry in talk)
    session = Session(log.tally, agent=agent, before=log.start.record - 1 if log.start else 0)
    session.tools.recall(log.memory)
    take = session.take
    for record, entry in log.records():
        found = take(record, entry)
        if found:
            yield from found
    yield from session.close()
    log.memory = session.tools.memory()


FORMAT = Format(
    name="claude-code",
    title="Claude Code session",
    where="~/.claude/projects/*/*.jsonl",
    order=20,
    keys=tuple(_KEYS),
    resumes=True,
    recognise=recognise,
    events=events,
)
