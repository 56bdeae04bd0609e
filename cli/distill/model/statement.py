"""What a message says, cut into statements, and what was found in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from distill.model.event import Role, Voice


class Kind(StrEnum):
    """The four kinds of conclusion; their order is the precedence."""

    DECISION = "decision"
    FACT = "fact"
    ARTIFACT = "artifact"
    OPEN = "open"

    __hash__ = str.__hash__  # Enum's own is a Python function, and kinds are keys everywhere


class Shape(StrEnum):
    """The form a statement has on the page."""

    SENTENCE = "sentence"
    BULLET = "bullet"
    ROW = "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement of a message.

    `text` is the statement as it may be shown; `quote` stands verbatim, on one line, in the record it came from.
    `heading` and `lead` are the heading above and the line that introduces a list; `index` of `count` is its place
    in the message.
    """

    text: str
    quote: str
    record: int
    role: Role
    time: str | None = None
    voice: Voice = Voice.SPEECH
    shape: Shape = Shape.SENTENCE
    heading: str = ""
    lead: str = ""
    mark: str = ""  # the number or letter of a list item, as written
    checked: bool | None = None  # a task-list box: ticked, empty, or none
    index: int = 0
    count: int = 1
    size: int = 0  # characters of the message
    turn: int = 0
    final: bool = False  # stands in a turn's last assistant message


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an item comes from: log, record and the words that stand there."""

    path: str
    record: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A conclusion found at one place: what `rule` saw there, with integer `points` to rank it by."""

    kind: Kind
    text: str
    rule: str
    points: int
    confidence: float
    role: Role
    source: Source
    time: str | None = None
    turn: int = 0
    tags: tuple[str, ...] = ()
