"""Rules to tables: numbers and texts that a scanner runs on and a cache file holds.

Every phrase becomes a small machine. Its states are the sets of what may still follow, so that alternatives share their
states; an edge reads one literal or token. All machines stand in one table, listed by the literal that moves them, as
packed numbers: most literals never meet their text, and their edges are never unpacked.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import accumulate
from typing import Any

from distill.rulebook.machine import (
    EXCLUDE,
    FIRST,
    LAST,
    LEFT,
    LOOSE,
    MARK,
    MODIFY,
    NOBODY,
    PREFIX,
    RIGHT,
    START,
    STOP,
    SWALLOW,
    TYPED,
    Edge,
    Machine,
)
from distill.rulebook.phrase import TOKENS, Part, literals
from distill.rulebook.rule import MARKERS, TALK, Cue, Rule


class Builder:
    """Collects phrases and gives their machine."""

    def __init__(self) -> None:
        self._literals: dict[str, int] = {}
        self._edges: list[list[Edge]] = []
        self._triggers: set[str] = set()
        self._tokens: list[list[Edge]] = [[] for _ in TOKENS]
        self._owners: list[tuple[int, int]] = []
        self._cues: list[str] = []
        self._states = 0

    def add(self, cues: Sequence[Cue], meaning: int, index: int) -> None:
        """Let every match of `cues` have `meaning` for the rule or modifier number `index`."""
        self._owners.append((meaning, index))
        for cue in cues:
            self._cues.append(cue.text)
            typed = [sequence for sequence in cue.sequences if any(part.is_token for part in sequence)]
            self._triggers.update(literals(typed))
            self._state(frozenset(cue.sequences), START, {})

    def _state(self, rest: frozenset[tuple[Part, ...]], state: int, known: dict[frozenset[Any], int]) -> None:
        following: dict[Part, list[tuple[Part, ...]]] = {}
        for sequence in sorted(rest, key=repr):
            following.setdefault(sequence[0], []).append(sequence[1:])
        for part, tails in following.items():
            more = frozenset(tail for tail in tails if tail)
            target = known.get(more, START) if more else START
            fresh = bool(more) and target == START
            if fresh:
                target = known[more] = self._states
                self._states += 1
            flags = PREFIX * part.prefix | FIRST * part.first | LAST * part.last
            done = len(self._owners) - 1 if () in tails else NOBODY
            self._list(part).append((flags, state, part.link, target, done, len(self._cues) - 1))
            if fresh:
                self._state(more, target, known)

    def _list(self, part: Part) -> list[Edge]:
        if part.is_token:
            return self._tokens[TOKENS.index(part.text)]
        if part.text not in self._literals:
            self._literals[part.text] = len(self._edges)
            self._edges.append([])
        return self._edges[self._literals[part.text]]

    def machine(self) -> Machine:
        """The tables of all phrases added so far."""
        rows = [*self._edges, *self._tokens]
        wanted: list[list[int]] = [[] for _ in range(self._states)]
        for symbol, row in enumerate(rows):
            for state in {edge[1] for edge in row if edge[1] != START}:
                wanted[state].append(symbol)
        return Machine(
            literals="\n".join(self._literals),
            checks=bytes(self._check(text, self._edges[number]) for text, number in self._literals.items()),
            offsets=_offsets(rows),
            edges=array("i", [number for row in rows for edge in row for number in edge]).tobytes(),
            nexts=_offsets(wanted),
            wanted=array("i", [symbol for some in wanted for symbol in some]).tobytes(),
            owners=self._owners,
            cues="\n".join(self._cues),
        )

    def _check(self, text: str, edges: Sequence[Edge]) -> int:
        check = LEFT * _latin(text[0]) | RIGHT * _latin(text[-1]) | TYPED * (text in self._triggers)
        return check | LOOSE * any(edge[0] & PREFIX for edge in edges)


def _offsets(rows: Iterable[Sized]) -> bytes:
    """Where each of `rows` begins when they stand one behind the other, and where the last ends."""
    return array("i", accumulate((len(row) for row in rows), initial=0)).tobytes()


def _latin(char: str) -> bool:
    return (char.isalnum() and ord(char) < 0x2E80) or char == "_"


def build(rules: Sequence[Rule], effects: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a whole rulebook as plain data that `marshal` can hold.

    `effects` is what `effects.read_effects` gives.
    """
    markers = [rule for rule in rules if rule.group in MARKERS]
    modifiers = [rule for rule in rules if rule.group == "modifier"]
    replies, speech = ([rule for rule in rules if rule.group == group] for group in TALK)
    builder, answers, moves = Builder(), Builder(), Builder()
    for part, meaning, excluding, some in (
        (builder, MARK, EXCLUDE, markers),
        (builder, MODIFY, SWALLOW, modifiers),
        (answers, MARK, EXCLUDE, replies),
        (moves, MARK, EXCLUDE, speech),
    ):
        for index, rule in enumerate(some):
            part.add(rule.cues, meaning, index)
            part.add(rule.excluded, excluding, index)
    builder.add(effects["stops"], STOP, 0)
    return {
        "machine": builder.machine(),
        "rules": [(r.id, MARKERS.index(r.group), r.weight, r.firm, r.immune, r.roles) for r in markers],
        "modifiers": [(r.name, r.direction, r.reach, r.within, r.roles) for r in modifiers],
        "openers": sorted({p[0].text for cue in effects["openers"] for p in cue.sequences}, key=lambda t: (-len(t), t)),
        "order": list(effects["order"]),
        "effects": {kind: dict(table) for kind, table in effects["effects"].items()},
        "short": effects["short"],
        "replies": answers.machine(),
        "reply_names": [rule.name for rule in replies],
        "speech": moves.machine(),
        "speech_names": [rule.name for rule in speech],
    }
