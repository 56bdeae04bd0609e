"""Codex rollouts (`rollout-….jsonl`): lines of `{"timestamp", "type", "payload"}`.

What people and the model say stands twice, as an event and as an item of the model's history. The event is read; the
item is held until it is clear that no event repeats it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from distill.model import Event
from distill.read.codex_records import Handler, Reader, handler_of
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.teller import text

_TYPES = frozenset(
    (
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
    )
)
# How a record begins: its type, that of its payload, and the call a result belongs to.
_HEAD = re.compile(
    rb'\{"timestamp":"[^"]{0,40}","type":"(session_meta|response_item|event_msg)","payload":'
    rb'\{(?:"type":"([a-z_]{1,40})"(?:,"id":"[^"\\]{0,100}")?(?:,"call_id":"([!-~]{1,100}?)")?)?'
)


def recognise(log: Log) -> bool:
    """Whether any of the first lines is an envelope of a rollout."""
    return any("payload" in record and text(record.get("type")) in _TYPES for record in log.objects)


def events(log: Log) -> Iterator[Event]:
    """The events of a rollout in file order."""
    reader = Reader(log.tally)
    reader.before = log.start.record - 1 if log.start else 0
    types = log.tally.types
    known: dict[tuple[object, object], tuple[str, Handler | None]] = {}
    heads: dict[tuple[bytes, bytes], tuple[str, Handler | None]] = {}

    def idle(line: bytes) -> bool:
        """Whether a whole record of a type that is only counted, or a result that no call waits for."""
        head = _HEAD.match(line)
        if head is None:
            return False
        kind, what, call_id = head.groups(b"")
        found = heads.get((kind, what))
        if found is None:
            found = heads[kind, what] = handler_of(kind.decode(), what.decode())
        label, handler = found
        if handler is Reader.output:
            if not call_id or reader.calls.waits(call_id.decode()):
                return False
        elif handler is Reader.meta:
            if not reader.began:
                return False
        elif handler is not None or not what:  # without `what`, its type stands further on
            return False
        if not line.endswith((b"}}\n", b"}}", b"}}\r\n")) or b'}{"timestamp"' in line:
            return False
        types[label] += 1
        return True

    for number, record in log.records(idle):
        payload = record.get("payload")
        key = record.get("type"), payload.get("type") if isinstance(payload, dict) else None
        try:
            label, handler = known[key]
        except (KeyError, TypeError):  # not seen yet, or no text
            label, handler = handler_of(text(key[0]), text(key[1]))
            if isinstance(key[0], str) and isinstance(key[1], str | None):
                known[key] = label, handler
        types[label] += 1
        if handler is not None and isinstance(payload, dict):
            yield from handler(reader, number, record, payload)
    yield from reader.close()


FORMAT = Format(
    name="codex",
    title="OpenAI Codex",
    where="~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl",
    order=20,
    keys=("payload",),
    heads=True,
    resumes=True,
    recognise=recognise,
    events=events,
)
