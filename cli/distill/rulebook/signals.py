"""The table of signals: which features of a statement speak for which kind, and how much.

`rules/signals.yaml` is the one place where the weights stand, each with its reason. A signal with cues is found by its
words; one without is computed by the judging room, which knows form, place and repetition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from distill.model import DistillError, Kind, Role
from distill.text.fold import fold

Points = tuple[int, int, int, int]  # in the order of Kind
LIMITS = ("bars", "share", "certainty", "gain")
_KEYS = {"points", "why", "cues", "headings", "roles", "not"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One row of the table: what it adds to each kind, for whom, and the words that show it."""

    name: str
    why: str
    points: Points
    roles: tuple[Role, ...] = ()
    words: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()  # words of the heading above


class _Finder:
    """Finds literals in folded text in one pass; Latin ones end at word boundaries, Chinese ones need none."""

    def __init__(self, entries: Iterable[tuple[str, str, bool]]) -> None:
        """`entries` are (signal, word with its `^`, `$` and `~`, whether it speaks against the signal)."""
        from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

        meanings: dict[str, list[tuple[str, bool, bool, bool, bool]]] = {}
        for name, word, against in entries:
            literal = fold(word.strip("^$~"))
            meaning = (name, word.startswith("^"), word.endswith("$"), word.endswith("~"), against)
            meanings.setdefault(literal, []).append(meaning)
        self._meanings = list(meanings.values())
        self._automaton = AhoCorasick(list(meanings), matchkind=MatchKind.Standard, implementation=Implementation.DFA)

    def find(self, folded: str) -> tuple[set[str], set[str]]:
        """The signals that stand in `folded`, and those that are spoken against."""
        found: set[str] = set()
        against: set[str] = set()
        for index, start, end in self._automaton.find_matches_as_indexes(folded, overlapping=True):
            if start and _wordy(folded[start - 1]) and _wordy(folded[start]):
                continue
            inside = end < len(folded) and _wordy(folded[end - 1]) and _wordy(folded[end])
            for name, first, last, prefix, negative in self._meanings[index]:
                if (inside and not prefix) or (first and start) or (last and folded[end:].strip(" ?.!。")):
                    continue
                (against if negative else found).add(name)
        return found, against


def _wordy(char: str) -> bool:
    return char < "\x7f" and (char.isalnum() or char == "_")


class Signals:
    """All signals, ready to be looked for in folded text in one pass."""

    def __init__(self, rows: Iterable[Signal], bars: Points = (4, 1, 6, 4),
                 share: tuple[float, float, float, float] = (1.4, 1.6, 0.2, 0.5),
                 certainty: Points = (55, 40, 90, 60), gain: Points = (3, 7, 0, 2)) -> None:
        """The limits by kind: `bars` are the points it needs, `share` how many of it a log keeps per root of its
        statements, `certainty` the percentage of right ones at no points and `gain` what a point adds to it.
        """
        self._certainty = dict(zip(Kind, zip(certainty, gain, strict=True), strict=True))
        self.bars: dict[Kind, int] = dict(zip(Kind, bars, strict=True))
        self.share: dict[Kind, float] = dict(zip(Kind, share, strict=True))
        self.table: dict[str, Signal] = {row.name: row for row in rows}
        table = self.table.values()
        self._words = _Finder(
            [(r.name, w, False) for r in table for w in r.words] + [(r.name, w, True) for r in table for w in r.unless]
        )
        self._titles = _Finder([(r.name, w, False) for r in table for w in r.titles])

    def words(self, folded: str, role: Role) -> set[str]:
        """The signals whose words stand in `folded` (a folded statement) when `role` says it."""
        found, against = self._words.find(folded)
        return {
            name
            for name in found - against
            if not (roles := self.table[name].roles) or role in roles or role is Role.UNKNOWN
        }

    def headings(self, folded: str) -> set[str]:
        """The signals that a heading gives what stands under it."""
        return self._titles.find(folded)[0]

    def known(self, names: Iterable[str]) -> set[str]:
        """Those of `names` that the table has."""
        return {name for name in names if name in self.table}

    def confidence(self, kind: Kind, points: int) -> float:
        """How many of a hundred findings of `kind` with `points` were right on labelled logs, as a share of 1."""
        base, gain = self._certainty[kind]
        return min(95, max(5, base + gain * points)) / 100

    def sum(self, names: Iterable[str]) -> dict[Kind, int]:
        """What the named signals add up to, by kind."""
        total = [0, 0, 0, 0]
        for name in names:
            points = self.table[name].points
            for place in range(4):
                total[place] += points[place]
        return dict(zip(Kind, total, strict=True))


def read_signals(data: Any, where: str) -> list[Signal]:
    """The rows of a parsed signals file; an error names the row and the field."""
    rows: list[Signal] = []
    table = data.get("signals") if isinstance(data, Mapping) else None
    if not isinstance(table, Mapping):
        raise DistillError(f"{where}: 'signals' must be a mapping of names to points")
    for name, row in table.items():
        if not isinstance(row, Mapping) or not row.keys() <= _KEYS:
            raise DistillError(f"{where}: signal {name!r}: known fields are {', '.join(sorted(_KEYS))}")
        points = row.get("points")
        if not (isinstance(points, list) and len(points) == 4 and all(isinstance(p, int) for p in points)):
            raise DistillError(f"{where}: signal {name!r}: 'points' must be four whole numbers")
        if not isinstance(row.get("why"), str):
            raise DistillError(f"{where}: signal {name!r}: 'why' is missing")
        rows.append(
            Signal(
                name=str(name),
                why=row["why"],
                points=(points[0], points[1], points[2], points[3]),
                roles=tuple(Role(role) for role in row.get("roles", ())),
                words=_words(row.get("cues")),
                unless=_words(row.get("not")),
                titles=_words(row.get("headings")),
            )
        )
    return rows


def _words(cues: Any) -> tuple[str, ...]:
    texts = list(cues.values()) if isinstance(cues, Mapping) else [cues] if isinstance(cues, str) else []
    found = [word.strip() for text in texts for line in str(text).split("\n") for word in line.split("|")]
    return tuple(dict.fromkeys(expanded for word in found if word for expanded in _expand(word)))


def _expand(word: str) -> list[str]:
    start = word.find("{")
    if start < 0:
        return [word] if "*" not in word else []
    end = word.index("}", start)
    return [one for part in word[start + 1 : end].split(",") for one in _expand(word[:start] + part + word[end + 1 :])]
