"""Files that hold many conversations: which one is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from distill.model import InputError
from distill.read.log import Log

NAMED = 12  # conversations that an error names


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation of a file: its id and title ("" where it has none), last time and the object that holds it."""

    body: dict[str, Any]
    id: str = ""
    title: str = ""
    time: str | None = None


def choose(log: Log, found: Sequence[Conversation]) -> Conversation | None:
    """The conversation that `log.conversation` names, by default the newest; None where there is none at all.

    It may be an id, a number (1 is the newest) or a part of a title; of several such titles the newest is taken.
    Without times the last in the file counts as the newest. The rest is counted as set aside.

    Raises InputError, with the conversations there are, when nothing has that name.
    """
    if not found:
        return None
    newest = [c for _, c in sorted(enumerate(found), key=lambda pair: (pair[1].time or "", pair[0]), reverse=True)]
    chosen = _named(newest, log.conversation) if log.conversation else newest[0]
    if chosen is None:
        raise InputError(f"{log.path}: no conversation {log.conversation!r}; there are: {_list(newest)}")
    if len(found) > 1:
        log.tally.set_aside["other conversation"] += len(found) - 1
    return chosen


def _named(newest: Sequence[Conversation], name: str) -> Conversation | None:
    for one in newest:
        if one.id and one.id == name.strip():
            return one
    number = name.strip()
    if number.isascii() and number.isdigit() and 1 <= int(number) <= len(newest):
        return newest[int(number) - 1]
    part = name.strip().casefold()
    exact = (c for c in newest if c.title.strip().casefold() == part)
    holding = (c for c in newest if part and part in c.title.casefold())
    return next(exact, None) or next(holding, None)


def _list(newest: Sequence[Conversation]) -> str:
    names = []
    for number, one in enumerate(newest[:NAMED], 1):
        title = " ".join(one.title.split())[:60] or one.id or "untitled"
        names.append(f'{number} "{title}"' + (f" ({one.time[:10]})" if one.time else ""))
    more = len(newest) - NAMED
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")
