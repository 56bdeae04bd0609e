"""Regular expressions whose compiled form is kept between runs: compiling them takes longer than a small log does.

What is kept is what Python's own compiler makes of a pattern. It holds for one build of Python alone and is looked
over by the matcher before it is taken; where anything about it is amiss, the pattern is compiled as ever.
"""

from __future__ import annotations

import atexit
import marshal
import re
import sys
from array import array
from functools import cache
from typing import Any

from distill.text import kept

MOST = 4000  # patterns kept: more than there are, but for those of many rule packs
FILES = 4  # builds of Python whose patterns are kept
_Given = tuple[str, int]  # pattern and flags
_Made = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]  # flags, code, groups and their names

_made: dict[_Given, _Made] = {}  # what the file holds
_new: dict[_Given, _Made] = {}  # what it does not hold yet
_loaded = False


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The expression, as `re.compile` makes it."""
    if not _loaded:
        _load()
    given = pattern, int(flags)
    made = _made.get(given) or _new.get(given)
    try:
        if made is None:
            made = _new[given] = _compile(pattern, int(flags))
        return _built(pattern, made)
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError, OverflowError):
        _new.pop(given, None)
        return re.compile(pattern, flags)


def _compile(pattern: str, flags: int) -> _Made:
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    code = array("I", _compiler._code(parsed, flags)).tobytes()
    return flags | state.flags, code, state.groups - 1, state.groupdict, tuple(names)


def _built(pattern: str, made: _Made) -> re.Pattern[str]:
    import _sre  # type: ignore[import-not-found]

    flags, code, groups, index, names = made
    found: Any = _sre.compile(pattern, flags, array("I", code).tolist(), groups, index, names)
    return found  # type: ignore[no-any-return]


def _name() -> str:
    import _sre  # type: ignore[import-not-found, unused-ignore]

    build = kept.digest(sys.version.encode(), sys.byteorder.encode(), b"%d" % _sre.MAGIC, b"%d" % _sre.CODESIZE)
    return f"patterns-{build.hex()}.bin"


def _load() -> None:
    global _loaded
    _loaded = True
    try:
        found = marshal.loads(kept.read(_name()) or b"")
    except (ImportError, AttributeError, ValueError, EOFError, TypeError):
        found = None
    if isinstance(found, dict) and len(found) < MOST:
        _made.update(found)


@cache
def keep_at_end() -> None:
    """Let `keep` be called when this process ends."""
    atexit.register(keep)


def keep() -> None:
    """Keep what this process compiled beside what is kept already."""
    if not _new:
        return
    _made.update(_new)
    _new.clear()
    kept.write(_name(), marshal.dumps(_made), FILES)
