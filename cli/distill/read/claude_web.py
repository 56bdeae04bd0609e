"""Claude Code sessions saved from the web: one JSON document `{"loglines": [record, …]}`."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event
from distill.read.claude_session import Session
from distill.read.formats import Format
from distill.read.log import Log
from distill.text.lazy import Lazy

_LOGLINES = Lazy(r'"loglines"\s*:\s*\[')


def recognise(log: Log) -> bool:
    """Whether the document is a map with a list of log lines."""
    if not log.is_document or log.first != "{" or not _LOGLINES.search(log.head):
        return False
    return isinstance(log.document, dict) and isinstance(log.document.get("loglines"), list)


def events(log: Log) -> Iterator[Event]:
    """The events of the session; a record's number is its place in the list."""
    document = log.document
    lines = document.get("loglines") if isinstance(document, dict) else None
    entries = lines if isinstance(lines, list) else []
    log.tally.records = len(entries)
    talk = [one for one in entries if isinstance(one, dict) and one.get("type") in ("user", "assistant")]
    session = Session(log.tally, agent=bool(talk) and all(one.get("isSidechain") is True for one in talk))
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, dict):
            yield from session.take(number, entry)
        else:
            log.tally.skip("not a JSON object", number)
    yield from session.close()


FORMAT = Format(
    name="claude-web",
    title="Claude Code on the web",
    where="a saved session document",
    order=22,
    document=True,
    recognise=recognise,
    events=events,
)
