"""Whether a text is as strict as its evidence: what forbids, limits or holds possible counts in its own clause."""

from __future__ import annotations

from distill.model import Kind
from distill.refine.evidence import stem
from distill.refine.words import BACKWARD, GLUE, LIMIT, NEGATION, PENDING, POSSIBLE, SOFT, STRICT
from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import grams

_CLAUSE = Lazy(r",(?!\d)|[，;；。!！?？\n]|\.(?=\s|$)|\s[—–-]+\s|(?<=[一-鿿])\s+(?=\S)|\bbut\b|但是?|不过")
_LAST = Lazy(r"\s*(?:or|nor|and)\b")  # what the last of several things opens with
THING = 4  # words of a clause that may be one thing of several
SHARED = 0.5  # of the words of a clause; a text that holds as many speaks of what the clause says


def softened(text: str, evidence: str, kind: Kind) -> bool:
    """Whether `text`, a conclusion of `kind`, says a prohibition or a limit of its evidence less strictly, or turns it
    round. What a clause forbids or limits that the text does not speak of is not its business."""
    says, proof = fold(text), fold(evidence)
    words = {stem(word) for word in grams(says)}
    denied = []
    parts = clauses(proof)
    for clause, no in zip(parts, _denied(parts), strict=True):
        names = about(clause)
        spoken = not names or len(names & words) >= len(names) * SHARED
        if no:
            denied.append(names)
            if spoken and not NEGATION.search(says):
                return True
        if spoken and ((LIMIT.search(clause) and not LIMIT.search(says))
                       or (STRICT.search(clause) and not STRICT.search(says))):
            return True
    for clause in clauses(says):
        if NEGATION.search(clause) and not (kind is Kind.OPEN and PENDING.search(clause)):
            names = about(clause)
            if not any(not one or not names or one & names for one in denied):
                return True
    return bool(SOFT.search(says)) and not SOFT.search(proof)


def surer(text: str, before: str, after: str) -> bool:
    """Whether `text` states for certain what its evidence holds possible or ties to a condition; `after` is what the
    sentence goes on to say, where only a condition counts."""
    doubt = POSSIBLE.search(fold(before)) or BACKWARD.search(fold(after))
    return bool(doubt) and not POSSIBLE.search(fold(text))


def clause_end(text: str, place: int) -> int:
    """Where the clause ends that `place` of `text` stands in."""
    found = _CLAUSE.search(text, place)
    return found.start() if found else len(text)


def clauses(folded: str) -> list[str]:
    """The clauses of a folded text."""
    return [part for part in _CLAUSE.sub("\n", folded).split("\n") if part.strip()]


def _denied(parts: list[str]) -> list[bool]:
    """Which clauses stand under a "no": those that have one, and the things that go on from it: "never A, B, or C"."""
    found = [bool(NEGATION.search(clause)) for clause in parts]
    start = 0
    for place, clause in enumerate(parts):
        if found[place] or len(clause.split()) > THING:
            start = place
        elif found[start] and _LAST.match(clause):
            found[start + 1 : place + 1] = [True] * (place - start)
    return found


def about(clause: str) -> frozenset[str]:
    """The words of a clause that name something, without those that forbid or limit and what it numbers."""
    for words in (NEGATION, LIMIT, STRICT):
        clause = words.sub(" ", clause)
    return frozenset(stem(one) for one in grams(clause) if one not in GLUE and not one.isdigit())
