"""What the words of a statement say it is, and all that led to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from distill.model import Kind, Role

KEEP, NONE, PROPOSAL = "keep", "none", "proposal"


class Mark(NamedTuple):
    """One cue found. Places are those of the statement as given.

    `effect` is "keep", "none", "proposal" or the name of a kind; `by` is the modifier that had it. `lost` says why a
    cue is no mark at all ("inside a longer cue", "antipattern", "role"), else it is "".
    """

    rule: str
    kind: Kind
    cue: str
    start: int
    end: int
    weight: int
    effect: str = KEEP
    by: str = ""
    lost: str = ""

    @property
    def result(self) -> Kind | None:
        """The kind this mark speaks for in the end."""
        if self.lost or self.effect in (NONE, PROPOSAL):
            return None
        return self.kind if self.effect == KEEP else Kind(self.effect)


class Reach(NamedTuple):
    """A modifier found: its cue, where that stands, and from where to where it holds."""

    name: str
    cue: str
    start: int
    end: int
    over: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the words of a statement say it is.

    `kind` is None where no cue is left that is strong enough; `rule` and `weight` (the sum of the marks for that kind)
    are then "" and 0. `proposal` tells that a decision was only put up. `modifiers` names all modifiers in the
    statement, also where nothing was marked. `marks` are (rule id, start, end, effect). `cut` tells that the statement
    was longer than is looked at.
    """

    kind: Kind | None = None
    rule: str = ""
    weight: int = 0
    proposal: bool = False
    modifiers: frozenset[str] = frozenset()
    marks: tuple[tuple[str, int, int, str], ...] = ()
    cut: bool = False


class Explanation(NamedTuple):
    """Everything a verdict rests on: all cues, also those that lost, the modifiers with their reach, and the sums."""

    text: str
    role: Role
    marks: tuple[Mark, ...]
    modifiers: tuple[Reach, ...]
    sums: tuple[tuple[Kind, int], ...]
    verdict: Verdict
