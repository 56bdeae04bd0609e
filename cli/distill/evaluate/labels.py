"""Label files: what people marked in a log, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from distill.model import DistillError, Kind, Status

SUFFIX = ".labels.jsonl"
WEIGHTS = (1, 2, 3)
FAULTS = 20  # named at most; the rest is counted
_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A place that states a label: `quote` stands there verbatim; `record` is None where only the words are known."""

    quote: str
    record: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One conclusion that a reader marked. `weight` is 3 (the next task goes wrong without it), 2 or 1."""

    kind: Kind
    text: str
    weight: int = 2
    status: Status = Status.LIVE
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFile:
    """The labels of one log; `transcript` is its path relative to the label file, None for the file beside it."""

    transcript: str | None
    labels: tuple[Label, ...]


class LabelError(DistillError):
    """A label file that cannot be used: a line for each fault, with file and line."""


class _FaultError(Exception):
    """What is wrong with one line."""


def read_labels(text: str, where: str) -> LabelFile:
    """The labels in `text`; `where` names the file in errors.

    The first line may be `{"transcript": PATH}`. Blank lines and unknown fields are passed over. Raises LabelError with
    all faults of the file.
    """
    transcript: str | None = None
    labels: list[Label] = []
    faults: list[str] = []
    first = True
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = _row(line)
            if first and "transcript" in row:
                transcript = _text(row, "transcript")
            else:
                labels.append(_label(row))
        except _FaultError as fault:
            faults.append(f"{where}:{number}: {fault}")
        first = False
    if faults:
        more = [f"{where}: {len(faults) - FAULTS} more faults"] if len(faults) > FAULTS else []
        raise LabelError("\n".join([*faults[:FAULTS], *more]))
    return LabelFile(transcript=transcript, labels=tuple(labels))


def _row(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise _FaultError(f"not valid JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise _FaultError(f"not valid JSON: {error}") from None
    if not isinstance(row, dict):
        raise _FaultError("a label must be an object with kind and text")
    return row


def _label(row: Mapping[str, Any]) -> Label:
    weight = row.get("weight", 2)
    if isinstance(weight, bool) or weight not in WEIGHTS:
        raise _FaultError(f"weight: {_shown(weight)} is none of 1, 2, 3")
    evidence = row.get("evidence", [])
    if not isinstance(evidence, list):
        raise _FaultError("evidence: must be a list")
    return Label(
        kind=_word(row, "kind", Kind),
        text=_text(row, "text"),
        weight=int(weight),
        status=_word(row, "status", Status, Status.LIVE),
        evidence=tuple(_evidence(one, f"evidence[{place}]") for place, one in enumerate(evidence)),
    )


def _evidence(row: object, where: str) -> Evidence:
    if not isinstance(row, dict):
        raise _FaultError(f"{where}: must be an object with record and quote")
    record = row.get("record")
    if record is not None and (not isinstance(record, int) or isinstance(record, bool) or record < 1):
        raise _FaultError(f"{where}.record: {_shown(record)} is no number of a record; the first is 1")
    return Evidence(quote=_text(row, "quote", f"{where}."), record=record)


def _text(row: Mapping[str, Any], field: str, where: str = "") -> str:
    if field not in row:
        raise _FaultError(f"{where}{field}: is missing")
    value = row[field]
    if not isinstance(value, str) or not value.strip():
        raise _FaultError(f"{where}{field}: {_shown(value)} is no text")
    return value


def _word(row: Mapping[str, Any], field: str, words: type[_Word], default: _Word | None = None) -> _Word:
    if field not in row and default is not None:
        return default
    value = row.get(field)
    if not isinstance(value, str) or value not in list(words):
        said = f"{_shown(value)} is none of" if field in row else "is missing; one of"
        raise _FaultError(f"{field}: {said} {', '.join(words)}")
    return words(value)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"
