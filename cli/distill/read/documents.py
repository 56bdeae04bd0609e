"""JSON documents: a look at how one begins without reading on, and the whole of one, saved as far as it goes.

Recognising a format must not use the input up, so it looks at the head alone; a value that the head cuts off is shown
as far as it goes.
"""

from __future__ import annotations

import json
from typing import Any
from weakref import WeakKeyDictionary

from distill.read.log import HEAD, Log, Record
from distill.text.lazy import Lazy

DEPTH = 12  # levels of nesting that a cut value is followed into
_DECODE = json.JSONDecoder(strict=False).raw_decode
_BLANK = Lazy(r"[ \t\r\n]*")
_START = Lazy(r"\s*(?:\[\s*[\[{\]]|\{\s*[\"}])")
_SEEN: WeakKeyDictionary[Log, Any] = WeakKeyDictionary()


def opening(log: Log) -> Any:
    """What the head of `log` shows of a JSON document: a list, a dict, or None where the input is none.

    Elements and entries come as far as the head goes; a text or number that it cuts off is None. A log that the head
    holds whole is shown whole.
    """
    if log not in _SEEN:
        start = _START.match(log.head) if log.is_document else None
        head = log.head if log.whole else log.head[:HEAD]  # a first line of any length belongs to it
        _SEEN[log] = _value(head, len(head) - len(head.lstrip()), 0) if start else None
    return _SEEN[log]


def opening_list(log: Log) -> list[Record]:
    """The objects that a JSON array begins with; empty where the input is none, or its first element is no object."""
    found = opening(log)
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        return []
    return [one for one in found if isinstance(one, dict)]


def opening_dict(log: Log) -> Record:
    """The entries that a JSON object begins with; empty where the input is none."""
    found = opening(log)
    return found if isinstance(found, dict) else {}


def whole(log: Log) -> Any:
    """The JSON document that `log` is, None where it is none.

    One that is damaged or cut short is kept as far as it goes; the line where the damage begins is counted.
    """
    text = log.read_text()
    start = len(text) - len(text.lstrip())
    if start == len(text):
        return log.document  # somebody has read it before
    try:
        found, end = _DECODE(text, start)
    except (ValueError, RecursionError) as error:
        found = _cut(text, start, 0)
        place = error.pos if isinstance(error, json.JSONDecodeError) else start
        log.tally.skip("damaged JSON document", text.count("\n", 0, place) + 1)
        return found
    if text[end:].strip():
        log.tally.skip("data after the end of the JSON document", text.count("\n", 0, end) + 1)
    return found


def _value(text: str, at: int, depth: int) -> Any:
    try:
        return _DECODE(text, at)[0]
    except (ValueError, RecursionError):
        return _cut(text, at, depth)


def _cut(text: str, at: int, depth: int) -> Any:
    """What there is of the value at `at` that does not parse."""
    first = text[at : at + 1]
    if depth >= DEPTH or first not in ("[", "{"):
        return None
    return _elements(text, at + 1, depth) if first == "[" else _entries(text, at + 1, depth)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _elements(text: str, at: int, depth: int) -> list[Any]:
    found: list[Any] = []
    while True:
        at = _skip(text, at)
        if at >= len(text):
            return found
        try:
            value, at = _DECODE(text, at)
        except (ValueError, RecursionError):
            last = _cut(text, at, depth + 1)
            return [*found, last] if last else found
        found.append(value)
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return found
        at += 1


def _entries(text: str, at: int, depth: int) -> Record:
    found: Record = {}
    while True:
        try:
            key, at = _DECODE(text, _skip(text, at))
        except (ValueError, RecursionError):
            return found
        at = _skip(text, at)
        if not isinstance(key, str) or text[at : at + 1] != ":":
            return found
        at = _skip(text, at + 1)
        try:
            found[key], at = _DECODE(text, at)
        except (ValueError, RecursionError):
            found[key] = _cut(text, at, depth + 1)
            return found
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return found
        at += 1
