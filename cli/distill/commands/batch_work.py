"""The work of a batch that any process can do, here or on another machine: one state from its logs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from distill.commands.batch_job import Done, Job, Outcome, outcome_of, same, settled
from distill.model import DistillError, InputError, SilentError, Start, State
from distill.model.summary import summary_of
from distill.pipeline import Account, budgeted, distil, rendered
from distill.store.logs import LogFile, digest_of
from distill.store.manifest import Known, Row

READABLE = ("md", "json", "yaml")  # forms that hold everything
_PLACES = 10  # damaged records that are listed by number


@dataclass(slots=True)
class _Plan:
    """Which logs are read, over what."""

    paths: list[str] = field(default_factory=list)
    base: State | None = None
    starts: dict[str, Start] = field(default_factory=dict)
    onward: bool = False  # the rest is as it was


def work(job: Job) -> Outcome:
    """Do one job. Never raises: what goes wrong is the outcome."""
    try:
        return _work(job)
    except DistillError as error:
        return Outcome(done=Done.FAILED, why=str(error))
    except Exception as error:  # one log must not stop the others
        paths = ", ".join(log.path for log in job.logs)
        return Outcome(done=Done.FAILED, why=f"{paths}: unexpected {type(error).__name__}: {error}; please report it")


def digest(text: str) -> str:
    """What tells the text of a state from another."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _work(job: Job) -> Outcome:
    row = settled(job)
    if row is not None:
        return outcome_of(row, job.known)
    text = _text(job)
    plan = _plan(job, text)
    account = Account()
    options = job.options
    cut = options.budget is not None or options.form not in READABLE
    try:
        whole = distil(plan.paths, replace(options, budget=None, form="md", tokenizer="estimate") if cut else options,
                       previous=plan.base, account=account, starts=plan.starts)
    except InputError as error:
        silent = isinstance(error, SilentError) or account.silent == set(plan.paths)
        return _unread(job, {path: account.ruined.get(path, str(error)) for path in plan.paths}, silent)
    if job.strict and (account.skipped or _ruined(account)):
        parts = "; ".join([*_ruined(account).values(), *_notes(account)])
        return Outcome(done=Done.FAILED, why=f"nothing written, since parts could not be read (--strict): {parts}")
    logs = _known(job, plan, whole, account)
    hashes = {path: log.sha256 for path, log in logs.items()}
    whole = replace(whole, sources=tuple(
        replace(one, sha256=one.sha256 or hashes.get(one.path, "")) for one in whole.sources))
    shown = budgeted(whole, options, whole.tokens.source) if cut else whole
    new = rendered(shown, options.form, options.language)
    if new.encode("utf-8", "replace") != text:
        job.folder.write(job.state, new)
    if cut:
        _save_whole(job, new, whole)
    gone = [log for log in (job.known.logs if job.known and plan.base else ()) if log.name not in _names(job)]
    fresh = Row(
        state=job.state, key=job.key, logs=(*gone, *(logs[log.path] for log in job.logs)), made=digest(new),
        stamp=job.folder.stamp(job.state), summary=summary_of(shown), notes=tuple(_notes(account)),
    )
    done = Done.GROWN if plan.onward else Done.CHANGED if job.known and job.known.made else Done.NEW
    read = sum(log.size for log in job.logs if log.path in plan.paths)
    return Outcome(done=done, row=fresh, why=outcome_of(fresh, None).why, read=read, warnings=tuple(account.warnings))


# -- what is to be read -----------------------------------------------------------------------------------------------


def _plan(job: Job, text: bytes | None) -> _Plan:
    """Everything anew, unless the state can be carried on.

    It is where its logs have only grown, where later ones came, and where some are gone that could not be read again.
    A file that was edited by hand is carried on as well, with everything read over it.
    """
    paths = [log.path for log in job.logs]
    if text is None or job.known is None or not job.known.made:
        return _Plan(paths)
    edited = hashlib.blake2b(text, digest_size=16).hexdigest() != job.known.made
    old = {log.name: log for log in job.known.logs}
    kept = [log for log in job.logs if log.name in old]
    gone = len(kept) < len(old)
    alike = [same(log, old[log.name]) for log in kept]
    if gone and not job.keep:
        return _Plan(paths, _state(job, text) if edited else None)
    if job.known.key == job.key and job.logs[: len(kept)] == tuple(kept) and all(alike[:-1]):
        read, starts, onward = _onward(job.logs[len(kept) :], kept, old, alike)
        if onward and (base := _state(job, text)) is not None:
            return _Plan(read, base, starts, onward=True)
    base = _state(job, text) if gone or edited else None
    if gone and base is not None and job.known.key == job.key:
        unread = [log.path for log in job.logs if log not in kept or not alike[kept.index(log)]]
        return _Plan(unread or paths, base)
    return _Plan(paths, base)


