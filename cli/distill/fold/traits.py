"""What is told of a task turn by turn: its goal, bounds, reasons, error and cause, what was built."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from distill.fold.exchange import Exchange
from distill.model import ActionKind, Role
from distill.rulebook import Rulebook
from distill.text.lazy import Lazy
from distill.text.likeness import grams

GOAL = 140  # characters of a goal
SHOWN = 220  # characters of a reason, an error or a cause
BOUND = 160  # characters of a statement that sets a bound
BOUNDS = 40  # of them that a card keeps
SIGNATURES, REASONS = 6, 3
_ASKS = ("?", "？", "吗")

# What opens a definition in the common languages: it tells what was built better than any sentence about it.
_DEFINES = Lazy(
    r"^[ \t]*((?:export\s+)?(?:default\s+)?(?:pub\s+)?(?:public\s+|private\s+|static\s+)*(?:async\s+)?"
    r"(?:def|class|function|func|fn|interface|struct|trait|enum|type|CREATE\s+(?:TABLE|INDEX|VIEW))\s+[\w.\"`(].{0,110}?)"
    r"\s*[{:;=(]?\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_FENCED = Lazy(r"^(```|~~~)[^\n]*\n(.*?)(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_REASON = Lazy(
    r"\b(?:because|since|so that|otherwise|the reason|therefore)\b|因为|由于|原因|所以|否则|免得|以免", re.IGNORECASE
)
_CAUSE = Lazy(
    r"(\broot cause\b|\bthe cause (?:is|was)\b|根本原因|根因|原因是|原因：)|\b(?:because|caused by)\b|因为|由于|导致",
    re.IGNORECASE,
)
_LABEL = Lazy(r"^(?:the )?(?:root cause|cause|根本原因|根因|原因)\s*[:：]\s*", re.IGNORECASE)
_ERROR = Lazy(
    r"^.*?(\b[\w.]*(?:Error|Exception|Warning|Failure)\b[^\n]{0,160}|\bFATAL\b[^\n]{0,160}|\bpanic: [^\n]{0,160})",
    re.MULTILINE,
)


class CardKind(StrEnum):
    """What sort of task it was."""

    CODE = "code"
    CONSULTING = "consulting"
    DEBUGGING = "debugging"
    ARCHIVE = "archive"


@dataclass(slots=True, kw_only=True)
class Traits:
    """What is told of a task turn by turn, so that none needs to be looked at twice."""

    goal: str = ""
    wrote: bool = False
    failing: bool = False
    bounds: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    error: str = ""
    cause: str = ""
    cause_rank: int = 0  # 1 where words only give a reason, 2 where they name the cause

    def take(self, one: Exchange, book: Rulebook) -> None:
        """One more turn of the task."""
        faulted = next((said.text for said in one.asked if _heard(said.text, "faulted", book)), "")
        if not self.goal:
            self.goal = goal_of(one, book)
            self.failing = bool(faulted) or _ERROR.search(one.request) is not None
        if not self.error and (self.failing or faulted):
            found = _ERROR.search(one.request)
            self.error = _short(found[1] if found else max(self.goal, faulted, key=len))
        self.wrote = self.wrote or one.changed or bool(_FENCED.search(one.reply))
        for said in one.closing:
            if said.role is Role.ASSISTANT and self.cause_rank < 2 and (found := _CAUSE.search(said.text)):
                rank = 2 if found[1] else 1
                if rank > self.cause_rank:
                    self.cause, self.cause_rank = _short(_LABEL.sub("", said.text)), rank
            if len(self.reasons) < REASONS and _REASON.search(said.text):
                self.reasons = (*self.reasons, _short(said.text))
        self.bounds = (*self.bounds, *(_short(said.text, BOUND) for said in one.asked
                                       if said.text[-1:] not in _ASKS and _heard(said.text, "bound", book)))[-BOUNDS:]
        self.code = tuple(dict.fromkeys((*self.code, *_signatures(one))))[:SIGNATURES]

    @property
    def kind(self) -> CardKind:
        """A search for a fault, work on code, or advice."""
        if self.failing:
            return CardKind.DEBUGGING
        return CardKind.CODE if self.wrote else CardKind.CONSULTING


def goal_of(one: Exchange, book: Rulebook) -> str:
    """What a task is about, in the user's words: the first statement that asks for something."""
    for said in one.asked:
        text = _without_switch(said.text, book)
        if len(grams(text)) >= 2 and not _heard(said.text, "finished", book):
            return _short(text.rstrip(".。"), GOAL)
    words = next((said.text for said in one.asked), "") or one.request or one.reply
    return _short(words, GOAL)


def _without_switch(text: str, book: Rulebook) -> str:
    """`text` without the words at its beginning that only turn to something else."""
    for one in book.speech(text):
        if one.name in ("switched", "added") and one.start == 0:
            rest = text[one.end:].lstrip(" ,，:：.。;；、-")
            return rest[:1].upper() + rest[1:]
    return text


def _heard(text: str, name: str, book: Rulebook) -> bool:
    return any(one.name == name for one in book.speech(text))


def _signatures(one: Exchange) -> Iterable[str]:
    blocks = [found[2] for found in _FENCED.finditer(one.reply)]
    blocks += [
        event.action.detail for event in one.events
        if event.action is not None and event.action.kind in (ActionKind.WROTE, ActionKind.EDITED)
    ]
    for block in blocks:
        for found in _DEFINES.finditer(block[:20_000]):
            yield " ".join(found[1].split())


def _short(text: str, most: int = SHOWN) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"

