"""A task layer made smaller: to goal, confirmed conditions, progress and what is unresolved, or to one summary."""

from __future__ import annotations

from dataclasses import replace

from distill.context.model import Desk, Entry, Memory, Sort, Standing, Task
from distill.context.pieces import cut, packed
from distill.text.language import language
from distill.text.likeness import grams

SUMMARY = 200  # characters of what long-term memory keeps of a task
PROGRESS = 400  # characters of the progress of a compressed task
RESULT = 120  # characters of one result of a compressed task
TOPICS = 8
COMPRESSED = "compressed"  # the origin of the one step that stands for those before
_KEPT_TURNS = 4


def compressed(desk: Desk, task: Task, now: str) -> Desk:
    """The desk with the layer of `task` reduced; doing it twice changes nothing more.

    Kept are its title (the goal), all conditions, its named results (each within 120 characters) and open questions.
    Its steps and the results without a name become one step, the latest first.
    """
    steps = desk.of(task.id, Sort.STEP)
    loose = [one for one in desk.of(task.id, Sort.RESULT) if not one.name]
    turns = {one.id for one in desk.of(task.id, Sort.TURN)[:-_KEPT_TURNS]}
    one_step = len(steps) == 1 and steps[0].origin == COMPRESSED
    gone = turns if one_step and not loose else turns | {one.id for one in (*steps, *loose)}
    entries = [
        replace(one, text=cut(one.text, RESULT)) if (one.task, one.sort) == (task.id, Sort.RESULT) else one
        for one in desk.entries if one.id not in gone
    ]  # fmt: skip
    told = [one.text for one in (*reversed(steps), *reversed(loose))]
    last = desk.last_id
    if told and not (one_step and not loose):
        last += 1
        text = packed(told, PROGRESS, _joint(" ".join(told)))
        entries.append(Entry(id=last, task=task.id, sort=Sort.STEP, name="", text=text or cut(told[0], PROGRESS),
                             standing=Standing.CONFIRMED, at=now, origin=COMPRESSED))
    entries = [one for one in entries if one.text or one.standing is Standing.MASKED]
    return replace(desk, entries=tuple(entries), last_id=last)


def summary(desk: Desk, task: Task) -> str:
    """What `task` came to in at most 200 characters, no identifier cut: goal, results, conditions, the rest."""
    told = [one for one in desk.of(task.id) if one.text]
    conditions = [f"{one.name}={one.text}" if one.name else one.text for one in told
                  if one.sort is Sort.CONDITION and one.standing is Standing.CONFIRMED]
    results = [f"{one.name}: {one.text}" if one.name else one.text for one in told if one.sort is Sort.RESULT]
    questions = [f"? {one.text}" for one in told if one.sort is Sort.QUESTION]
    steps = [one.text for one in reversed(told) if one.sort is Sort.STEP]
    joint = _joint(task.title)
    head = cut(task.title, SUMMARY // 2)
    named = packed(conditions, SUMMARY // 3, joint)
    parts = [head, *([named] if named else []), *results, *questions, *steps[:1]]
    return packed(parts, SUMMARY, joint)


def memory_of(desk: Desk, task: Task, now: str) -> Memory:
    """What long-term memory keeps of `task`; its `words`, by which it is found, are for the caller to fill in."""
    names = [one for one in desk.of(task.id, Sort.CONDITION) if one.name and one.standing is Standing.CONFIRMED]
    told = [task.domain, *(one.text for one in names), *sorted(grams(task.title), key=task.title.casefold().find)]
    topics = tuple(dict.fromkeys(cut(one, RESULT) for one in told if one))[:TOPICS]
    return Memory(id=desk.last_id + 1, task=task.id, title=task.title, summary=summary(desk, task), topics=topics,
                  words="", at=now)


def _joint(text: str) -> str:
    return "；" if language(text) == "zh" else "; "
