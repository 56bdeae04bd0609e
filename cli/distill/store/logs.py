"""The logs under files, folders and globs: found in a fixed order, each with a name that two runs agree on."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from distill.model import DistillError, InputError
from distill.store.remote import is_url, reached, stamp_of, told

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE = ".distillignore"  # a file of patterns, as in .gitignore, for the folder it lies in
NO_LOGS = ("distill.yaml",)
_MAGIC = frozenset("*?[")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """One log. `name` is its place below what all inputs have in common; `path` is how to open and to show it.

    `stamp` changes when the content does, and may change without; "" where nothing tells.
    """

    name: str
    path: str
    size: int
    stamp: str


@dataclass(slots=True)
class Found:
    """The logs by name, and what could not be looked into."""

    logs: list[LogFile] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A file that was found, with what tells whether it has changed."""

    path: str
    place: tuple[str, ...]  # the parts of its absolute path
    size: int
    stamp: str


def find_logs(inputs: Sequence[str], excludes: Sequence[str] = (), out: str = "") -> Found:
    """The logs that `inputs` (files, folders, globs, URLs) stand for, without those that `excludes` match.

    Patterns are written as in .gitignore, relative to the folder named; a file .distillignore in a folder holds more.
    Hidden files and folders, links to folders, and the folder `out` are passed over, unless they are named themselves.
    Raises InputError where an input is missing or a glob matches nothing, DistillError for a pattern that is none.
    """
    found = Found()
    hits: dict[tuple[str, ...], _Hit] = {}
    roots: list[tuple[str, ...]] = []
    spec = _spec(excludes, "--exclude")
    away = _place(out) if out else ()
    for one in inputs:
        if away and _place(one)[: len(away)] == away:
            raise DistillError(f"{one}: lies in the folder that is written to: name another one with -o")
        for root, hit in _look(one, spec, away, found.problems):
            roots.append(root)
            if hit is not None:
                hits.setdefault(hit.place, hit)
    top = _shared(roots)
    found.logs = [
        LogFile(name=_name(hit.place[len(top) :]), path=hit.path, size=hit.size, stamp=hit.stamp)
        for hit in sorted(hits.values(), key=lambda hit: hit.place)
    ]
    return found


def digest_of(path: str) -> str:
    """The SHA-256 of a log's content; "" where it cannot be read."""
    digest = hashlib.sha256()
    with suppress(OSError, DistillError), _opened(path) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
        return digest.hexdigest()
    return ""


def _opened(path: str) -> IO[bytes]:
    if not is_url(path):
        return open(path, "rb", buffering=0)
    system, inner = reached(path)
    try:
        stream: IO[bytes] = system.open(inner, "rb")
    except Exception as error:
        raise DistillError(told(error)) from error
    return stream


# -- one input --------------------------------------------------------------------------------------------------------


def _look(
    one: str, spec: GitIgnoreSpec | None, away: tuple[str, ...], problems: list[str]
) -> Iterator[tuple[tuple[str, ...], _Hit | None]]:
    """What an input stands for: the folder that names are relative to, and each log."""
    if is_url(one):
        yield from _remote(one, spec)
        return
    path = os.path.normpath(one)
    if not os.path.lexists(path) and _MAGIC.intersection(one):
        matches = sorted(glob.glob(one, recursive=True))  # noqa: PTH207, Path.glob takes no absolute pattern
        if not matches:
            raise InputError(f"{one}: matches nothing")
        base = _place(str(Path(one[: _magic(one)] + "x").parent))
        for match in matches:
            if Path(match).is_file():
                hit = _hit(os.path.normpath(match))
                if not _ignored("/".join(hit.place[len(base) :]), [("", spec)]):
                    yield base, hit
        return
    if Path(path).is_dir():
        place = _place(path)
        yield place, None
        for hit in _walk(path, spec, away, problems):
            yield place, hit
        return
    try:
        yield _place(str(Path(path).parent)), _hit(path)
    except FileNotFoundError:
        raise InputError(f"{one}: no such file or folder") from None
    except OSError as error:
        raise InputError(f"{one}: {error.strerror or error}") from None


