"""Nouns to plain data and back: what JSON can hold of frozen dataclasses, by their own type hints."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints


def pack(value: Any) -> Any:
    """`value` as dicts, lists, texts and numbers; fields that hold their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        found = {}
        for one in fields(value):
            held = getattr(value, one.name)
            if held != one.default:
                found[one.name] = pack(held)
        return found
    if isinstance(value, dict):
        return {key: pack(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [pack(one) for one in value]
    return str(value) if isinstance(value, Enum) else value


def unpack(kind: Any, data: Any) -> Any:
    """What `pack` made of a value of the type `kind`; TypeError, ValueError or KeyError where it is no such thing."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if data is None:
            return None
        (kind,) = [one for one in get_args(kind) if one is not type(None)]
        return unpack(kind, data)
    if origin is tuple:
        inside = get_args(kind)
        if not isinstance(data, list):
            raise TypeError(f"{data!r} is no list")
        if inside[1:] == (...,):
            return tuple(unpack(inside[0], one) for one in data)
        return tuple(unpack(one, part) for one, part in zip(inside, data, strict=True))
    if origin is list:
        return [unpack(get_args(kind)[0], one) for one in data]
    if origin is dict:
        return {key: unpack(get_args(kind)[1], one) for key, one in data.items()}
    if is_dataclass(kind):
        hints = _hints(kind)  # type: ignore[arg-type]
        return kind(**{name: unpack(hints[name], one) for name, one in data.items()})  # type: ignore[operator]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise TypeError(f"{data!r} is no {kind.__name__}")
    return data


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
