"""`distill context`: the layered context of work in progress, one function for each of its commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace

from distill.commands.context_form import (
    put,
    say,
    setting_data,
    table,
    task_data,
    task_rows,
    titled,
    view_data,
    view_lines,
)
from distill.config import settle
from distill.context.model import Numbers, TaskStatus
from distill.context.stack import STALE, Moved
from distill.layered import Context
from distill.model import DistillError

PIPE = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a command answers: as JSON, without words on standard error."""

    json: bool = False
    quiet: bool = False


def here() -> Context:
    """The context that the working directory belongs to."""
    settings = settle({})
    return Context.find(now=settings.now, redact=settings.redact)


def init(numbers: dict[str, float | None], manner: Manner) -> int:
    """Make the store of this folder; with `numbers` change those that it goes by."""
    given = {name: value for name, value in numbers.items() if value is not None}
    settings = settle({})
    context = Context.init(now=settings.now, redact=settings.redact)
    if given:
        whole = {one.name for one in fields(Numbers) if isinstance(one.default, int)}
        typed = {name: int(value) if name in whole else value for name, value in given.items()}
        context.set_numbers(replace(context.desk().numbers, **typed))  # type: ignore[arg-type]
    data = {"store": str(context.store.path), "created": context.created, "numbers": asdict(context.desk().numbers)}
    put(data, [str(context.store.path)], manner.json)
    say("a new context" if context.created else "the context was there already", manner.quiet)
    return 0


def global_add(words: Sequence[str], hard: bool, manner: Manner) -> int:
    """Add a global rule: a sentence, or a name and its value."""
    if not 1 <= len(words) <= 2:
        raise DistillError("global add takes a sentence, or a name and a value; quote what has blanks")
    name, text = words if len(words) == 2 else ("", words[0])
    rule = here().add_rule(text, name=name, hard=hard)
    put(asdict(rule), [f"g{rule.id} {rule.strength}: {rule.name + ' = ' if rule.name else ''}{rule.text}"], manner.json)
    return 0


def global_list(manner: Manner) -> int:
    """The global rules."""
    rules = here().desk().rules
    rows = [[f"g{one.id}", one.strength.value, one.name, one.text] for one in rules]
    put([asdict(one) for one in rules], [] if manner.json else table(["id", "rank", "name", "rule"], rows), manner.json)
    return 0


def global_drop(wanted: str, manner: Manner) -> int:
    """Take a global rule away."""
    rule = here().drop_rule(wanted)
    put(asdict(rule), [f"g{rule.id} dropped: {rule.text}"], manner.json)
    return 0


def domain_add(name: str, path: str, manner: Manner) -> int:
    """Add a pack of background from a file."""
    from distill.store.files import read_text

    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace") if path == PIPE else read_text(path)
    domain = here().add_domain(name, text)
    put(asdict(domain), [f"{domain.name}: {len(domain.text)} characters"], manner.json)
    return 0


def domain_list(manner: Manner) -> int:
    """The domain packs."""
    domains = here().desk().domains
    rows = [[one.name, str(len(one.text)), one.text.strip().split("\n")[0][:60]] for one in domains]
    put([asdict(one) for one in domains], [] if manner.json else table(["name", "characters", "begins"], rows),
        manner.json)
    return 0


def start(title: str, domain: str | None, child: bool, carry: Sequence[str], manner: Manner) -> int:
    """Begin a task."""
    return _moved(here().start(title, domain=domain, child=child, carry=carry), manner)


def suspend(manner: Manner) -> int:
    """Put the active task aside."""
    return _moved(here().suspend(), manner)


def resume(task: str | None, yes: bool, manner: Manner) -> int:
    """Take up a task; one that has lain for long is asked about where somebody can answer."""
    context = here()
    try:
        moved = context.resume(task, sure=yes)
    except DistillError as error:
        if error.code != STALE or not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        print(f"distill: {error}", file=sys.stderr)
        print("Resume it now? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes", "是", "好"):
            return STALE
        moved = context.resume(task, sure=True)
    return _moved(moved, manner)


