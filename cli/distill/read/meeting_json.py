"""Meetings as JSON: QMSum's transcripts of speakers' turns, and VCSum's lines of sentences by numbered speakers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.documents import opening_dict, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.parts import first_text
from distill.read.roles import PERSON
from distill.text.lazy import Lazy

# Sounds and breaks that a transcript writes down: "{vocalsound}", "{disfmarker}", "{gap}".
_FILLER = Lazy(r"\s?\{[a-z]{2,24}\}")


def recognise(log: Log) -> bool:
    """Whether these are meetings: turns of a speaker and a content, or sentences with as many speakers."""
    if log.is_document:
        return _is_meeting(opening_dict(log))
    return bool(log.objects) and all(map(_is_meeting, log.objects))


def events(log: Log) -> Iterator[Event]:
    """The turns of a document's meeting, numbered from 1, or of the meeting on every line."""
    if log.is_document:
        document = whole(log)
        if isinstance(document, dict):
            turns = list(_turns(document))
            log.tally.records = len(turns)
            yield from _walk(log, document, enumerate(turns, 1))
        return
    for line, record in log.records():
        log.tally.types["meeting" if _is_meeting(record) else "?"] += 1
        yield from _walk(log, record, ((line, turn) for turn in _turns(record)))


def _walk(
    log: Log, meeting: Record, turns: Iterator[tuple[int, tuple[str, str]]] | enumerate[tuple[str, str]]
) -> Iterator[Event]:
    tally = log.tally
    session = first_text(meeting, "id", "meeting_id")
    tally.title = tally.title or first_text(meeting, "title", "headline")
    for record, (speaker, text) in turns:
        tally.types[f"turn of {speaker or '?'}"[:60]] += 1
        plain = _FILLER.sub("", text).strip()
        if not any(map(str.isalnum, plain)):
            tally.set_aside["filler"] += 1
            continue
        tally.understood += 1
        yield Event(record=record, role=PERSON, text=plain, session=session)


def _turns(meeting: Record) -> Iterator[tuple[str, str]]:
    """Speaker and text of every turn; sentences of one turn stand on a line each."""
    turns = meeting.get("meeting_transcripts")
    if isinstance(turns, list):
        for turn in turns:
            told = turn if isinstance(turn, dict) else {}
            yield first_text(told, "speaker"), first_text(told, "content")
        return
    context, speakers = meeting.get("context"), meeting.get("speaker")
    if not isinstance(context, list) or not isinstance(speakers, list):
        return
    for at, said in enumerate(context):
        speaker = speakers[at] if at < len(speakers) else ""
        sentences = said if isinstance(said, list) else [said]
        yield str(speaker), "\n".join(s for s in sentences if isinstance(s, str))


def _is_meeting(body: Record) -> bool:
    turns = body.get("meeting_transcripts")
    if isinstance(turns, list):
        return any(isinstance(turn, dict) and "speaker" in turn and "content" in turn for turn in turns[:10])
    context, speakers = body.get("context"), body.get("speaker")
    return (
        isinstance(context, list)
        and isinstance(speakers, list)
        and bool(context)
        and len(context) == len(speakers)
        and all(isinstance(one, (int, str)) for one in speakers[:10])
        and any(_is_said(one) for one in context[:10])
    )


def _is_said(one: Any) -> bool:
    return isinstance(one, str) or (isinstance(one, list) and any(isinstance(s, str) for s in one))


FORMAT = Format(
    name="meeting-json",
    title="Meetings (QMSum, VCSum)",
    where="data sets; a JSON document or JSON Lines",
    order=34,
    recognise=recognise,
    events=events,
)
