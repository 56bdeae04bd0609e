"""What a batch tells of itself: lines, a table, a report as JSON, and what GitHub shows."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from distill.commands.batch_job import Done, Job, Outcome
from distill.commands.batch_progress import lasting, sized
from distill.model import SECTIONS, DistillError
from distill.render.index import Entry
from distill.store.manifest import Row
from distill.text.clean import clean
from distill.text.redact import redact

if TYPE_CHECKING:
    from distill.commands.batch_second import BatchPass

SCHEMA = 1
ANNOTATIONS = 10  # of each sort: GitHub shows no more of one step
LISTED = 20  # rows of the tables in the summary of a step
REMOVED, GONE = "removed", "log gone"


@dataclass(slots=True, kw_only=True)
class Told:
    """All that can be told when a batch is over."""

    where: str
    index: str = ""
    workers: int = 1
    engine: str = "local"
    seconds: float = 0.0
    done: list[tuple[Job, Outcome]] = field(default_factory=list)  # in the order of the logs
    gone: list[Row] = field(default_factory=list)  # states whose logs are all gone
    pruned: bool = False
    problems: list[str] = field(default_factory=list)  # what could not be looked into
    entries: Sequence[Entry] = ()
    lapses: list[str] = field(default_factory=list)
    second: BatchPass | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many states there are of each sort."""
        found = Counter(str(outcome.done) for _, outcome in self.done)
        return {**{str(one): found[one] for one in Done}, REMOVED: len(self.gone)}

    @property
    def shorter(self) -> dict[str, list[str]]:
        """The states that hold what came from logs that are gone, beside logs that are there; with these logs."""
        found: dict[str, list[str]] = {}
        for job, outcome in self.done:
            row = outcome.row or job.known
            if names := [log.name for log in row.logs if log.name not in job.names] if row and row.made else []:
                found[job.state] = names
        return found

    @property
    def read(self) -> int:
        """The bytes of the logs that were read."""
        return sum(outcome.read for _, outcome in self.done)

    @property
    def totals(self) -> dict[str, int]:
        """The live items of all states by section."""
        return {name: sum(entry.summary.counts[place] for entry in self.entries)
                for place, name in enumerate(SECTIONS.values())}


def failures(job: Job, outcome: Outcome) -> list[str]:
    """What went wrong with one state and what was skipped in its logs, each named."""
    row = outcome.row or job.known
    lines = [outcome.why] if outcome.why else []
    return [*lines, *(note for note in (row.notes if row else ()) if note not in outcome.why)]


def lines(told: Told, *, quiet: bool, verbose: bool) -> list[str]:
    """What is said on standard error: what went wrong, then the table and the closing line."""
    found = [f"warning: {text}" for _, outcome in told.done for text in outcome.warnings]
    found += [f"warning: {text}" for text in (told.second.warnings if told.second else ())]
    found += told.problems
    found += [line for job, outcome in told.done for line in _why(job, outcome)]
    found += [f"{row.state}: its log is gone; the state is {'removed' if told.pruned else 'kept (see --prune)'}"
              for row in told.gone]
    found += [f"{state}: {', '.join(names)}: gone; what came from there is kept (see --prune)"
              for state, names in told.shorter.items()]
    if quiet:
        return [*told.problems, *(line for job, outcome in told.done for line in _why(job, outcome, skipped=False))]
    if verbose:
        found += [f"{job.state}: {outcome.done}" for job, outcome in told.done]
    return [*found, *table(told), *([told.second.closing] if told.second else []), closing(told)]


def _why(job: Job, outcome: Outcome, *, skipped: bool = True) -> list[str]:
    known = failures(job, outcome) if skipped else [outcome.why] if outcome.why else []
    return [f"{'failed' if outcome.done is Done.FAILED else 'skipped'} {line}" for line in known]


def table(told: Told) -> list[str]:
    """How many states there are of each sort, and how large their logs."""
    sizes = Counter[str]()
    for job, outcome in told.done:
        sizes[outcome.done] += job.size
    kept = not told.pruned
    rows = [(GONE if name == REMOVED and kept else name, count, sizes[name]) for name, count in told.counts.items()
            if count]
    return [f"{name:.<12}{count:.>7}" + (f"{sized(size):.>12}" if size else "") for name, count, size in rows]


