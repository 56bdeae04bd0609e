"""`distill batch`: a state for every log, or every project, under a folder; again and again at little cost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from distill.commands import batch_engines
from distill.commands.batch_checks import exit_code, lapses
from distill.commands.batch_job import Done, Job, Outcome, looked_at
from distill.commands.batch_plan import Begun, Plan, known_beginnings, plan, project_key, rules_key
from distill.commands.batch_progress import progress
from distill.commands.batch_report import GONE, REMOVED, Told, github, lines, report_json, say
from distill.commands.batch_work import begins, prompts_of, work
from distill.commands.run import options_of, write
from distill.config import Settings
from distill.model import DistillError, InputError
from distill.pipeline import Options
from distill.render.index import Entry, index_json, index_markdown
from distill.rulebook import load as load_rules
from distill.store.folder import Folder, folder_at
from distill.store.logs import LogFile, find_logs
from distill.store.manifest import FILE, Manifest, Row, opened

if TYPE_CHECKING:
    from distill.commands.batch_second import BatchPass

T = TypeVar("T")
R = TypeVar("R")
CHECKS = ("open", "stale", "skipped", "omitted")
INDEX = ("index.json", "index.md")
HEAD = 1 << 14  # bytes that it takes to see how a log begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a batch may be told beyond the usual settings."""

    excludes: Sequence[str] = ()
    agents: Sequence[str] = ()
    jobs: int | None = None
    engine: str = "local"
    chain: bool = False
    prune: bool = False
    check: bool = False
    dry_run: bool = False
    report: str | None = None
    fail_on: Sequence[str] = ()


