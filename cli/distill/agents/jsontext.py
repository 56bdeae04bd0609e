"""JSON as it was written: values with their places, so that one can be put in or taken out and the rest stays as it is.

Only what is added or removed changes; order, indentation, line ends and the way the rest is written do not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from distill.model import DistillError

_BLANKS = " \t\n\r"
_SCALAR = json.JSONDecoder(strict=False)


@dataclass(slots=True)
class Node:
    """A value and where it stands in the text; `parts` of an object have keys, those of an array have None."""

    start: int
    end: int
    value: Any
    parts: list[Part] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        """The value under a key of an object; the last one, as every reader of JSON takes it."""
        return next((part.node for part in reversed(self.parts) if part.key == key), None)


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object or an element of an array, from its key on."""

    key: str | None
    start: int
    node: Node


def parse(text: str, path: str) -> Node:
    """The value of a JSON text with the places of all in it. Raises DistillError naming line and column."""
    try:
        json.loads(text, strict=False)
        return _value(text, _skip(text, 0))
    except json.JSONDecodeError as error:
        comment = "//" in text or "/*" in text
        why = "comments or trailing commas are no JSON" if comment else error.msg
        raise DistillError(
            f"{path}:{error.lineno}: is left as it is, since it is not plain JSON ({why}): "
            "add the hooks by hand, or take out what is no JSON"
        ) from None
    except RecursionError:
        raise DistillError(f"{path}: is left as it is, since its JSON is nested too deeply") from None


def inserted(text: str, home: Node, key: str | None, value: Any) -> str:
    """`text` with `value` as the last part of `home`: under `key` in an object, without one in an array."""
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if home.parts:
        last = home.parts[-1]
        line = text.rfind("\n", home.start, last.start)
        if line < 0:  # all on one line
            return _put(text, last.node.end, f", {name}{json.dumps(value, ensure_ascii=False)}")
        indent = text[line + 1 : last.start]
        if not indent.strip(_BLANKS):
            return _put(text, last.node.end, f",{_line_end(text)}{indent}{name}{_written(text, value, indent)}")
        outer = _indent_at(text, home.start)
        indent = outer + _step(text)
        return _put(text, last.node.end, f",{_line_end(text)}{indent}{name}{_written(text, value, indent)}")
    outer = _indent_at(text, home.start)
    indent = outer + _step(text)
    inside = f"{_line_end(text)}{indent}{name}{_written(text, value, indent)}{_line_end(text)}{outer}"
    return text[: home.start + 1] + inside + text[home.end - 1 :]


def removed(text: str, home: Node, index: int) -> str:
    """`text` without the part of `home` at `index`."""
    part = home.parts[index]
    if len(home.parts) == 1:
        return text[: home.start + 1] + text[home.end - 1 :]
    if index:
        return text[: home.parts[index - 1].node.end] + text[part.node.end :]
    return text[: part.start] + text[home.parts[1].start :]


def _put(text: str, place: int, more: str) -> str:
    return text[:place] + more + text[place:]


def _written(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_step(text)).split("\n")
    return f"{_line_end(text)}{indent}".join(lines)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_at(text: str, place: int) -> str:
    """The blanks at the beginning of the line on which `place` stands."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """One level of indentation: that of the first indented line."""
    for line in text.split("\n"):
        bare = line.lstrip(" \t")
        if bare.strip() and len(bare) < len(line):
            return line[: len(line) - len(bare)]
    return "  "


# -- reading ----------------------------------------------------------------------------------------------------------


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _value(text: str, at: int) -> Node:
    if text[at] not in "{[":
        value, end = _SCALAR.raw_decode(text, at)
        return Node(at, end, value)
    parts = list(_parts(text, at))
    close = _skip(text, parts[-1].node.end if parts else at + 1)
    value = {part.key: part.node.value for part in parts} if text[at] == "{" else [part.node.value for part in parts]
    return Node(at, close + 1, value, parts)


def _parts(text: str, at: int) -> Iterator[Part]:
    close = "}" if text[at] == "{" else "]"
    at = _skip(text, at + 1)
    while text[at] != close:
        start, key = at, None
        if close == "}":
            key, at = _SCALAR.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        node = _value(text, at)
        yield Part(key, start, node)
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
