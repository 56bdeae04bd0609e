"""Entries of a report that say only that something is done: ticked, or listed under words that say so."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from distill.model import Role, Shape, Statement

_DONE = frozenset(("tick", "under_done"))
# Signals of what says more: what was chosen, changed or measured, and what is not to be.
_MORE = frozenset(
    ("choice", "change", "negation", "cannot", "amends", "under_decision", "quantity",
     "cue_decision_2", "cue_decision_3")
)


def reports(one: Statement, signals: AbstractSet[str]) -> bool:
    """Whether an entry of the assistant, with its `signals`, says no more than that something is done."""
    if one.role is not Role.ASSISTANT or not signals & _DONE or signals & _MORE:
        return False
    return "tick" in signals or one.shape is not Shape.SENTENCE
