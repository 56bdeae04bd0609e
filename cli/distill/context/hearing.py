"""What the words of a turn do: turn to something else, go back, point to what was said, ask for work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from distill.context.about import about_of, says
from distill.context.pieces import MARK
from distill.text.lazy import Lazy

QUOTED = " \n\"'”’)）」』*"  # what may stand behind a question mark
REPLY = 300  # characters at either end of a reply that are listened to
OWN = 2  # words of content before a pronoun, from which that stands for them
LINE = 50  # columns of a screen line
WIDE = 3  # columns that a Chinese character counts for
_POINTS = Lazy(
    r"\b(?:it|they|them|their|s?he|her|him|his|its|ones?|th(?:at|is|ose|ese)(?!\s+(?:year|month|week|day|morning|afternoon|evening|time)))\b"
    r"|[它他她]|[这這那](?![周週个個]?[年月日天周週次])"
)
_CLAUSE = Lazy(r"[.!?;,:。！？；，：\n]\s*")
_SENTENCE = Lazy(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=[^\s」』”’）)。！？])|\n+")


class Cue(Protocol):
    """Words of a turn that do something in a talk: the name of their rule, and where they stand."""

    @property
    def name(self) -> str:
        """The name of the rule."""

    @property
    def start(self) -> int:
        """Where the words begin."""

    @property
    def end(self) -> int:
        """Where they end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the words of a turn do: names of rules such as "switched", and whether it is a question.

    `left` is what comes after words that leave the task in hand. `reply` is what the assistant said last, where that is
    known: a turn that takes up its words stays. `lines` is the length in screen lines, `points` tells of a word
    that stands for what was said before.
    """

    names: frozenset[str] = frozenset()
    left: str = ""
    question: bool = False
    reply: str = ""
    lines: float = 0.0
    points: bool = False

    @property
    def asked(self) -> bool:
        """Whether the assistant ended with a question."""
        return self.reply.rstrip(QUOTED)[-1:] in ("?", "？")


def heard(text: str, found: Iterable[Cue], *, question: bool, reply: str) -> Heard:
    """What `found`, the cues of speech in the turn `text`, tells about it."""
    cues = list(found)
    at = next((one.end for one in cues if one.name == "left"), len(text))
    stop = _CLAUSE.search(text, max(0, at - 1))  # the rest of the clause still tells what is left
    left = text[stop.end():] if stop else ""
    return Heard(names=frozenset(one.name for one in cues), left=left, question=question, reply=reply,
                 lines=_columns(text) / LINE, points=_points(text))


def _points(text: str) -> bool:
    """Whether a pronoun stands for what was said before the turn: one behind words of content stands for these."""
    found = _POINTS.search(text.casefold())
    return found is not None and says(about_of(text[: found.start()])) < OWN


def _columns(text: str) -> int:
    """The width of a text on a screen, a Chinese character being as long as a short word is."""
    return sum(WIDE if char > "\u2e7f" else 1 for char in text)


def gist(reply: str) -> str:
    """The beginning and the end of a long reply: what it is about, and what it asks. The rest may be about anything."""
    return reply if len(reply) <= 2 * REPLY else f"{reply[:REPLY]} {MARK} {reply[-REPLY:]}"


def last_sentence(text: str) -> str:
    """What a turn ends with: the sentence that says what is wanted of the assistant."""
    text = text.rstrip()
    return text[max((stop.end() for stop in _SENTENCE.finditer(text)), default=0):]
