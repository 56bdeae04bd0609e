"""Gemini CLI sessions: a JSON document with `messages`; and the checkpoints of `/chat save`, an array of turns."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event
from distill.read.documents import opening_dict, opening_list, whole
from distill.read.formats import Format
from distill.read.gemini_turns import Turns
from distill.read.log import Log, Record
from distill.read.teller import items, mapping, text


def recognise(log: Log) -> bool:
    """Whether the document is a recorded session or a checkpoint."""
    if log.first == "[":
        return _turns(opening_list(log))
    found = opening_dict(log)
    if isinstance(found.get("history"), list):
        return _turns([one for one in found["history"] if isinstance(one, dict)])
    return isinstance(found.get("messages"), list) and "sessionId" in found and "projectHash" in found


def events(log: Log) -> Iterator[Event]:
    """The events of the document in order; a record is the index of a message, from 1."""
    document = whole(log)
    found = mapping(document)
    tally = log.tally
    tally.session = text(found.get("sessionId"))
    tally.title = text(found.get("summary")).strip()
    turns = Turns(log, machine=found.get("kind") == "subagent")
    recorded = "messages" in found
    messages = items(found.get("messages") if recorded else found.get("history", document))
    tally.records = len(messages)
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            tally.skip("not a message", number)
        elif recorded:
            yield from turns.message(number, message, last=number == len(messages))
        else:
            yield from turns.turn(number, message)
    yield from turns.teller.close()


def _turns(found: list[Record]) -> bool:
    """Whether these are turns of the API: a role and parts."""
    seen = [one for one in found[:20] if one.get("role") in ("user", "model") and isinstance(one.get("parts"), list)]
    return bool(seen) and len(seen) == len(found[:20])


FORMAT = Format(
    name="gemini",
    title="Gemini CLI",
    where="~/.gemini/tmp/HASH/chats/session-*.json, checkpoint-*.json",
    order=30,
    document=True,
    recognise=recognise,
    events=events,
)
