"""Credentials out of a text before it is written, printed, cached or sent.

Ready-made detectors were looked at and left out: those of detect-secrets and gitleaks know token formats and English
(some Spanish) names in code and settings, but no prose and no Chinese, and bring a scanner of files with them; those
built for personal data bring language models. So the formats and the names are listed here, and one automaton finds the
places where any of them may begin: a text without such a place costs one linear pass.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from distill.text.lazy import Lazy
from distill.text.secret_names import names
from distill.text.secret_shapes import Look, Span, shapes

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_SURROGATES = Lazy(r"[\ud800-\udfff]")
_ROUNDS = 20  # one more value may show beside a mask, hardly ever two


def redact(text: str) -> tuple[str, dict[str, int]]:
    """The text with every credential replaced by `[redacted: KIND]`, and how many there were of each kind.

    Give it whole messages: a key block or a header that was cut into lines is harder to know. The name, the user, the
    host and the quotes around a value stay; hashes, ids, paths and code stay whole. `redact(redact(x)[0])` finds
    nothing more.
    """
    spans = _spans(text)
    if not spans:
        return text, {}
    counts: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        parts: list[str] = []
        done = 0
        for start, end, kind in spans:
            parts += text[done:start], f"[redacted: {kind}]"
            done = end
            counts[kind] += 1
        text = "".join(parts) + text[done:]
        if not (spans := _spans(text)):
            break
    return text, dict(counts)


def _spans(text: str) -> list[Span]:
    """What to mask, in order and apart; where two overlap, the one whose literal is listed first.

    What is dropped for the sake of another is found again in the next round.
    """
    scanner, looks, first_name = _scanner()
    hits = scanner.find_matches_as_indexes(_scanned(text), overlapping=True)
    if not hits:
        return []
    found: set[tuple[int, int, int, str]] = set()
    inside = range(0)
    for index, start, end in hits:
        if index >= first_name and start in inside:
            continue  # a name inside a secret
        for first, last, kind in looks[index](text, start, end):
            found.add((first, index, last, kind))
            inside = range(first, last)
    kept: list[tuple[int, int, int, str]] = []
    for first, index, last, kind in sorted(found):
        if not kept or first >= kept[-1][2]:
            kept.append((first, index, last, kind))
        elif index < kept[-1][1]:
            kept[-1] = (first, index, last, kind)
    return [(first, last, kind) for first, _, last, kind in kept]


def _scanned(text: str) -> str:
    """The text in lower case, as long as before, without lone surrogates."""
    if text.isascii():
        return text.lower()
    return _SURROGATES.sub("?", text.replace("İ", "i").lower())


@cache
def _scanner() -> tuple[AhoCorasick, list[Look], int]:
    """The automaton over all literals, who looks at a hit of each, and the index of the first that is a name."""
    from ahocorasick_rs import AhoCorasick

    forms = tuple(shapes())
    known = (*forms, *names())
    return AhoCorasick([literal for literal, _ in known]), [look for _, look in known], len(forms)
