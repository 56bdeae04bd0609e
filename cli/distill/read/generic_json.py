"""A JSON document that no known program writes: the list of messages somewhere in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk, describe
from distill.read.parts import first_text
from distill.read.roles import time_of
from distill.read.shapes import messages_in, talks

DEEP = 6  # levels at which a list is looked for
LOOKED_AT = 20  # elements of a list that are looked at
_OURS = frozenset(("schema", "decisions", "facts", "artifacts", "open"))  # keys of a distilled state


def recognise(log: Log) -> bool:
    """Whether the document holds a list of objects with a role and a text."""
    begun = opening(log)
    if begun is None:
        return False
    if holds_messages(begun):
        return True
    return not log.whole and holds_messages(log.document)  # they begin late; nothing that is asked later reads JSON


def events(log: Log) -> Iterator[Event]:
    """The events of the messages in the one list; a record is a message's place in it."""
    document = whole(log)
    one = choose(log, _conversations(document))
    if one is None:
        return
    tally = log.tally
    describe(tally, one.body["head"])
    describe(tally, document)
    talk = Talk(log, session=tally.session, project=tally.project)
    tally.records = len(one.body["messages"])
    for record, message in enumerate(one.body["messages"], 1):
        found = messages_in(message) if isinstance(message, dict) else []
        if not found:
            tally.types["?"] += 1
        for said in found:
            tally.types[said.part or "named"] += 1
            yield from talk.turn(said.part, said.content, record, said.time)
    yield from talk.close()


def holds_messages(document: Any) -> bool:
    """Whether there is a list of messages in `document`."""
    return bool(_conversations(document))


def _conversations(document: Any) -> list[Conversation]:
    """The lists of messages that stand at the same place of the document; of several places the one with the most."""
    if isinstance(document, dict) and len(_OURS & document.keys()) > 2:
        return []
    places: dict[str, list[Conversation]] = {}
    for place, head, messages in _lists(document, "", {}, 0):
        newest = next((t for m in reversed(messages) if isinstance(m, dict) and (t := time_of(m))), None)
        found = Conversation(
            body={"messages": messages, "head": head},
            id=first_text(head, "id", "uuid", "session_id", "conversation_id"),
            title=first_text(head, "title", "name", "topic"),
            time=newest or time_of(head),
        )
        places.setdefault(place, []).append(found)
    if not places:
        return []
    return max(places.values(), key=lambda listed: sum(len(one.body["messages"]) for one in listed))


def _lists(node: Any, place: str, head: Record, depth: int) -> Iterator[tuple[str, Record, list[Any]]]:
    """Every list of messages as (its place, the object around it, the list)."""
    if depth > DEEP:
        return
    if isinstance(node, dict):
        values = list(node.values())
        if len(values) > 1 and all(isinstance(v, dict) for v in values) and _are_messages(values, stray=0):
            yield place, head, values
            return
        for key, value in node.items():
            if isinstance(value, (dict, list)):
                yield from _lists(value, f"{place}/{key}", node, depth + 1)
    elif isinstance(node, list):
        if _are_messages(node):
            yield place, head, node
            return
        for value in node:
            if isinstance(value, (dict, list)):
                yield from _lists(value, f"{place}/*", head, depth + 1)


def _are_messages(values: list[Any], stray: int = 1) -> bool:
    """Whether most of the first elements, but for `stray`, are messages and somebody speaks in one of them."""
    looked = values[:LOOKED_AT]
    fitting = sum(isinstance(one, dict) and bool(messages_in(one)) for one in looked)
    return fitting * 2 > len(looked) - stray and talks(looked)


FORMAT = Format(
    name="generic-json",
    title="any JSON document with a list of messages",
    where="anywhere",
    order=92,
    document=True,
    recognise=recognise,
    events=events,
)
