"""Texts cut so that no identifier is: a run of Latin letters, digits and their joints is one piece, others single."""

from __future__ import annotations

import re
from collections.abc import Sequence

from distill.text.lazy import Lazy

_HAN = "一-鿿㐀-䶿"
_JOINT = r"[-./\\:@#_+*%=~'’]"
# A word with the blanks behind it; runs such as MX-200, src/app.py, 3.5% and 2026-03-05 stay whole.
_PIECE = Lazy(rf"[^\W{_HAN}]+(?:{_JOINT}+[^\W{_HAN}]+)*[%)\]]?\s*|.\s*", re.DOTALL)
MARK = "…"
_LEAST = 8  # characters of a part that are worth showing


def cut(text: str, most: int) -> str:
    """`text` in at most `most` characters, cut between pieces; `MARK` shows that something is missing.

    A single piece that is longer than all the room is left out rather than cut.
    """
    if len(text) <= most:
        return text
    kept = ""
    for piece in _PIECE.findall(text):
        if len(kept) + len(piece.rstrip()) > most - len(MARK):
            break
        kept += piece
    return kept.rstrip(" ,;，；、:：(（") + MARK if most >= len(MARK) else ""


def packed(parts: Sequence[str], most: int, joint: str) -> str:
    """As many `parts` as fit into `most` characters, in their order; the first that does not fit is cut."""
    text = ""
    for part in parts:
        lead = text + joint if text else ""
        if len(lead) + len(part) > most:
            short = cut(part, most - len(lead))
            return lead + short if len(short) >= _LEAST else text
        text = lead + part
    return text
