"""Paragraphs that were broken at a margin, told from lines that each say something of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from distill.text.lazy import Lazy

LEAST = 60  # characters from which a line may have met a margin
_STOPS = frozenset("。！？.!?:：;；…")
# Words no statement ends with, so that it must go on; a comma and an open bracket say the same.
_OPEN_ENDED = Lazy(
    r"(?:[,(\[–—]|\b(?:the|an?|of|and|or|nor|with|from|for|into|onto|than|if|when|while|because|since|whether|that|which"
    r"|who|whose|where|is|are|was|were|be|been|has|had|its|their|our|your|his|my|this|these|those|every|each|at|by|as"
    r"|but|not|no|will|would|can|could|should|must|may|might|very|more|less|both|either))$",
    re.IGNORECASE,
)
# Words a statement may end with ("switched on") where no small letter follows.
_HALF_OPEN = Lazy(r"\b(?:on|in|to|then|so|about|over|under|after|before|until|there|it|we|they|he|she)$", re.IGNORECASE)
_SMALL = Lazy(r"[a-z]+(?:[ ,.;:!?)]|$)")


def may_go_on(before: str, line: str) -> bool:
    """Whether `line` may go on with the sentence of the line `before`: that is long, not closed, and not Chinese."""
    end = before.rstrip()[-1:]
    return (
        len(before) >= LEAST
        and end not in _STOPS
        and not (_is_wide(end) or _is_wide(line[:1]))  # Chinese is typed line by line, hardly ever wrapped by hand
        and not line[:1].isspace()
    )


def paragraphs(lines: Sequence[str], *, loose: bool = False) -> list[list[str]]:
    """`lines`, each of which may go on with the one before, in groups: what was broken at a margin stays together.

    Lines of like width are no proof, since statements are often of like width: a line must break off within a
    sentence. `loose` takes a small letter after a line that began with a capital for such a break too; where people
    write one statement a line, that is none.
    """
    broken = [_breaks_off(before, line, lines[0], loose) for before, line in pairwise(lines)]
    if len(broken) > 1 and any(broken) and _meet_a_margin(lines):
        return [list(lines)]
    groups = [[lines[0]]]
    for goes_on, line in zip(broken, lines[1:], strict=True):
        if goes_on:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _breaks_off(before: str, line: str, first: str, loose: bool) -> bool:
    """Whether the line `before` ends within a sentence of a paragraph that begins with the line `first`."""
    before = before.rstrip()
    if _OPEN_ENDED.search(before):
        return True
    small = bool(_SMALL.match(line))
    return small and (bool(_HALF_OPEN.search(before)) or (loose and first.lstrip()[:1].isupper()))


def _meet_a_margin(lines: Sequence[str]) -> bool:
    """Whether the first word of each line had no room on the line before."""
    width = max(len(line.rstrip()) for line in lines)
    return all(len(before.rstrip()) + 1 + len(line.split(maxsplit=1)[0]) > width for before, line in pairwise(lines))


def _is_wide(char: str) -> bool:
    return char > "\u2e7f"
