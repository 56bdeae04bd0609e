"""Compiled rules kept between runs: plain data, found by what went into it."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Iterable
from typing import Any

from distill import __version__
from distill.text import kept

LAYOUT = 6  # of the tables; raise it when they change
KEEP = 8  # compiled rulebooks kept; older ones are removed


def key(parts: Iterable[bytes]) -> str:
    """The name under which the tables made of `parts` (ids and contents of files) are kept."""
    return kept.digest(__version__.encode(), b"%d" % LAYOUT, sys.version.encode(), sys.byteorder.encode(), *parts).hex()


def get(name: str) -> dict[str, Any] | None:
    """The tables kept under `name`, or None."""
    body = kept.read(f"rules-{name}.bin")
    if body is None:
        return None
    try:
        tables = marshal.loads(body)
    except (ValueError, EOFError, TypeError):
        return None
    return tables if isinstance(tables, dict) else None


def put(name: str, tables: dict[str, Any]) -> None:
    """Keep `tables` under `name`, whole or not at all, and drop what has not been used for longest."""
    kept.write(f"rules-{name}.bin", marshal.dumps(tables), KEEP)
