"""What a batch reads to bring one state up to date: which logs, from where on, and over which state."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from distill.commands.batch_job import Job, same
from distill.model import DistillError, Start, State
from distill.store.logs import LogFile
from distill.store.manifest import Known

READABLE = ("md", "json", "yaml")  # forms that hold everything


@dataclass(slots=True)
class Reading:
    """Which logs are read, over what."""

    paths: list[str] = field(default_factory=list)
    base: State | None = None
    starts: dict[str, Start] = field(default_factory=dict)
    onward: bool = False  # the rest is as it was
    edited: bool = False  # the state that stands there is carried on because of edits by hand


def reading(job: Job, text: bytes | None) -> Reading:
    """Everything anew, unless the state can be carried on.

    It is where its logs have only grown, where later ones came, and where some are gone that could not be read again.
    A file that was edited by hand is carried on as well, with everything read over it.
    """
    paths = [log.path for log in job.logs]
    if text is None or job.known is None or not job.known.made:
        return Reading(paths)
    edited = job.known.edited or hashlib.blake2b(text, digest_size=16).hexdigest() != job.known.made
    old = {log.name: log for log in job.known.logs}
    kept = [log for log in job.logs if log.name in old]
    gone = len(kept) < len(old)
    alike = [same(log, old[log.name]) for log in kept]
    if gone and not job.keep:
        return Reading(paths, state_there(job, text) if edited else None, edited=edited)
    asked = job.asking is None or not (job.known.unanswered or job.asking.fresh)  # about all that is as it was
    if job.known.key == job.key and job.logs[: len(kept)] == tuple(kept) and all(alike[:-1]) and asked:
        read, starts, onward = _onward(job.logs[len(kept) :], kept, old, alike)
        # A model is shown a log that has grown from its beginning, so that it is asked the same of the same words.
        if onward and not (starts and job.asking) and (base := state_there(job, text)) is not None:
            return Reading(read, base, starts, onward=True, edited=edited)
    base = state_there(job, text) if gone or edited else None
    if gone and base is not None and job.known.key == job.key:
        unread = [log.path for log in job.logs if log not in kept or not alike[kept.index(log)]]
        return Reading(unread if unread and asked else paths, base, edited=edited)
    return Reading(paths, base, edited=edited)


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


def text_there(job: Job) -> bytes | None:
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


def state_there(job: Job, text: bytes) -> State | None:
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


def save_whole(job: Job, text: str, state: State) -> None:
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
