"""Replies of models to claims: JSON as it was asked for, or nearly so.

Fences, prose around it, thoughts before it, escapes that JSON does not know, trailing commas and a missing end are
borne; what cannot be read for certain is left out and counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from distill.model import SECTIONS, Kind
from distill.refine.claims import Claim, Quote, Reply, ReplyError
from distill.text.lazy import Lazy

LONGEST = 200_000  # characters of a reply that are looked at
STARTS = 200  # braces at which an object is looked for
_THOUGHT = Lazy(r"(?s:^\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z))")
_ESCAPE = Lazy(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_COMMA = Lazy(r",(?=\s*[\]}])")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS: Mapping[str, Kind] = {str(kind): kind for kind in Kind} | {name: kind for kind, name in SECTIONS.items()}
_DECODER = json.JSONDecoder(strict=False)


def parse(text: str) -> Reply:
    """The claims in a reply. Raises ReplyError where it holds no object or list of the form that was asked for."""
    text = _THOUGHT.sub("", _ANSI.sub("", text[:LONGEST])).strip()
    if not text:
        raise ReplyError("it is empty")
    for variant in dict.fromkeys((text, _repaired(text))):
        for found in _values(variant):
            if (reply := _read(found)) is not None:
                return reply
    salvaged = _salvaged(_repaired(text))
    if salvaged is None:
        raise ReplyError("it is cut off" if "{" in text and "}" not in text else "not the JSON that was asked for")
    return salvaged


def _repaired(text: str) -> str:
    return _COMMA.sub("", _ESCAPE.sub(lambda found: found[0] if found[1] else "\\\\", text))


def _values(text: str) -> Iterator[Any]:
    """The objects and lists that stand in `text`, outermost first, without those inside one that was given."""
    place, tried = 0, 0
    while tried < STARTS:
        starts = [at for at in (text.find("{", place), text.find("[", place)) if at >= 0]
        if not starts:
            return
        start = min(starts)
        tried += 1
        try:
            value, place = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            place = start + 1
            continue
        yield value


def _read(value: Any) -> Reply | None:
    """The reply that a decoded value is, or None where it is something else."""
    if isinstance(value, list) and value and all(_is_claim(one) for one in value):
        value = {"items": value}
    if not isinstance(value, Mapping):
        return None
    claims: list[Claim] = []
    malformed = 0
    known = False
    for name, entries in value.items():
        kind = _KINDS.get(name) if name in SECTIONS.values() else None
        if kind is None and name != "items":
            continue
        if not isinstance(entries, list):
            return None
        known = True
        for entry in entries:
            claim = _claim(entry, kind)
            if claim is None:
                malformed += 1
            else:
                claims.append(claim)
    drop = value.get("drop")
    if isinstance(drop, list):
        known = True
        malformed += sum(not isinstance(one, str) for one in drop)
    else:
        drop = []
    if not known:
        return None
    return Reply(claims=tuple(claims), drops=tuple(one for one in drop if isinstance(one, str)), malformed=malformed)


def _is_claim(value: Any) -> bool:
    return isinstance(value, Mapping) and "text" in value and "quote" in value


def _claim(entry: Any, kind: Kind | None) -> Claim | None:
    """The claim that an entry is; `kind` is that of the list it stands in."""
    if not isinstance(entry, Mapping):
        return None
    text, quote, name, record = (entry.get(key) for key in ("text", "quote", "id", "record"))
    if not (isinstance(text, str) and isinstance(quote, str) and text.strip() and quote.strip()):
        return None
    if "kind" in entry or kind is None:
        kind = _KINDS.get(str(entry.get("kind", "")).strip().lower())
    record = _record(record)
    if kind is None or isinstance(record, bool) or not isinstance(record, int | None):
        return None
    return Claim(kind=kind, text=_whole(" ".join(text.split())), quote=_whole(quote.strip()), record=record,
                 id=name.strip() if isinstance(name, str) else "", also=_also(entry.get("also")))


def _record(value: Any) -> Any:
    """A number that was written as text, as a number; anything else as it is."""
    if isinstance(value, str) and value.strip(" []#").isascii() and value.strip(" []#").isdigit():
        return int(value.strip(" []#")[:9])
    return value


def _also(value: Any) -> Quote | None:
    """A second quote, None where there is none or it cannot be read."""
    if not isinstance(value, Mapping):
        return None
    text, record = value.get("quote"), _record(value.get("record"))
    if not isinstance(text, str) or not text.strip() or isinstance(record, bool) or not isinstance(record, int | None):
        return None
    return Quote(text=_whole(text.strip()), record=record)


def _whole(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _salvaged(text: str) -> Reply | None:
    """The entries that stand whole in a reply whose end is missing."""
    first = text.find('"items"')
    if first < 0:
        return None
    claims = [claim for value in _values(text[first:].replace("[", " ", 1))
              if _is_claim(value) and (claim := _claim(value, None)) is not None]
    return Reply(claims=tuple(claims), cut=True) if claims else None
