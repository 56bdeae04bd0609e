"""The tags of what is a conclusion, or a sure one, only by its place near the end of its log.

`closing` tells what is left of its confidence once the session goes on, `late` what is left once it is far from the end
as well; 0 is that it is no conclusion then.
"""

from __future__ import annotations

from collections.abc import Iterable

CLOSING, LATE = "closing", "late"


def passing(name: str, confidence: float) -> str:
    """The tag of one of the two names."""
    return f"{name}:{round(100 * confidence)}"


def is_passing(tag: str) -> bool:
    """Whether it is such a tag."""
    return tag.startswith((f"{CLOSING}:", f"{LATE}:"))


def left(tags: Iterable[str], name: str) -> float | None:
    """The confidence that the tag of this name leaves; None where there is none."""
    numbers = (tag.removeprefix(f"{name}:") for tag in tags if tag.startswith(f"{name}:"))
    return next((min(100, int(number)) / 100 for number in numbers if number.isdecimal()), None)
