"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from distill.text.patterns import compiled

if TYPE_CHECKING:
    import re

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class Lazy:
    """A regular expression that is compiled at the first use of one of its methods; they are those of `re.Pattern`."""

    __slots__ = ("_given", *_METHODS)

    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[str | Any]]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """`pattern` and `flags` as `re.compile` takes them; a fault in the pattern shows at the first use only."""
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Compiles: reached as long as the methods are not set."""
        if name not in _METHODS:
            raise AttributeError(name)
        pattern = compiled(*self._given)
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(self, name)
