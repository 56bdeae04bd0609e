"""A log of what went wrong that nobody was there to be told: short lines in a file that does not grow without end."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

MOST = 1 << 17  # bytes from which the older half is dropped
LONGEST = 1000  # characters of one line


def note(path: Path, text: str) -> None:
    """Add a line with the time to the file `path`, whose folder must be there; failing to is no error."""
    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(text.split())[:LONGEST]}\n"
    with suppress(OSError):
        with path.open("ab") as stream:
            stream.write(line.encode("utf-8", "replace"))
            size = stream.tell()
        if size > MOST:
            _halve(path)


def _halve(path: Path) -> None:
    """Keep the later half, in whole lines; written beside the file, so that a reader never sees less."""
    kept = path.read_bytes()[-MOST // 2 :].partition(b"\n")[2]
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    beside.write_bytes(kept)
    beside.replace(path)
