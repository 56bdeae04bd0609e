"""Chains the sessions of a made-up project and tells the state at the end from the truth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from distill.model import Item, State, Status
from distill.pipeline import Options, distil
from distill.render.markdown import parse, render
from tests.simulate.project import Project, Truth, logs


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a chain of `sessions` left. `size` and `true_size` are characters of the live items and of the truth."""

    sessions: int
    truths: int
    right: int
    missing: tuple[Truth, ...]
    wrong: tuple[Item, ...]
    twice: tuple[Item, ...]
    idle: int  # items that only say, truly, that something is done
    size: int
    file: int  # characters of the whole state file
    history: int

    @property
    def precision(self) -> float:
        """The share of the live items that hold, each thing counted once."""
        return self.right / max(1, self.right + len(self.wrong) + len(self.twice))

    @property
    def recall(self) -> float:
        """The share of what holds that a live item says."""
        return self.right / max(1, self.truths)


def chained(seed: int, sessions: int, folder: Path, marks: Sequence[int] = ()) -> list[Outcome]:
    """Distil the sessions one after the other, each with the state before; the outcomes after those in `marks`."""
    found: list[Outcome] = []
    state: State | None = None
    with chdir(folder):
        for number, (text, truths, project) in enumerate(logs(seed, sessions), 1):
            path = Path(f"session-{number:02}.jsonl")
            path.write_text(text, encoding="utf-8")
            state = distil([os.fspath(path)], Options(now=f"2027-01-01T00:00:{number % 60:02}Z"), previous=state)
            written = render(state, "en")
            state = parse(written, "state.md")
            if number in (marks or (sessions,)):
                found.append(_outcome(state, truths, project, len(written)))
    return found


def _outcome(state: State, truths: Sequence[Truth], project: Project, file: int) -> Outcome:
    live = [item for item in state.items if item.status is Status.LIVE]
    told: set[int] = set()
    wrong: list[Item] = []
    twice: list[Item] = []
    idle = 0
    for item in live:
        said = [n for n, truth in enumerate(truths) if truth.told_by(item)]
        new = [n for n in said if n not in told]
        if not said and project.done(item):
            idle += 1
        elif not said:
            wrong.append(item)
        elif not new:
            twice.append(item)
        told.update(new[:1])
    return Outcome(
        sessions=project.number, idle=idle, truths=len(truths), right=len(told),
        missing=tuple(truth for n, truth in enumerate(truths) if n not in told), wrong=tuple(wrong), twice=tuple(twice),
        size=sum(len(item.text) for item in live), file=file, history=len(state.items) - len(live),
    )
