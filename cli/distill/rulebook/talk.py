"""Finds the words by which people answer each other and put things up: those of `rules/reply` and `rules/speech`."""

from __future__ import annotations

from typing import NamedTuple

from distill.rulebook.machine import EXCLUDE, Machine
from distill.rulebook.modality import Cover
from distill.rulebook.scan import Match, Scanner
from distill.rulebook.text import LIMIT, Span, Text


class Heard(NamedTuple):
    """Words of one rule found in a text: the rule's name, where they begin, where their last literal ends, the cue."""

    name: str
    start: int
    end: int
    cue: str


class _Line(Text):
    """A text that opens once, at its beginning: what a later sentence begins with answers nothing."""

    @property
    def sentences(self) -> list[int]:
        """The one sentence it is taken for."""
        return [0]


class Listener:
    """Looks for the words of a group of rules; `^` in their cues is the beginning of the whole text."""

    def __init__(self, machine: Machine, names: list[str], openers: list[str]) -> None:
        """`names` are the rules by number, `openers` the words that `^` looks past."""
        self._scanner = Scanner(machine, openers)
        self._names = names

    def find(self, source: str) -> list[Heard]:
        """What is heard in the first 2,000 characters of `source`: what begins first, then the longest, comes first."""
        text = _Line(source, LIMIT)
        matches = self._scanner.find(text)
        if not matches:
            return []
        owners = self._scanner.owners
        against: dict[int, list[Span]] = {}
        for match in matches:
            meaning, index = owners[match.owner]
            if meaning == EXCLUDE:
                against.setdefault(index, []).append((match.start, match.end))
        covers = {index: Cover(spans) for index, spans in against.items()}
        found: dict[tuple[str, int], Match] = {}
        for match in matches:
            meaning, index = owners[match.owner]
            if meaning == EXCLUDE or (index in covers and covers[index].meets(match.anchor)):
                continue
            key = self._names[index], match.start
            if key not in found or found[key].spans[-1][1] < match.spans[-1][1]:
                found[key] = match
        cues = self._scanner.cues
        heard = [
            Heard(name, text.origin(start), text.origin(match.spans[-1][1] - 1) + 1, cues[match.cue])
            for (name, start), match in found.items()
        ]
        return sorted(heard, key=lambda one: (one.start, -one.end, one.name))
