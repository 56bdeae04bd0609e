"""A turn: what the user said, what was done, and how the assistant closed it."""

from __future__ import annotations

from dataclasses import dataclass

from distill.model.event import Event
from distill.model.statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a session, cut into statements.

    `asked` are the user's statements, `closing` those of the turn's last assistant message, `told` those said on the
    way. A log without speakers has one turn of `asked` statements a message. `acts` are the action events in order; a
    turn with very many is handed over in parts, of which only the last has statements.
    """

    number: int
    asked: tuple[Statement, ...] = ()
    planned: tuple[Statement, ...] = ()  # of plans that the user approved in this turn
    told: tuple[Statement, ...] = ()
    closing: tuple[Statement, ...] = ()
    acts: tuple[Event, ...] = ()
    request: str = ""  # the user's words, whole
    reply: str = ""  # the last assistant message, whole
    last_record: int = 0
