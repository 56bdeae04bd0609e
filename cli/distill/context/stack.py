"""The stack of tasks: begin, put aside, take up again, end; the oldest is folded where there is no more room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distill.context.compress import compressed, memory_of
from distill.context.entries import with_entry
from distill.context.model import Desk, Drift, Memory, Sort, Standing, Task, TaskStatus, require_active
from distill.context.precedence import Layer, same_name, values
from distill.context.recall import indexed
from distill.model import DistillError
from distill.text.ages import age

STALE = 5  # the exit code of what would resume a task that has lain for long


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The desk after tasks changed places: the one in hand, what was folded, results that went to a parent."""

    desk: Desk
    task: Task | None = None
    folded: tuple[Task, ...] = ()
    flowed: int = 0


def begin(
    desk: Desk, title: str, now: str, *, domain: str | None = None, child: bool = False, carry: Sequence[str] = ()
) -> Moved:
    """Begin a task; the one in hand is put aside, with `child` as its parent.

    A child takes on the domain of its parent, unless `domain` names another. `carry` names conditions of the task in
    hand that hold for the new one as well; nothing else goes over. Raises DistillError for an unknown domain or
    condition, and for `child` without a task in hand.
    """
    if not title.strip():
        raise DistillError("a task needs a title: say in a few words what is to be done")
    if domain and desk.domain(domain) is None:
        known = ", ".join(one.name for one in desk.domains) or "none yet"
        raise DistillError(f"{domain}: no such domain; there are: {known}")
    before = require_active(desk) if child or carry else desk.active
    given = [_carried(desk, before, name) for name in carry] if before else []
    flowed = 0
    if before is not None:
        desk, flowed = _aside(desk, before)
    parent = before if child else None
    place = desk.last_id + 1
    task = Task(id=desk.last_task + 1, title=title, status=TaskStatus.ACTIVE, parent=parent.id if parent else 0,
                domain=(parent.domain if parent else "") if domain is None else domain, began=now, touched=now,
                place=place)
    desk = replace(desk, last_task=task.id, last_id=place, drift=Drift()).with_task(task)
    for name, text in given:
        desk = with_entry(desk, task, Sort.CONDITION, name, text, now)
    desk, folded = _roomy(desk, task, now)
    return Moved(desk=desk, task=task, folded=folded, flowed=flowed)


def suspend(desk: Desk, now: str) -> Moved:
    """Put the task in hand aside; the results of a child go to its parent, which is then in hand."""
    task = require_active(desk)
    desk, flowed = _aside(desk, task)
    return _back(replace(desk, drift=Drift()), task, now, flowed)


def resume(desk: Desk, wanted: str | None, now: str, *, sure: bool = False) -> Moved:
    """Take up the task `wanted` (a number or words of its title), or that which was put aside last.

    Raises DistillError with the code 5 where it has lain for longer than the limit, unless `sure`.
    """
    task = find(desk, wanted) if wanted else _latest(desk)
    if task.status is TaskStatus.ACTIVE:
        raise DistillError(f"t{task.id} ({task.title}) is the active task already")
    if task.status is TaskStatus.COMPLETED:
        raise DistillError(f"t{task.id} ({task.title}) is finished: begin a new task; recall shows what it came to")
    days = lain(desk, task.id, now)
    if days and not sure:
        raise DistillError(f"t{task.id} ({task.title}) was put aside {days} days ago and may be out of date: check "
                           "its conditions (distill context show), then resume it with --yes", STALE)
    flowed = 0
    if desk.active is not None:
        desk, flowed = _aside(desk, desk.active)
    desk, task = _taken_up(desk, task, now)
    desk, folded = _roomy(replace(desk, drift=Drift()), task, now)
    return Moved(desk=desk, task=task, folded=folded, flowed=flowed)


def finish(desk: Desk, now: str) -> tuple[Moved, Memory]:
    """End the task in hand: its summary goes to memory, the results of a child to its parent, which is then in hand.

    Raises DistillError where it has children that are not finished.
    """
    task = require_active(desk)
    waiting = [one for one in desk.tasks if one.parent == task.id and one.open]
    if waiting:
        names = ", ".join(f"t{one.id} ({one.title})" for one in waiting)
        raise DistillError(f"t{task.id} has children that are not finished: {names}; resume and finish them first")
    desk, flowed = _flow(desk, task)
    desk, memory = _remembered(desk, task, now)
    entries = tuple(one for one in desk.entries if one.task != task.id or one.sort is not Sort.TURN)
    desk = replace(desk, entries=entries, drift=Drift())
    task = replace(task, status=TaskStatus.COMPLETED, touched=now)
    return _back(desk.with_task(task), task, now, flowed), memory


