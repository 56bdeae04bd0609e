"""What a batch has done: one row a state, kept as JSON Lines that only grow until they are written anew.

A row is added as soon as its state stands, so a run that is killed loses no more than what it was working on. The last
row of a state counts; a line that was cut is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

from distill.model.summary import Summary
from distill.store.folder import Folder
from distill.store.progress import Mark, mark_from

FILE = ".distill/manifest.jsonl"
VERSION = 1
_SLACK = 100  # lines that may be outlived before the file is written anew
_PAUSE = 20.0  # seconds between two writings where a file cannot be added to


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One log as it was when it was last looked at. `why` says why it could not be read, "" where it was."""

    name: str
    size: int
    stamp: str
    sha256: str
    project: str = ""
    time: str = ""  # of its first message
    why: str = ""
    silent: bool = False  # nothing was said in it, which is no fault
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One state. `key` stands for the rules, version and options it was made with, `made` for its text ("": none).

    `stamp` is that of its file when `summary` was made.
    """

    state: str
    key: str
    logs: tuple[Known, ...]
    made: str = ""
    stamp: str = ""
    summary: Summary | None = None
    notes: tuple[str, ...] = ()  # what was skipped in its logs
    edited: bool = False  # by hand, since it was first made
    unanswered: int = 0  # parts of its logs about which a model is still to be asked


class Manifest:
    """The rows by state."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._lines = 0
        self._waiting = False
        self._written = monotonic()
        self.rows: dict[str, Row] = {}
        *lines, cut = (folder.read(FILE) or b"").split(b"\n")
        self._gap = "\n" if cut else ""  # a line that was cut must not spoil the next one
        for line in (*lines, cut):
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            data = json.loads(line)
            if data["version"] != VERSION:
                return
            self._lines += 1
            if data.get("gone"):
                self.rows.pop(data["state"], None)
            else:
                self.rows[data["state"]] = _row(data)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return  # cut, or by another hand: its logs are read again

    def put(self, row: Row) -> None:
        """Note what was done. Raises DistillError where that cannot be written."""
        self.rows[row.state] = row
        self._add(_line(row))

    def drop(self, state: str) -> None:
        """Note that a state is not kept any more."""
        del self.rows[state]
        self._add(json.dumps({"version": VERSION, "state": state, "gone": True}) + "\n")

    def _add(self, line: str) -> None:
        self._lines += 1
        line, self._gap = self._gap + line, ""
        if not self._folder.add(FILE, line):
            self._waiting = True
            if monotonic() - self._written > _PAUSE:
                self.close()

    def close(self) -> None:
        """Write all rows anew where many lines are outlived, or where that is the only way to keep them."""
        if self._waiting or self._lines > len(self.rows) * 3 // 2 + _SLACK:
            self._folder.write(FILE, "".join(map(_line, self.rows.values())))
            self._waiting, self._lines, self._written = False, len(self.rows), monotonic()


@contextmanager
def opened(folder: Folder) -> Iterator[Manifest]:
    """The manifest of `folder`, closed at the end, whatever happens."""
    manifest = Manifest(folder)
    try:
        yield manifest
    finally:
        manifest.close()


def _line(row: Row) -> str:
    return json.dumps({"version": VERSION, **_bare(asdict(row))}, separators=(",", ":")) + "\n"


def _bare(data: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what is empty."""

    def full(log: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in log.items() if value not in ("", None, False) or name == "size"}

    plain = {name: value for name, value in data.items() if value or name not in ("edited", "unanswered")}
    return {**plain, "logs": [full(log) for log in data["logs"]]}


def _row(data: Mapping[str, Any]) -> Row:
    told = data["summary"]
    return Row(
        state=data["state"], key=data["key"], logs=tuple(_logs(data["logs"])), made=data["made"],
        stamp=data.get("stamp", ""), summary=_summary(told) if told else None, notes=tuple(data["notes"]),
        edited=data.get("edited", False), unanswered=data.get("unanswered", 0),
    )


def _logs(rows: Iterable[Mapping[str, Any]]) -> Iterator[Known]:
    for row in rows:
        mark = row.get("mark")
        yield Known(
            name=row["name"], size=row["size"], stamp=row.get("stamp", ""), sha256=row.get("sha256", ""),
            project=row.get("project", ""), time=row.get("time", ""), why=row.get("why", ""),
            silent=row.get("silent", False), mark=mark_from(mark) if mark else None,
        )


def _summary(data: Mapping[str, Any]) -> Summary:
    lists: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Summary(**lists)