def _onward(
    later: Sequence[LogFile], kept: Sequence[LogFile], old: dict[str, Known], alike: Sequence[bool]
) -> tuple[list[str], dict[str, Start], bool]:
    """What is read where only the last log has grown, and where to go on in it; False where that cannot be."""
    read = [log.path for log in later]
    if not alike or alike[-1]:
        return read, {}, bool(read)
    from distill.store.progress import start_of

    last = kept[-1]
    mark = old[last.name].mark
    start = start_of(last.path, mark) if mark else None
    return [last.path, *read], {last.path: start} if start else {}, start is not None


def _text(job: Job) -> bytes | None:
    """What stands where the state goes, which must be a state; None where nothing does."""
    from distill.render.outputs import check_ours
    from distill.store.upgrade import upgraded

    data = job.folder.read(job.state) if job.there or job.known else None
    if not data:
        return None
    if job.known is None or hashlib.blake2b(data, digest_size=16).hexdigest() != job.known.made:
        name = f"{job.folder.where}/{job.state}"
        try:
            check_ours(data.decode("utf-8-sig", "replace"), name, upgraded)
        except DistillError as error:
            raise DistillError(f"{error}; it is left as it is: repair it, or remove it") from error
    return data


def _state(job: Job, text: bytes) -> State | None:
    """The state that stands there, what a budget left out of the file as well; None where it cannot be had."""
    from distill.render.outputs import parse_state
    from distill.store.snapshot import load_snapshot
    from distill.store.upgrade import upgraded

    place = job.folder.local(_kept_at(job))
    found = load_snapshot(place, text) if place else None
    if found is not None or job.options.form not in READABLE:
        return found
    name = f"{job.folder.where}/{job.state}"
    state = parse_state(text.decode("utf-8-sig", "replace"), name, upgraded)
    return None if any(state.omitted) else state


def _save_whole(job: Job, text: str, state: State) -> None:
    """Keep what a budget left out of the file beside the manifest, so that it is there when the log has grown."""
    from distill.store.snapshot import save_snapshot

    place: Path | None = job.folder.local(_kept_at(job))
    if place:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DistillError(f"{place.parent}: cannot be made: {error.strerror or error}") from error
        save_snapshot(place, text.encode("utf-8", "replace"), state)


def _kept_at(job: Job) -> str:
    return f".distill/whole/{job.state}.cache"


def _names(job: Job) -> set[str]:
    return {log.name for log in job.logs}


# -- what was read ----------------------------------------------------------------------------------------------------


def _known(job: Job, plan: _Plan, whole: State, account: Account) -> dict[str, Known]:
    """What is to be known of each log the next time, by path."""
    from distill.store.progress import mark_of

    old = {log.name: log for log in job.known.logs} if job.known else {}
    sums = {one.path: one.sha256 for one in whole.sources}
    begun = dict(zip((log.path for log in job.logs), job.begun, strict=True)) if job.begun else {}
    found: dict[str, Known] = {}
    read = set(plan.paths)
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


def _unread(job: Job, why: Mapping[str, str], silent: bool) -> Outcome:
    """None of the logs could be read; what stood there stays, and they are not tried again until they change."""
    begun = job.begun or (("", ""),) * len(job.logs)
    gone = [log for log in job.known.logs if log.name not in _names(job)] if job.known and job.keep else []
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


def _notes(account: Account) -> list[str]:
    """The records that were skipped, log by log."""
    lines = []
    for path, tally in account.tallies.items():
        for reason, places in tally.skipped.items():
            shown = ", ".join(map(str, places[:_PLACES])) + (", …" if len(places) > _PLACES else "")
            lines.append(f"{path}: {len(places)} x {reason} at {shown}")
    return lines


def _ruined(account: Account) -> dict[str, str]:
    """The logs that could not be read, and why; those in which nothing was said are none."""
    return {path: why for path, why in account.ruined.items() if path not in account.silent}


def begin(log: LogFile, form: str) -> tuple[str, str]:
    """The project and the time of the first message of a log; "" where it does not say, or cannot be read."""
    from distill.read.opening import beginning

    try:
        return beginning(log.path, form)
    except Exception:  # what is wrong with it is told when it is read
        return "", ""


def begins(form: str) -> partial[tuple[str, str]]:
    """`begin` for one format, as a function that another process can be given."""
    return partial(begin, form=form)
