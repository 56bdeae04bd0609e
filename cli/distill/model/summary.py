"""What a list of many states tells of each of them."""

from __future__ import annotations

from dataclasses import dataclass

from distill.model.state import SECTIONS, State

SHOWN = 20  # open items that are listed by their words


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One state in short. `counts` are its live items by section, those that a budget left out among them."""

    project: str = ""
    title: str = ""
    task: str = ""
    formats: tuple[str, ...] = ()
    covers: tuple[str | None, str | None] = (None, None)
    counts: tuple[int, int, int, int] = (0, 0, 0, 0)
    omitted: int = 0
    records: int = 0
    skipped: int = 0
    tokens: tuple[int, int] = (0, 0)  # of the logs' messages and of the state
    open: tuple[str, ...] = ()  # the first of them


def summary_of(state: State) -> Summary:
    """`state` in short."""
    live = [len(state.live(kind)) for kind in SECTIONS]
    decisions, facts, artifacts, opened = (one + left for one, left in zip(live, state.omitted, strict=True))
    *_, last = SECTIONS
    return Summary(
        project=state.project,
        title=state.task.title,
        task=state.task.id,
        formats=tuple(dict.fromkeys(source.format for source in state.sources)),
        covers=state.covers,
        counts=(decisions, facts, artifacts, opened),
        omitted=sum(state.omitted),
        records=sum(source.records for source in state.sources),
        skipped=sum(source.skipped for source in state.sources),
        tokens=(state.tokens.source, state.tokens.state),
        open=tuple(item.text for item in state.live(last)[:SHOWN]),
    )
