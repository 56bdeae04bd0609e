"""A session that is distilled part by part leaves about what it leaves in one piece, as far as labels can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from distill.evaluate.labels import SUFFIX, read_labels
from distill.evaluate.score import Measure, figures
from distill.model import State
from distill.pipeline import Options, distil
from distill.read.formats import recognise
from distill.read.opening import open_log
from distill.segment.turns import turns

LOGS = Path(__file__).parents[1] / "labelled"
#: all logs that can be cut between their lines: no JSON document, and no notes without a head for each turn
NAMES = [path.name.removesuffix(SUFFIX) for path in sorted(LOGS.glob(f"*{SUFFIX}"))
         if not path.name.startswith(("zh-oa-donation", "zh-kb-retrieval"))]
PARTS = 5
LESS = 0.06  # of macro-F1, for one log
MEAN = 0.012  # and for all of them


def asked(path: Path) -> list[int]:
    """The records, from 0 on, at which a turn begins."""
    with ExitStack() as stack:
        log = open_log(str(path), stack)
        return sorted({min(one.record for one in turn.asked) - 1 for turn in turns(recognise(log).events(log))
                       if turn.asked})  # fmt: skip


def cut(path: Path) -> Iterator[tuple[int, str]]:
    """The parts, each cut where a turn begins, with the records before it that are not of it."""
    lines = path.read_text(encoding="utf-8").split("\n")
    begins = asked(path)
    places = {min(begins, key=lambda one: abs(one - len(lines) * number // PARTS)) for number in range(1, PARTS)}
    if path.suffix == ".md":  # a turn has a head of its own
        places = {max(n for n in range(place + 1) if lines[n].startswith(("_**User", "#### ")) and not
                      lines[n - 1].startswith("#### ")) for place in places}  # fmt: skip
    edges = [0, *sorted(places - {0}), len(lines)]
    for first, last in pairwise(edges):
        yield first, "\n".join(lines[first:last])


def in_parts(path: Path, folder: Path) -> State:
    """The state after the last part; its sources have the records of the whole."""
    state: State | None = None
    before: dict[str, int] = {}
    for number, (first, text) in enumerate(cut(path)):
        part = folder / f"{number}{path.suffix}"
        part.write_text(text, encoding="utf-8")
        before[str(part)] = first
        state = distil([str(part)], Options(now="2026-12-01T00:00:00Z"), previous=state)
    assert state is not None
    assert len(before) == PARTS
    items = (replace(item, sources=tuple(replace(one, record=one.record + before[one.path]) for one in item.sources))
             for item in state.items)  # fmt: skip
    return replace(state, items=tuple(items))


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """How much macro-F1 each log loses in parts."""
    found = {}
    for name in NAMES:
        path = LOGS / name
        label_file = path.with_name(name + SUFFIX)
        measure = Measure(read_labels(label_file.read_text(encoding="utf-8"), name).labels)
        whole = distil([str(path)], Options(now="2026-12-01T00:00:00Z"))
        pieces = in_parts(path, tmp_path_factory.mktemp("parts"))
        one, other = (figures([measure.score(state)]).macro_f1 for state in (whole, pieces))
        found[name] = one - other
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_log_in_five_parts_tells_what_it_tells_whole(name: str, losses: dict[str, float]) -> None:
    assert losses[name] <= LESS


def test_all_of_them_together_lose_little(losses: dict[str, float]) -> None:
    assert sum(losses.values()) / len(losses) <= MEAN
