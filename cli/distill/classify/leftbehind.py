"""A to-do list that nobody took up again: what the work went on to speak of is no longer to do by it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from distill.classify.candidate import Candidate
from distill.model import Role, Task
from distill.text.likeness import content, grams

DONE = "completed"


def left_behind(tasks: Iterable[Task], since: int, told: Iterable[Candidate], changed: AbstractSet[str]) -> set[str]:
    """The texts of those `tasks` that later answers, or the words `changed` by edits, speak of.

    `tasks` are those of a list that was written once, at the record `since`, and left alone.
    """
    said = set(changed)
    for one in told:
        if one.statement.role is Role.ASSISTANT and one.statement.final and one.statement.record > since:
            said |= one.words
    return {task.text for task in tasks if task.status != DONE and _spoken_of(task.text, said)}


def _spoken_of(text: str, said: AbstractSet[str]) -> bool:
    words = content(grams(text))
    return 0 < len(words) <= 2 * len(words & said)