def batch_command(inputs: Sequence[str], output: str, settings: Settings, asked: Asked) -> int:
    """Bring the states under `output` up to date with the logs under `inputs`; the exit code."""
    _engine(asked.engine)  # a mistake is told before any work
    for check in asked.fail_on:
        if check not in CHECKS:
            raise DistillError(f"--fail-on: {check!r} is none of {', '.join(CHECKS)}")
    places, excludes = _places(asked.agents)
    found = find_logs([*inputs, *places], [*asked.excludes, *excludes], output)
    if not found.logs:
        raise InputError("; ".join([*found.problems, f"{', '.join([*inputs, *asked.agents])}: no logs there"]))
    folder = folder_at(output)
    options = replace(options_of(settings), task="", conversation=None)
    second = None
    if settings.second is not None:
        from distill.commands.batch_second import BatchPass

        second = BatchPass(settings.second)
    batch = _Batch(folder=folder, options=options, settings=settings, asked=asked, second=second)
    if second is not None and second.wanted.dry_run:
        return batch.price(found.logs, second)
    if asked.check or asked.dry_run:
        return batch.compare(found.logs)
    with folder.held(FILE, lambda: None if settings.quiet else say([f"waiting for another batch on {output} …"])):
        told = batch.run(found.logs)
    told.problems += found.problems
    told.lapses = lapses(told, asked.fail_on)
    code = exit_code(told)
    if asked.report:
        write(report_json(told, code), asked.report)
    github(told, os.environ)
    say(lines(told, quiet=settings.quiet, verbose=settings.verbose))
    if told.lapses and not settings.quiet:
        say([f"--fail-on: {'; '.join(told.lapses)}"])
    return code


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """A run over a folder, with all that it was told."""

    folder: Folder
    options: Options
    settings: Settings
    asked: Asked
    second: BatchPass | None = None

    def price(self, logs: Sequence[LogFile], second: BatchPass) -> int:
        """Print what a model would be asked by a run, and the most that it can take."""
        pending = self._plan(logs, Manifest(self.folder).rows, read=True).pending
        number = self._number(pending, sum(job.size for job in pending))
        found = {job.state: prompts or [] for job, prompts in self._mapped(prompts_of, pending, number)}
        sys.stdout.write(second.planned([prompt for _, prompts in sorted(found.items()) for prompt in prompts]))
        return 0

    def compare(self, logs: Sequence[LogFile]) -> int:
        """List what a run would do; with --check exit 1 where that is anything."""
        manifest = Manifest(self.folder)
        todo = self._plan(logs, manifest.rows, read=True)
        rows = [f"{Done.CHANGED if job.known and job.known.made else Done.NEW}\t{job.state}"
                for job in todo.jobs if job.state not in todo.done]
        rows += [f"{REMOVED if self.asked.prune else GONE}\t{row.state}" for row in todo.gone if row.made]
        changes = len(todo.pending) + (len(todo.gone) if self.asked.prune else 0)
        sys.stdout.write("".join(f"{row}\n" for row in rows))
        if not self.settings.quiet:
            say([f"{len(todo.pending)} of {len(todo.jobs)} states to be made, {len(todo.gone)} whose logs are gone"])
        return 1 if self.asked.check and changes else 0

    def run(self, logs: Sequence[LogFile]) -> Told:
        """Do what is to be done; what there is to tell."""
        began = monotonic()
        with opened(self.folder) as manifest:
            todo = self._plan(logs, manifest.rows, read=False)
            self._note(manifest, todo.done.values())
            pending = todo.pending
            worked = {job.state for job in pending}
            if pending:  # what is wrong with them is told once; and they are compiled for all
                load_rules(self.options.packs, self.options.builtin_rules)
            size = sum(job.size for job in pending)
            number = self._number(pending, size)
            with progress(len(pending), size, quiet=self.settings.quiet) as step:
                for job, outcome in self._mapped(work, pending, number) if pending else ():
                    outcome = outcome or _died(job)
                    todo.done[job.state] = outcome
                    self._note(manifest, [outcome])
                    if self.second is not None:
                        self.second.put(job, outcome)
                    step(job.size)
            if self.second is not None:
                again = self.second.answered(quiet=self.settings.quiet)
                for job, outcome in self._mapped(work, again, min(number, len(again))) if again else ():
                    outcome = self.second.later(todo.done[job.state], outcome)
                    todo.done[job.state] = outcome
                    self._note(manifest, [outcome])
                    self.second.account(outcome.passed)
            for state, row in list(manifest.rows.items()):
                stamp = todo.stamps.get(state, "")
                if stamp and state not in worked and stamp != row.stamp:
                    manifest.put(looked_at(row, self.folder, stamp))
            self._forget(manifest, todo)
            told = Told(where=self.folder.where, workers=number, engine=self.asked.engine, pruned=self.asked.prune,
                        second=self.second,
                        done=[(job, todo.done[job.state]) for job in todo.jobs],
                        gone=[row for row in todo.gone if row.made])
            self._index(manifest, told)
        told.seconds = monotonic() - began
        return told

    def _plan(self, logs: Sequence[LogFile], rows: Mapping[str, Row], *, read: bool) -> Plan:
        begun = self._beginnings(logs, rows) if self.asked.chain else None
        asking = self.second.asking if self.second is not None else None
        return plan(logs, rows, self.options, self.folder, key=rules_key(self.options, asking), asking=asking,
                    strict=self.settings.strict, keep=not self.asked.prune, begun=begun, read=read)

    def _beginnings(self, logs: Sequence[LogFile], rows: Mapping[str, Row]) -> dict[str, Begun]:
        """For each log its project and the time of its first message."""
        found = known_beginnings(logs, rows)
        unknown = [log for log in logs if log.name not in found]
        roots: dict[str, str] = {}
        number = self._number(unknown, len(unknown) * HEAD)
        for log, begun in self._mapped(begins(self.options.format), unknown, number) if unknown else ():
            project, time = begun or ("", "")
            found[log.name] = (project_key(project, roots) if project else "", time)
        return found

    def _number(self, items: Sequence[object], size: int) -> int:
        """How many processes work on `items` of `size` bytes in all; a cluster elsewhere has its own number."""
        if self.asked.engine == "dask":
            return self.asked.jobs or batch_engines.processors()
        return batch_engines.workers(self.asked.jobs, len(items), size)

    def _mapped(self, function: Callable[[T], R], items: Sequence[T], number: int) -> Iterator[tuple[T, R | None]]:
        name, address = _engine(self.asked.engine)
        if name == "dask":
            from distill.commands.batch_dask import cluster

            return cluster(function, items, address, number)
        if number == 1:
            return batch_engines.here(function, items)
        return batch_engines.processes(function, items, number)

    def _note(self, manifest: Manifest, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.row is not None:
                manifest.put(outcome.row)

    def _forget(self, manifest: Manifest, todo: Plan) -> None:
        """With --prune take away the states whose logs are gone; never one whose logs could only not be found now."""
        for row in todo.gone:
            if self.asked.prune and row.made:
                self.folder.remove(row.state)
            if self.asked.prune or not row.made:
                manifest.drop(row.state)

    def _index(self, manifest: Manifest, told: Told) -> None:
        """Write the index, where it is not as it was."""
        outcomes = {job.state: (job, outcome) for job, outcome in told.done}
        entries, failed = [], {}
        for state, row in manifest.rows.items():
            job, outcome = outcomes.get(state, (None, None))
            here = {log.name for log in job.logs} if job else set()
            if row.made and row.summary:
                entries.append(Entry(
                    state=state, logs=tuple(log.name for log in row.logs), summary=row.summary,
                    gone=tuple(log.name for log in row.logs if log.name not in here),
                    failed=outcome.why if outcome and outcome.done is Done.FAILED else "",
                ))
            failed.update({log.name: log.why for log in row.logs if log.why and not log.silent})
        told.entries = entries
        told.index = f"{self.folder.where.rstrip('/')}/{INDEX[1]}"
        for name, text in zip(INDEX, (index_json(entries, failed), index_markdown(entries, failed)), strict=True):
            if self.folder.read(name) != text.encode("utf-8", "replace"):
                self.folder.write(name, text)


def _died(job: Job) -> Outcome:
    paths = ", ".join(log.path for log in job.logs)
    return Outcome(done=Done.FAILED, why=f"{paths}: its worker died twice, as one that runs out of memory does")


def _engine(name: str) -> tuple[str, str]:
    engine, _, address = name.partition(":")
    if engine not in ("local", "dask") or (engine == "local" and address):
        raise DistillError(f"--engine: {name!r} is none of local, dask, dask:ADDRESS")
    return engine, address


def _places(agents: Sequence[str]) -> tuple[list[str], list[str]]:
    """The globs under which the sessions of agents lie, and what of that is none."""
    from distill.agents.agent import agent_named

    found: list[str] = []
    for name in agents:
        agent = agent_named(name)
        if not agent.logs:
            raise DistillError(f"--agent: it is not known where {agent.title} keeps its logs: name the folder")
        found += [str(agent.home(os.environ) / pattern) for pattern in agent.logs if not pattern.startswith("!")]
    excludes = [pattern[1:] for name in agents for pattern in agent_named(name).logs if pattern.startswith("!")]
    return found, excludes
