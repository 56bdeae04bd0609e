"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Lazy:
    """A regular expression that is compiled at the first use of one of its methods; they are those of `re.Pattern`."""

    __slots__ = ("_given", "findall", "finditer", "fullmatch", "match", "search", "sub")

    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """`pattern` and `flags` as `re.compile` takes them; a fault in the pattern shows at the first use only."""
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Compiles: reached as long as the methods are not set."""
        if name not in ("findall", "finditer", "fullmatch", "match", "search", "sub"):
            raise AttributeError(name)
        pattern = re.compile(*self._given)
        for method in ("findall", "finditer", "fullmatch", "match", "search", "sub"):
            setattr(self, method, getattr(pattern, method))
        return getattr(self, name)