def find(desk: Desk, wanted: str) -> Task:
    """The task with this number (3 or t3) or these words in its title; DistillError where none or several are meant."""
    plain = same_name(wanted)
    exact = [task for task in desk.tasks if plain in (str(task.id), f"t{task.id}")]
    titled = [task for task in desk.tasks if same_name(task.title) == plain]
    worded = [task for task in desk.tasks if plain in same_name(task.title)]
    found = exact or _unfinished(titled) or titled or _unfinished(worded) or worded
    if not found:
        raise DistillError(f"{wanted}: no task is called so; see distill context list --all")
    if len(found) > 1:
        names = ", ".join(f"t{task.id} ({task.title})" for task in found)
        raise DistillError(f"{wanted}: {len(found)} tasks are called so: {names}; name one by its number")
    return found[0]


def lain(desk: Desk, number: int, now: str) -> int:
    """The days for which a task has lain, where that is so long that resuming it asks first; else 0."""
    task = desk.task(number)
    days = age(task.touched, now) if task is not None else None
    return days if days is not None and days >= desk.numbers.stale else 0


def _unfinished(tasks: Sequence[Task]) -> list[Task]:
    return [task for task in tasks if task.status is not TaskStatus.COMPLETED]


def _latest(desk: Desk) -> Task:
    waiting = [task for task in desk.tasks if task.status is TaskStatus.SUSPENDED]
    if not waiting:
        raise DistillError("no task is suspended: begin one with distill context start TASK")
    return max(waiting, key=lambda task: (task.touched, task.place))


def _aside(desk: Desk, task: Task) -> tuple[Desk, int]:
    """The task suspended, its results with its parent. `touched` stays: it says when it was last worked on."""
    desk, flowed = _flow(desk, task)
    return desk.with_task(replace(task, status=TaskStatus.SUSPENDED)), flowed


def _back(desk: Desk, task: Task, now: str, flowed: int) -> Moved:
    """The parent of `task` in hand, unless it has lain too long, is over or was folded."""
    parent = desk.task(task.parent)
    if parent is None or parent.status is not TaskStatus.SUSPENDED:
        return Moved(desk=desk, flowed=flowed)
    if lain(desk, parent.id, now):
        return Moved(desk=desk, flowed=flowed)
    desk, parent = _taken_up(desk, parent, now)
    return Moved(desk=desk, task=parent, flowed=flowed)


def _taken_up(desk: Desk, task: Task, now: str) -> tuple[Desk, Task]:
    task = replace(task, status=TaskStatus.ACTIVE, touched=now, place=desk.last_id + 1)
    return replace(desk, last_id=task.place).with_task(task), task


def _flow(desk: Desk, task: Task) -> tuple[Desk, int]:
    """The results of `task` written into its parent, and how many were new or changed."""
    parent = desk.task(task.parent)
    if parent is None or parent.status is TaskStatus.COMPLETED:
        return desk, 0
    count = 0
    for one in desk.of(task.id, Sort.RESULT):
        origin = f"t{task.id}" if one.name else f"t{task.id}#{one.id}"
        there = any((old.name, old.text, old.origin) == (one.name, one.text, origin)
                    for old in desk.of(parent.id, Sort.RESULT))
        if not there:
            desk = with_entry(desk, parent, Sort.RESULT, one.name, one.text, one.at, origin=origin)
            count += 1
    return desk, count


def _roomy(desk: Desk, task: Task, now: str) -> tuple[Desk, tuple[Task, ...]]:
    """The desk with no more open tasks than there is room for: the oldest are folded, the task's ancestors last."""
    folded: list[Task] = []
    above = {one.id for one in desk.ancestors(task)}
    while True:
        waiting = [one for one in desk.tasks if one.status is TaskStatus.SUSPENDED]
        if len(waiting) + 1 <= desk.numbers.depth or not waiting:
            return desk, tuple(folded)
        oldest = min(waiting, key=lambda one: (one.id in above, one.touched, one.place))
        desk, _ = _flow(desk, oldest)
        desk, _ = _remembered(desk, oldest, now)
        oldest = replace(oldest, status=TaskStatus.COMPRESSED)
        desk = compressed(desk, oldest, now).with_task(oldest)
        folded.append(oldest)


def _remembered(desk: Desk, task: Task, now: str) -> tuple[Desk, Memory]:
    memory = indexed(memory_of(desk, task, now))
    return replace(desk, memories=(*desk.memories, memory), last_id=memory.id), memory


def _carried(desk: Desk, task: Task, name: str) -> tuple[str, str]:
    for value in values(desk, task):
        wins = value.wins
        if same_name(wins.name) == same_name(name) and wins.layer in (Layer.TASK, Layer.PARENT):
            if wins.standing is not Standing.CONFIRMED:
                raise DistillError(f"{name}: is pending and cannot be carried over: confirm it first")
            return wins.name, wins.text
    raise DistillError(f"{name}: the active task sets no such condition; distill context show lists them")
