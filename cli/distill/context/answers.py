"""What the commands of the layered context give back."""

from __future__ import annotations

from dataclasses import dataclass

from distill.context.model import Entry, Task
from distill.context.precedence import Setting, Value
from distill.context.switching import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One task as it stands: its values with what they override, its entries, how full the window is."""

    task: Task
    values: tuple[Value, ...]
    sentences: tuple[Setting, ...]
    entries: tuple[Entry, ...]
    tokens: int
    window: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What was written down, and whether the task layer was compressed because the window was full."""

    entry: Entry
    compressed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """What was decided about a turn, the task that is active then, and whether it was switched to."""

    decision: Decision
    task: Task | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What a log gave a task: items, how many the budget left out, records that could not be read."""

    items: int
    left: int = 0
    skipped: int = 0
    compressed: bool = False
