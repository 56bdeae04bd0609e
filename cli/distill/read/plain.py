"""Any other text: a plain log gives one statement a line, a Markdown document its sections."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from distill.model import Event, Role
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.textlog import FRONT, Fence, Lines, front_matter, head_lines, is_text, told_time, trimmed, when
from distill.text.lazy import Lazy
from distill.text.wrapping import may_go_on, paragraphs

_HEADING = Lazy(r"(#{1,6}) \S")
_DATED = Lazy(r"#{1,6} \W{0,4}\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}.{0,20}")  # a section of one day
_UNDERLINE = Lazy(r"(?:={3,}|-{3,})\s*$")
_ITEM = Lazy(r"\s*(?:[-*+•·]|\d{1,3}[.)、]|[(（]\d{1,2}[)）])(?:\s+|(?<=[、)）]))\S")
_ROW = Lazy(r"\s*\|.*\|\s*$")
SECTION = 2  # headings down to this level begin a section of a document
LONGEST = 2000  # lines of one section or block that are held


def _recognise(log: Log) -> bool:
    return is_text(log)


def _events(log: Log) -> Iterator[Event]:
    head = head_lines(log)
    lines = Lines(log)
    tally = log.tally
    front = front_matter(lines, tally)
    time = told_time(front, head[:40])
    pieces = _sections(lines) if _is_document(head) else _blocks(lines)
    for start, held in pieces:
        record, text = trimmed(start, held)
        if text.strip():
            tally.types["line" if "\n" not in text else "block"] += 1
            tally.understood += 1
            yield Event(record=record, role=Role.UNKNOWN, text=text, time=_day(text) or time, session=tally.session,
                        project=tally.project, by_line=True)  # fmt: skip


def _day(text: str) -> str | None:
    """The day that the headings a section begins with are about."""
    if text[:1] == "#":
        for line in text[:500].split("\n"):
            if found := _DATED.match(line):
                return when(found[0])
            if line.strip() and not _HEADING.match(line):
                break
    return None


def _is_document(lines: list[str]) -> bool:
    """Whether a text is Markdown: its lines under headings, not a log in which a line begins with "#" at times."""
    shown = [line for line in lines if line.strip()]
    if shown and shown[0].strip() == "---" and "---" in shown[1:FRONT]:  # front matter
        shown = shown[shown.index("---", 1) + 1 :]
    levels = [at for at, line in enumerate(shown) if _HEADING.match(line)]
    return bool(levels) and (levels[0] < 3 or len(levels) > 2) and (len(levels) > 1 or len(shown) > 3)


def _sections(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """The sections of a document, each with its heading, so that what stands below keeps it."""
    held: list[str] = []
    start = 1
    fence = Fence()
    body = False  # the section has more than headings
    for number, line in lines:
        level = 0 if fence.mark else len(found[1]) if (found := _HEADING.match(line)) else 0
        if held and ((0 < level <= SECTION and body) or len(held) >= LONGEST):
            yield start, held
            held, body = [], False
            fence.mark = ""
        if not held:
            start = number
        fence.feed(line)
        held.append(line)
        body = body or (bool(line.strip()) and not level)
    if held:
        yield start, held


def _blocks(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """One line each, but for what belongs together: wrapped prose, a list with its lead-in, a table, a code fence."""
    held: list[str] = []
    start = 1
    fence = Fence()
    for number, line in lines:
        inside = bool(fence.mark)
        fenced = fence.feed(line)
        if held and len(held) < LONGEST and (inside or (held[-1].strip() and _belongs(held, line, fenced))):
            held.append(line)
            continue
        if held:
            yield from _apart(start, held)
            if len(held) >= LONGEST:
                fence.mark = ""
        held, start = [line], number
    if held:
        yield from _apart(start, held)


def _apart(start: int, held: list[str]) -> Iterator[tuple[int, list[str]]]:
    """What is held, line by line where it is neither a list, a table, a fence nor wrapped prose."""
    if not all(may_go_on(before, line) for before, line in pairwise(held)):
        yield start, held
        return
    for group in paragraphs(held):
        yield start, group
        start += len(group)


def _belongs(held: list[str], line: str, fenced: bool) -> bool:
    """Whether `line` goes on with what is held; the line before it is not blank."""
    before = held[-1]
    if not line.strip():
        return False
    if fenced:
        return before.rstrip().endswith((":", "："))
    if _ITEM.match(line):
        return bool(_ITEM.match(before)) or before.rstrip().endswith((":", "：")) or before[:1].isspace()
    if _ROW.match(line) or _ROW.match(before):
        return bool(_ROW.match(line)) and (bool(_ROW.match(before)) or before.rstrip().endswith((":", "：")))
    if _UNDERLINE.match(line):
        return True
    if line[:1] in (" ", "\t") and (_ITEM.match(held[0]) or before[:1] in (" ", "\t") or before.endswith((":", "："))):
        return True
    return may_go_on(before, line)


FORMAT = Format(
    name="text",
    title="Plain text, Markdown",
    where="anywhere",
    order=99,
    recognise=_recognise,
    events=_events,
)
