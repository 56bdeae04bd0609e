"""How work and memory grow with a log, told by counting: no test here reads a clock."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from distill.classify import judge as judging
from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.model import Event, Role
from distill.pipeline import Options, distil
from distill.read.formats import recognise
from distill.read.log import Log
from distill.rulebook import load
from distill.segment.turns import turns
from tests.bench.synth import claude_code, codex
from tests.bench.words import Writer

LOGS = {"claude-code": claude_code, "codex": codex}


def calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls, those written in C too."""
    count = 0

    def hook(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(hook)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def written(folder: Path, name: str, size: int) -> Path:
    path = folder / f"{name}-{size}.jsonl"
    path.write_bytes(b"".join(LOGS[name](size)))
    return path


def said(count: int, chinese: bool) -> list[str]:
    writer = Writer(Random(3), chinese, 1)
    return [writer.says(1, 1) for _ in range(count)]


@pytest.mark.parametrize("chinese", [False, True])
def test_cue_work_doubles_when_the_statements_double(chinese: bool) -> None:
    book = load()
    done = [book.work]
    for count in (150, 300):
        for sentence in said(count, chinese):
            book.judge(sentence, Role.ASSISTANT)
        done.append(book.work)
    once, twice = done[1] - done[0], done[2] - done[1]
    assert once > 0
    assert 1.7 * once <= twice <= 2.3 * once


@pytest.mark.parametrize("chinese", [False, True])
def test_cue_work_doubles_when_one_statement_doubles(chinese: bool) -> None:
    book = load()
    text = "，".join(said(60, chinese))[:900]
    done = [book.work]
    for statement in (text, f"{text}，{text}"):
        book.judge(statement, Role.USER)
        done.append(book.work)
    assert done[2] - done[1] <= 2.3 * (done[1] - done[0])


@pytest.mark.parametrize("name", list(LOGS))
def test_calls_double_when_the_log_doubles(name: str, tmp_path: Path) -> None:
    options = Options(now="2026-12-01T00:00:00Z")
    small, large = written(tmp_path, name, 300_000), written(tmp_path, name, 600_000)
    distil([str(small)], options)  # what is only done once
    once, twice = (calls(lambda path=path: distil([str(path)], options)) for path in (small, large))  # type: ignore[misc]
    assert twice <= once * 2.4 * large.stat().st_size / (2 * small.stat().st_size)


def test_the_pool_of_candidates_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "POOL", 20)
    monkeypatch.setattr(judging, "SURE", 5)
    book = load()
    judge = Judge("log", CueJudge(book), book.signals)
    writer = Writer(Random(5), False, 1)
    events = [
        Event(record=record, role=Role.USER if record % 2 else Role.ASSISTANT, text=writer.report(2))
        for record in range(1, 61)
    ]
    for turn in turns(events):
        judge.take(turn)
    judge.findings()
    assert judge.seen > 200
    assert len(judge.pool) <= 4 * (20 + 5)
    assert judge.lost.total() > 0


@pytest.mark.parametrize("name", list(LOGS))
def test_reading_holds_no_more_of_a_longer_log(name: str, tmp_path: Path) -> None:
    peaks = []
    for size in (500_000, 500_000, 2_000_000):  # the first warms up
        path = written(tmp_path, name, size)
        with path.open("rb", buffering=0) as stream:
            log = Log(str(path), stream, size)
            form = recognise(log)
            tracemalloc.start()
            for _ in form.events(log):
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[2] <= 1.5 * peaks[1] + 500_000


@pytest.mark.parametrize("name", list(LOGS))
@pytest.mark.parametrize("chatty", [False, True])
def test_synthetic_logs_are_read_as_what_they_are(name: str, chatty: bool, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"".join(LOGS[name](200_000, chatty=chatty)))
    state = distil([str(path)], Options(now="2026-12-01T00:00:00Z"))
    assert [(source.format, source.skipped) for source in state.sources] == [(name, 0)]
    assert state.items


@pytest.mark.parametrize("name", list(LOGS))
def test_synthetic_logs_are_the_same_every_time(name: str) -> None:
    assert list(LOGS[name](50_000)) == list(LOGS[name](50_000))
    assert list(LOGS[name](50_000)) != list(LOGS[name](50_000, seed=2))
