"""How far logs were read, kept from one run to the next: a log that has grown is read on from there.

Whether what was read still stands is told from the beginning of the file and from what comes before the place where
reading goes on and before the place where it ended, not from all of it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from distill.model import Reached, Start
from distill.store.files import write_atomic

VERSION = 1
_HEAD = 1 << 12  # bytes at the beginning of a log that are checked
_BEFORE = 1 << 16  # bytes before a place that are checked
_CHUNK = 1 << 20
_KEPT = 200  # logs that are remembered, the latest ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How far one log was read: bytes, what they were, and where to read on."""

    size: int
    check: str
    start: Start


def mark_of(path: str, reached: Reached) -> Mark | None:
    """The mark of the log at `path`, which was just read; None where it is not there any more as it was."""
    with suppress(OSError), Path(path).open("rb", buffering=0) as stream:
        offset = _offset(stream, reached)
        if offset is not None and offset <= reached.size <= os.fstat(stream.fileno()).st_size:
            return Mark(size=reached.size, check=_check(stream, offset, reached.size),
                        start=replace(reached.start, offset=offset))
    return None


def start_of(path: str, mark: Mark) -> Start | None:
    """Where to read on in the log at `path`; None where it does not go on from what `mark` says."""
    with suppress(OSError), Path(path).open("rb", buffering=0) as stream:
        there = mark.size <= os.fstat(stream.fileno()).st_size
        if there and _check(stream, mark.start.offset, mark.size) == mark.check:
            return mark.start
    return None


def load_marks(path: str | Path) -> dict[str, Mark]:
    """The marks kept in the file `path`, by log. What cannot be read is as good as none: logs are then read whole."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        data = json.loads(Path(path).read_bytes())
        if data["version"] == VERSION:
            return {log: mark_from(row) for log, row in data["logs"].items()}
    return {}


def save_marks(path: str | Path, marks: Mapping[str, Mark]) -> None:
    """Keep `marks`, the latest last, in the file `path`; logs that are gone are forgotten. Raises DistillError."""
    there = [log for log in marks if Path(log).is_file()][-_KEPT:]
    rows = {log: asdict(marks[log]) for log in there}
    write_atomic(path, json.dumps({"version": VERSION, "logs": rows}, ensure_ascii=False, indent=1) + "\n")


def mark_from(row: Mapping[str, Any]) -> Mark:
    """The mark that `asdict` made `row` of; KeyError, TypeError or ValueError where it did not."""
    start = Start(**row["start"])
    numbers = (row["size"], start.offset, start.record, start.since, start.known, start.turn, start.seen,
               start.tokens, start.skipped)
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise ValueError
    if not all(isinstance(text, str) for text in (row["check"], start.format, start.session, start.project)):
        raise ValueError
    if not isinstance(start.memory, dict):
        raise ValueError
    return Mark(size=row["size"], check=row["check"], start=start)


def _offset(stream: IO[bytes], reached: Reached) -> int | None:
    """The byte at which the record of `reached.start` begins; None where the file ends before it."""
    at, lines = reached.start.offset, reached.start.record - reached.from_record
    stream.seek(at)
    while lines > 0:
        chunk = stream.read(_CHUNK)
        if not chunk:
            return None
        there = chunk.count(b"\n")
        if there < lines:
            lines -= there
            at += len(chunk)
            continue
        place = -1
        for _ in range(lines):
            place = chunk.index(b"\n", place + 1)
        return at + place + 1
    return at


def _check(stream: IO[bytes], offset: int, size: int) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for first, last in ((0, min(_HEAD, size)), (max(0, offset - _BEFORE), offset), (max(0, size - _BEFORE), size)):
        stream.seek(first)
        while first < last and (chunk := stream.read(last - first)):
            digest.update(chunk)
            first += len(chunk)
        digest.update(b"|")
    return digest.hexdigest()
