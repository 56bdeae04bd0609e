"""What a state says of itself when a log is added to it: task, project, sources, time covered, tokens read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distill.model import SourceLog, State, TaskName
from distill.text.clean import clean

PIPE = "stdin"  # the name of every log that came through a pipe


@dataclass(frozen=True, slots=True, kw_only=True)
class LogHead:
    """What one log says of itself. `tokens` are those of its messages; `headless` that it begins in the middle."""

    source: SourceLog
    session: str = ""
    title: str = ""
    project: str = ""
    oldest: str | None = None
    tokens: int = 0
    headless: bool = False


def knows(state: State, source: SourceLog) -> bool:
    """Whether a log of the same content was distilled into `state` already."""
    return any(one.sha256 == source.sha256 != "" for one in state.sources)


def with_log(state: State, log: LogHead, *, more: bool = False) -> State:
    """`state` with a log added, items aside; `more` of the session that was last. A log it knows changes nothing.

    A log at a path that it names already has grown: it takes the place of what stood there, and its tokens count once.
    Task and project are those of the log whose last message is the newer.
    """
    if knows(state, log.source):
        return state
    times = [time for time in (*state.covers, log.oldest, log.source.newest) if time]
    old = _grown(state.sources, log.source)
    sources = [one for one in state.sources if one is not old]
    more = old.continues if old else more
    sources.insert(state.sources.index(old) if old else len(sources), replace(log.source, continues=more))
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


def joined(states: Sequence[State]) -> State:
    """What several states, older first, say of themselves when they are one; without items."""
    first, *rest = states
    whole = replace(first, items=(), omitted=(0, 0, 0, 0))
    for state in rest:
        times = [time for time in (*whole.covers, *state.covers) if time]
        sources = list(whole.sources)
        known = 0  # records of this state's logs that were read already
        for log in state.sources:
            old = next((one for one in sources if _same(one, log)), None)
            if old is None:
                sources.append(log)
            else:
                known += min(old.records, log.records)
                sources[sources.index(old)] = max(old, log, key=_reach)
        records = sum(log.records for log in state.sources)
        tokens = state.tokens.source - (state.tokens.source * known // records if records else 0)
        whole = replace(
            whole,
            task=state.task if state.task.id or state.task.title else whole.task,
            project=state.project or whole.project,
            covers=(min(times), max(times)) if times else (None, None),
            sources=tuple(sources),
            tokens=replace(whole.tokens, source=whole.tokens.source + tokens),
        )
    return whole


def repeats(state: State, other: State) -> bool:
    """Whether two states hold the same, whenever they were written and however their tokens were counted."""
    return replace(state, written_at=None, tokens=other.tokens) == replace(other, written_at=None)


def apart(states: Sequence[State]) -> list[str]:
    """The projects of states that belong to more than one, as far as they say; none where all are of one."""
    names = {state.project.replace("\\", "/").rstrip("/"): clean(state.project) for state in states if state.project}
    return list(names.values()) if len(names) > 1 else []


def _same(one: SourceLog, other: SourceLog) -> bool:
    """Whether two states read the same log, which may have grown between."""
    if PIPE in (one.path, other.path):
        return one.sha256 == other.sha256 != ""
    return one.path == other.path


def _reach(log: SourceLog) -> tuple[str, int, str]:
    return log.newest or "", log.records, log.sha256


def elsewhere(state: State, log: LogHead) -> bool:
    """Whether a log belongs to another project than `state` does, as far as both say."""
    one, other = (text.replace("\\", "/").rstrip("/") for text in (state.project, log.project))
    return bool(one and other) and one != other


def _grown(sources: Sequence[SourceLog], new: SourceLog) -> SourceLog | None:
    return next((one for one in sources if one.path == new.path and new.path != PIPE), None)
