"""The second pass, joined to what rules found: its additions go through the same rooms, its other proposals are applied
to single items. What the rules found of the user's words stands in any case."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.classify.replies import Answer, read_reply
from distill.model import Finding, Item, Kind, Role, Source, State, Status, item_id
from distill.reconcile.said import Endings
from distill.refine.claims import ADDED, CONFIRMED, DROPPED, RECLASSED, REWORDED, RULE
from distill.refine.uptake import Heard, Hears
from distill.text.fold import fold
from distill.text.likeness import containment, grams

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
# The same for a model that has shown judgement: of at least so many of its additions that were weighed, so large a
# share is of the kind that the signals find likeliest. A model that labels at random comes to two fifths.
JUDGED, AGREED = 5, 0.65
LEAST_JUDGED = {Kind.DECISION: 14, Kind.FACT: 8, Kind.ARTIFACT: 2, Kind.OPEN: 10}
# How many additions of a kind one log may have: so many, or this share of what rules found, whichever is more. A model
# that finds more than that labels at random.
MOST = {Kind.DECISION: (3, 1 / 3), Kind.FACT: (2, 1 / 6), Kind.ARTIFACT: (1, 1 / 8), Kind.OPEN: (1, 1 / 8)}
MOST_JUDGED = {Kind.DECISION: (3, 1 / 3), Kind.FACT: (4, 1 / 3), Kind.ARTIFACT: (1, 1 / 8), Kind.OPEN: (3, 1 / 4)}
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
    second: SecondPass, path: str, transcript: Transcript, judge: Judge, cues: CueJudge, signals: Signals,
    findings: Sequence[Finding], first: Concluded, conclude: Callable[[Sequence[Finding]], Concluded],
) -> Concluded:
    """What `first`, concluded from `findings`, becomes with what a model adds that the log carries."""
    proposals = second.propose(path, transcript, undecided(judge, signals), first[0], _hearing(cues))
    changes, rejected = second.report.changes, second.report.rejected
    items, endings = _added(proposals, judge, signals, findings, first, conclude, rejected)
    changes["added"] += sum(item.rule == ADDED and item.status is Status.LIVE for item in items)
    return _edited(items, proposals, changes), endings


def _hearing(cues: CueJudge) -> Hears:
    """Tells how a message of the user opens."""

    def hears(text: str) -> Heard:
        answer = read_reply(text, cues).answer
        return Heard(yes=answer in (Answer.YES, Answer.BOTH), no=answer in (Answer.NO, Answer.HOLD))

    return hears


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
        guilty = [one for one in extra if item_id(one.kind, one.text) in replacing]
        guilty = guilty or _nearest(extra, [item for item in first[0] if item.id in lost])
        rejected["against what rules found"] += len(guilty)
        extra = [one for one in extra if one not in guilty]
    return first


def _nearest(extra: Sequence[Finding], lost: Sequence[Item]) -> list[Finding]:
    """Of the additions those whose words stand in what was lost most: it was taken for the same."""
    words = [grams(item.text) for item in lost]
    shares = [max(containment(grams(one.text), other) for other in words) for one in extra]
    return [one for one, share in zip(extra, shares, strict=True) if share == max(shares)]


def _likely(
    added: Sequence[Finding], judge: Judge, signals: Signals, items: Sequence[Item], rejected: Counter[str]
) -> list[Finding]:
    """Of the additions those that the signals of their words do not speak against, of each kind the likeliest few."""
    weighed = _weighed(judge, signals)
    judged = _has_judgement(added, weighed)
    bounds, most = (LEAST_JUDGED, MOST_JUDGED) if judged else (LEAST, MOST)

    def leaning(one: Finding) -> int:
        return weighed(one).get(one.kind, 0)

    possible = [one for one in added if "accepted" in one.tags or leaning(one) >= -bounds[one.kind]]
    rejected["against the signals of its words"] += len(added) - len(possible)
    kept: list[Finding] = []
    for kind, (least, share) in most.items():
        live = sum(item.kind is kind and item.status is Status.LIVE for item in items)
        likeliest = sorted((one for one in possible if one.kind is kind), key=leaning, reverse=True)
        kept += likeliest[: max(least, round(share * live))]
    rejected["too many of its kind"] += len(possible) - len(kept)
    return [one for one in possible if one in kept]


def _has_judgement(added: Sequence[Finding], weighed: Callable[[Finding], Mapping[Kind, int]]) -> bool:
    """Whether the kinds that a model gives are mostly those that the signals of the words find likeliest."""
    known = [(one.kind, points) for one in added if "accepted" not in one.tags and (points := weighed(one))]
    agreed = sum(points[kind] == max(points.values()) for kind, points in known)
    return len(known) >= JUDGED and agreed >= AGREED * len(known)


def _weighed(judge: Judge, signals: Signals) -> Callable[[Finding], Mapping[Kind, int]]:
    """Tells by how many points the words that a finding rests on pass the bar of each kind; empty for words that were
    not weighed."""
    said: dict[int, list[tuple[str, Mapping[Kind, int]]]] = {}
    for one in judge.pool:
        said.setdefault(one.statement.record, []).append((fold(one.statement.quote), one.points))

    def weighs(finding: Finding) -> dict[Kind, int]:
        quote = fold(finding.source.quote)
        there = [points for other, points in said.get(finding.source.record, ()) if other in quote or quote in other]
        return {kind: max(points[kind] for points in there) - signals.bars[kind] for kind in Kind} if there else {}

    return weighs


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
