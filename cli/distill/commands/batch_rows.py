"""What a batch is to know of a state and its logs the next time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from distill.commands.batch_job import Job, Outcome, outcome_of
from distill.commands.batch_reading import Reading
from distill.model import State
from distill.pipeline import Account
from distill.store.logs import LogFile, digest_of
from distill.store.manifest import Known, Row

_PLACES = 10  # damaged records that are listed by number


def known_logs(job: Job, read_now: Reading, whole: State, account: Account) -> dict[str, Known]:
    """What is to be known of each log the next time, by path."""
    from distill.store.progress import mark_of

    old = {log.name: log for log in job.known.logs} if job.known else {}
    sums = {one.path: one.sha256 for one in whole.sources}
    begun = dict(zip((log.path for log in job.logs), job.begun, strict=True)) if job.begun else {}
    found: dict[str, Known] = {}
    read = set(read_now.paths)
    for log in job.logs:
        project, time = begun.get(log.path, ("", ""))
        if log.path not in read:
            found[log.path] = replace(old[log.name], stamp=log.stamp)
            continue
        reached = account.reached.get(log.path)
        why = _bare(account.ruined.get(log.path, ""), log)
        told = sums.get(log.path, "") or digest_of(log.path)
        found[log.path] = Known(
            name=log.name, size=log.size, stamp=log.stamp if told else "", sha256=told, project=project, time=time,
            why=why, silent=log.path in account.silent,
            mark=mark_of(log.path, reached) if reached and log is job.logs[-1] else None,
        )
    return found


def unread(job: Job, why: Mapping[str, str], silent: bool) -> Outcome:
    """None of the logs could be read; what stood there stays, and they are not tried again until they change."""
    begun = job.begun or (("", ""),) * len(job.logs)
    gone = [log for log in job.known.logs if log.name not in job.names] if job.known and job.keep else []
    logs = [*gone]
    for log, (project, time) in zip(job.logs, begun, strict=True):
        told = digest_of(log.path)
        logs.append(Known(name=log.name, size=log.size, stamp=log.stamp if told else "", sha256=told, project=project,
                          time=time, why=_bare(why.get(log.path, ""), log), silent=silent))
    before = job.known
    row = Row(state=job.state, key=job.key, logs=tuple(logs), made=before.made if before else "",
              stamp=before.stamp if before else "",
              summary=before.summary if before else None)
    return replace(outcome_of(row, None), read=job.size)


def _bare(why: str, log: LogFile) -> str:
    """What is wrong with a log, without its path."""
    return why.removeprefix(f"{log.path}: ")


def notes(account: Account) -> list[str]:
    """The records that were skipped, log by log."""
    lines = []
    for path, tally in account.tallies.items():
        for reason, places in tally.skipped.items():
            shown = ", ".join(map(str, places[:_PLACES])) + (", …" if len(places) > _PLACES else "")
            lines.append(f"{path}: {len(places)} x {reason} at {shown}")
    return lines


def ruined(account: Account) -> dict[str, str]:
    """The logs that could not be read, and why; those in which nothing was said are none."""
    return {path: why for path, why in account.ruined.items() if path not in account.silent}
