"""What folding goes by: numbers and choices, each an option of the command line that may stand in `distill.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from distill.model import DistillError


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldNumbers:
    """What decides where a task ends, when it is folded and how much of it is kept.

    Raises DistillError where one of them is out of its range.
    """

    drift_by: str = "words"  # what tells a turn from the turns before it: "words", or "meaning" as well
    drift: float = 0.28  # likeness to the turns before under which a turn may begin another task
    same: float = 0.5  # likeness from which a turn goes on with the task, whatever else speaks for an end
    confirm: int = 3  # what the signs of an end must weigh together
    alone: int = 12  # new content words from which a turn that drifts needs nothing before it
    taken_up: float = 0.25  # likeness of a turn with its answer from which it goes on with the task before after all
    look_back: int = 3  # turns before that a turn is compared with
    idle: int = 300  # seconds without a word after which a task may have ended
    delay: int = 2  # turns that a task stays as it was after its end, so that a follow-up can take it up
    verbatim: int = 6  # turns that stay as they were said
    limit: int = 4000  # tokens of the context from which the oldest is folded at once
    alike: float = 0.7  # likeness of two goals from which their cards become one
    cards: int = 15  # cards that stand alone; older ones go to the archive card
    card_tokens: int = 260  # most tokens of one card
    share: float = 0.14  # of the tokens of a task, up to which its card holds more than what binds
    archive_tokens: int = 700  # most tokens of the archive card
    lifetime: int = 604800  # seconds after which a card is marked as possibly stale
    recalled: int = 2  # cards of earlier sessions that are offered to a new one

    def __post_init__(self) -> None:
        for one in fields(self):
            _check(one.name, getattr(self, one.name))


_YEARS = 10 * 365 * 86400
RANGES: Mapping[str, tuple[float, float]] = {
    "drift": (0, 1), "same": (0, 1), "confirm": (1, 20), "alone": (1, 1000), "taken_up": (0, 1), "look_back": (1, 50),
    "idle": (0, _YEARS), "delay": (0, 100), "verbatim": (1, 1000), "limit": (200, 10_000_000), "alike": (0.1, 1),
    "cards": (1, 1000), "card_tokens": (40, 100_000), "share": (0, 10), "archive_tokens": (40, 1_000_000),
    "lifetime": (1, _YEARS), "recalled": (0, 50),
}
CHOICES: Mapping[str, tuple[str, ...]] = {"drift_by": ("words", "meaning")}
_WHOLE = frozenset(one.name for one in fields(FoldNumbers) if isinstance(one.default, int))


def parsed(name: str, text: str) -> float | str:
    """The number or choice called `name` that `text` writes. Raises DistillError where it is none, or out of range."""
    if name in CHOICES:
        _check(name, text.strip())
        return text.strip()
    try:
        value = float(text)
    except ValueError:
        raise DistillError(f"{name.replace('_', '-')}: {text.strip()!r} is no number") from None
    if name in _WHOLE and value.is_integer():
        value = int(value)
    _check(name, value)
    return value


def _check(name: str, value: object) -> None:
    shown = name.replace("_", "-")
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise DistillError(f"{shown}: {value!r} is none of {', '.join(CHOICES[name])}")
        return
    least, most = RANGES[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise DistillError(f"{shown}: {value!r} is not between {least:,} and {most:,}")
    if name in _WHOLE and not isinstance(value, int):
        raise DistillError(f"{shown}: {value!r} is not a whole number")
