"""ShareGPT: conversations of `{from, value}` turns, as a document, a list of them, or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk, describe
from distill.read.parts import Content, ToolResult, first_text, output_text, tool_call, unpack
from distill.read.roles import Speaker, speaker_of, time_of

_KEYS = ("conversations", "conversation")
LOOKED_AT = 10


def recognise(log: Log) -> bool:
    """Whether there are conversations whose turns have `from` and `value`."""
    if log.is_document:
        return bool(_found(opening(log)))
    fitting = sum(_turns(one) is not None for one in log.objects)
    return fitting > 0 and fitting * 2 > len(log.objects)


def events(log: Log) -> Iterator[Event]:
    """The events of the one conversation of a document, or of every line of a JSON Lines log."""
    if log.is_document:
        one = choose(log, _found(whole(log)))
        if one is not None:
            turns = _turns(one.body) or []
            log.tally.records = len(turns)
            yield from _walk(log, one.body, enumerate(turns, 1))
        return
    for line, record in log.records():
        held = _turns(record)
        if held is None:
            log.tally.types["?"] += 1
            continue
        log.tally.types["conversation"] += 1
        yield from _walk(log, record, ((line, turn) for turn in held))


def _walk(log: Log, body: Record, turns: Iterator[tuple[int, Any]] | enumerate[Any]) -> Iterator[Event]:
    describe(log.tally, body)
    if isinstance(body.get("system"), str) and body["system"].strip():
        log.tally.set_aside["system prompt"] += 1
    talk = Talk(log, session=first_text(body, "id", "conversation_id"))
    for record, turn in turns:
        if not isinstance(turn, dict):
            log.tally.skip("not a message", record)
            continue
        name = turn.get("from", turn.get("role"))
        log.tally.types[str(name)[:40]] += 1
        part = speaker_of(name)
        if part is None:
            log.tally.set_aside["unknown role"] += 1
            continue
        content = _content(part, str(name), turn.get("value", turn.get("content")))
        yield from talk.turn(part, content, record, time_of(turn) or time_of(body))
    yield from talk.close()


def _content(part: Speaker, name: str, value: object) -> Content:
    """A turn's content: a tool's turn is a call where it is named one or states a name and arguments."""
    if part is not Speaker.TOOL:
        return unpack(value)
    if "call" in name:
        calls = _json(value)
        found = [tool_call(c) for c in (calls if isinstance(calls, list) else [calls]) if isinstance(c, dict)]
        return Content(calls=[c for c in found if c.name])
    return Content(results=[ToolResult("", "", output_text(value), None)])


def _json(value: object) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None


def _found(document: Any) -> list[Conversation]:
    """The conversations of a document; a bare list of `{from, value}` turns is one."""
    if isinstance(document, list):
        if _have_values(document):
            return [Conversation(body={"conversations": document})]
        found = [_conversation(one) for one in document if isinstance(one, dict) and _turns(one) is not None]
        return found if len(found) * 4 >= len(document) * 3 else []
    return [_conversation(document)] if isinstance(document, dict) and _turns(document) is not None else []


def _conversation(body: Record) -> Conversation:
    return Conversation(
        body=body, id=first_text(body, "id", "conversation_id"), title=first_text(body, "title"), time=time_of(body)
    )


def _turns(body: Record) -> list[Any] | None:
    """The turns of one conversation, or None where `body` is none."""
    for key in _KEYS:
        turns = body.get(key)
        if isinstance(turns, list) and _are_turns(turns):
            return turns
    return None


def _are_turns(turns: list[Any]) -> bool:
    """Whether these are turns, in the dialect with the keys of chat messages too."""
    chat = bool(turns) and all(
        isinstance(t, dict) and "content" in t and "uuid" not in t and speaker_of(t.get("role")) is not None
        for t in turns[:LOOKED_AT]
    )
    return chat or _have_values(turns)


def _have_values(turns: list[Any]) -> bool:
    looked = turns[:LOOKED_AT]
    fitting = sum(isinstance(t, dict) and "value" in t and speaker_of(t.get("from")) is not None for t in looked)
    return fitting > 0 and fitting * 4 >= (len(looked) - 1) * 3


FORMAT = Format(
    name="sharegpt",
    title="ShareGPT conversations",
    where="data sets; a JSON document or JSON Lines",
    order=52,
    recognise=recognise,
    events=events,
)
