"""How many conclusions of each kind one log may have: the best of its own, not those above a fixed score.

Logs differ by a factor of ten in length and density, so the number kept grows with the square root of the statements
weighed; what acts prove and what cues mark as explicit is not counted against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from distill.model import Kind, Role, Status
from distill.reconcile.merge import Group

LEAST = {Kind.DECISION: 8, Kind.FACT: 6, Kind.ARTIFACT: 3, Kind.OPEN: 8}


def select(groups: Sequence[Group], weighed: int, share: Mapping[Kind, float]) -> list[Group]:
    """The groups to keep, in their order: of each kind the best, `share` times the root of the statements weighed.

    Groups that left the state (history) stay with what replaced them; what was finished or undone stays by itself.
    """
    keep: set[int] = set()
    for kind in Kind:
        ranked = sorted(
            (g for g in groups if g.kind is kind and g.status is Status.LIVE), key=lambda g: (-g.points, g.order)
        )
        limit = most(kind, weighed, share)
        for group in ranked:
            if certain(group.best.rule, group.best.role):
                keep.add(id(group))
            elif limit > 0:
                keep.add(id(group))
                limit -= 1
    return [g for g in groups if id(g) in keep or _told(g, keep)]


def _told(group: Group, keep: set[int]) -> bool:
    """Whether the history tells of a group: what a shown one replaced, what is done, choices of the user undone."""
    if group.by is not None:
        return id(group.by) in keep
    undone = "overtaken" in group.best.tags and group.best.rule not in ("decision/hold", "decision/prohibition")
    chosen = group.kind is Kind.DECISION and (group.best.role is Role.USER or "accepted" in group.best.tags)
    return group.status is Status.RESOLVED or (undone and chosen)


def most(kind: Kind, weighed: int, share: Mapping[Kind, float]) -> int:
    """How many conclusions of a kind a log may have of which nothing is certain."""
    return max(LEAST[kind], round(share[kind] * sqrt(weighed)))


def certain(rule: str, role: Role) -> bool:
    """What an act proves; and the words of a text without speakers, which only explicit cues can have found."""
    return (
        rule
        in {
            "artifact/file",
            "artifact/commit",
            "artifact/opened",
            "decision/answer",
            "open/task",
            "open/failed-push",
            "decision/accepted",
            "fact/test-run",
        }
        or role is not Role.ASSISTANT
    )
