"""JSON to values: by the standard library in small logs, in large ones by orjson."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

FAST_FROM = 2 << 20  # bytes from which importing orjson pays for itself
TOLERANT = json.JSONDecoder(strict=False)


def line_decoder(size: int | None) -> Callable[[bytes], Any]:
    """What decodes the lines of a log of `size` bytes (None: unknown), raising ValueError or RecursionError."""
    if size is not None and size < FAST_FROM:
        return json.loads
    import orjson

    return orjson.loads


def decoded(text: str) -> Any:
    """The JSON value of `text`, by the fast decoder where a large log has brought it in.

    Raises ValueError or RecursionError where it is none.
    """
    fast = sys.modules.get("orjson")
    if fast is not None:
        try:
            return fast.loads(text)
        except ValueError:  # a bare control character, a lone surrogate
            pass
    return TOLERANT.decode(text)
