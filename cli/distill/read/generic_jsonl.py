"""JSON Lines that no known program writes: whatever has a role and a text is a message."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event
from distill.read.formats import Format
from distill.read.generic_json import holds_messages
from distill.read.log import Log, Record
from distill.read.messages import Talk, describe
from distill.read.shapes import messages_in, talks

_TELLING = (  # keys under which a line names its session and folder; "id" is the line's own
    "session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "cwd", "gitBranch",
)  # fmt: skip


def recognise(log: Log) -> bool:
    """Whether at least one of the first objects is a message."""
    if log.is_document and any(map(holds_messages, log.objects)):
        return False  # one line that wraps a list of messages
    return talks(log.objects)


def events(log: Log) -> Iterator[Event]:
    """The events of every line that holds a message; the others are counted by their type."""
    tally = log.tally
    talk = Talk(log)
    for line, record in log.records():
        tally.types[_type(record)] += 1
        if not tally.session or not tally.project:
            told = {key: record[key] for key in _TELLING if key in record}
            if told:
                describe(tally, told)
                talk.teller.session, talk.teller.cwd = tally.session, tally.project
        for said in messages_in(record):
            yield from talk.turn(said.part, said.content, line, said.time)
    yield from talk.close()


def _type(record: Record) -> str:
    for key in ("type", "kind", "event", "role", "speaker", "sender", "from", "who", "author"):
        value = record.get(key)
        if isinstance(value, str) and value:
            return value[:40]
    return "?"


FORMAT = Format(
    name="generic-jsonl",
    title="any JSON Lines with roles and texts",
    where="anywhere",
    order=90,
    resumes=True,
    recognise=recognise,
    events=events,
)
