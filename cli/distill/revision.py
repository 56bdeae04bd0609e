"""The second pass, joined to what rules found: its additions go through the same rooms, its other proposals are applied
to single items. What the rules found of the user's words stands in any case."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from distill.classify.judge import Judge
from distill.model import Finding, Item, Kind, Role, Source, State, Status, item_id
from distill.reconcile.said import Endings
from distill.refine.claims import ADDED, CONFIRMED, DROPPED, RECLASSED, REWORDED, RULE
from distill.text.fold import fold

if TYPE_CHECKING:
    from distill.refine.believe import Believed
    from distill.refine.second import Proposals, SecondPass
    from distill.refine.transcript import Transcript
    from distill.rulebook.signals import Signals

NEAR = {Role.USER: 16, Role.UNKNOWN: 16, Role.ASSISTANT: 6}  # points below the bar at which words are still undecided
SURER = 0.05  # what a confirmation adds to the confidence of an item
# Points below its bar at which words may still become a conclusion of a kind because a model says so. A decision needs
# the user's words besides.
LEAST = {Kind.DECISION: 12, Kind.FACT: 1, Kind.ARTIFACT: 1, Kind.OPEN: 1}
# How many additions of a kind one log may have: so many, or this share of what rules found, whichever is more. A model
# that finds more than that labels at random.
MOST = {Kind.DECISION: (3, 1 / 3), Kind.FACT: (2, 1 / 6), Kind.ARTIFACT: (1, 1 / 8), Kind.OPEN: (1, 1 / 8)}
Concluded = tuple[list[Item], Endings]


def undecided(judge: Judge, signals: Signals) -> frozenset[int]:
    """The records of statements that could be a conclusion and became none by few points."""
    found = set()
    for one in judge.pool:
        margin = max((points - signals.bars[kind] for kind, points in one.points.items()), default=-NEAR[Role.USER])
        if -NEAR[one.statement.role] <= margin < 0:
            found.add(one.statement.record)
    return frozenset(found)


def revise(
    second: SecondPass, path: str, transcript: Transcript, judge: Judge, signals: Signals,
    findings: Sequence[Finding], first: Concluded, conclude: Callable[[Sequence[Finding]], Concluded],
) -> Concluded:
    """What `first`, concluded from `findings`, becomes with what a model adds that the log carries."""
    proposals = second.propose(path, transcript, undecided(judge, signals), first[0])
    changes, rejected = second.report.changes, second.report.rejected
    items, endings = _added(proposals, judge, signals, findings, first, conclude, rejected)
    changes["added"] += sum(item.rule == ADDED and item.status is Status.LIVE for item in items)
    return _edited(items, proposals, changes), endings


def without(state: State) -> State:
    """`state` as it was without the second pass: what it added is gone, what it reworded or dropped is back."""
    made = {item.id for item in state.items if item.rule.startswith(RULE)}
    items: list[Item] = []
    for item in state.items:
        if item.id in made:
            continue
        if item.by in made or DROPPED in item.tags:
            item = replace(item, status=Status.LIVE, by=None)
        if CONFIRMED in item.tags:
            item = replace(item, confidence=round(item.confidence - SURER, 2))
        items.append(replace(
            item, tags=tuple(tag for tag in item.tags if tag not in (CONFIRMED, DROPPED)),
            supersedes=tuple(one for one in item.supersedes if one not in made),
        ))
    return replace(state, items=tuple(items))


# -- what is added ----------------------------------------------------------------------------------------------------


def _added(
    proposals: Proposals, judge: Judge, signals: Signals, findings: Sequence[Finding], first: Concluded,
    conclude: Callable[[Sequence[Finding]], Concluded], rejected: Counter[str],
) -> Concluded:
    """The conclusions with the additions among the findings, but for those that would cost what rules found."""
    turns = _turns(judge)
    extra = [replace(one, turn=turns(one.source.record), points=signals.bars[one.kind] - 1)
             for one in _likely(proposals.added, judge, signals, first[0], rejected)]
    standing = {item.id for item in first[0] if item.status is Status.LIVE}
    while extra:
        found = conclude([*findings, *extra])
        now = {item.id: item for item in found[0]}
        lost = {name for name in standing if name not in now or now[name].status is not Status.LIVE}
        if not lost:
            return found
        replacing = {now[name].by for name in lost if name in now}
        guilty = [one for one in extra if item_id(one.kind, one.text) in replacing] or extra
        rejected["against what rules found"] += len(guilty)
        extra = [one for one in extra if one not in guilty]
    return first


def _likely(
    added: Sequence[Finding], judge: Judge, signals: Signals, items: Sequence[Item], rejected: Counter[str]
) -> list[Finding]:
    """Of the additions those that the signals of their words do not speak against, of each kind the likeliest few."""
    leaning = _leaning(judge, signals)
    possible = [one for one in added if leaning(one) >= -LEAST[one.kind]]
    rejected["against the signals of its words"] += len(added) - len(possible)
    kept: list[Finding] = []
    for kind, (least, share) in MOST.items():
        live = sum(item.kind is kind and item.status is Status.LIVE for item in items)
        likeliest = sorted((one for one in possible if one.kind is kind), key=leaning, reverse=True)
        kept += likeliest[: max(least, round(share * live))]
    rejected["too many of its kind"] += len(possible) - len(kept)
    return [one for one in possible if one in kept]


def _leaning(judge: Judge, signals: Signals) -> Callable[[Finding], int]:
    """Tells by how many points the words that a finding rests on pass the bar of its kind; 0 for words not weighed."""
    said: dict[int, list[tuple[str, Mapping[Kind, int]]]] = {}
    for one in judge.pool:
        said.setdefault(one.statement.record, []).append((fold(one.statement.quote), one.points))

    def leans(finding: Finding) -> int:
        quote, kind = fold(finding.source.quote), finding.kind
        there = said.get(finding.source.record, ())
        return max((points[kind] - signals.bars[kind] for other, points in there if other in quote or quote in other),
                   default=0)

    return leans


def _turns(judge: Judge) -> Callable[[int], int]:
    """Tells the turn that a record stands in."""
    places = sorted((one.statement.record, one.statement.turn) for one in judge.pool)
    records = [record for record, _ in places]

    def turn(record: int) -> int:
        at = bisect_right(records, record)
        return places[at - 1][1] if at else 1

    return turn


# -- single items -----------------------------------------------------------------------------------------------------


def _edited(items: Sequence[Item], proposals: Proposals, changes: Counter[str]) -> list[Item]:
    taken = {item.id for item in items}
    found: list[Item] = []
    for item in items:
        if item.status is not Status.LIVE or item.rule.startswith(RULE):
            found.append(item)
            continue
        believed = proposals.restated.get(item.id)
        if believed is not None:
            anew = _restated(item, believed)
            if anew.id not in taken:
                taken.add(anew.id)
                changes["reclassed" if anew.kind is not item.kind else "reworded"] += 1
                found += [anew, replace(item, status=Status.SUPERSEDED, by=anew.id)]
                continue
        if item.id in proposals.dropped and item.role is Role.ASSISTANT:
            changes["dropped"] += 1
            item = replace(item, status=Status.SUPERSEDED, tags=(*item.tags, DROPPED))
        elif item.id in proposals.confirmed and CONFIRMED not in item.tags and item.confidence + SURER < 1:
            changes["confirmed"] += 1
            item = replace(item, confidence=round(item.confidence + SURER, 2), tags=(*item.tags, CONFIRMED))
        found.append(item)
    return found


def _restated(item: Item, believed: Believed) -> Item:
    """`item` in the words of a claim; it takes the place of the other, which goes to the history."""
    kind, text = believed.claim.kind, believed.claim.text
    source = Source(path=item.sources[0].path, record=believed.entry.record, quote=believed.quote)
    sources = item.sources if any(source.record == one.record for one in item.sources) else (*item.sources, source)
    return replace(
        item, id=item_id(kind, text), kind=kind, text=text, rule=REWORDED if kind is item.kind else RECLASSED,
        sources=sources, supersedes=(*item.supersedes, item.id),
    )
