"""What `claude -p --output-format stream-json` (or `json`) prints: JSON lines, or one document, with `session_id`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from distill.model import Event, Role
from distill.read.claude_session import Session
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.text.lazy import Lazy

_START = Lazy(r'\s*(?:\[\s*)?\{\s*"')
_TALK = frozenset({"user", "assistant", "result", "stream_event"})


def recognise(log: Log) -> bool:
    """Whether the first records are those of the stream."""
    if log.first == "{":
        if any(_is_record(entry) for entry in log.objects):
            return True
        if not log.is_document or '"session_id"' not in log.head or not _START.match(log.head):
            return False
        return isinstance(log.document, dict) and _is_record(log.document)
    if log.first != "[" or '"session_id"' not in log.head or not _START.match(log.head):
        return False
    document = log.document
    return isinstance(document, list) and any(isinstance(one, dict) and _is_record(one) for one in document[:20])


def _is_record(entry: Record) -> bool:
    if not isinstance(entry.get("session_id"), str) or "sessionId" in entry:
        return False
    kind = entry.get("type")
    if kind == "system":
        return isinstance(entry.get("subtype"), str)
    return isinstance(kind, str) and kind in _TALK and ("parent_tool_use_id" in entry or "is_error" in entry)


def events(log: Log) -> Iterator[Event]:
    """The events of the run; the prompt itself is no part of the stream unless it was asked for."""
    document = log.document if log.is_document else None
    records: Iterable[tuple[int, object]]
    if document is None:
        records = log.records()
    else:
        entries = document if isinstance(document, list) else [document]
        log.tally.records = len(entries)
        records = enumerate(entries, 1)
    session = Session(log.tally)
    cwd = ""
    said = False
    for number, entry in records:
        if not isinstance(entry, dict):
            log.tally.skip("not a JSON object", number)
            continue
        if entry.get("type") == "system" and isinstance(entry.get("cwd"), str):
            cwd = entry["cwd"]
        entry.setdefault("cwd", cwd)
        entry["sessionId"] = entry.get("session_id")
        entry["isSidechain"] = entry.get("parent_tool_use_id") is not None
        entry.setdefault("toolUseResult", entry.get("tool_use_result"))
        for event in session.take(number, entry):
            said = said or (event.role is Role.ASSISTANT and event.action is None)
            yield event
        if entry.get("type") == "result":
            for event in session.close():
                said = said or (event.role is Role.ASSISTANT and event.action is None)
                yield event
            if not said:  # only the result was kept
                message = {"role": "assistant", "content": entry.get("result")}
                session.take(number, {**entry, "type": "assistant", "uuid": None, "message": message})
    yield from session.close()


FORMAT = Format(
    name="claude-stream",
    title="Claude Code, stream-json output",
    where="what `claude -p --output-format stream-json` prints",
    order=21,
    recognise=recognise,
    events=events,
)
