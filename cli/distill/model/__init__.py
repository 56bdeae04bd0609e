"""The nouns: frozen, slotted, no input or output."""

from distill.model.closing import CLOSING, LATE, is_passing, left, passing
from distill.model.errors import DistillError, InputError, SilentError
from distill.model.event import Action, ActionKind, Event, Role, Task, Voice
from distill.model.start import Reached, Start, Tail
from distill.model.state import (
    SCHEMA,
    SECTIONS,
    Item,
    SourceLog,
    State,
    Status,
    TaskName,
    TokenCounts,
    item_id,
)
from distill.model.statement import Finding, Kind, Shape, Source, Statement
from distill.model.turn import Turn

__all__ = [
    "CLOSING",
    "LATE",
    "SCHEMA",
    "SECTIONS",
    "Action",
    "ActionKind",
    "DistillError",
    "Event",
    "Finding",
    "InputError",
    "Item",
    "Kind",
    "Reached",
    "Role",
    "Shape",
    "SilentError",
    "Source",
    "SourceLog",
    "Start",
    "State",
    "Statement",
    "Status",
    "Tail",
    "Task",
    "TaskName",
    "TokenCounts",
    "Turn",
    "Voice",
    "is_passing",
    "item_id",
    "left",
    "passing",
]