def _walk(top: str, spec: GitIgnoreSpec | None, away: tuple[str, ...], problems: list[str]) -> Iterator[_Hit]:
    """The files below a folder."""
    place = _place(top)
    rest: list[tuple[str, list[tuple[str, GitIgnoreSpec | None]]]] = [("", [("", spec)])]
    while rest:
        inner, specs = rest.pop()
        folder = f"{top}{os.sep}{inner}" if inner else top
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as error:
            problems.append(f"{folder}: cannot be looked into: {error.strerror or error}")
            continue
        if any(entry.name == IGNORE for entry in entries):
            specs = [*specs, (f"{inner}/" if inner else "", _spec_in(f"{folder}{os.sep}{IGNORE}"))]
        for entry in entries:
            name = f"{inner}/{entry.name}" if inner else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not (away and (*place, *name.split("/")) == away) and not _ignored(f"{name}/", specs):
                    rest.append((name, specs))
            elif entry.name not in NO_LOGS and not _ignored(name, specs) and entry.is_file():
                with suppress(FileNotFoundError):  # it went meanwhile
                    stat = entry.stat()
                    shown = f"{top}{os.sep}{name}".removeprefix(f".{os.sep}")
                    yield _Hit(shown, (*place, *name.split("/")), stat.st_size, _stamp(stat))


def _remote(url: str, spec: GitIgnoreSpec | None) -> Iterator[tuple[tuple[str, ...], _Hit | None]]:
    system, path = reached(url)
    protocol = url.partition("://")[0]
    base = path
    try:
        system.invalidate_cache()
        if _MAGIC.intersection(path):
            base = path[: _magic(path)].rpartition("/")[0]
            rows: dict[str, Any] = system.glob(path, detail=True)
        else:
            rows = system.find(path, detail=True)
            if list(rows) == [path]:
                base = path.rpartition("/")[0]
    except FileNotFoundError:
        rows = {}
    except Exception as error:
        raise InputError(f"{url}: cannot be listed: {told(error)}") from error
    if not rows:
        raise InputError(f"{url}: no such file or folder, or an empty one")
    root = (protocol, *_parts(base))
    for name, info in rows.items():
        inner = name[len(base) :].lstrip("/")
        hidden = any(part.startswith(".") for part in inner.split("/")) or inner.rpartition("/")[2] in NO_LOGS
        if info.get("type") == "file" and not hidden and not _ignored(inner, [("", spec)]):
            shown = system.unstrip_protocol(name)
            yield root, _Hit(shown, (*root, *inner.split("/")), int(info.get("size") or 0), stamp_of(info))


def _magic(pattern: str) -> int:
    """Where the first sign of a glob stands."""
    return min(pattern.find(sign) for sign in _MAGIC if sign in pattern)


def _hit(path: str) -> _Hit:
    stat = Path(path).stat()
    return _Hit(path, _place(path), stat.st_size, _stamp(stat))


def _stamp(stat: os.stat_result) -> str:
    return f"{stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"


# -- names ------------------------------------------------------------------------------------------------------------


def _place(path: str) -> tuple[str, ...]:
    """The parts of an absolute path or of a URL."""
    if is_url(path):
        protocol, _, inner = path.partition("://")
        return (protocol, *_parts(inner))
    return tuple(_parts(os.path.normpath(Path.cwd() / path).replace(os.sep, "/")))


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _shared(places: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The parts that all places begin with."""
    if not places:
        return ()
    first, last = min(places), max(places)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[:same]


def _name(parts: tuple[str, ...]) -> str:
    return "/".join(part.replace(":", "") if part.endswith(":") else part for part in parts)


# -- what is left out -------------------------------------------------------------------------------------------------


def _spec(patterns: Sequence[str], where: str) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise DistillError(f"{where}: {' '.join(str(error).split())}") from None


def _spec_in(path: str) -> GitIgnoreSpec | None:
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DistillError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not valid UTF-8'}") from None
    return _spec(lines, path)


def _ignored(name: str, specs: Sequence[tuple[str, GitIgnoreSpec | None]]) -> bool:
    """Whether the patterns leave a file, or a folder (its name ends in "/"), out; those further in have the last word.

    What --exclude, which comes first, leaves out stays out.
    """
    found = False
    for number, (prefix, spec) in enumerate(specs):
        if spec is not None:
            said = spec.check_file(name[len(prefix) :]).include
            if said is not None:
                found = said
        if not number and found:
            return True
    return found
