"""What the words of a turn do: turn to something else, go back, lean on what was said, ask for a piece of work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from distill.context.about import about_of, says
from distill.context.pieces import MARK
from distill.text.lazy import Lazy

QUOTED = " \n\"'”’)）」』*"  # what may stand behind a question mark
REPLY = 300  # characters at either end of a reply that are listened to
OWN = 2  # words of its own before a pronoun, from which that points to them
GOING_ON = frozenset(["referred", "continued", "changed", "swapped", "amended"])
_HEAD = 2  # characters at the end of a Chinese noun that say what sort of thing it is
_POINTS = Lazy(
    r"\b(?:it|they|them|their|s?he|her|him|his|th(?:at|is|ose|ese)|ones?)\b|[它这這那其他她]|刚才|剛才|上面|第"
)
_WHOSE = Lazy(r"^(?:his|her|their|its)$")
_CLAUSE = Lazy(r"[.!?;,:。！？；，：\n]\s*")
_NAME = Lazy(r"(?<=[a-z,;] )[A-Z][a-z]{2,}|(?<=\bThe )[A-Z][a-z]{2,}")
_SENTENCE = Lazy(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=[^\s」』”’）)。！？])|\n+")
# What is to be done with a thing that stands before it: 「把文档补一下」.
_DONE = Lazy(
    "[也再都先]?(?:整理|准备|准備|更新|检查|檢查|确认|確認|[补補写寫改做弄发發调調查看修换換订訂找印打列寄删刪加])"
    "(?:一?下|好|上|出来|出來|完|了|掉)?[吧啊呗]?$"
)
# The name of a thing ends before what tells it nearer.
_NEARER = Lazy(r"\b(?:on|of|for|about|to|with|in|from|by|at|that|which|who|before|after|and|so)\b|[.!?;,:()\n]")


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

    `leans` tells that it opens with words that point to what was said before: further on, a turn leans on itself.
    `tied` tells of any such words, also those that only tie it on ("okay", "also").
    `left` is what comes after words that leave the task in hand. `reply` is what the assistant said last, where that is
    known: a turn that takes up its words stays. `pieces` are the sorts of work that the turn seems to ask for;
    `proper` are the words that are written as names.
    """

    names: frozenset[str] = frozenset()
    leans: bool = False
    tied: bool = False
    left: str = ""
    question: bool = False
    reply: str = ""
    pieces: tuple[str, ...] = ()
    proper: frozenset[str] = frozenset()

    @property
    def asked(self) -> bool:
        """Whether the assistant ended with a question."""
        return self.reply.rstrip(QUOTED)[-1:] in ("?", "？")


def heard(text: str, found: Iterable[Cue], *, question: bool, reply: str) -> Heard:
    """What `found`, the cues of speech in the turn `text`, tells about it."""
    cues = list(found)
    tied = [one for one in cues if one.name in GOING_ON and not _own(text, one)]
    leans = any(says(about_of(text[:one.start])) < OWN and _pronoun(text, one) for one in tied)
    at = next((one.end for one in cues if one.name == "left"), len(text))
    stop = _CLAUSE.search(text, max(0, at - 1))  # the rest of the clause still tells what is left
    left = text[stop.end():] if stop else ""
    pieces = (piece for one in cues if (piece := _piece(text, one)))
    return Heard(names=frozenset(one.name for one in cues), leans=leans, tied=bool(tied), left=left,
                 question=question, reply=reply, pieces=tuple(pieces),
                 proper=about_of(" ".join(_NAME.findall(text))))


def _pronoun(text: str, cue: Cue) -> bool:
    return _POINTS.search(text[cue.start:cue.end].casefold()) is not None


def _own(text: str, cue: Cue) -> bool:
    """Whether a pronoun points to what the same turn has said before it."""
    whose = _WHOSE.search(text[cue.start:cue.end].casefold()) is not None
    return says(about_of(text[:cue.start])) >= (1 if whose else OWN) and _pronoun(text, cue)


def _piece(text: str, cue: Cue) -> str:
    """The sort of thing that a cue asks for or asks about; "" where it names none."""
    if cue.name == "commissioned":
        return _named(text[cue.end:])
    if cue.name == "piece":
        return _named(text[cue.start:])
    if cue.name != "ready":
        return ""
    asked = text[cue.start:cue.end]
    return _named(asked.rpartition(" ")[0]) if asked.isascii() else _named(text[:cue.start])


def gist(reply: str) -> str:
    """The beginning and the end of a long reply: what it is about, and what it asks. The rest may be about anything."""
    return reply if len(reply) <= 2 * REPLY else f"{reply[:REPLY]} {MARK} {reply[-REPLY:]}"


def last_sentence(text: str) -> str:
    """What a turn ends with: the sentence that says what is wanted of the assistant."""
    text = text.rstrip()
    return text[max((stop.end() for stop in _SENTENCE.finditer(text)), default=0):]


def _named(rest: str) -> str:
    """The sort of thing that `rest` begins with: in English the last word before the first preposition, in Chinese the
    end of the clause."""
    if rest.isascii():
        stop = _NEARER.search(rest.casefold())
        words = (rest[: stop.start()] if stop else rest).split()
        return words[-1] if words else ""
    stop = _CLAUSE.search(rest)
    clause = _DONE.sub("", rest[: stop.start()] if stop else rest)
    return clause.rpartition("的")[2].strip()[-_HEAD:]
