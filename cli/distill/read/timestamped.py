"""Texts whose lines begin with a time: chat exports, journals, logs kept by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from distill.model import Event, Role
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.nametags import could_be_name, is_label, is_level, part_of, people, role_of
from distill.read.own import is_state
from distill.read.speakers import named_turn
from distill.read.textlog import Fence, Lines, front_matter, head_lines, is_text, told_time, typed, when
from distill.text.lazy import Lazy

_DATE = r"(?:\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}[日号]?|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2}))"
_CLOCK = (
    r"(?:(?:上午|下午|晚上|凌晨|中午|早上)\s?)?\d{1,2}[:：时點点]\d{2}(?:[:：分]\d{2})?[秒分]?(?:[.,]\d{1,6})?"
    r"(?:[\s\u202f]?[AaPp][Mm]\b)?"
)
_ZONE = r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?"
_STAMP = Lazy(
    rf"\s{{0,8}}(?:[-*+] )?(?P<open>[\[(（【<*_]{{0,3}})(?P<time>{_DATE}(?:[T\s,，]{{1,2}}{_CLOCK}{_ZONE})?|{_CLOCK})"
    rf"(?P<close>[\])）】>*_]{{0,3}})(?P<gap>\s*)(?P<sep>[-–—|:：,，])?\s*(?P<rest>.*)$"
)
_DAY = Lazy(
    rf"[\s#=*—–-]{{0,12}}(?P<date>{_DATE})(?:\s?\(?\s?(?:周|星期|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w{{0,6}}\)?)?"
    r"[\s=*—–-]{0,12}$"
)
_NAME_FIRST = Lazy(
    rf"(?P<name>\S.{{0,30}}?)(?:\(\d+\)|<[^>]{{1,60}}>)?\s{{1,4}}(?P<time>{_DATE}[T\s]{{1,2}}{_CLOCK})\s*$"
)
_NAME_ALONE = Lazy(r"(?P<name>\S.{0,30}?)(?:\(\d+\)|<[^>]{1,60}>)?\s*$")
_HEADING = Lazy(r"#{1,6} ")
LONGEST = 5000  # lines of one entry that are held


@dataclass(frozen=True, slots=True)
class _Entry:
    """The line an entry begins with: its time as written, and the rest of the line."""

    time: str
    rest: str


def _entry(line: str) -> _Entry | None:
    if not line or line[:40].isalpha():
        return None
    found = _STAMP.match(line)
    if not found:
        return None
    rest = found["rest"]
    closed = bool(found["open"]) and bool(found["close"])
    if rest and not (closed or found["sep"] or found["gap"]):
        return None
    if not rest and not closed and not found["sep"] and ":" not in found["time"] and "：" not in found["time"]:
        return None  # a date alone is a heading
    clock_only = not re.match(_DATE, found["time"])
    if clock_only and not closed and not named_turn(rest):
        return None
    return _Entry(found["time"], rest)


def _stamped(line: str) -> bool:
    return bool(_entry(line) or _NAME_FIRST.match(line))


def _recognise(log: Log) -> bool:
    if not is_text(log) or is_state(log.head):
        return False
    lines = [line for line in head_lines(log, 600) if line.strip()]
    stamped = [at for at, line in enumerate(lines) if not _HEADING.match(line) and _stamped(line)]
    if not stamped:
        return False
    enough = len(stamped) * 4 >= len(lines) and (len(stamped) > 1 or len(lines) <= 2)
    return enough and stamped[0] <= 5


def _events(log: Log) -> Iterator[Event]:
    yield from _Journal(log).events()


class _Journal:
    """One pass over a text with times. Holds one entry."""

    def __init__(self, log: Log) -> None:
        self.tally = log.tally
        self.lines = Lines(log)
        head = [line for line in head_lines(log) if line.strip()]
        entries = [entry for line in head if (entry := _entry(line))]
        named = [turn[0] for entry in entries if (turn := named_turn(entry.rest)) and not is_level(entry.rest)]
        few = len(entries) < 4
        self.people = people(named) | ({name for name in named if could_be_name(name)} if few else set())
        again = Counter(named)
        self.people |= {name for name in named if name.islower() and could_be_name(name) and again[name] > 1}
        self.name_first = sum(bool(_NAME_FIRST.match(line)) for line in head) > len(entries)
        alone = [e for e in entries if e.rest and len(e.rest) <= 30 and not named_turn(e.rest)]
        self.name_alone = len(alone) * 2 > len(entries) and len(head) >= 2 * len(entries)
        self.date = ""
        self.told = told_time({}, head[:40])
        self.time: str | None = self.told
        self.role: Role | None = Role.UNKNOWN
        self.fence = Fence()
        self.held: list[str] = []
        self.held_at = 1

    def events(self) -> Iterator[Event]:
        front = front_matter(self.lines, self.tally)
        self.told = self.time = told_time(front, ()) or self.told
        for number, line in self.lines:
            if self.fence.mark:
                self._keep(number, line)
                continue
            if day := _DAY.match(line):
                yield from self._flush()
                self.date, self.role, self.time = day["date"], Role.UNKNOWN, when(day["date"])
                continue
            if self.name_first and (found := _NAME_FIRST.match(line)):
                yield from self._flush()
                self.time, self.role = when(found["time"]), self._role(found["name"])
                continue
            entry = None if _HEADING.match(line) else _entry(line)
            if entry is None:
                if _HEADING.match(line):
                    yield from self._flush()
                    self.role = Role.UNKNOWN
                self._keep(number, line)
                if len(self.held) >= LONGEST:
                    yield from self._flush()
                continue
            yield from self._flush()
            self.time = when(entry.time) if re.match(_DATE, entry.time) else self._at(entry.time)
            self._keep(number, self._said(entry.rest))
        yield from self._flush()

    def _keep(self, number: int, line: str) -> None:
        self.fence.feed(line)
        if not self.held:
            self.held_at = number
        self.held.append(line)

    def _at(self, clock: str) -> str | None:
        return when(f"{self.date} {clock}") if self.date else self.told if self.told else None

    def _said(self, rest: str) -> str:
        """The words of an entry; its speaker becomes the role."""
        self.role = Role.UNKNOWN
        if is_level(rest):
            return rest
        if turn := named_turn(rest):
            name, words = turn
            if part_of(name) is not None or (name in self.people and not is_label(name)):
                self.role = self._role(name)
                return words
        elif self.name_alone and (found := _NAME_ALONE.match(rest)) and len(rest) <= 40:
            following = next(self.lines.ahead(1), "")
            if could_be_name(found["name"]) and following.strip() and not _entry(following):
                self.role = self._role(found["name"])
                return ""
        return rest

    def _role(self, name: str) -> Role | None:
        role = role_of(name)
        self.tally.types[str(role or "aside")] += 1
        return role

    def _flush(self) -> Iterator[Event]:
        held, self.held = self.held, []
        self.fence.mark = ""
        if self.role is None:
            self.tally.set_aside["injected text"] += bool(held)
            return
        record, text = typed(self.held_at, held, self.tally)
        if text.strip(" -*_=#"):
            self.tally.understood += 1
            yield Event(record=record, role=self.role, text=text, time=self.time, session=self.tally.session,
                        project=self.tally.project, by_line=True)  # fmt: skip


FORMAT = Format(
    name="timestamped",
    title="Text with times",
    where="chat exports, journals and logs saved as text",
    order=91,
    recognise=_recognise,
    events=_events,
)
