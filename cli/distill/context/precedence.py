"""What a task may see, and which value of a parameter wins: hard rule over task over default preference."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from distill.context.model import Desk, Sort, Standing, Strength, Task


class Layer(StrEnum):
    """Where a value stands, what outranks the others first."""

    HARD = "hard"
    TASK = "task"
    PARENT = "parent"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One value of a parameter in one layer; `of` is the number of the rule or the task that sets it."""

    name: str
    text: str
    layer: Layer
    standing: Standing
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A parameter as the task sees it: the setting that wins and those that it overrides, in their order of rank."""

    wins: Setting
    overrides: tuple[Setting, ...] = ()


@lru_cache(maxsize=1 << 12)
def same_name(name: str) -> str:
    """The form in which names are compared: width, letter case and the blanks around do not count."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def values(desk: Desk, task: Task | None) -> tuple[Value, ...]:
    """The parameters that `task` sees, in the order in which they were set; without a task those of the rules alone.

    Of the task's own conditions a confirmed one wins over a pending one, of its ancestors' the nearest confirmed one.
    What the task masks is not inherited. Sentences without a name are not among them.
    """
    ranked: dict[str, list[Setting]] = {}
    masked: set[str] = set()
    for setting in _settings(desk, task):
        name = same_name(setting.name)
        if setting.standing is Standing.MASKED:
            masked.add(name)
        elif not (setting.layer is Layer.PARENT and name in masked):
            ranked.setdefault(name, []).append(setting)
    return tuple(Value(wins=found[0], overrides=tuple(_others(found))) for found in ranked.values())


def sentences(desk: Desk, task: Task | None) -> tuple[Setting, ...]:
    """The conditions without a name that hold for `task`: its own, then those of its ancestors."""
    return tuple(one for one in _of_tasks(desk, task) if not one.name and one.standing is not Standing.MASKED)


def _settings(desk: Desk, task: Task | None) -> Iterator[Setting]:
    """All that is set, what outranks the others first."""
    yield from _of_rules(desk, Strength.HARD, Layer.HARD)
    yield from (one for one in _of_tasks(desk, task) if one.name)
    yield from _of_rules(desk, Strength.DEFAULT, Layer.DEFAULT)


def _of_rules(desk: Desk, strength: Strength, layer: Layer) -> Iterator[Setting]:
    for rule in desk.rules:
        if rule.name and rule.strength is strength:
            yield Setting(name=rule.name, text=rule.text, layer=layer, standing=Standing.CONFIRMED, of=rule.id)


def _of_tasks(desk: Desk, task: Task | None) -> Iterator[Setting]:
    if task is None:
        return
    own = desk.of(task.id, Sort.CONDITION)
    for wanted in (Standing.MASKED, Standing.CONFIRMED, Standing.PENDING):
        for one in own:
            if one.standing is wanted:
                yield Setting(name=one.name, text=one.text, layer=Layer.TASK, standing=wanted, of=task.id)
    for above in desk.ancestors(task):
        hidden = []
        for one in desk.of(above.id, Sort.CONDITION):
            if one.standing is Standing.MASKED:
                hidden.append(one)
            elif one.standing is Standing.CONFIRMED:
                yield Setting(name=one.name, text=one.text, layer=Layer.PARENT, standing=one.standing, of=above.id)
        for one in hidden:  # what an ancestor masks its descendants do not inherit from further up
            yield Setting(name=one.name, text="", layer=Layer.PARENT, standing=Standing.MASKED, of=above.id)


def _others(found: list[Setting]) -> Iterator[Setting]:
    """What the first of `found` overrides; a value that is set again as it is counts once."""
    seen = {found[0].text}
    for one in found[1:]:
        if one.text not in seen:
            seen.add(one.text)
            yield one
