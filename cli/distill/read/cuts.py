"""Cutting what stands between two marks out of a text, in one pass."""

from __future__ import annotations


def cut_between(text: str, start: str, end: str, *, open_end: bool = False) -> str:
    """`text` without each stretch from `start` to the next `end`, marks included.

    A stretch that is never closed stays, or, with `open_end`, goes to the end of the text.
    """
    if start not in text:
        return text
    kept: list[str] = []
    at = 0
    while (found := text.find(start, at)) >= 0:
        stop = text.find(end, found + len(start))
        if stop < 0:
            if open_end:
                kept.append(text[at:found])
                at = len(text)
            break
        kept.append(text[at:found])
        at = stop + len(end)
    kept.append(text[at:])
    return "".join(kept)
