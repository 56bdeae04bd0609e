"""What a log that has grown had said and made before the part that is read now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from distill.model import Item, Source, Status

FILE, COMMIT = "artifact/file", "artifact/commit"
_COMMIT = "Commit"  # how the text of a commit begins
Place = tuple[int, str | None, str]  # record, time, quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A file or commit of the part of a log that is not read again. `key` is what acts call it."""

    key: str
    name: str
    note: str = ""
    made: bool = False
    places: tuple[Place, ...]


def earlier(items: Iterable[Item], path: str, since: int) -> tuple[list[Earlier], list[Earlier]]:
    """The files and the commits among live `items` that the log `path` made before the record `since`."""
    files: list[Earlier] = []
    commits: list[Earlier] = []
    for item in items:
        if item.status is not Status.LIVE or item.rule not in (FILE, COMMIT):
            continue
        places = tuple(_places(item, path, since))
        if not places:
            continue
        key = max((place[2] for place in places if _names(item, place[2])), key=len, default="")
        if not key:  # its text was edited by hand
            continue
        if item.rule == FILE:
            note = item.text[len(key) :].removeprefix(": ") if item.text.startswith(f"{key}: ") else ""
            files.append(Earlier(key=key, name=key, note=note, made="created" in item.tags, places=places))
        else:
            nameless = item.text == f"{_COMMIT}: {key}"
            note = key if nameless else item.text.removeprefix(f"{_COMMIT} {key}").removeprefix(": ")
            commits.append(Earlier(key=key, name="" if nameless else key, note=note, places=places))
    return files, sorted(commits, key=lambda one: one.places[-1][0])


def own(sources: Sequence[Source], path: str) -> bool:
    """Whether all places stand in the log `path`."""
    return bool(sources) and all(source.path == path for source in sources)


def _names(item: Item, quote: str) -> bool:
    return item.text.startswith((quote, f"{_COMMIT} {quote}", f"{_COMMIT}: {quote}")) if quote else False


def _places(item: Item, path: str, since: int) -> Iterator[Place]:
    for number, source in enumerate(item.sources):
        if source.path == path and source.record < since:
            yield source.record, item.at if number else item.first_at, source.quote
