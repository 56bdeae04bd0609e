"""Sessions for the tests of folding: short ones written in place, and the long labelled ones beside this file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distill import Folder, FoldNumbers
from distill.read.formats import recognise
from distill.read.opening import open_log
from distill.segment.window import Window

SESSIONS = Path(__file__).with_name("sessions")
NAMES = sorted(path.stem for path in SESSIONS.glob("*.jsonl"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A session whose boundaries are known (records that begin a task) and what must not be lost of it."""

    path: Path
    boundaries: Sequence[int]
    keep: Sequence[str]


def labelled(name: str) -> Labelled:
    path = SESSIONS / f"{name}.jsonl"
    beside = {kind: path.with_name(f"{path.name}.{kind}").read_text(encoding="utf-8").split("\n")[:-1]
              for kind in ("boundaries", "keep")}
    return Labelled(path=path, boundaries=[int(one) for one in beside["boundaries"]], keep=beside["keep"])


def folded(path: Path, numbers: FoldNumbers | None = None, **options: Any) -> Folder:
    """The session of a log, folded to its end."""
    folder = Folder(numbers, log=path.name, **options)
    with ExitStack() as stack:
        log = open_log(str(path), stack)
        folder.feed(Window().look(recognise(log).events(log)))
    folder.finish()
    return folder


def talk(*lines: str, numbers: FoldNumbers | None = None, folder: Folder | None = None) -> Folder:
    """A session of lines such as "u: …", "a: …" and "+10" (minutes that pass); a message comes every minute."""
    folder = folder or Folder(numbers)
    minute = 0
    for line in lines:
        if line.startswith("+"):
            minute += int(line[1:])
            continue
        minute += 1
        role = "user" if line.startswith("u: ") else "assistant"
        folder.say(role, line[3:], f"2026-03-02T{9 + minute // 60:02}:{minute % 60:02}:00Z")
    return folder


def starts(folder: Folder) -> list[int]:
    """The records at which tasks begin after the first."""
    return [one.record for one in folder.boundaries if one.boundary]
