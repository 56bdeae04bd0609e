"""Codex rollouts of the time before envelopes: a header line, then bare items of the model's history.

They hold no events and no times but the session's, and the user's words stand among injected texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event
from distill.read.codex_records import HISTORY, Reader
from distill.read.formats import Format
from distill.read.log import Log, Record

_ITEMS = frozenset(
    ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call")
)


def recognise(log: Log) -> bool:
    """Whether the first line is a session's header and a later one an item or a state record."""
    first, *rest = log.objects or [{}]
    if not _header(first):
        return False
    return any(one.get("record_type") == "state" or _kind(one) in _ITEMS for one in rest)


def events(log: Log) -> Iterator[Event]:
    """The events of a rollout in file order; each has the time at which the session began."""
    reader = Reader(log.tally)
    header: Record = {}
    for number, record in log.records():
        kind = _kind(record)
        log.tally.types[kind[:80] or ("session" if _header(record) else "no type")] += 1
        if not kind and not header and _header(record):
            header = record
            yield from reader.meta(number, header, header)
        elif handler := HISTORY.get(kind):
            yield from handler(reader, number, header, record)
    yield from reader.close()


def _header(record: Record) -> bool:
    return (
        isinstance(record.get("id"), str)
        and "timestamp" in record
        and ("instructions" in record or "git" in record)
        and not {"type", "payload", "message", "sessionId"} & record.keys()
    )


def _kind(record: Record) -> str:
    kind = record.get("type", record.get("record_type"))
    return kind if isinstance(kind, str) else ""


FORMAT = Format(
    name="codex-flat",
    title="OpenAI Codex, until September 2025",
    where="~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl",
    order=22,
    recognise=recognise,
    events=events,
)
