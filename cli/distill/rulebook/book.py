"""The rulebook in use: compiled tables and what can be asked of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from distill.model import Role
from distill.rulebook.talk import Heard, Listener
from distill.rulebook.verdict import Explanation, Verdict
from distill.rulebook.weigh import Weigher

if TYPE_CHECKING:
    from distill.rulebook.signals import Signals


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
    def _replies(self) -> Listener:
        return Listener(self._tables["replies"], self._tables["reply_names"], [])  # an opener such as "ok" is an answer

    @cached_property
    def _speech(self) -> Listener:
        return Listener(self._tables["speech"], self._tables["speech_names"], self._tables["openers"])

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

    def replies(self, text: str) -> list[Heard]:
        """The answers that `text` opens with, by the rules of `rules/reply`."""
        return self._replies.find(text)

    def speech(self, text: str) -> list[Heard]:
        """What `text` does in a talk by the rules of `rules/speech`: asks, recommends, offers, takes back and so on."""
        return self._speech.find(text)
