"""What a statement is only because its log ends there, and what of it is left once the session goes on."""

from __future__ import annotations

from collections.abc import Callable

from distill.classify.candidate import Candidate
from distill.model import CLOSING, LATE, Kind, passing
from distill.rulebook.signals import Signals

# Signals of standing at the end of a log: with more of the session behind it, a statement would not have them.
LAST = frozenset(("final_message", "asked_last", "unanswered", "plan_left", "test_step"))


def passing_tags(
    candidate: Candidate, kind: Kind, signals: Signals, kind_of: Callable[[Candidate], Kind | None]
) -> list[str]:
    """The tags that tell what is left of a `candidate` of `kind` once its session goes on; none where all is.

    `kind_of` tells the kind of a candidate by its points.
    """
    if candidate.rule or candidate.signals.isdisjoint((*LAST, LATE)):
        return []
    sure = signals.confidence(kind, candidate.points[kind])
    later = candidate.signals - LAST | ({"asked_before"} if candidate.put else set())
    tags, kept = [], candidate.points
    for name, names in ((CLOSING, later), (LATE, later - {LATE})):
        candidate.points = signals.sum(names)
        rest = signals.confidence(kind, candidate.points[kind]) if kind_of(candidate) is kind else 0.0
        if rest < sure:
            tags.append(passing(name, rest))
            sure = rest
    candidate.points = kept
    return tags
