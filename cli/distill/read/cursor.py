"""Cursor's own Markdown export, and WayLog's, which looks alike."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event, Role
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.textlog import Lines, head_lines, is_text, typed, when
from distill.text.lazy import Lazy

_EXPORTED = Lazy(r"_Exported on (.{4,60}?) from Cursor\b.{0,40}_\s*$")
_TURN = Lazy(r"\*\*(User|Cursor)\*\*\s*$")
LONGEST = 20_000  # lines of one message that are held


def _recognise(log: Log) -> bool:
    if not is_text(log):
        return False
    lines = [line for line in head_lines(log, 400) if line.strip()][:40]
    exported = any(_EXPORTED.match(line) for line in lines[:4])
    return exported and any(_TURN.match(line) for line in lines)


def _events(log: Log) -> Iterator[Event]:
    tally = log.tally
    role: Role | None = None
    time: str | None = None
    title = ""  # the last heading, in case an export begins here
    held: list[str] = []
    start = 0
    shown = ""  # the last line that is not blank

    def message() -> Iterator[Event]:
        if role is None or not held:
            return
        lines = list(held)
        while lines and lines[-1].strip() in ("", "---"):
            lines.pop()
        record, text = typed(start, lines, tally)
        if text:
            tally.understood += 1
            yield Event(record=record, role=role, text=text, time=time, by_line=True)

    for number, line in Lines(log):
        # A turn begins below a rule. Whether a code fence is open does not count: messages leave them open.
        if (turn := _TURN.match(line)) and (shown == "---" or _EXPORTED.match(shown)):
            yield from message()
            role = Role.USER if turn[1] == "User" else Role.ASSISTANT
            tally.types[turn[1].lower()] += 1
            held, start = [], number + 1
        elif found := _EXPORTED.match(line):
            if held and title:  # several exports in one file: the title is not the message's
                at = max(i for i, text in enumerate(held) if text == title)
                held = held[:at]
            yield from message()
            role, held = None, []
            time = when(found[1])
            tally.title = tally.title or title.lstrip("# ").strip()
        elif role is not None:
            held.append(line)
            if len(held) >= LONGEST:
                yield from message()
                held, start = [], number + 1
        if line.strip():
            shown = line.strip()
            title = line if line.startswith("# ") else ""
    yield from message()


FORMAT = Format(
    name="cursor",
    title="Cursor (chat export, WayLog)",
    where="wherever the export was saved",
    order=32,
    recognise=_recognise,
    events=_events,
)
