"""One state of a batch as a job, what became of it, and whether there is anything to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from distill.model import DistillError
from distill.model.summary import summary_of
from distill.pipeline import Options
from distill.store.folder import Folder
from distill.store.logs import LogFile, digest_of
from distill.store.manifest import Known, Row

if TYPE_CHECKING:  # of no use to a batch that asks nobody
    from distill.refine.asking import Limits
    from distill.refine.claims import Reply
    from distill.refine.prompt import Prompt


class Done(StrEnum):
    """What became of one state."""

    NEW = "new"
    CHANGED = "changed"  # made anew
    GROWN = "grown"  # read on
    SAME = "unchanged"
    SILENT = "silent"  # nothing was said in its logs
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The second pass as whoever makes a state needs to know it: the model's name, how logs are cut into parts, and the
    replies of this run. Those who make states ask nobody."""

    model: str
    limits: Limits
    fresh: bool = False
    replies: Mapping[Prompt, Reply | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """What came of the second pass over the logs of one state. `missing` is what nobody has been asked yet."""

    missing: tuple[Prompt, ...] = ()
    parts: int = 0
    kept: int = 0
    cut: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One state to be brought up to date: its logs, older first, and what is known of it."""

    state: str
    logs: tuple[LogFile, ...]
    key: str
    options: Options
    folder: Folder
    known: Row | None = None
    there: bool = False  # whether its file is
    keep: bool = True  # what logs that are gone have left
    strict: bool = False
    begun: tuple[tuple[str, str], ...] = ()  # for each log its project and the time of its first message, where asked
    asking: Asking | None = None

    @property
    def size(self) -> int:
        """The bytes of its logs."""
        return sum(log.size for log in self.logs)

    @property
    def names(self) -> set[str]:
        """The names of its logs."""
        return {log.name for log in self.logs}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was done: the new row (None: the old one stands), why not, and how many bytes of logs were read."""

    done: Done
    row: Row | None = None
    why: str = ""
    read: int = 0
    warnings: tuple[str, ...] = ()
    passed: Passed | None = None


def settled(job: Job, *, read: bool = True) -> Row | None:
    """The row of a state that is up to date, with the logs' present stamps; None where there is something to do.

    With `read`, logs are read where their stamps have changed and their sizes have not; without, that counts as a
    change.
    """
    row = job.known
    if row is None or row.key != job.key or (row.made and not job.there):
        return None
    if job.asking is not None and (row.unanswered or job.asking.fresh):
        return None
    old = {log.name: log for log in row.logs}
    gone = old.keys() - {log.name for log in job.logs}
    if gone and not job.keep:
        return None
    fresh = [old[name] for name in old if name in gone]
    for log in job.logs:
        known = old.get(log.name)
        if known is None or not same(log, known, read):
            return None
        fresh.append(known if known.stamp == log.stamp else replace(known, stamp=log.stamp))
    return row if row.logs == tuple(fresh) else replace(row, logs=tuple(fresh))


def outcome_of(row: Row, known: Row | None) -> Outcome:
    """The outcome for a state that is up to date, as far as its logs can be read."""
    why = [f"{log.name}: {log.why}" for log in row.logs if log.why and not log.silent]
    done = Done.SAME if any(not log.why for log in row.logs) else Done.FAILED if why else Done.SILENT
    return Outcome(done=done, row=None if row is known else row, why="; ".join(why))


def looked_at(row: Row, folder: Folder, stamp: str) -> Row:
    """The row of a state whose file was written to since, with what it holds now: edits by hand count."""
    from distill.render.outputs import parse_state
    from distill.store.upgrade import upgraded

    row = replace(row, stamp=stamp)
    data = folder.read(row.state)
    if data is None:
        return row
    try:
        state = parse_state(data.decode("utf-8-sig", "replace"), row.state, upgraded)
    except DistillError:  # it is told when it would be written over
        return row
    return replace(row, summary=summary_of(state))


def same(log: LogFile, known: Known, read: bool = True) -> bool:
    """Whether a log is as it was; without `read` as far as its stamp tells."""
    if log.size != known.size:
        return False
    if log.stamp == known.stamp != "":
        return True
    return read and bool(known.sha256) and digest_of(log.path) == known.sha256
