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

    Groups that left the state (history) stay with what replaced them.
    """
    keep: set[int] = set()
    for kind in Kind:
        ranked = sorted(
            (g for g in groups if g.kind is kind and g.status is Status.LIVE), key=lambda g: (-g.points, g.order)
        )
        limit = max(LEAST[kind], round(share[kind] * sqrt(weighed)))
        for group in ranked:
            if _certain(group):
                keep.add(id(group))
            elif limit > 0:
                keep.add(id(group))
                limit -= 1
    return [g for g in groups if id(g) in keep or (g.by is not None and id(g.by) in keep)]


def _certain(group: Group) -> bool:
    """What an act proves; and the words of a text without speakers, which only explicit cues can have found."""
    rule = group.best.rule
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
        or group.best.role is not Role.ASSISTANT
    )
