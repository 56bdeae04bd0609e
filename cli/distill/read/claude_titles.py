"""What a Claude Code log calls its session."""

from __future__ import annotations

from collections.abc import Callable

from distill.read.log import Record

_SUMMARIES = 200  # that are kept; many tell of other sessions


class Titles:
    """Names given by the user, by the program, and one-line summaries, which often belong to other sessions."""

    def __init__(self) -> None:
        self._title = ""
        self._rank = 0
        self._summaries: dict[str, str] = {}

    def name(self, entry: Record) -> None:
        """A name that the program or, of more weight, the user gave; the last of the better kind holds."""
        for rank, key in ((2, "customTitle"), (1, "aiTitle")):
            text = entry.get(key)
            if isinstance(text, str) and text.strip() and rank >= self._rank:
                self._title, self._rank = text.strip(), rank

    def summary(self, entry: Record) -> None:
        """A summary of the branch that ends in a certain record."""
        text, leaf = entry.get("summary"), entry.get("leafUuid")
        if isinstance(text, str) and isinstance(leaf, str) and len(self._summaries) < _SUMMARIES:
            self._summaries[leaf] = text.strip()

    def best(self, known: Callable[[str], bool]) -> str:
        """The title; `known` tells whether a record of this id stands in the log."""
        if self._title:
            return self._title
        own = [text for leaf, text in self._summaries.items() if known(leaf)]
        if own:
            return own[-1]
        return next(iter(self._summaries.values())) if len(self._summaries) == 1 else ""
