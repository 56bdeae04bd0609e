"""`distill show`: a state in the terminal; one item with the log lines it came from."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from distill.commands.run import load_state
from distill.model import SECTIONS, DistillError, Item, Source, State, Status
from distill.pipeline import heading_language, open_log
from distill.read.formats import recognise
from distill.render.markdown import heading, item_line

WIDTH = 400  # characters of a log line that are shown


def show_command(path: str, wanted: str | None, context: int, lang: str) -> int:
    """Print a state, or one item with its places."""
    state = load_state(path)
    if wanted is None:
        _print(state, heading_language(state, lang))
        return 0
    item = _find(state, wanted, path)
    print(f"{item.id}  {item.text}")
    print(f"  {item.kind}, {item.status}, said by {item.role}, confidence {item.confidence:.2f}, rule {item.rule or 'none'}")
    print(f"  first {item.first_at or 'unknown'}, last {item.at or 'unknown'}"
          + (f", tags {', '.join(item.tags)}" if item.tags else "") + (f", replaced by {item.by}" if item.by else ""))
    for log in dict.fromkeys(source.path for source in item.sources):
        _places(log, [s for s in item.sources if s.path == log], context, Path(path).parent)
    return 0


def _print(state: State, lang: str) -> None:
    lines: list[str] = []
    for kind in SECTIONS:
        items = state.live(kind)
        if items:
            lines += [heading(kind, lang), *(item_line(item) for item in items), ""]
    gone = [item for item in state.items if item.status is not Status.LIVE]
    title = state.task.title or state.project or ", ".join(s.path for s in state.sources)
    closing = f"{title}: {sum(i.status is Status.LIVE for i in state.items)} items, {len(gone)} in history"
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        console.print(Markdown("\n".join(lines)))
        console.print(closing, style="dim", markup=False)
        return
    print("\n".join([*lines, closing]))


def _find(state: State, wanted: str, path: str) -> Item:
    live = [item for kind in SECTIONS for item in state.live(kind)]
    rest = [item for item in state.items if item.status is not Status.LIVE]
    for item in (*live, *rest):
        if item.id == wanted:
            return item
    if wanted.isdigit() and 1 <= int(wanted) <= len(live):
        return live[int(wanted) - 1]
    found = [item for item in (*live, *rest) if wanted.casefold() in item.text.casefold()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise DistillError(f"{path}: no item is called {wanted!r}, has that number, or says that")
    names = "; ".join(f"{item.id} {item.text[:50]}" for item in found[:6])
    raise DistillError(f"{path}: {len(found)} items say {wanted!r}: {names}")


def _places(log: str, sources: list[Source], context: int, beside: Path) -> None:
    where = next((p for p in (Path(log), beside / log) if p.is_file()), None)
    if where is None:
        for source in sources:
            print(f"\n{log}:{source.record} (the log is not here)\n  > {source.quote}")
        return
    with ExitStack() as stack:
        opened = open_log(str(where), stack)
        form = recognise(opened)
        said = [(e.record, e.role, e.text or _act(e), e.by_line) for e in form.events(opened)]
    for source in sources:
        print(f"\n{log}:{source.record}")
        for record, role, text, by_line in said:
            lines = text.split("\n")
            for number, line in enumerate(lines):
                at = record + number if by_line else record
                if at == source.record and (source.quote[:40] in line or (len(lines) == 1 and not by_line)):
                    first, last = max(0, number - context), min(len(lines), number + context + 1)
                    for place in range(first, last):
                        if lines[place].strip():
                            print(f"  {'>' if place == number else ' '} {role}: {lines[place].strip()[:WIDTH]}")
                    break


def _act(event: object) -> str:
    action = getattr(event, "action", None)
    if action is None:
        return ""
    return f"[{action.kind}] {action.target} {action.detail}".split("\n")[0].strip()