def closing(told: Told) -> str:
    """The sums, in one line."""
    states = len(told.entries)
    totals = ", ".join(f"{count} {name}" for name, count in told.totals.items())
    projects = len({entry.summary.project for entry in told.entries})
    rate = f" ({sized(told.read / told.seconds)}/s)" if told.read and told.seconds else ""
    by = f", {told.workers} at once" if told.workers > 1 else ""
    where = f"; {told.index}" if told.index else ""
    return (f"{states} state{'s' * (states != 1)} of {projects} project{'s' * (projects != 1)}: {totals}; read "
            f"{sized(told.read)} in {lasting(told.seconds)}{rate}{by}{where}")


def say(texts: Sequence[str]) -> None:
    """Lines on standard error, masked and without anything that acts on a terminal."""
    with suppress(OSError):  # nobody listens
        for text in texts:
            print(clean_line(f"distill: {text}"), file=sys.stderr)


def clean_line(text: str) -> str:
    """Words of a log or a file's name as they may be shown."""
    return clean(redact(text)[0])


def report_json(told: Told, code: int) -> str:
    """The report for programs."""
    data: dict[str, Any] = {
        "report": "distill batch",
        "schema": SCHEMA,
        "exit_code": code,
        "output": told.where,
        "engine": told.engine,
        "workers": told.workers,
        "seconds": round(told.seconds, 3),
        "bytes_read": told.read,
        "counts": told.counts,
        "items": told.totals,
        "failed_checks": told.lapses,
        "problems": told.problems,
        **({"second_pass": told.second.data} if told.second else {}),
        "states": [
            {"state": job.state, "logs": [log.path for log in job.logs], "bytes": job.size, "done": str(outcome.done),
             "why": redact(outcome.why)[0], "skipped": list(row.notes) if (row := outcome.row or job.known) else []}
            for job, outcome in told.done
        ],
        "removed": [row.state for row in told.gone],
        "pruned": told.pruned,
        "logs_gone": sorted({log.name for row in told.gone for log in row.logs}
                            | {name for names in told.shorter.values() for name in names}),
    }
    return json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode() + "\n"


# -- GitHub -----------------------------------------------------------------------------------------------------------


def github(told: Told, environment: Mapping[str, str]) -> None:
    """Where a workflow of GitHub runs this: a note at each log with a fault, and the summary of the step."""
    if environment.get("GITHUB_ACTIONS") != "true":
        return
    notes = {"error": [], "warning": []}  # type: dict[str, list[tuple[str, str]]]
    for job, outcome in told.done:
        sort = "error" if outcome.done is Done.FAILED else "warning"
        notes[sort] += [(job.logs[0].path, clean_line(line)) for line in failures(job, outcome)]
    for sort, found in notes.items():
        for path, text in found[:ANNOTATIONS]:
            print(f"::{sort} file={_escaped(path, ':,')},title=distill::{_escaped(text)}")
    sys.stdout.flush()
    place = environment.get("GITHUB_STEP_SUMMARY")
    if place:
        try:
            with open(place, "a", encoding="utf-8", errors="replace") as stream:
                stream.write(step_summary(told))
        except OSError as error:
            raise DistillError(f"GITHUB_STEP_SUMMARY: {place}: cannot be written: {error.strerror or error}") from error


def step_summary(told: Told) -> str:
    """The summary of a step, as Markdown."""
    found = ["### distill", "", closing(told), ""]
    found += [f"{_cell(told.second.closing)}", ""] if told.second else []
    found += ["| states | |", "| --- | --- |"]
    found += [f"| {GONE if name == REMOVED and not told.pruned else name} | {count} |"
              for name, count in told.counts.items() if count]
    found += ["", "| project | states | open |", "| --- | --- | --- |"]
    projects: dict[str, list[Entry]] = {}
    for entry in told.entries:
        projects.setdefault(entry.summary.project, []).append(entry)
    newest = sorted(projects.items(), key=lambda one: max(e.summary.covers[1] or "" for e in one[1]), reverse=True)
    found += [f"| {_cell(name or '?')} | {len(one)} | {sum(e.summary.counts[3] for e in one)} |"
              for name, one in newest[:LISTED]]
    wrong = [line for job, outcome in told.done for line in _why(job, outcome)]
    if wrong:
        found += ["", *(f"- {_cell(line)}" for line in wrong[:LISTED])]
        found += [f"- … and {len(wrong) - LISTED} more"] if len(wrong) > LISTED else []
    return "\n".join(found) + "\n\n"


def in_workflow() -> bool:
    """Whether a workflow of GitHub runs this."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _cell(text: str) -> str:
    return clean_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text.encode("utf-8", "replace").decode()
