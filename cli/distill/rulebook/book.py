"""The rulebook in use: compiled tables and what can be asked of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from distill.model import Role
from distill.rulebook.machine import EXCLUDE
from distill.rulebook.modality import Cover
from distill.rulebook.scan import Scanner
from distill.rulebook.text import Text
from distill.rulebook.verdict import Explanation, Verdict
from distill.rulebook.weigh import Weigher

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

    from distill.rulebook.signals import Signals

_TITLE = 80  # characters of a heading or lead-in that are looked at; what is longer is none


class Rulebook:
    """Compiled rules. Its automata are built when they are first needed.

    `key` tells two rulebooks apart: it depends on the text of all rules and on the version of the program.
    """

    def __init__(self, tables: dict[str, Any], key: str = "") -> None:
        self._tables = tables
        self.key = key

    @cached_property
    def _weigher(self) -> Weigher:
        return Weigher(self._tables)

    @cached_property
    def _titles(self) -> Scanner:
        return Scanner(self._tables["titles"])

    @cached_property
    def _triggers(self) -> AhoCorasick | None:
        from ahocorasick_rs import AhoCorasick

        return AhoCorasick(self._tables["triggers"], store_patterns=False) if self._tables["triggers"] else None

    @cached_property
    def signals(self) -> Signals:
        """The table of signals."""
        from distill.rulebook.signals import LIMITS, Signal, Signals

        rows = self._tables["signals"]
        limits = {name: self._tables[name] for name in LIMITS if self._tables[name]}
        found = (Signal(**{**row, "roles": tuple(Role(role) for role in row["roles"])}) for row in rows)
        return Signals(found, **limits)

    @property
    def work(self) -> int:
        """Hits and edges looked at so far: a measure of time without a clock."""
        return self._weigher.work

    def judge(self, text: str, role: Role = Role.UNKNOWN) -> Verdict:
        """What the words of one statement say it is."""
        return self._weigher.judge(text, role)

    def modifiers(self, text: str, role: Role = Role.UNKNOWN) -> frozenset[str]:
        """The names of the modifiers in one statement."""
        return self._weigher.modifiers(text, role)

    def explain(self, text: str, role: Role = Role.UNKNOWN) -> Explanation:
        """The verdict on one statement, with all that led to it."""
        return self._weigher.explain(text, role)

    def parts(self, text: str, role: Role = Role.UNKNOWN) -> list[tuple[int, int, Verdict]]:
        """One statement cut where its clauses are of different kinds, as (start, end, verdict)."""
        return self._weigher.parts(text, role)

    def may_match(self, message: str) -> bool:
        """Whether any statement of a whole message could be marked; False is sure, True is not."""
        if self._triggers is None:
            return False
        return bool(self._triggers.find_matches_as_indexes(Text(message, len(message)).text))

    def heading(self, text: str) -> str:
        """The name of the heading rule that a heading or lead-in falls under, or "".

        The longest words decide, then those that stand first.
        """
        title = text.strip().rstrip(":： ")
        at = next((place for place, char in enumerate(title) if char.isalnum()), len(title))
        title = title[at:]
        if not title or len(title) > _TITLE:
            return ""
        line = Text(title)
        matches = self._titles.find(line)
        against: dict[int, list[tuple[int, int]]] = {}
        for match in matches:
            meaning, index = self._titles.owners[match.owner]
            if meaning == EXCLUDE:
                against.setdefault(index, []).append((match.start, match.end))
        covers = {index: Cover(spans) for index, spans in against.items()}
        best: tuple[int, int, int] | None = None
        for match in matches:
            meaning, index = self._titles.owners[match.owner]
            start, end = match.anchor
            if meaning == EXCLUDE or (index in covers and covers[index].meets((start, end))):
                continue
            rank = (start - end, start, index)
            best = rank if best is None or rank < best else best
        return str(self._tables["headings"][best[2]]) if best else ""
