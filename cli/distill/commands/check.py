"""`distill check`: what became of the files, commits and branches that a state names. Looks, and changes nothing."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distill.commands.names import Name, What, names
from distill.commands.run import load_state
from distill.commands.standing import Facts, Standing, Verdict, verdicts
from distill.model import DistillError, State
from distill.render.lines import to_json
from distill.store.repository import GitTroubleError, Repository, folder
from distill.text.clean import clean

CHANGED = "changed"
WALKED = 200_000  # files that are looked through for a name where there is no git
_SKIPPED = frozenset([".git", "node_modules", ".venv", "__pycache__"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """What was seen in the folder, and what could not be."""

    facts: Facts
    root: str
    head: str | None = None
    notes: tuple[str, ...] = ()


def check_command(path: str, repo: str, fail_on: Sequence[str], as_json: bool, quiet: bool, verbose: bool) -> int:
    """Print how the state at `path` stands in the folder `repo`; 1 where something is stale, else 0.

    `fail_on` may hold "changed": files that later commits changed are then stale too. DistillError (exit 2) where the
    state or the folder cannot be read.
    """
    if unknown := [word for word in fail_on if word != CHANGED]:
        raise DistillError(f"--fail-on: {unknown[0]!r} is not known here; what may stand there is {CHANGED}")
    state = load_state(path)
    place = folder(repo)
    found = names(state)
    looked = _look(place, state, found)
    told = verdicts(found, looked.facts)
    if as_json:
        _write([to_json(_data(path, looked, told), indent=2)])
    else:
        _show(told, verbose)
        if not quiet:
            for note in looked.notes:
                print(f"distill: note: {clean(note)}", file=sys.stderr)
            print(f"distill: {_sum(told, looked)}", file=sys.stderr)
    stale = any(one.stale or (CHANGED in fail_on and one.standing is Standing.CHANGED) for one in told)
    return 1 if stale else 0


# -- looking ----------------------------------------------------------------------------------------------------------


def _look(place: Path, state: State, found: Sequence[Name]) -> _Looked:
    def there(path: str) -> bool:
        try:
            return os.path.lexists(place / path)
        except ValueError:  # a NUL in the name
            return False

    shared: dict[str, Any] = {
        "there": there, "root": place.as_posix(), "project": state.project, "home": Path.home().as_posix(),
    }
    try:
        return _from_git(Repository(place), place, found, shared)
    except GitTroubleError as trouble:
        wanted = {name.what for name in found}
        note = f"only files were looked at, since there is no history to ask: {trouble}"
        notes = (note,) if wanted - {What.FILE} or (place / ".git").exists() else ()
        return _Looked(facts=Facts(**shared, tracked=list(_walk(place))), root=str(place), notes=notes)


def _from_git(repository: Repository, place: Path, found: Sequence[Name], shared: dict[str, Any]) -> _Looked:
    inside = place.relative_to(repository.root.resolve()).as_posix()
    ids = [name.text for name in found if name.what is What.COMMIT]
    commits = repository.known(ids)
    times = [name.since for name in found]
    oldest = min((time for time in times if time), default=None) if all(times) else None
    facts = Facts(
        **shared, git=True, prefix="" if inside == "." else f"{inside}/",
        tracked=repository.files(),
        history=repository.since(oldest),
        commits=commits,
        outside=frozenset(repository.outside(commits.values())),
        reverted=repository.reverted() if commits else {},
        branches=repository.branches() if any(name.what is What.BRANCH for name in found) else (),
        shallow=repository.shallow,
    )
    notes = ("the clone is shallow: what lies before it is not known",) if repository.shallow else ()
    return _Looked(facts=facts, root=str(repository.root), head=repository.head, notes=notes)


def _walk(place: Path) -> Iterator[str]:
    """The files below a folder without git, relative to it, up to a limit."""
    count = 0
    for top, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(files):
            count += 1
            if count > WALKED:
                return
            yield os.path.relpath(os.path.join(top, name), place).replace(os.sep, "/")  # noqa: PTH118


# -- telling ----------------------------------------------------------------------------------------------------------


def _show(told: Sequence[Verdict], verbose: bool) -> None:
    """A line for everything that is not as it was, with `verbose` for everything."""
    order = {standing: place for place, standing in enumerate(reversed(Standing))}
    rows = sorted(told, key=lambda one: (not one.stale, order[one.standing]))
    quiet = (Standing.PRESENT, Standing.ELSEWHERE)
    rows = [one for one in rows if verbose or one.standing not in quiet]
    lines = [(_mark(one), one.name.what.value, clean(one.name.text), _how(one), one.name.item.id) for one in rows]
    if lines and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        for name in ("", "what", "name", "now", "item"):
            table.add_column(Text(name), overflow="fold", no_wrap=name in ("", "what", "item"))
        for one, line in zip(rows, lines, strict=True):
            style = "red" if one.stale else "yellow" if one.standing is Standing.CHANGED else "dim"
            table.add_row(*(Text(cell, style=style if n < 2 else "") for n, cell in enumerate(line)))
        Console().print(table)
        return
    _write([f"{mark} {what} {name}: {how} [{item}]" for mark, what, name, how, item in lines])


def _mark(one: Verdict) -> str:
    return "stale" if one.stale else "changed" if one.standing is Standing.CHANGED else "ok"


def _how(one: Verdict) -> str:
    """How it stands, in words."""
    standing, last = one.standing, one.last
    by = f" by {last.id[:7]} “{clean(last.subject)}” ({last.time[:10]})" if last else ""
    if standing is Standing.RENAMED:
        return f"renamed to {clean(one.now)}{by}"
    if standing is Standing.CHANGED:
        count = "1 commit" if one.commits == 1 else f"{one.commits} commits"
        return f"{_other(one)}changed since by {count}, last{by.removeprefix(' by')}"
    if standing in (Standing.UNKNOWN, Standing.ASIDE):
        return f"{one.why}{f'; perhaps now {one.now} of the same subject' if one.now else ''}"
    if standing is Standing.REVERTED:
        return f"reverted{by or f' by {one.now}'}"
    if standing in (Standing.GONE, Standing.ELSEWHERE):
        return f"{one.why}{by}"
    if standing is Standing.MERGED:
        return f"{one.why or 'merged'}{by}"
    return f"{_other(one)}there"


def _other(one: Verdict) -> str:
    """The path where it was found, if the item writes another one."""
    written = one.name.text.replace("\\", "/").removeprefix("./").rstrip("/")
    return f"{clean(one.now)}: " if one.name.what is What.FILE and one.now and one.now != written else ""


def _sum(told: Sequence[Verdict], looked: _Looked) -> str:
    counts = Counter(one.name.what for one in told)
    several = {What.FILE: "files", What.COMMIT: "commits", What.BRANCH: "branches"}
    parts = [f"{counts[what]} {what.value if counts[what] == 1 else words}" for what, words in several.items()]
    stale = sum(one.stale for one in told)
    changed = sum(one.standing is Standing.CHANGED for one in told)
    where = f" against {looked.root}" + (f" at {looked.head[:7]}" if looked.head else "")
    return clean(f"{', '.join(parts)}{where}: {stale} stale, {changed} changed since")


def _data(path: str, looked: _Looked, told: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "state": path, "repository": looked.root, "git": looked.facts.git, "head": looked.head,
        "stale": sum(one.stale for one in told),
        "changed": sum(one.standing is Standing.CHANGED for one in told),
        "notes": list(looked.notes),
        "names": [
            {
                "what": one.name.what.value, "name": one.name.text, "item": one.name.item.id,
                "kind": one.name.item.kind.value, "since": one.name.since, "standing": one.standing.value,
                "stale": one.stale, "now": one.now or None, "why": one.why or None, "commits": one.commits,
                "last": {"id": one.last.id, "time": one.last.time, "subject": one.last.subject} if one.last else None,
            }
            for one in told
        ],
    }


def _write(lines: Sequence[str]) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    sys.stdout.flush()