def finish(manner: Manner) -> int:
    """End the active task."""
    moved, memory = here().finish()
    say(f"remembered: {memory.summary}", manner.quiet)
    return _moved(moved, manner)


def condition(name: str, value: str, pending: bool, manner: Manner) -> int:
    """Set a condition of the active task."""
    added = here().set(name, value, pending=pending)
    put(asdict(added.entry), [f"{added.entry.name} = {added.entry.text} ({added.entry.standing})"], manner.json)
    _compressed(added.compressed, manner)
    return 0


def unset(name: str, manner: Manner) -> int:
    """Drop a condition."""
    here().unset(name)
    put({"name": name}, [f"{name}: dropped"], manner.json)
    return 0


def note(sort: str, name: str, text: str, manner: Manner) -> int:
    """Note a result, a step or a question of the active task."""
    context = here()
    added = {"result": lambda: context.result(name, text), "step": lambda: context.step(text),
             "ask": lambda: context.ask(text)}[sort]()  # fmt: skip
    put(asdict(added.entry), [f"{sort}: {name + ': ' if name else ''}{added.entry.text}"], manner.json)
    _compressed(added.compressed, manner)
    return 0


def answer(wanted: str, manner: Manner) -> int:
    """Take an open question away."""
    entry = here().answer(wanted)
    put(asdict(entry), [f"answered: {entry.text}"], manner.json)
    return 0


def compress(manner: Manner) -> int:
    """Reduce the active task."""
    view = here().compress()
    put(view_data(view), view_lines(view), manner.json)
    return 0


def undo(manner: Manner) -> int:
    """Put back what the last command changed."""
    command, at = here().undo()
    put({"undone": command, "at": at}, [f"undone: {command} of {at}"], manner.json)
    return 0


def listing(every: bool, manner: Manner) -> int:
    """The tasks, the active one first, then those that were worked on last."""
    desk = here().desk(whole=every)
    shown = [one for one in desk.tasks if one.open or every]
    shown.sort(key=lambda one: (one.status is not TaskStatus.ACTIVE, not one.open, -one.place))
    rows = task_rows(desk, shown)
    put([task_data(desk, one) for one in shown],
        [] if manner.json else table(["task", "state", "title", "domain", "parent", "last"], rows), manner.json)
    folded = sum(one.status is TaskStatus.COMPRESSED for one in desk.tasks)
    if folded and not every:
        say(f"{folded} folded to make room; list --all shows them", manner.quiet)
    return 0


def show(task: str | None, manner: Manner) -> int:
    """One task: its values, which layer each is from, what it overrides."""
    context = here()
    if task is None and (desk := context.desk()).active is None:
        values = context.global_values(desk)
        put({"task": None, "values": [setting_data(one.wins) for one in values]},
            [f"{one.wins.name} = {one.wins.text}" for one in values], manner.json)
        say("no task is active", manner.quiet)
        return 0
    view = context.show(task)
    put(view_data(view), view_lines(view), manner.json)
    return 0


def _moved(moved: Moved, manner: Manner) -> int:
    task = moved.task
    data = {"task": asdict(task) if task else None, "folded": [asdict(one) for one in moved.folded],
            "flowed": moved.flowed}  # fmt: skip
    put(data, [titled(task)] if task else [], manner.json)
    for one in moved.folded:
        say(f"{titled(one)} was folded to make room; recall finds it, resume t{one.id} takes it up again", manner.quiet)
    if moved.flowed:
        say("1 result went to the parent" if moved.flowed == 1 else f"{moved.flowed} results went to the parent",
            manner.quiet)
    if task is None:
        say("no task is active now", manner.quiet)
    return 0


def _compressed(full: bool, manner: Manner) -> None:
    if full:
        say("the window is nearly full: the task was compressed; undo takes both back", manner.quiet)
