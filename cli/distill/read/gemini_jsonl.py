"""Gemini CLI sessions as lines: a header, messages, updates (`$set`) and rewinds (`$rewindTo`).

A message that changes is written again under its id, nearly always before the next one; so one is held until another
comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from distill.model import Action, ActionKind, Event, Role
from distill.read.formats import Format
from distill.read.gemini_turns import Turns
from distill.read.log import Log, Record
from distill.read.teller import items, text


def recognise(log: Log) -> bool:
    """Whether the first lines hold a header, or updates and messages, of such a session."""
    found = log.objects
    if any("projectHash" in one and "sessionId" in one and "messages" not in one for one in found):
        return True
    updated = any(len(one) == 1 and ("$rewindTo" in one or isinstance(one.get("$set"), dict)) for one in found)
    return updated and any(one.get("type") in ("user", "gemini") and "id" in one for one in found)


@dataclass(slots=True)
class _Seen:
    """What is known of a message: where it first stood, its words, and the calls that were told."""

    record: int
    words: int = 0
    told: bool = False
    calls: set[str] = field(default_factory=set)


def events(log: Log) -> Iterator[Event]:
    """The events of a session in file order."""
    reader = _Reader(log)
    for number, record in log.records():
        yield from reader.record(number, record)
    yield from reader.flush(last=True)
    yield from reader.turns.teller.close()


class _Reader:
    def __init__(self, log: Log) -> None:
        self.tally = log.tally
        self.turns = Turns(log)
        self.seen: dict[str, _Seen] = {}  # the messages that hold, in order
        self.held: tuple[int, Record] | None = None

    def record(self, number: int, record: Record) -> Iterator[Event]:
        """One line."""
        if "$rewindTo" in record:
            self.tally.types["$rewindTo"] += 1
            yield from self._rewind(number, text(record["$rewindTo"]))
        elif isinstance(record.get("$set"), dict):
            self.tally.types["$set"] += 1
            self._header(record["$set"])
            for message in items(record["$set"].get("messages")):
                if isinstance(message, dict) and text(message.get("id")) not in self.seen:
                    yield from self._message(number, message)
                else:
                    self.tally.set_aside["repeated message"] += 1
        elif "id" in record or "type" in record:
            yield from self._message(number, record)
        else:
            self.tally.types["session" if "sessionId" in record else "no type"] += 1
            self._header(record)

    def _header(self, found: Record) -> None:
        self.tally.session = self.turns.teller.session = self.tally.session or text(found.get("sessionId"))
        self.tally.title = text(found.get("summary")).strip() or self.tally.title
        self.turns.machine = self.turns.machine or found.get("kind") == "subagent"

    def _message(self, number: int, message: Record) -> Iterator[Event]:
        key = text(message.get("id"))
        if self.held is not None:
            if key and self.held[1].get("id") == key:
                self.tally.set_aside["streaming copy"] += 1
            else:
                yield from self.flush()
        if key and key not in self.seen:
            self.seen[key] = _Seen(number)
        self.held = number, message

    def flush(self, *, last: bool = False) -> Iterator[Event]:
        """Tell the message that was held; of one that was told before, only what is new."""
        if self.held is None:
            return
        (number, message), self.held = self.held, None
        seen = self.seen.get(text(message.get("id"))) or _Seen(number)
        words = hash(repr(message.get("displayContent") or message.get("content")))
        told = seen.told and words == seen.words
        if seen.told:
            self.tally.set_aside["streaming copy"] += 1
        seen.words, seen.told = words, True
        yield from self.turns.message(number, message, last=last, told=told, calls_told=seen.calls)

    def _rewind(self, number: int, key: str) -> Iterator[Event]:
        """The message `key` and all after it never happened; where it is unknown, nothing did."""
        yield from self.flush()
        back_to = self.seen[key].record - 1 if key in self.seen else 0
        while self.seen:
            if self.seen.popitem()[0] == key:
                break
        action = Action(kind=ActionKind.REWOUND, back_to=back_to)
        yield self.turns.teller.act(action, number, None, Role.USER)


FORMAT = Format(
    name="gemini-jsonl",
    title="Gemini CLI, sessions as lines",
    where="~/.gemini/tmp/HASH/chats/session-*.jsonl",
    order=29,
    heads=True,
    resumes=True,
    recognise=recognise,
    events=events,
)
