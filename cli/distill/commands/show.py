"""`distill show`: a state in the terminal; one item with the log lines it came from."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from distill.commands.places import WIDTH, places
from distill.commands.run import load_state
from distill.model import SECTIONS, DistillError, Item, Source, State, Status
from distill.pipeline import heading_language, open_log
from distill.read.formats import format_named, recognise
from distill.render.markdown import heading, item_line
from distill.text.clean import clean

CHOICES = 6  # items that an error names
SHORT = 50


def show_command(path: str, wanted: str | None, context: int, lang: str) -> int:
    """Print a state, or one item with its places."""
    state = load_state(path)
    if wanted is None:
        _print(state, heading_language(state, lang))
        return 0
    item = _find(state, wanted, path)
    print(f"{item.id}  {item.text}")
    rule = item.rule or "none"
    print(f"  {item.kind}, {item.status}, said by {item.role}, confidence {item.confidence:.2f}, rule {rule}")
    tags = f", tags {', '.join(item.tags)}" if item.tags else ""
    by = f", replaced by {item.by}" if item.by else ""
    print(f"  first {item.first_at or 'unknown'}, last {item.at or 'unknown'}{tags}{by}")
    for log in dict.fromkeys(source.path for source in item.sources):
        _places(state, log, [source for source in item.sources if source.path == log], context, Path(path).parent)
    return 0


def _print(state: State, lang: str) -> None:
    lines: list[str] = []
    for kind in SECTIONS:
        if items := state.live(kind):
            lines += [heading(kind, lang), *(item_line(item, lang) for item in items), ""]
    gone = [item for item in state.items if item.status is not Status.LIVE]
    title = state.task.title or state.project or ", ".join(source.path for source in state.sources) or "no source"
    closing = f"{title}: {sum(item.status is Status.LIVE for item in state.items)} items, {len(gone)} in history"
    if left := sum(state.omitted):
        closing += f", {left} left out"
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        console.print(Markdown("\n".join(lines)))
        console.print(closing, style="dim", markup=False)
        return
    print("\n".join([*lines, closing]))


def _find(state: State, wanted: str, path: str) -> Item:
    """The item with this id, this number (as the sections stand) or these words."""
    live = [item for kind in SECTIONS for item in state.live(kind)]
    every = [*live, *(item for item in state.items if item.status is not Status.LIVE)]
    for item in every:
        if item.id == wanted:
            return item
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(live):
        return live[int(wanted) - 1]
    found = [item for item in every if wanted.casefold() in item.text.casefold()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise DistillError(f"{path}: no item has the id or number {wanted!r} or says that; see distill show {path}")
    names = "; ".join(f"{item.id} {item.text[:SHORT]}" for item in found[:CHOICES])
    raise DistillError(f"{path}: {len(found)} items say {wanted!r}: {names}")


def _places(state: State, log: str, sources: list[Source], context: int, beside: Path) -> None:
    where = next((p for p in (Path(log), beside / log) if p.is_file()), None)
    if where is None:
        for source in sources:
            print(f"\n{log}:{source.record} (the log is not here)\n  > {source.quote}")
        return
    known = next((one for one in state.sources if one.path == log), None)
    with ExitStack() as stack:
        opened = open_log(str(where), stack)
        form = format_named(known.format) if known and known.format else recognise(opened)
        found = places(form.events(opened), sources, context)
        changed = " (the log has changed since)" if known and known.sha256 != opened.sha256 else ""
    for source, lines in zip(sources, found, strict=True):
        print(f"\n{log}:{source.record}{changed}")
        if not lines:
            print(f"  > {clean(source.quote)}")
        for line in lines:
            print(f"  {'>' if line.hit else ' '} {line.role}: {line.text[:WIDTH]}")
