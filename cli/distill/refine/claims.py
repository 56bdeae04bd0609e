"""What a model claims, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass

from distill.model import Kind

RULE = "llm/"  # what the rule of an item that the second pass made begins with
ADDED, REWORDED, RECLASSED = "llm/added", "llm/reworded", "llm/reclassed"
CONFIRMED, DROPPED = "llm-confirmed", "llm-dropped"  # tags of items of the rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words that are said to stand in a record."""

    text: str
    record: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One conclusion that a model claims, as it stands in the reply; `id` names the item that it restates, `also` is a
    second piece of evidence: the option that the user's words take, or the words that name what the quote is about."""

    kind: Kind
    text: str
    quote: str
    record: int | None = None
    id: str = ""
    also: Quote | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply that was understood. `malformed` entries were not; `cut` says that its end is missing, `partial` that
    asking again may give the rest."""

    claims: tuple[Claim, ...] = ()
    drops: tuple[str, ...] = ()
    malformed: int = 0
    cut: bool = False
    partial: bool = False


class ReplyError(Exception):
    """A reply that holds nothing of the form that was asked for; the message says why."""


class AskError(Exception):
    """No reply was had. `again` says that another try may help, after `wait` seconds where the other side said so;
    `over` that no further call will help; `form` that the question must be put in another form, which is no retry."""

    def __init__(
        self, reason: str, *, again: bool = False, wait: float | None = None, over: bool = False, form: bool = False
    ) -> None:
        super().__init__(reason)
        self.form = form
        self.again = again
        self.wait = wait
        self.over = over
