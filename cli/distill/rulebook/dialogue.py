"""Dialogues: turns of a talk, with what must be kept of them and what dropped. They test rooms that see whole talks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from distill.model import Kind, Role
from distill.rulebook.rule import Place

_FIELDS = ("name", "turns", "keep", "drop", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One talk. `keep` are words that must stand in a live item of a kind, `drop` words that must stand in none.

    `context` maps a sentence to the words that its item must carry with it.
    """

    name: str
    turns: tuple[tuple[Role, str], ...]
    keep: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)
    file: str = ""


def read_dialogues(body: object, place: Place) -> list[Dialogue]:
    """The dialogues of one file; faults go to `place.problems`.

    A file has `why` and `dialogues`; a turn is a text, or one text under the name of its role.
    """
    if not isinstance(body, Mapping) or not isinstance(body.get("dialogues"), list):
        place.fault("dialogues", "is missing: a list of talks")
        return []
    for key in body:
        if key not in ("why", "dialogues"):
            place.fault(str(key), "unknown field; a file of dialogues has why, dialogues")
    found: list[Dialogue] = []
    for entry in body["dialogues"]:
        one = _read(entry, place)
        if one is None:
            continue
        if any(one.name == other.name for other in found):
            place.fault("name", f"{one.name!r} stands twice", one.name)
        found.append(one)
    return found


def _read(entry: object, place: Place) -> Dialogue | None:
    before = len(place.problems)
    if not isinstance(entry, Mapping):
        place.fault("dialogues", "each must be a mapping of fields")
        return None
    name = entry.get("name")
    if not isinstance(name, str) or not name:
        place.fault("name", f"must be text, not {name!r}")
        return None
    for key in entry:
        if key not in _FIELDS:
            place.fault(str(key), f"unknown field; a dialogue has {', '.join(_FIELDS)}", name)
    turns = entry.get("turns")
    spoken = [_turn(turn) for turn in turns] if isinstance(turns, list) else []
    said = tuple(turn for turn in spoken if turn is not None)
    if not said or len(said) < len(spoken):
        place.fault("turns", "must be a list of texts, or of texts under user: or assistant:", name)
    keep, drop, context = entry.get("keep", {}), entry.get("drop", []), entry.get("context", {})
    if not isinstance(keep, Mapping) or not all(kind in tuple(Kind) and _texts(words) for kind, words in keep.items()):
        place.fault("keep", f"must map kinds to lists of texts, not {keep!r}", name)
    if not _texts(drop):
        place.fault("drop", "must be a list of texts", name)
    if not isinstance(context, Mapping) or not _texts([*context, *context.values()]):
        place.fault("context", "must map texts to texts", name)
    if not keep and not drop and not context:
        place.fault("keep", "a dialogue says what to keep or to drop", name)
    if len(place.problems) > before:
        return None
    return Dialogue(
        name=name,
        turns=said,
        keep={Kind(kind): tuple(words) for kind, words in keep.items()},
        drop=tuple(drop),
        context=dict(context),
        file=place.file,
    )


def _turn(turn: object) -> tuple[Role, str] | None:
    if isinstance(turn, str):
        return Role.UNKNOWN, turn
    if isinstance(turn, Mapping) and len(turn) == 1:
        ((role, text),) = turn.items()
        if role in tuple(Role) and isinstance(text, str):
            return Role(role), text
    return None


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and text for text in value)
