"""What a batch has to do: which logs make which state, and which states are up to date."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from distill import __version__
from distill.commands.batch_job import Asking, Job, Outcome, outcome_of, settled
from distill.model import SCHEMA
from distill.pipeline import Options
from distill.store.folder import Folder
from distill.store.logs import LogFile
from distill.store.manifest import Row

SUFFIXES = {"md": ".md", "json": ".json", "yaml": ".yaml", "compact": ".txt"}
STATES, PROJECTS = "states", "projects"
_ODD = re.compile(r"[^\w.-]+")
Begun = tuple[str, str]  # project and time of the first message


@dataclass(slots=True)
class Plan:
    """The jobs in the order of their logs; those that are done already; and rows to which no log belongs any more."""

    jobs: list[Job] = field(default_factory=list)
    done: dict[str, Outcome] = field(default_factory=dict)
    gone: list[Row] = field(default_factory=list)
    stamps: dict[str, str] = field(default_factory=dict)  # of the states that are there

    @property
    def pending(self) -> list[Job]:
        """What is to be done, the largest first, so that none is left for the end."""
        return sorted((job for job in self.jobs if job.state not in self.done), key=lambda job: -job.size)


def rules_key(options: Options, asking: Asking | None = None) -> str:
    """What tells from another the way in which states are made: version, rules, options and model, the clock aside."""
    from distill.rulebook.files import collect_all

    told = asdict(replace(options, now=None, packs=()))
    if asking is not None:
        told["second"] = [asking.model, asking.limits.chunk]
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps([__version__, SCHEMA, told], sort_keys=True).encode())
    for number, pack in enumerate(collect_all(options.packs, options.builtin_rules)):
        for one in pack:
            for part in (b"%d" % number, one.id.encode("utf-8", "surrogateescape"), one.data):
                digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def plan(
    logs: Sequence[LogFile], rows: Mapping[str, Row], options: Options, folder: Folder, *, key: str, strict: bool,
    keep: bool, begun: Mapping[str, Begun] | None = None, read: bool = False, asking: Asking | None = None,
) -> Plan:
    """The jobs for `logs`: one each, or with `begun`, which says how each begins, one for each project.

    `keep` says whether what came from logs that are gone stays. With `read`, logs are read where their stamps do not
    tell whether they have changed.
    """
    there = folder.files(STATES) | folder.files(PROJECTS) if rows else {}
    suffix = SUFFIXES[options.form]
    found = Plan(stamps=there)
    if begun is None:
        units: list[tuple[str, tuple[LogFile, ...]]] = [(f"{STATES}/{log.name}{suffix}", (log,)) for log in logs]
    else:
        units = [(f"{PROJECTS}/{name}{suffix}", chain) for name, chain in chains(logs, begun)]
    for state, chain in units:
        job = Job(
            state=state, logs=chain, key=key, options=options, folder=folder, known=rows.get(state),
            there=state in there, keep=keep, strict=strict, begun=tuple(begun[log.name] for log in chain)
            if begun is not None else (), asking=asking,
        )
        found.jobs.append(job)
        row = settled(job, read=read)
        if row is not None:
            found.done[state] = outcome_of(row, job.known)
    wanted = {job.state for job in found.jobs}
    found.gone = [row for state, row in sorted(rows.items()) if state not in wanted]
    return found


def chains(logs: Sequence[LogFile], begun: Mapping[str, Begun]) -> list[tuple[str, tuple[LogFile, ...]]]:
    """The logs of each project in order of time, under the name of its state.

    A log that names no project is a chain of its own: nothing tells what it belongs to.
    """
    found: dict[str, list[LogFile]] = {}
    for log in logs:
        project = begun[log.name][0]
        found.setdefault(_file_name(project) if project else f"unknown/{log.name}", []).append(log)
    for chain in found.values():
        chain.sort(key=lambda log: (begun[log.name][1], log.name))
    return [(name, tuple(chain)) for name, chain in sorted(found.items())]


def known_beginnings(logs: Sequence[LogFile], rows: Mapping[str, Row]) -> dict[str, Begun]:
    """How logs begin, of those that have not changed since they were read for a chain."""
    old = {log.name: log for row in rows.values() if row.state.startswith(f"{PROJECTS}/") for log in row.logs}
    return {
        log.name: (known.project, known.time)
        for log in logs
        if (known := old.get(log.name)) and known.stamp == log.stamp != "" and known.size == log.size
    }


def project_key(folder: str, roots: dict[str, str]) -> str:
    """The project that a session in `folder` belongs to: the root of its repository where that is here, else `folder`.

    Never the name of the log's own folder, which agents shorten so that two projects can share it. `roots` remembers.
    """
    plain = folder.replace("\\", "/").rstrip("/") or folder
    if plain not in roots:
        path = Path(plain)
        top = next((str(one) for one in (path, *path.parents) if (one / ".git").exists()), plain) \
            if path.is_absolute() and path.is_dir() else plain
        roots[plain] = top.replace("\\", "/")
    return roots[plain]


def _file_name(project: str) -> str:
    """A name for people with enough behind it to tell projects of one name apart."""
    last = _ODD.sub("-", project.rpartition("/")[2])[:60].strip("-.") or "root"
    return f"{last}-{hashlib.blake2b(project.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
