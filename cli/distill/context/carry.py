"""Which conditions of the task in hand go over to a new one: those that the user names, and no others."""

from __future__ import annotations

import re
import unicodedata

from distill.context.model import Desk, Standing, Task
from distill.context.precedence import Layer, values

_POINTING = r"\b(?:that|this|these|those|the same|same|said)\s+(?:\w+\s+)?{}s?\b"
_POINTING_ZH = r"(?:这|那|该|此|同|上述|刚才的)一?(?:个|款|台|家|位|批|种|些|名|份)?{}"
_EDGE = r"(?<![a-z0-9]){}(?![a-z0-9])"


def carried(desk: Desk, task: Task, text: str) -> tuple[str, ...]:
    """The names of the confirmed conditions of `task` that `text` points to: "that model", 「这个型号」, the value."""
    said = _plain(text)
    found = []
    for value in values(desk, task):
        wins = value.wins
        if wins.layer not in (Layer.TASK, Layer.PARENT) or wins.standing is not Standing.CONFIRMED:
            continue
        name, held = re.escape(_plain(wins.name)), re.escape(_plain(wins.text))
        forms = (_POINTING.format(name), _POINTING_ZH.format(name), _EDGE.format(held))
        if any(re.search(form, said) for form in forms):
            found.append(wins.name)
    return tuple(found)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
