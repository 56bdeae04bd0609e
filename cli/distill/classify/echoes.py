"""Words that hang on others: a confirmation on the wish it carries out, a brief addition on the sentence before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from distill.classify.candidate import Candidate
from distill.classify.cues import CueJudge
from distill.model import Role, Shape, Statement
from distill.text.fold import fold
from distill.text.language import han, width
from distill.text.lazy import Lazy
from distill.text.likeness import grams

CONFIRMS = 48  # width of a confirmation
LEANS = 30  # width of words that lean on the sentence before
HELD = 100  # width of a sentence that is carried along
_VALUE = Lazy(r"(\d+(?:\.\d+)?)(?::00\b)?\s*(ms|毫秒)?")
_WORD = Lazy(r"[a-z]{3,}|[一-鿿]")
_FILLERS = frozenset("了的是为成到就都也从现在已把好把行个按最多再")
_SMALL = frozenset(("the", "and", "now", "are", "for", "from", "has", "was", "with", "done", "most"))


def confirmed(one: Statement, asked: Sequence[Candidate], cues: CueJudge) -> Candidate | None:
    """The wish of the user that `one`, of the answer to it, does no more than confirm; None where it says more.

    It names no other value than the wish does, and no other thing.
    """
    if one.role is not Role.ASSISTANT or width(one.text) > CONFIRMS:
        return None
    folded = fold(one.text)
    said = set(_values(folded))
    if not said:
        return None
    heard = [part for part in cues.speech(one.text) if part.name == "confirmed"]
    if not heard:
        return None
    rest = "".join(
        " " if any(part.start <= at < part.end for part in heard) else char for at, char in enumerate(folded)
    )
    for wish in asked:
        wanted = fold(wish.statement.text)
        if said <= set(_values(wanted)) and _nothing_else(rest, wanted):
            return wish
    return None


def join_confirmed(closing: Sequence[Candidate], wishes: Sequence[Candidate], cues: CueJudge) -> None:
    """Let what of an answer only confirms one of the `wishes` say the same as it: one conclusion at two places."""
    for candidate in closing if wishes else ():
        wish = confirmed(candidate.statement, wishes, cues)
        if wish is not None:
            candidate.text, candidate.words = wish.text, wish.words


def _values(folded: str) -> Iterator[float]:
    for number, small in (found.groups() for found in _VALUE.finditer(folded)):
        yield float(number) / (1000 if small else 1)


def _nothing_else(rest: str, wanted: str) -> bool:
    """Whether at most one word, or two Chinese characters, of `rest` do not stand in `wanted`."""
    words = [word for word in _WORD.findall(rest) if word not in _FILLERS and word not in _SMALL]
    known = grams(wanted)
    new = [word for word in words if word not in wanted and not (word.isascii() and grams(word) & known)]
    return sum(2 if word.isascii() else 1 for word in new) <= 2


def leaning(one: Statement, before: Statement | None, cues: CueJudge) -> str | None:
    """The text of `one`, brief words of the user, behind the sentence they lean on.

    None where they lean on nothing; "" where that sentence is missing, long or a question, so that they say nothing.
    """
    if one.role is not Role.USER or one.shape is not Shape.SENTENCE or width(one.text) > LEANS:
        return None
    if not any(part.name == "leaning" and part.start <= 1 for part in cues.speech(one.text)):
        return None
    if before is None or before.record != one.record or before.shape is not Shape.SENTENCE:
        return ""
    if width(before.text) > HELD or before.text.rstrip().endswith(("?", "？", ":", "：")):
        return ""
    if han(before.text):
        return f"{before.text.rstrip('。，, ')}，{one.text}"
    return f"{before.text}{'' if before.text.endswith(('.', '!')) else '.'} {one.text}"
