"""How the layered context is printed: lines, tables on a terminal, JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from distill.context.answers import View
from distill.context.compress import COMPRESSED
from distill.context.model import Desk, Sort, Standing, Task
from distill.context.precedence import Layer, Setting
from distill.render.lines import to_json
from distill.text.clean import clean
from distill.text.language import width

_RANK = {Layer.HARD: "hard rule", Layer.TASK: "task", Layer.PARENT: "parent", Layer.DEFAULT: "preference"}


def put(data: Any, lines: Sequence[str], as_json: bool) -> None:
    """Print `data` as JSON, or else `lines`."""
    text = to_json(data, indent=2) + "\n" if as_json else "".join(f"{_line(line)}\n" for line in lines)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()


def say(text: str, quiet: bool) -> None:
    """A line on standard error."""
    if not quiet:
        print(f"distill: {clean(text)}", file=sys.stderr)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned columns for a pipe; on a terminal they are drawn at once and nothing is left to print."""
    if not rows:
        return []
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        drawn = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        for head in heads:
            drawn.add_column(Text(head), overflow="fold")
        for row in rows:
            drawn.add_row(*(Text(clean(cell)) for cell in row))
        Console().print(drawn)
        return []
    cells = [[clean(cell) for cell in row] for row in rows]
    wide = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell + " " * (most - width(cell)) for cell, most in zip(row, wide, strict=True)).rstrip()
            for row in cells]  # fmt: skip


def _line(text: str) -> str:
    return clean(text, one_line=False).replace("\n", " ")


def titled(task: Task) -> str:
    """A task on one line."""
    return f"t{task.id} {task.title}"


def task_rows(desk: Desk, tasks: Sequence[Task]) -> list[list[str]]:
    """Number, state, title, domain, parent and the day it was last worked on."""
    return [[f"t{one.id}", one.status.value, one.title, one.domain, f"t{one.parent}" if one.parent else "",
             one.touched[:10]] for one in tasks]  # fmt: skip


def task_data(desk: Desk, task: Task) -> dict[str, Any]:
    """A task as plain data."""
    return {**asdict(task), "open_questions": len(desk.of(task.id, Sort.QUESTION)),
            "conditions": len(desk.of(task.id, Sort.CONDITION)), "results": len(desk.of(task.id, Sort.RESULT))}


def setting_data(one: Setting) -> dict[str, Any]:
    """A value of a parameter in one layer as plain data."""
    return {"name": one.name, "value": one.text, "layer": one.layer.value, "standing": one.standing.value,
            "of": f"{'t' if one.layer in (Layer.TASK, Layer.PARENT) else 'g'}{one.of}"}  # fmt: skip


def view_data(view: View) -> dict[str, Any]:
    """A task as it stands, as plain data."""
    def rows(sort: Sort) -> list[dict[str, Any]]:
        return [{"id": one.id, "name": one.name, "text": one.text, "at": one.at, "origin": one.origin}
                for one in view.entries if one.sort is sort]

    return {
        "task": asdict(view.task),
        "values": [{**setting_data(one.wins), "overrides": [setting_data(low) for low in one.overrides]}
                   for one in view.values],
        "sentences": [setting_data(one) for one in view.sentences],
        "results": rows(Sort.RESULT), "steps": rows(Sort.STEP), "questions": rows(Sort.QUESTION),
        "tokens": view.tokens, "window": view.window,
    }  # fmt: skip


def _pending(one: Setting) -> str:
    return ", pending" if one.standing is Standing.PENDING else ""


def _origin(origin: str) -> str:
    """Where an entry is from: a child task, or the name of a log."""
    if not origin or origin == COMPRESSED:
        return ""
    return f" (from {origin.partition('#')[0].replace(os.sep, '/').rpartition('/')[2]})"


def view_lines(view: View) -> list[str]:
    """A task as it stands, for people: every value with its layer and what it overrides."""
    task = view.task
    lines = [f"{titled(task)} ({task.status})" + (f", domain {task.domain}" if task.domain else "")]
    for value in view.values:
        wins = value.wins
        over = "".join(f"; overrides {one.text} ({_RANK[one.layer]}{_pending(one)})" for one in value.overrides)
        lines.append(f"  {wins.name} = {wins.text} ({_RANK[wins.layer]}{_pending(wins)}{over})")
    lines += [f"  {one.text} ({_RANK[one.layer]}{_pending(one)})" for one in view.sentences]
    for sort, mark in ((Sort.RESULT, "result"), (Sort.STEP, "step"), (Sort.QUESTION, "open")):
        for entry in (entry for entry in view.entries if entry.sort is sort):
            name = f"{entry.name}: " if entry.name else ""
            number = f" [{entry.id}]" if sort is Sort.QUESTION else ""
            lines.append(f"  {mark}{number}: {name}{entry.text}{_origin(entry.origin)}")
    if view.tokens:
        lines.append(f"  ~{view.tokens} of {view.window} tokens")
    return lines
