"""The front matter of a Markdown state: YAML, one field a line, each value in JSON, which is YAML too."""

from __future__ import annotations

import json
from typing import Any

from distill.model import DistillError
from distill.render.lines import to_json
from distill.text.lazy import Lazy

FENCE = "---"
_NAME = "distill"
_STATE = "state"
_FIELD = Lazy(r"(?:unknown field '(\w+)'|(\w+)(?:\[(\d+)\])?)(?=[ :;])")
_IS_STATE = Lazy(rf"""{_NAME}:[ \t]*["']?{_STATE}["']?[ \t\r]*(?:#.*)?""")


def write_front(fields: dict[str, Any]) -> list[str]:
    """The lines of the front matter, fences included. A list of mappings stands as one line an entry."""
    lines = [FENCE, f"{_NAME}: {_STATE}"]
    for key, value in fields.items():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            lines.append(f"{key}:")
            lines += [f"  - {to_json(one)}" for one in value]
        else:
            lines.append(f"{key}: {to_json(value)}")
    return [*lines, FENCE]


def front_end(lines: list[str]) -> int:
    """The index of the line that closes the front matter; 0 where the lines begin with none."""
    if not lines or lines[0].rstrip() != FENCE:
        return 0
    return next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), 0)


def is_front(lines: list[str]) -> bool:
    """Whether these lines begin with the front matter of a state."""
    return any(_IS_STATE.fullmatch(line) for line in lines[1 : front_end(lines)])


def read_front(lines: list[str], path: str) -> dict[str, Any]:
    """The fields between the fences of `lines` (a file's first lines). Raises DistillError where it isn't YAML."""
    inner = lines[1 : front_end(lines)]
    found = _as_written(inner)
    if found is None:
        from distill.rulebook.yamldoor import load

        found = load("\n" + "\n".join(inner), path)  # one line down, where the first fence stood
    if not isinstance(found, dict) or found.pop(_NAME, None) != _STATE:
        at = next((number for number, line in enumerate(inner, 2) if line.startswith(_NAME)), 2)
        raise DistillError(f"{path}:{at}: not a state: its front matter lacks `{_NAME}: {_STATE}`")
    return found


def refuse_damage(lines: list[str], path: str) -> None:
    """Raise DistillError with file and line where the front matter has lost its fences or its name."""
    if is_front(lines):
        return
    if lines[0].rstrip() != FENCE:
        raise DistillError(f'{path}:1: the front matter must begin here, with a line "{FENCE}"')
    end = front_end(lines)
    if not end:
        end = next((n for n, line in enumerate(lines) if not line.strip() or line.startswith("#")), len(lines) - 1)
        raise DistillError(f'{path}:{end + 1}: the front matter must end here or before, with a line "{FENCE}"')
    raise DistillError(f'{path}:2: the front matter lacks "{_NAME}: {_STATE}"')


def located(error: DistillError, lines: list[str], path: str) -> DistillError:
    """An error that names a field of the front matter, with the line where that stands."""
    told = str(error)
    if not told.startswith(f"{path}: "):
        return error
    told = told.removeprefix(f"{path}: ")
    found = _FIELD.match(told)
    name = (found[1] or found[2]) if found else None
    at = next((n for n in range(1, front_end(lines)) if lines[n].startswith(f"{name}:")), 0)
    if at and found and found[3] and lines[at].rstrip() == f"{name}:":
        at += 1 + int(found[3])
    return DistillError(f"{path}:{at + 1}: {told}", error.code)


def _as_written(lines: list[str]) -> dict[str, Any] | None:
    """The fields where the lines are as `write_front` writes them, else None.

    Most are, and this saves importing YAML, which takes longer than starting Python.
    """
    fields: dict[str, Any] = {}
    rows: list[Any] | None = None
    for line in lines:
        if rows is not None and line.startswith("  - "):
            value = _json(line[4:])
            if value is None:
                return None
            rows.append(value)
            continue
        key, colon, rest = line.partition(":")
        if not colon or key in fields or not key.isidentifier() or (rest and rest[0] != " "):
            return None
        rows = None
        if key == _NAME and rest == f" {_STATE}":
            fields[key] = _STATE
        elif not rest:
            fields[key] = rows = []
        elif rest == " null":
            fields[key] = None
        else:
            value = _json(rest)
            if value is None:
                return None
            fields[key] = value
    return fields


def _json(text: str) -> Any:
    """The JSON value in `text`, None where there is none. Doubled keys and NaN are left to YAML to judge."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("doubled key")
        return found

    def no_number(name: str) -> Any:
        raise ValueError(name)

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_number)
    except (ValueError, RecursionError):
        return None
