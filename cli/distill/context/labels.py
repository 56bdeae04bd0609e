"""The labels and ids that stand in the system message alone, and whether an answer lets one out."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from distill.text.lazy import Lazy

GLOBAL, DEFAULT, DOMAIN, TASK, PARENT, MEMORY = (
    "CTX-RULE", "CTX-PREF", "CTX-DOMAIN", "CTX-TASK", "CTX-PARENT", "CTX-MEM"
)  # fmt: skip
_LABEL = Lazy(
    r"(?<![a-z0-9])ctx[\s_-]{0,2}(?:rule|pref|domain|task|parent|mem(?:ory)?)s?(?:[\s_#:-]{0,2}\d+)?(?![a-z0-9])"
)
_MARK = Lazy(r"<!--\s*distill:(?:begin|end)\s*-->")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """An internal label in an answer: its line, counted from 1, and the words as they stand there."""

    line: int
    text: str


def label(kind: str, number: int) -> str:
    """The label of one rule, task or memory."""
    return f"{kind}-{number}"


def leaks(answer: str) -> tuple[Leak, ...]:
    """The internal labels that stand in `answer`, whatever their case, width and dashes."""
    found = []
    for number, line in enumerate(answer.splitlines(), 1):
        plain = unicodedata.normalize("NFKC", line).translate(_DASHES)
        for pattern in (_LABEL, _MARK):
            found += [Leak(line=number, text=one[0]) for one in pattern.finditer(plain.casefold())]
    return tuple(found)
