"""The distilled state: what `distill` writes, reads back and chains."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from distill.model.event import Role
from distill.model.statement import Kind, Source

SCHEMA = 1
#: The section of each kind, in the order in which they stand.
SECTIONS: Mapping[Kind, str] = {
    Kind.DECISION: "decisions",
    Kind.FACT: "facts",
    Kind.ARTIFACT: "artifacts",
    Kind.OPEN: "open",
}
_BLANKS = re.compile(r"\s+")


class Status(StrEnum):
    """Whether an item still holds."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    RESOLVED = "resolved"


def item_id(kind: Kind, text: str) -> str:
    """The id of an item: kind letter and six hex digits that depend on kind and normalised text alone.

    Width, letter case, blanks and a closing full stop do not count.
    """
    plain = _BLANKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(" .。")
    digest = hashlib.blake2b(f"{kind}\0{plain}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{kind[0]}-{digest[:6]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One conclusion with its time and sources. Times are RFC 3339 in UTC, or None where unknown."""

    id: str
    kind: Kind
    text: str
    at: str | None = None
    first_at: str | None = None
    role: Role = Role.UNKNOWN
    confidence: float = 0.5
    rule: str = ""
    tags: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    supersedes: tuple[str, ...] = ()
    by: str | None = None
    status: Status = Status.LIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLog:
    """One log a state was made from. `newest` is the time of its last message.

    `sha256` is "" where the log has grown and only its end was read. `continues` tells that it is more of the session
    of the log before it.
    """

    path: str
    format: str
    records: int
    skipped: int
    sha256: str
    newest: str | None = None
    continues: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCounts:
    """Tokens of the transcript's messages and of the state; `exact` is False where they are estimated."""

    source: int = 0
    state: int = 0
    encoding: str = "estimate"
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskName:
    """The task a state belongs to."""

    id: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything the next task must know. `items` stand best first, live ones and history alike."""

    schema: int = SCHEMA
    task: TaskName = field(default_factory=TaskName)
    project: str = ""
    written_at: str | None = None
    covers: tuple[str | None, str | None] = (None, None)
    sources: tuple[SourceLog, ...] = ()
    tokens: TokenCounts = field(default_factory=TokenCounts)
    items: tuple[Item, ...] = ()
    omitted: tuple[int, int, int, int] = (0, 0, 0, 0)  # decisions, facts, artifacts, open

    def live(self, kind: Kind) -> tuple[Item, ...]:
        """The live items of one kind, best first."""
        return tuple(i for i in self.items if i.kind is kind and i.status is Status.LIVE)

    def history(self, status: Status) -> tuple[Item, ...]:
        """The items that left, by how they left."""
        return tuple(i for i in self.items if i.status is status)
