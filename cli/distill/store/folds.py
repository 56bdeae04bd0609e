"""Corrections by hand of where tasks begin, in a YAML file beside the log: LOG.folds.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from distill.model import DistillError
from distill.rulebook.yamldoor import dump, load
from distill.store.files import read_text, write_atomic

_TASK = re.compile(r"t[1-9]\d*")
_HEAD = "# Where tasks begin in the log beside this file; distill fold reads it, --split and --join write it.\n"
Splits = tuple[int, ...]
Joins = tuple[tuple[str, str], ...]


def folds_path(log: str | Path) -> Path:
    """The file of corrections for a log."""
    path = Path(log)
    return path.with_name(path.name + ".folds.yaml")


def load_folds(log: str | Path) -> tuple[Splits, Joins]:
    """Records that begin a task, and pairs of tasks that are one; none where there is no file.

    Raises DistillError with file and field where it cannot be read.
    """
    path = folds_path(log)
    if not path.is_file():
        return (), ()
    data = load(read_text(path), str(path))
    if data is None:
        return (), ()
    if not isinstance(data, Mapping) or set(data) - {"split", "join"}:
        raise DistillError(f"{path}: must hold split (records) and join (pairs of tasks), nothing else")
    splits = _each(path, data, "split", lambda one: isinstance(one, int) and not isinstance(one, bool) and one > 0,
                   "a record number")
    joins = _each(path, data, "join", _is_pair, "a pair of tasks such as [t1, t42]")
    return tuple(splits), tuple((older, newer) for older, newer in joins)


def save_folds(log: str | Path, splits: Sequence[int], joins: Sequence[tuple[str, str]]) -> Path:
    """Keep the corrections of a log; the file they are in. Raises DistillError where it cannot be written."""
    path = folds_path(log)
    data: dict[str, Any] = {}
    if splits:
        data["split"] = sorted(set(splits))
    if joins:
        data["join"] = [list(pair) for pair in dict.fromkeys(joins)]
    write_atomic(path, _HEAD + (dump(data) if data else ""))
    return path


def _each(path: Path, data: Mapping[str, Any], name: str, right: Any, what: str) -> list[Any]:
    value = data.get(name) or []
    if not isinstance(value, list):
        raise DistillError(f"{path}: {name}: must be a list")
    for one in value:
        if not right(one):
            raise DistillError(f"{path}: {name}: {one!r} is not {what}")
    return value


def _is_pair(one: object) -> bool:
    return isinstance(one, list) and len(one) == 2 and all(
        isinstance(name, str) and _TASK.fullmatch(name) is not None for name in one)
