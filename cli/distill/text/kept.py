"""Small files kept between runs in the user's cache: a checksum and a body, whole or not at all.

One that cannot be read, is damaged or cannot be written is never an error: what stood in it is then worked out anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

_SIZE = 16
_LINUX: bool = sys.platform == "linux"


def folder() -> Path:
    """Where they lie: `DISTILL_CACHE_DIR`, or the user's cache folder."""
    if chosen := os.environ.get("DISTILL_CACHE_DIR"):
        return Path(chosen)
    if _LINUX:  # what platformdirs says, without the dozen modules that it imports
        base = os.environ.get("XDG_CACHE_HOME", "")
        return (Path(base) if base.strip() else Path("~/.cache").expanduser()) / "distill"
    import platformdirs

    return Path(platformdirs.user_cache_dir("distill", appauthor=False))


def digest(*parts: bytes) -> bytes:
    """A checksum of some parts, which tells where one ends and the next begins."""
    found = hashlib.blake2b(digest_size=_SIZE)
    for part in parts:
        found.update(b"%d:" % len(part))
        found.update(part)
    return found.digest()


def read(name: str) -> bytes | None:
    """The body of the file, or None."""
    try:
        data = (folder() / name).read_bytes()
    except OSError:
        return None
    body = data[_SIZE:]
    return body if hashlib.blake2b(body, digest_size=_SIZE).digest() == data[:_SIZE] else None


def write(name: str, body: bytes, most: int) -> None:
    """Keep `body` under `name`; of the files whose names begin alike up to a dash, only the latest `most` stay."""
    import tempfile

    kind = name.partition("-")[0]
    with suppress(OSError):
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=f"{kind}-", suffix=".part", dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.blake2b(body, digest_size=_SIZE).digest() + body)
            Path(part).replace(place / name)
        except OSError:
            Path(part).unlink(missing_ok=True)
            raise
        old = sorted(place.glob(f"{kind}-*.bin"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in old[most:]:
            path.unlink(missing_ok=True)
