"""Where to read on in a log that was read before and has grown since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from distill.model.state import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A safe place to read on from, as the run before left it.

    What stands in the records from `record` to `since` is the message that the rest may answer; conclusions count from
    `since` on, where the last turn begins: it was not over when it was read, and what closes it is known by its end.
    """

    format: str
    offset: int  # the byte at which `record` begins
    record: int  # the first record that is read
    since: int  # the first record whose conclusions count
    known: int  # records that were read before
    turn: int = 0  # turns before `record`
    seen: int = 0  # statements that were weighed before `since`
    tokens: int = 0  # tokens of the messages before `since`
    skipped: int = 0  # damaged records before `since`
    session: str = ""
    project: str = ""
    memory: Mapping[str, Any] = field(default_factory=dict)  # what the reader of the format must not forget


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """How far a log was read: what it takes to read on from there, but for the byte at which `start.record` begins.

    `start.offset` is a byte at or before it, where the record `from_record` begins; `size` are the bytes that were
    read in all.
    """

    start: Start
    from_record: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What the end of a log, read from the record `since` on, shows of its beginning."""

    path: str
    since: int
    planned: bool = False  # there is a new to-do list
    pushed: bool = False
    changed: bool = False  # files were changed: a hold is over
    touched: Callable[[Item], bool] = lambda item: False  # whether a file or commit is made anew, or is gone
    overtaken: Callable[[Item], bool] = lambda item: False  # whether words are about what is gone
