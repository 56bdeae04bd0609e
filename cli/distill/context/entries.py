"""What is written into the layer of a task, and into the global and domain layers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from distill.context.model import Desk, Domain, Entry, Rule, Sort, Standing, Strength, Task
from distill.context.precedence import Layer, same_name, values
from distill.model import DistillError

TURNS = 12  # turns of a task that are remembered, those of both sides


def with_entry(
    desk: Desk, task: Task, sort: Sort, name: str, text: str, now: str, *,
    standing: Standing = Standing.CONFIRMED, origin: str = "",
) -> Desk:
    """The desk with one entry more; an entry of the task with the same name (or origin) is replaced where it stands.

    A confirmed condition takes the place of a pending one, not the other way round: what is only supposed does not
    undo what is settled.
    """
    if not text.strip() and standing is not Standing.MASKED:
        raise DistillError(f"a {sort} needs a text")
    fresh = Entry(id=desk.last_id + 1, task=task.id, sort=sort, name=name, text=text, standing=standing, at=now,
                  origin=origin)
    entries: list[Entry] = []
    placed = False
    for one in desk.entries:
        if not _replaces(fresh, one):
            entries.append(one)
        elif not placed:
            entries.append(replace(fresh, id=one.id))
            placed = True
    if not placed:
        entries.append(fresh)
    return replace(desk, entries=tuple(entries), last_id=fresh.id)


def _replaces(fresh: Entry, one: Entry) -> bool:
    if one.task != fresh.task or one.sort is not fresh.sort:
        return False
    if not fresh.name:
        return bool(fresh.origin) and not one.name and one.origin == fresh.origin
    if same_name(one.name) != same_name(fresh.name):
        return False
    return fresh.sort is not Sort.CONDITION or fresh.standing is not Standing.PENDING or one.standing is not \
        Standing.CONFIRMED


def without_condition(desk: Desk, task: Task, name: str, now: str) -> Desk:
    """The desk where `task` no longer sees the condition `name`: its own is dropped, its parent's is masked.

    Raises DistillError where it sees none of that name.
    """
    wanted = same_name(name)
    seen = [one for value in values(desk, task) for one in (value.wins, *value.overrides)
            if same_name(one.name) == wanted and one.layer in (Layer.TASK, Layer.PARENT)]
    if not seen:
        raise DistillError(f"{name}: the task sets no such condition; distill context show lists them")
    kept = tuple(one for one in desk.entries if not (
        one.task == task.id and one.sort is Sort.CONDITION and same_name(one.name) == wanted))
    desk = replace(desk, entries=kept)
    if all(one.layer is Layer.TASK for one in seen):
        return desk
    return with_entry(desk, task, Sort.CONDITION, name, "", now, standing=Standing.MASKED)


def without_question(desk: Desk, task: Task, wanted: str) -> tuple[Desk, Entry]:
    """The desk without the open question with this number or these words, and the question.

    Raises DistillError where none or several are meant.
    """
    found = [one for one in desk.of(task.id, Sort.QUESTION) if wanted == str(one.id)] or [
        one for one in desk.of(task.id, Sort.QUESTION) if same_name(wanted) in same_name(one.text)]
    if len(found) != 1:
        count = "no open question says" if not found else f"{len(found)} open questions say"
        raise DistillError(f"{count} {wanted!r}; distill context show lists them with their numbers")
    return replace(desk, entries=tuple(one for one in desk.entries if one is not found[0])), found[0]


def with_turn(desk: Desk, task: Task, text: str, now: str) -> Desk:
    """The desk with a turn of either side noted for `task`; the latest `TURNS` are kept."""
    desk = with_entry(desk, task, Sort.TURN, "", text, now)
    old = {one.id for one in desk.of(task.id, Sort.TURN)[:-TURNS]}
    return replace(desk, entries=tuple(one for one in desk.entries if one.id not in old))


def with_items(desk: Desk, task: Task, log: str, items: Iterable[tuple[str, Sort, str, Standing]], now: str) -> Desk:
    """The desk with what a log came to, as (id, sort, text, standing); what that log said before and no longer is gone.

    The same log a second time changes nothing.
    """
    items = list(items)
    lead = f"{log}#"
    there = {lead + number for number, _, _, _ in items}
    kept = tuple(one for one in desk.entries
                 if one.task != task.id or not one.origin.startswith(lead) or one.origin in there)
    desk = replace(desk, entries=kept)
    known = {one.origin: one for one in desk.entries if one.task == task.id}
    for number, sort, text, standing in items:
        old = known.get(lead + number)
        if old is None or (old.text, old.sort, old.standing) != (text, sort, standing):
            if old is not None and old.sort is not sort:
                desk = replace(desk, entries=tuple(one for one in desk.entries if one is not old))
            desk = with_entry(desk, task, sort, "", text, now, standing=standing, origin=lead + number)
    return desk


def with_rule(desk: Desk, strength: Strength, name: str, text: str, now: str) -> tuple[Desk, Rule]:
    """The desk with one global rule more, and the rule; one of the same name and strength is replaced."""
    if not text.strip():
        raise DistillError("a global rule needs a text")
    same = next((one for one in desk.rules if name and one.strength is strength
                 and same_name(one.name) == same_name(name)), None)
    number = same.id if same else desk.last_id + 1
    rule = Rule(id=number, strength=strength, name=name, text=text, at=now)
    rules = tuple(rule if one is same else one for one in desk.rules) if same else (*desk.rules, rule)
    return replace(desk, rules=rules, last_id=max(desk.last_id, number)), rule


def without_rule(desk: Desk, wanted: str) -> tuple[Desk, Rule]:
    """The desk without the global rule of this number (7 or g7) or name, and the rule; DistillError where none is."""
    plain = same_name(wanted)
    found = [one for one in desk.rules if plain in (str(one.id), f"g{one.id}")] or [
        one for one in desk.rules if one.name and same_name(one.name) == plain]
    if len(found) != 1:
        count = len(found) or "no"
        raise DistillError(f"{wanted}: {count} global rules are called so; see distill context global list")
    return replace(desk, rules=tuple(one for one in desk.rules if one is not found[0])), found[0]


def with_domain(desk: Desk, name: str, text: str, now: str) -> Desk:
    """The desk with a domain pack of this name, in the place of one that has it already."""
    if not name or not text.strip():
        raise DistillError(f"{name or 'a domain'}: a domain needs a name and a text")
    domain = Domain(name=name, text=text, at=now)
    if desk.domain(name) is None:
        return replace(desk, domains=(*desk.domains, domain))
    return replace(desk, domains=tuple(domain if one.name == name else one for one in desk.domains))
