"""What a state says of itself when a log is added to it: task, project, sources, time covered, tokens read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distill.model import SourceLog, State, TaskName

PIPE = "stdin"  # the name of every log that came through a pipe


@dataclass(frozen=True, slots=True, kw_only=True)
class LogHead:
    """What one log says of itself. `tokens` are those of its messages."""

    source: SourceLog
    session: str = ""
    title: str = ""
    project: str = ""
    oldest: str | None = None
    tokens: int = 0


def knows(state: State, source: SourceLog) -> bool:
    """Whether a log of the same content was distilled into `state` already."""
    return any(one.sha256 == source.sha256 for one in state.sources)


def with_log(state: State, log: LogHead) -> State:
    """`state` with a log added, items aside. A log it knows changes nothing.

    A log at a path that it names already has grown: it takes the place of what stood there, and its tokens count once.
    Task and project are those of the log whose last message is the newer.
    """
    if knows(state, log.source):
        return state
    times = [time for time in (*state.covers, log.oldest, log.source.newest) if time]
    old = _grown(state.sources, log.source)
    sources = [one for one in state.sources if one is not old]
    sources.insert(state.sources.index(old) if old else len(sources), log.source)
    ahead = (log.source.newest or "~") >= (state.covers[1] or "")
    task, project = state.task, state.project
    if ahead or not (task.id or task.title):
        task = TaskName(id=log.session or task.id, title=log.title or task.title)
    if ahead or not project:
        project = log.project or project
    before = state.tokens.source
    if old and len(sources) == 1:
        before = 0  # all that was read so far was this log
    elif old and log.source.records:
        before -= min(before, log.tokens * min(old.records, log.source.records) // log.source.records)
    return replace(
        state,
        task=task,
        project=project,
        covers=(min(times), max(times)) if times else (None, None),
        sources=tuple(sources),
        tokens=replace(state.tokens, source=before + log.tokens),
    )


def elsewhere(state: State, log: LogHead) -> bool:
    """Whether a log belongs to another project than `state` does, as far as both say."""
    one, other = (text.replace("\\", "/").rstrip("/") for text in (state.project, log.project))
    return bool(one and other) and one != other


def _grown(sources: Sequence[SourceLog], new: SourceLog) -> SourceLog | None:
    return next((one for one in sources if one.path == new.path and new.path != PIPE), None)
