"""The effects table: what a modifier does to a mark of each kind, in which order, and the words that order clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distill.rulebook.rule import MARKERS, Place, read_block
from distill.rulebook.verdict import KEEP, NONE, PROPOSAL

EFFECTS = (KEEP, NONE, PROPOSAL, *MARKERS)
_FIELDS = ("why", "order", "effects", "stops", "openers", "short")


def read_effects(body: object, place: Place) -> dict[str, Any] | None:
    """The table as {order, effects by kind, stops, openers, short}; None where it has faults.

    `stops` and `openers` are cues; `short` is the width in columns up to which a weak mark is enough.
    """
    before = len(place.problems)
    if not isinstance(body, Mapping):
        place.fault("file", "must be a mapping of fields")
        return None
    for key in body:
        if key not in _FIELDS:
            place.fault(str(key), f"unknown field; there are {', '.join(_FIELDS)}")
    order = body.get("order")
    if not isinstance(order, list) or not all(isinstance(name, str) for name in order) or len(set(order)) < len(order):
        place.fault("order", "must be a list of modifier names, each once")
        order = []
    table = body.get("effects")
    if not isinstance(table, Mapping):
        place.fault("effects", "must map each kind to the effects of modifiers on it")
        table = {}
    short = body.get("short", 0)
    if isinstance(short, bool) or not isinstance(short, int) or short < 0:
        place.fault("short", f"must be a whole number, not {short!r}")
    effects: dict[str, dict[str, str]] = {kind: {} for kind in MARKERS}
    for kind, row in table.items():
        if kind not in MARKERS or not isinstance(row, Mapping):
            place.fault("effects", f"{kind!r} must be one of {', '.join(MARKERS)} and hold a mapping", str(kind))
            continue
        for name, effect in row.items():
            if name not in order:
                place.fault(f"effects.{kind}", f"{name!r} does not stand in 'order'", str(name))
            elif effect not in EFFECTS:
                place.fault(f"effects.{kind}", f"{name}: {effect!r} is none of {', '.join(EFFECTS)}", str(name))
            else:
                effects[kind][name] = effect
    stops = read_block(body.get("stops", ""), "stops", place)
    openers = read_block(body.get("openers", ""), "openers", place)
    for cue in openers:
        if any(len(sequence) > 1 or sequence[0].is_token for sequence in cue.sequences):
            place.fault("openers", f"{cue.text!r} must be plain words", cue.text)
    if len(place.problems) > before:
        return None
    return {"order": order, "effects": effects, "stops": stops, "openers": openers, "short": short}
