"""The table of signals: which features of a statement speak for which kind, and how much.

`rules/signals.yaml` is the one place where the weights stand, each with its reason. A signal with cues is found by its
words; one without is computed by the judging room, which knows form, place and repetition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

from distill.model import Kind, Role
from distill.text.fold import fold
from distill.text.lazy import Lazy

Points = tuple[int, int, int, int]  # in the order of Kind
LIMITS = ("bars", "share", "certainty", "gain")
EXPANSIONS = 512
KNOWN = 1 << 12  # statements whose words are remembered: agents repeat themselves, and logs hold copies
_GROUP = Lazy(r"\{[^{}]*\}")
_KEYS = {"points", "why", "cues", "headings", "roles", "not", "match", "no_match"}


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


class WordFinder:
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
        kind = Implementation.ContiguousNFA
        self._automaton = AhoCorasick(list(meanings), matchkind=MatchKind.Standard, implementation=kind)

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
        self._points = {row.name: row.points for row in self.table.values()}
        self._roles = {row.name: row.roles for row in self.table.values() if row.roles}
        table = self.table.values()
        self._words = WordFinder(
            [(r.name, w, False) for r in table for w in r.words] + [(r.name, w, True) for r in table for w in r.unless]
        )
        self._titles = WordFinder([(r.name, w, False) for r in table for w in r.titles])
        self._known = lru_cache(maxsize=KNOWN)(self._found)
        self._summed = lru_cache(maxsize=KNOWN)(self._sum)
        self._titled = lru_cache(maxsize=KNOWN >> 4)(lambda folded: frozenset(self._titles.find(folded)[0]))

    def words(self, folded: str, role: Role) -> set[str]:
        """The signals whose words stand in `folded` (a folded statement) when `role` says it."""
        return set(self._known(folded, role))

    def _found(self, folded: str, role: Role) -> frozenset[str]:
        found, against = self._words.find(folded)
        found -= against
        if role is not Role.UNKNOWN:
            found -= {name for name in found if name in self._roles and role not in self._roles[name]}
        return frozenset(found)

    def headings(self, folded: str) -> set[str]:
        """The signals that a heading gives what stands under it."""
        return set(self._titled(folded))

    def known(self, names: Iterable[str]) -> set[str]:
        """Those of `names` that the table has."""
        return {name for name in names if name in self.table}

    def confidence(self, kind: Kind, points: int) -> float:
        """How many of a hundred findings of `kind` with `points` were right on labelled logs, as a share of 1."""
        base, gain = self._certainty[kind]
        return min(95, max(5, base + gain * points)) / 100

    def sum(self, names: Iterable[str]) -> dict[Kind, int]:
        """What the named signals add up to, by kind."""
        return dict(self._summed(frozenset(names)))

    def _sum(self, names: frozenset[str]) -> dict[Kind, int]:
        decision = fact = artifact = left = 0
        for name in names:
            one, two, three, four = self._points[name]
            decision += one
            fact += two
            artifact += three
            left += four
        return {Kind.DECISION: decision, Kind.FACT: fact, Kind.ARTIFACT: artifact, Kind.OPEN: left}


def signal_faults(data: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with a parsed signals file, as (field, what must change)."""
    if not isinstance(data, Mapping):
        yield "file", "must be a mapping of signals and limits"
        return
    for name in data:
        if name not in ("signals", *LIMITS):
            yield str(name), f"unknown field; a signals file has signals, {', '.join(LIMITS)}"
    for name in LIMITS:
        if name in data and not _four(data[name], (int, float) if name == "share" else int):
            yield name, "must be four numbers: decision, fact, artifact, open"
    table = data.get("signals", {})
    if not isinstance(table, Mapping):
        yield "signals", "must be a mapping of names to points"
        return
    for name, row in table.items():
        where = f"signals.{name}"
        if not isinstance(row, Mapping):
            yield where, f"must be a mapping of {', '.join(sorted(_KEYS))}"
            continue
        for key in row:
            if key not in _KEYS:
                yield f"{where}.{key}", f"unknown field; a signal has {', '.join(sorted(_KEYS))}"
        if not _four(row.get("points"), int):
            yield f"{where}.points", "must be four whole numbers: decision, fact, artifact, open"
        if not isinstance(row.get("why"), str):
            yield f"{where}.why", "must say in words what the signal means"
        roles = row.get("roles", [])
        if not isinstance(roles, list) or any(role not in list(Role) for role in roles):
            yield f"{where}.roles", f"must be a list of {', '.join(Role)}"
        for key in ("cues", "not", "headings"):
            yield from ((f"{where}.{key}", what) for what in _cue_faults(row.get(key)))
        for key in ("match", "no_match"):
            texts = row.get(key, [])
            if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
                yield f"{where}.{key}", "must be a list of texts: quote what is none"


def _cue_faults(cues: Any) -> Iterator[str]:
    texts = list(cues.values()) if isinstance(cues, Mapping) else [] if cues is None else [cues]
    if not all(isinstance(text, str) for text in texts):
        yield "must be words between |, or such words by language"
        return
    for word in _split(texts):
        groups = _GROUP.findall(word)
        rest = _GROUP.sub("", word)
        if "{" in rest or "}" in rest:
            yield f"{word!r} has a brace without its partner"
        elif prod(group.count(",") + 1 for group in groups) > EXPANSIONS:
            yield f"{word!r} stands for more than {EXPANSIONS} phrases"


def _four(value: Any, kind: type | tuple[type, ...]) -> bool:
    return (isinstance(value, list) and len(value) == 4
            and all(isinstance(one, kind) and not isinstance(one, bool) for one in value))


def read_signals(data: Any) -> list[Signal]:
    """The rows of a parsed signals file in which `signal_faults` finds nothing."""
    return [
        Signal(
            name=str(name),
            why=row["why"],
            points=(row["points"][0], row["points"][1], row["points"][2], row["points"][3]),
            roles=tuple(Role(role) for role in row.get("roles", ())),
            words=_words(row.get("cues")),
            unless=_words(row.get("not")),
            titles=_words(row.get("headings")),
        )
        for name, row in data.get("signals", {}).items()
    ]


def _words(cues: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(expanded for word in split_words(cues) for expanded in expand(word)))


def split_words(cues: Any) -> list[str]:
    """The words of a block, or of blocks by language, as written."""
    texts = list(cues.values()) if isinstance(cues, Mapping) else [cues] if isinstance(cues, str) else []
    return list(_split(texts))


def _split(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for line in text.split("\n"):
            yield from filter(None, (word.strip() for word in line.split("|")))


def expand(word: str) -> list[str]:
    """The plain words that `word` stands for; none where it has a gap."""
    start = word.find("{")
    if start < 0:
        return [word] if "*" not in word else []
    end = word.index("}", start)
    return [one for part in word[start + 1 : end].split(",") for one in expand(word[:start] + part + word[end + 1 :])]
