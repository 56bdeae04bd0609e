"""Compiled rules kept between runs: plain data behind a checksum, found by what went into it.

A cache that cannot be read, is damaged or cannot be written is never an error: the rules are then compiled anew.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from distill import __version__

LAYOUT = 6  # of the tables; raise it when they change
KEEP = 8  # compiled rulebooks kept; older ones are removed
_SIZE = 16
_LINUX: bool = sys.platform == "linux"


def folder() -> Path:
    """Where compiled rules lie: `DISTILL_CACHE_DIR`, or the user's cache folder."""
    if chosen := os.environ.get("DISTILL_CACHE_DIR"):
        return Path(chosen)
    if _LINUX:  # what platformdirs says, without the dozen modules that it imports
        base = os.environ.get("XDG_CACHE_HOME", "")
        return (Path(base) if base.strip() else Path("~/.cache").expanduser()) / "distill"
    import platformdirs

    return Path(platformdirs.user_cache_dir("distill", appauthor=False))


def key(parts: Iterable[bytes]) -> str:
    """The name under which the tables made of `parts` (ids and contents of files) are kept."""
    digest = hashlib.blake2b(digest_size=_SIZE)
    for part in (__version__.encode(), b"%d" % LAYOUT, sys.version.encode(), sys.byteorder.encode(), *parts):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def get(name: str) -> dict[str, Any] | None:
    """The tables kept under `name`, or None."""
    try:
        data = (folder() / f"rules-{name}.bin").read_bytes()
        if hashlib.blake2b(data[_SIZE:], digest_size=_SIZE).digest() != data[:_SIZE]:
            return None
        tables = marshal.loads(data[_SIZE:])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return tables if isinstance(tables, dict) else None


def put(name: str, tables: dict[str, Any]) -> None:
    """Keep `tables` under `name`, whole or not at all, and drop what has not been used for longest."""
    import tempfile

    with suppress(OSError):
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        body = marshal.dumps(tables)
        handle, part = tempfile.mkstemp(prefix="rules-", suffix=".part", dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.blake2b(body, digest_size=_SIZE).digest() + body)
            Path(part).replace(place / f"rules-{name}.bin")
        except OSError:
            Path(part).unlink(missing_ok=True)
            raise
        old = sorted(place.glob("rules-*.bin"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in old[KEEP:]:
            path.unlink(missing_ok=True)
