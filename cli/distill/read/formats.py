"""What a log format is, the list of them all, and which one a log has."""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import distill.read as room
from distill.model import DistillError, Event, InputError
from distill.read.log import Log
from distill.rulebook import cache as kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One log format. `order` decides who is asked first: the more particular a shape, the lower.

    10 to 39: formats with keys of their own; 40 to 69: shared shapes (message lists); 90 and above: fallbacks.
    `document` and `keys` spare the import of formats that a log cannot have; they must be sure.
    """

    name: str  # as --from takes it and the state names it
    title: str  # the program that writes it
    where: str  # where its logs lie
    order: int
    recognise: Callable[[Log], bool]
    events: Callable[[Log], Iterator[Event]]
    document: bool = False  # its logs are JSON documents and nothing else
    keys: tuple[str, ...] = ()  # of which one stands in an early object of each of its logs that is no document
    heads: bool = False  # its logs name their session where they begin: one that names none begins in the middle
    resumes: bool = False  # its logs only grow at the end, and can be read from the record at which a turn begins


Row = tuple[str, str, bool, tuple[str, ...]]  # module, name, document, keys


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are asked."""
    import pkgutil

    modules = [importlib.import_module(f"distill.read.{one.name}") for one in pkgutil.iter_modules(room.__path__)]
    found: list[Format] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return tuple(sorted(found, key=lambda f: (f.order, f.name)))


def format_named(name: str) -> Format:
    """The format called `name`; an error that lists them all where there is none."""
    for module, known, _, _ in _rows():
        if known == name:
            return _format(module)
    raise DistillError(f"unknown format {name!r}; known: {', '.join(f.name for f in all_formats())}")


def recognise(log: Log) -> Format:
    """The format of `log`, told from its content alone. Plain text takes what nothing else takes."""
    present = {key for one in log.objects for key in one}
    for module, _, document, keys in _rows():
        if not log.is_document and (document or (keys and present.isdisjoint(keys))):
            continue
        one = _format(module)
        if one.recognise(log):
            return one
    raise InputError(f"{log.path}: of no known format{_types(log)}; --from FORMAT reads it as one")


@cache
def _rows() -> tuple[Row, ...]:
    """What must be known of every format before its module is imported, in the order in which they are asked.

    Kept between runs under a name that depends on all files of this room: importing them all takes longer than
    distilling a small log.
    """
    try:
        entries = [entry for place in room.__path__ for entry in os.scandir(place) if entry.is_file()]
        files = sorted((entry.name, entry.stat()) for entry in entries)
    except OSError:  # no folder: a package inside an archive
        return _ask_all()
    name = "formats-" + kept.key(f"{file} {stat.st_size} {stat.st_mtime_ns}".encode() for file, stat in files)
    known = kept.get(name)
    if known is None:
        known = {"rows": _ask_all()}
        kept.put(name, known)
    return tuple(known["rows"])


def _ask_all() -> tuple[Row, ...]:
    return tuple((f.recognise.__module__, f.name, f.document, f.keys) for f in all_formats())


def _format(module: str) -> Format:
    found: Format = importlib.import_module(module).FORMAT
    return found


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
