"""What a log says to be over, as it was heard."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words of a log (or a path), their time and their record.

    Where they only say what was done, `verbs` are those of the deeds: they finish what asks for just that.
    """

    text: str
    time: str | None = None
    record: int = 0
    verbs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """What one log says to be finished, the files it deleted, and what its people gave up or allowed.

    `changed` tells whether it changed files, `until` the time of its last message.
    """

    finished: tuple[Said, ...] = ()
    deleted: tuple[Said, ...] = ()
    dropped: tuple[Said, ...] = ()
    changed: bool = False
    until: str | None = None
