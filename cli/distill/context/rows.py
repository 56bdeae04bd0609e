"""A desk as rows of tables and back, without loss."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any

from distill.context.model import (
    Desk,
    Domain,
    Drift,
    Entry,
    Memory,
    Numbers,
    Rule,
    Sort,
    Standing,
    Strength,
    Task,
    TaskStatus,
)
from distill.model import DistillError

Key = int | str
Value = int | str
Row = tuple[Value, ...]
Tables = dict[str, dict[Key, Row]]

#: The tables and what a row of each is; the first field is the key.
NOUNS: Mapping[str, Any] = {"rule": Rule, "domain": Domain, "task": Task, "entry": Entry, "memory": Memory}
#: The fields of each, in the order of the columns.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    **{name: tuple(one.name for one in fields(noun)) for name, noun in NOUNS.items()}, "meta": ("name", "value"),
}  # fmt: skip
_PLACES = {"rule": "rules", "domain": "domains", "task": "tasks", "entry": "entries", "memory": "memories"}
# The fields that are members of an enum, by their values: looking them up is much faster than calling the enum.
_ENUMS: Mapping[str, Mapping[str, Mapping[str, StrEnum]]] = {
    "rule": {"strength": {str(one): one for one in Strength}},
    "task": {"status": {str(one): one for one in TaskStatus}},
    "entry": {"sort": {str(one): one for one in Sort}, "standing": {str(one): one for one in Standing}},
    "domain": {}, "memory": {},
}  # fmt: skip


def to_tables(desk: Desk, known: tuple[Desk, Tables] | None = None) -> Tables:
    """The rows that `desk` is, by table and key; `known` is one that it was made of, with its rows.

    What both share is not written out again: a command changes a row or two of what may be thousands.
    """
    tables: Tables = {}
    for name, place in _PLACES.items():
        before = {id(one): _key(one, name) for one in getattr(known[0], place)} if known else {}
        rows: dict[Key, Row] = {}
        for one in getattr(desk, place):
            key = before.get(id(one))
            row = known[1][name][key] if known and key is not None else _row(one, name)
            rows[row[0]] = row
        tables[name] = rows
    meta = {
        "numbers": json.dumps(asdict(desk.numbers), sort_keys=True), "drift": json.dumps(asdict(desk.drift)),
        "last_task": str(desk.last_task), "last_id": str(desk.last_id),
    }  # fmt: skip
    tables["meta"] = {key: (key, value) for key, value in meta.items()}
    return tables


def to_desk(tables: Tables) -> Desk:
    """The desk that rows are; entries stand in the order of their ids. DistillError where they are none."""
    try:
        found: dict[str, Any] = {}
        for name, place in _PLACES.items():
            rows = tables.get(name, {})
            found[place] = tuple(_noun(name, rows[key]) for key in sorted(rows))
        meta = {str(key): str(row[1]) for key, row in tables.get("meta", {}).items()}
        return Desk(
            **found, numbers=Numbers(**json.loads(meta.get("numbers", "{}"))), last_id=int(meta.get("last_id", "0")),
            drift=Drift(**json.loads(meta.get("drift", "{}"))), last_task=int(meta.get("last_task", "0")),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DistillError(f"the context store holds what no command wrote ({' '.join(str(error).split())}): "
                           "import an export of it into a new one") from error


def _key(noun: Any, name: str) -> Key:
    key: Key = getattr(noun, COLUMNS[name][0])
    return key


def _row(noun: Any, name: str) -> Row:
    return tuple(_plain(getattr(noun, field)) for field in COLUMNS[name])


def _plain(value: Any) -> Value:
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False)
    return str(value) if isinstance(value, str) else int(value)


def _noun(name: str, row: Row) -> Any:
    given: dict[str, Any] = dict(zip(COLUMNS[name], row, strict=True))
    for field, members in _ENUMS[name].items():
        given[field] = members[given[field]]
    if name == "memory":
        given["topics"] = tuple(json.loads(given["topics"]))
    return NOUNS[name](**given)


# -- exports ----------------------------------------------------------------------------------------------------------

EXPORT = 1  # the version of the form
_HEAD = "distill-context"
# The tables that are no part of a desk.
_APART: Mapping[str, tuple[str, ...]] = {
    "card": ("id", "log", "name", "value"), "journal": ("id", "at", "command", "before"),
}  # fmt: skip


def to_export(tables: Mapping[str, Sequence[Sequence[Any]]]) -> str:
    """All rows of a store as JSON, one row a line; the same rows always give the same text."""
    parts = []
    for name, rows in tables.items():
        lines = ",\n".join(f"  {json.dumps(list(row), ensure_ascii=False)}" for row in rows)
        parts.append(f' "{name}": [\n{lines}\n ]' if lines else f' "{name}": []')
    return f'{{\n "{_HEAD}": {EXPORT},\n' + ",\n".join(parts) + "\n}\n"


def from_export(text: str) -> dict[str, list[list[Any]]]:
    """The rows that `to_export` wrote. Raises DistillError where `text` is something else or was damaged."""
    try:
        data = json.loads(text)
        version = data.pop(_HEAD)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise DistillError("this is no export of a context: make one with distill context export") from None
    if version != EXPORT:
        raise DistillError(f"the export has the form {version!r}, and this distill reads {EXPORT}: update distill")
    columns = {**COLUMNS, **_APART}
    for name, rows in data.items():
        if name not in columns:
            raise DistillError(f"the export holds {name!r}, which is no part of a context")
        for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
            whole = isinstance(row, list) and len(row) == len(columns[name])
            if not whole or not all(isinstance(one, str | int) and not isinstance(one, bool) for one in row):
                raise DistillError(f"the export is damaged: {name}, row {number}")
    to_desk({name: {row[0]: tuple(row) for row in rows} for name, rows in data.items() if name not in _APART})
    found: dict[str, list[list[Any]]] = data
    return found
