"""What a log format is, the list of them all, and which one a log has."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import distill.read as room
from distill.model import DistillError, Event
from distill.read.log import Log

# Modules of this room that are no format.
_TOOLS = {
    "actions", "aideredits", "aidertext", "answers", "blocks", "codex_records", "codex_talk", "codex_tools",
    "codex_words", "conversations", "cuts", "formats", "gemini_turns", "log", "messages", "nametags", "own", "parts",
    "patches", "roles", "shell", "shellwords", "specblocks", "spectools", "textlog", "verdicts", "wrappers",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One log format. `order` decides who is asked first: the more particular a shape, the lower.

    10 to 39: formats with keys of their own; 40 to 69: shared shapes (message lists); 90 and above: fallbacks.
    """

    name: str  # as --from takes it and the state names it
    title: str  # the program that writes it
    where: str  # where its logs lie
    order: int
    recognise: Callable[[Log], bool]
    events: Callable[[Log], Iterator[Event]]


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are asked."""
    names = [m.name for m in pkgutil.iter_modules(room.__path__) if m.name not in _TOOLS]
    modules = [importlib.import_module(f"distill.read.{name}") for name in names]
    found: list[Format] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return tuple(sorted(found, key=lambda f: (f.order, f.name)))


def format_named(name: str) -> Format:
    """The format called `name`; an error that lists them all where there is none."""
    for one in all_formats():
        if one.name == name:
            return one
    raise DistillError(f"unknown format {name!r}; known: {', '.join(f.name for f in all_formats())}")


def recognise(log: Log) -> Format:
    """The format of `log`, told from its content alone. Plain text takes what nothing else takes."""
    for one in all_formats():
        if one.recognise(log):
            return one
    raise DistillError(f"{log.path}: of no known format{_types(log)}; --from FORMAT reads it as one", 3)


def _types(log: Log) -> str:
    """What the records of a JSON Lines log say they are, with counts; "" for anything else."""
    if log.is_document or not log.objects:
        return ""
    counts: Counter[str] = Counter()
    for _, record in log.records():
        name = next((v for key in ("type", "kind", "event", "role") if isinstance(v := record.get(key), str)), "?")
        counts[name[:40]] += 1
    return ", no message in it was understood; record types: " + ", ".join(
        f"{name} ({count})" for name, count in counts.most_common(8)
    )
