"""Finds the phrases of a machine in a text, in time that grows with the text alone.

One automaton gives all overlapping literals; the phrases run over these hits as register machines. Of all ways to have
read the first parts of a phrase, the one that ended last before the hit is always the best, so one look-up decides.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from distill.rulebook.machine import (
    FIELDS,
    FIRST,
    GAP,
    LAST,
    LEFT,
    LOOSE,
    NOBODY,
    PREFIX,
    REACH,
    RIGHT,
    START,
    TYPED,
    Edge,
    Machine,
)
from distill.rulebook.text import Span, Text, has_han
from distill.text.patterns import compiled

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_GLUE = " `*\"'_(「『"  # what may stand between a literal and a token, at most three of it
_JOINTS = "-./\\@"  # join two words where a letter stands on either side
_NONE, _LETTER, _LINE, _JOINT = range(4)  # what a character beside a literal may be
Hit = tuple[int, int, int, bool]  # end, start, literal or token, whether a word ends there
#: flags, target state, owner, cue, and of which literals and tokens one must come for the target to be left
Begin = tuple[int, int, int, int, frozenset[int]]


class Match(NamedTuple):
    """One phrase found: whose it is, which cue, where, and the places of its literals."""

    owner: int
    cue: int
    start: int
    end: int
    spans: tuple[Span, ...]

    @property
    def anchor(self) -> Span:
        """The longest literal, the first of several: it stands for the phrase."""
        spans = self.spans
        return spans[0] if len(spans) == 1 else max(spans, key=lambda span: span[1] - span[0])


class Scanner:
    """A machine with its automaton. `work` counts hits and edges looked at: a measure of time without a clock."""

    def __init__(self, machine: Machine, openers: list[str] | None = None) -> None:
        self._machine = machine
        self._opener_words = openers or []
        self._offsets, self._edges = array("i", machine["offsets"]), array("i", machine["edges"])
        self._nexts, self._wanted = array("i", machine["nexts"]), array("i", machine["wanted"])
        self._tokens = len(machine["checks"])  # tokens are numbered after the literals
        self._known: dict[int, tuple[list[Begin], dict[int, list[Edge]]]] = {}
        self.owners = machine["owners"]
        self.work = 0

    @cached_property
    def cues(self) -> list[str]:
        """The cues as written, by their number."""
        return self._machine["cues"].split("\n")

    @cached_property
    def _automaton(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick, Implementation

        literals = self._machine["literals"].split("\n")
        return AhoCorasick(literals, store_patterns=False, implementation=Implementation.ContiguousNFA)

    @cached_property
    def _openers(self) -> re.Pattern[str] | None:
        latin = "|".join(re.escape(word) for word in self._opener_words if not has_han(word))
        han = "|".join(re.escape(word) for word in self._opener_words if has_han(word))
        choices = ([f"(?:{latin})(?![a-z0-9'-])"] if latin else []) + ([han] if han else [])
        return compiled(f"(?:{'|'.join(choices)})[\\s,:]*") if choices else None

    @cached_property
    def _opener_ends(self) -> frozenset[str]:
        """The last words of the openers, and the last characters of the Chinese ones."""
        return frozenset(re.findall(r"[a-z]+$|[^a-z]$", "\n".join(self._opener_words), re.MULTILINE))

    def _may_open(self, line: str, start: int) -> bool:
        """Whether a sentence may be said to begin at `start`: no where a word that is no opener stands before it."""
        char = line[start - 1]
        if char == " ":
            word = line[line.rfind(" ", 0, start - 1) + 1 : start - 1]
            return not (word.isascii() and word.isalpha()) or word in self._opener_ends
        return not "\u4e00" <= char <= "\u9fff" or char in self._opener_ends

    def _of(self, symbol: int) -> tuple[list[Begin], dict[int, list[Edge]]]:
        """The edges of a literal or token: those that begin a phrase, and those that go on, by where they come from."""
        flat = self._edges[self._offsets[symbol] * FIELDS : self._offsets[symbol + 1] * FIELDS].tolist()
        edges: list[Edge] = list(zip(*[iter(flat)] * FIELDS, strict=True))
        follows: dict[int, list[Edge]] = {}
        begins: list[Begin] = []
        for edge in edges:
            flags, source, _, target, owner, cue = edge
            if source != START:
                follows.setdefault(source, []).append(edge)
            elif target == START:
                begins.append((flags, START, owner, cue, frozenset()))
            else:
                wanted = self._wanted[self._nexts[target] : self._nexts[target + 1]]
                begins.append((flags, target, owner, cue, frozenset(wanted)))
        self._known[symbol] = begins, follows
        return self._known[symbol]

    def find(self, text: Text) -> list[Match]:
        """All matches in `text`, in the order of their ends."""
        checks = self._machine["checks"]
        if not checks:
            return []
        line, sides = text.text, _SIDES
        size = len(line)
        hits: list[Hit] = []
        wanted = 0
        for literal, start, end in self._automaton.find_matches_as_indexes(line, overlapping=True):
            check = checks[literal]
            if check & LEFT and start and (side := sides[line[start - 1]]) and (
                side != _JOINT or _is_letter(line, start - 2)
            ):
                continue
            bounded = not (check & RIGHT and end < size and (side := sides[line[end]]) and (
                side != _JOINT or _is_letter(line, end + 1)
            ))
            if bounded or check & LOOSE:
                hits.append((end, start, literal, bounded))
                wanted |= check
        if not hits:
            return []
        if wanted & TYPED:
            typed = [(end, start, self._tokens + token, True) for end, start, token in text.tokens()]
            if typed:
                hits += typed
                hits.sort()
        return self._run(text, hits)

    def _run(self, text: Text, hits: list[Hit]) -> list[Match]:
        known, tokens = self._known, self._tokens
        ends: dict[int, list[int]] = {}  # by state: where it was reached, and by which start and literals
        ways: dict[int, list[tuple[int, tuple[Span, ...]]]] = {}
        openings: set[int] | None = None
        symbols = {hit[2] for hit in hits}
        found: list[Match] = []
        work = len(hits)
        for end, start, symbol, bounded in hits:
            begins, follows = known.get(symbol) or self._of(symbol)
            work += len(begins)
            own = ((start, end),) if symbol < tokens else ()
            for flags, target, owner, cue, wanted in begins:
                goes_on = target != START and not wanted.isdisjoint(symbols)
                if not goes_on and owner == NOBODY:
                    continue
                if not (bounded or flags & PREFIX):
                    continue
                if flags & FIRST and start:
                    if openings is None:
                        if not self._may_open(text.text, start):
                            continue
                        openings = text.openings(self._openers)
                    if start not in openings:
                        continue
                if flags & LAST and not text.closes(end):
                    continue
                if owner != NOBODY:
                    found.append(Match(owner, cue, start, end, own))
                if goes_on:
                    ends.setdefault(target, []).append(end)
                    ways.setdefault(target, []).append((start, own))
            if not (follows and ends):
                continue
            few, many = (follows, ends) if len(follows) < len(ends) else (ends, follows)
            work += len(few)
            for source in [state for state in few if state in many]:
                before = ends[source]
                place = bisect_right(before, start)
                if not place:
                    continue
                for flags, _, link, target, owner, cue in follows[source]:
                    work += 1
                    if not (bounded or flags & PREFIX) or not _linked(text, before[place - 1], start, link):
                        continue
                    if flags & LAST and not text.closes(end):
                        continue
                    begin, spans = ways[source][place - 1]
                    if owner != NOBODY:
                        found.append(Match(owner, cue, begin, end, spans + own))
                    if target != START:
                        ends.setdefault(target, []).append(end)
                        ways.setdefault(target, []).append((begin, spans + own))
        self.work += work
        return found


def _linked(text: Text, end: int, start: int, link: int) -> bool:
    """Whether a part that ended at `end` and one that begins at `start` hang together."""
    if link == GAP:
        return start - end <= REACH and text.is_gap(end, start)
    return start - end <= 3 and not text.text[end:start].strip(_GLUE)


class _Sides(dict[str, int]):
    """What a character beside a literal is: of a word or number, an underscore, a joint of words, or nothing."""

    def __missing__(self, char: str) -> int:
        """What `char` is; kept, but for Chinese, of which there is too much."""
        if char >= "\u2e80":
            return _NONE
        side = _LETTER if char.isalnum() else _LINE if char == "_" else _JOINT if char in _JOINTS else _NONE
        self[char] = side
        return side


_SIDES = _Sides()


def _is_letter(line: str, at: int) -> bool:
    """Whether a letter or digit stands at `at`, so that a joint makes one word of it and its other neighbour."""
    return 0 <= at < len(line) and _SIDES[line[at]] == _LETTER
