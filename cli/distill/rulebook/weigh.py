"""Marks and modifiers to a verdict: what a statement is, by the words that stand in it.

The literals of all phrases compete first: one that lies inside a longer matched one does not count, and a modifier
never swallows a mark. What is left of the modifiers is laid over the statement, and each mark asks the effects table
what they do to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from distill.model import Kind, Role
from distill.rulebook.machine import EXCLUDE, MARK, MODIFY, STOP, SWALLOW
from distill.rulebook.modality import Bounds, Cover, Field, Longest, ModifierRow, over
from distill.rulebook.scan import Match, Scanner
from distill.rulebook.text import LIMIT, Span, Text
from distill.rulebook.verdict import KEEP, PROPOSAL, Explanation, Mark, Reach, Verdict

KINDS = tuple(Kind)
ENOUGH = 2  # the weight that a kind needs
#: id, kind, weight, firm, immune, roles
RuleRow = tuple[str, int, int, bool, tuple[str, ...], tuple[str, ...]]
Lose = Callable[[int, Match, str], None]
_NOTHING = Verdict()


@dataclass(slots=True)
class _Found:
    """The matches of a text by what they mean, when the longest have won."""

    marks: list[tuple[int, Match]] = field(default_factory=list)
    modifiers: list[tuple[int, Match]] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)


class Weigher:
    """Judges statements by the tables of a rulebook."""

    def __init__(self, tables: dict[str, Any], limit: int = LIMIT) -> None:
        """`limit` is the number of characters of a statement that are looked at."""
        self._limit = limit
        self._scanner = Scanner(tables["machine"], tables["openers"])
        self._rules: list[RuleRow] = tables["rules"]
        self._modifiers: list[ModifierRow] = tables["modifiers"]
        self._effects: list[list[tuple[str, str]]] = [
            [(name, effect) for name in tables["order"] if (effect := tables["effects"][kind].get(name, KEEP)) != KEEP]
            for kind in KINDS
        ]
        self._changes = [
            [kind for kind in range(len(KINDS)) if any(name == row[0] for name, _ in self._effects[kind])]
            for row in self._modifiers
        ]
        self._short: int = tables["short"]

    @property
    def work(self) -> int:
        """Hits and edges looked at so far: a measure of time without a clock."""
        return self._scanner.work

    def judge(self, source: str, role: Role) -> Verdict:
        """The verdict on one statement."""
        text = Text(source, self._limit)
        matches = self._scanner.find(text)
        if not matches:
            return replace(_NOTHING, cut=True) if text.cut else _NOTHING
        found = self._compete(matches, role)
        return self._verdict(text, found, self._marks(text, found, role))

    def modifiers(self, source: str, role: Role) -> frozenset[str]:
        """The names of the modifiers in a statement."""
        found = self._compete(self._scanner.find(Text(source, self._limit)), role)
        return frozenset(self._modifiers[index][0] for index, _ in found.modifiers)

    def explain(self, source: str, role: Role) -> Explanation:
        """The verdict with all that led to it."""
        text = Text(source, self._limit)
        lost: list[Mark] = []

        def lose(index: int, match: Match, why: str) -> None:
            lost.append(self._mark(index, match, role, lost=why))

        found = self._compete(self._scanner.find(text), role, lose)
        marks = self._marks(text, found, role)
        bounds = Bounds(text, found.stops)
        reaches = []
        for index, match in found.modifiers:
            row = self._modifiers[index]
            low, high = over(row, text, bounds, match.start, match.end)
            reaches.append(
                Reach(
                    name=row[0],
                    cue=self._scanner.cues[match.cue],
                    start=text.origin(match.start),
                    end=text.origin(match.end),
                    over=(text.origin(low), text.origin(high)),
                )
            )
        return Explanation(
            text=source,
            role=role,
            marks=tuple(
                one._replace(start=text.origin(one.start), end=text.origin(one.end))
                for one in sorted([*marks, *lost], key=lambda one: (one.start, one.end, one.rule, one.cue))
            ),
            modifiers=tuple(reaches),
            sums=tuple(self._sums(text, marks).items()),
            verdict=self._verdict(text, found, marks),
        )

    # -- which matches count ------------------------------------------------------------------------------------------

    def _compete(self, matches: Iterable[Match], role: Role, lose: Lose | None = None) -> _Found:
        marks: list[tuple[int, Match]] = []
        modifiers: list[tuple[int, Match]] = []
        against: dict[tuple[int, int], list[Span]] = {}
        stops: list[Match] = []
        owners = self._scanner.owners
        for match in matches:
            meaning, index = owners[match.owner]
            if meaning == MARK:
                if _speaks(role, self._rules[index][5]):
                    marks.append((index, match))
                elif lose:
                    lose(index, match, "role")
            elif meaning == MODIFY:
                if not (roles := self._modifiers[index][4]) or role in roles:
                    modifiers.append((index, match))
            elif meaning == STOP:
                stops.append(match)
            else:
                against.setdefault((meaning, index), []).append((match.start, match.end))
        if against:
            covers = {key: Cover(spans) for key, spans in against.items()}
            marks = [one for one in marks if not _excluded(covers.get((EXCLUDE, one[0])), one, lose)]
            modifiers = [one for one in modifiers if not _excluded(covers.get((SWALLOW, one[0])), one, None)]
        if _apart([*[match for _, match in marks], *[match for _, match in modifiers], *stops]):
            return _Found(marks, modifiers, [match.start for match in stops])
        longest = Longest([span for _, match in marks for span in match.spans])
        if lose:
            for index, match in marks:
                if longest.swallows(match.anchor):
                    lose(index, match, "inside a longer cue")
        other = Longest([span for match in (*[m for _, m in modifiers], *stops) for span in match.spans])
        spans: dict[int, list[Span]] = {}
        for index, match in marks if modifiers else ():
            spans.setdefault(self._rules[index][1], []).extend(match.spans)
        by_kind = {kind: Longest(some) for kind, some in spans.items()}
        return _Found(
            marks=marks if len(marks) == 1 else [one for one in marks if not longest.swallows(one[1].anchor)],
            # a mark swallows only what would change it: "TODO: use X" stays deferred
            modifiers=[
                (index, match)
                for index, match in modifiers
                if not other.swallows(match.anchor)
                and not (by_kind and any(
                    kind in by_kind and by_kind[kind].swallows(match.anchor) for kind in self._changes[index]
                ))
            ],
            stops=[one.start for one in stops if not (longest.swallows(one.anchor) or other.swallows(one.anchor))],
        )

    def _mark(self, index: int, match: Match, role: Role, effect: str = KEEP, by: str = "", lost: str = "") -> Mark:
        name, kind, weight, _, _, roles = self._rules[index]
        if roles and role is Role.UNKNOWN:
            weight = max(1, weight - 1)  # nobody is known to be the one whose word this is
        cue = self._scanner.cues[match.cue]
        return Mark(name, KINDS[kind], cue, match.start, match.end, weight, effect, by, lost)

    # -- what they come to --------------------------------------------------------------------------------------------

    def _marks(self, text: Text, found: _Found, role: Role) -> list[Mark]:
        if not found.marks:
            return []
        quotes = text.quotes()
        kinds = {self._rules[index][1] for index, _ in found.marks}
        hits = [
            (self._modifiers[index], (match.start, match.end))
            for index, match in found.modifiers
            if not kinds.isdisjoint(self._changes[index])
        ]
        if not hits and not quotes:
            return [self._mark(index, match, role) for index, match in found.marks]
        over_text = Field(text, Bounds(text, found.stops), hits, quotes)
        marks = []
        for index, match in found.marks:
            _, kind, _, firm, immune, _ = self._rules[index]
            by, effect = over_text.first(match.anchor[0], self._effects[kind], firm, immune)
            marks.append(self._mark(index, match, role, effect or KEEP, by))
        return marks

    def _verdict(self, text: Text, found: _Found, marks: Sequence[Mark]) -> Verdict:
        names = frozenset([self._modifiers[index][0] for index, _ in found.modifiers])
        if not marks:
            return Verdict(modifiers=names, cut=text.cut) if names or text.cut else _NOTHING
        of: dict[Kind | None, list[Mark]] = {}
        for mark in marks:
            of.setdefault(mark.result, []).append(mark)
        kind = self._kind(text, of)
        best = _best(of[kind]) if kind else None
        offered = [m for m in of.get(None, ()) if m.effect == PROPOSAL]
        return Verdict(
            kind=kind,
            rule=best.rule if best else "",
            weight=sum(_once(of[kind])) if kind else 0,
            proposal=kind is not Kind.DECISION and bool(offered) and self._sum(text, offered) >= ENOUGH,
            modifiers=names,
            marks=tuple([(m.rule, text.origin(m.start), text.origin(m.end), m.effect) for m in marks]),
            cut=text.cut,
        )

    def _kind(self, text: Text, of: Mapping[Kind | None, Sequence[Mark]]) -> Kind | None:
        """The first kind that one mark of `of` is enough for, else the first that its marks together are enough for."""
        if len(of) == 1 and None in of:
            return None
        for kind in KINDS:
            if kind in of and max([m.weight for m in of[kind]]) >= ENOUGH:
                return kind
        return next((kind for kind in KINDS if kind in of and self._sum(text, of[kind]) >= ENOUGH), None)

    def _sums(self, text: Text, marks: Sequence[Mark]) -> dict[Kind, int]:
        sums: dict[Kind, int] = {}
        for kind in KINDS:
            if some := [m for m in marks if m.result is kind]:
                sums[kind] = self._sum(text, some)
        return sums

    def _sum(self, text: Text, marks: Sequence[Mark]) -> int:
        """What some marks weigh together; in a short statement a weak mark is enough."""
        return sum(_once(marks)) + int(min([m.weight for m in marks]) < ENOUGH and text.width <= self._short)


def _apart(matches: Sequence[Match]) -> bool:
    """Whether `matches` share no place, but for those that stand at the very same: none then lies inside another."""
    if len(matches) < 2:
        return True
    last = 0
    for start, end in sorted({span for match in matches for span in match.spans}):
        if start < last:
            return False
        last = end
    return True


def _speaks(role: Role, roles: Sequence[str]) -> bool:
    return not roles or role is Role.UNKNOWN or role in roles


def _excluded(cover: Cover | None, one: tuple[int, Match], lose: Lose | None) -> bool:
    if cover is None or not any(cover.meets(span) for span in one[1].spans):
        return False
    if lose:
        lose(one[0], one[1], "antipattern")
    return True


def _best(marks: Sequence[Mark]) -> Mark:
    """The heaviest of `marks`, the first of several."""
    return marks[0] if len(marks) == 1 else min(marks, key=lambda m: (-m.weight, m.start, m.rule))


def _once(marks: Sequence[Mark]) -> list[int]:
    """The weights of `marks`, each cue once."""
    return [marks[0].weight] if len(marks) == 1 else list({(m.rule, m.cue): m.weight for m in marks}.values())
