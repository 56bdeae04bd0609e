"""Time doubles when a statement or a log doubles: counted in operations, never by a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.model import Role, State
from distill.pipeline import Options, distil
from distill.read.formats import recognise
from distill.read.log import Log
from distill.rulebook import Rulebook, load
from distill.segment.turns import turns
from distill.text.clean import clean
from distill.text.redact import redact
from tests.cli.tool import NOW

# A doubling may cost this much more than twice: tables that are built once, and what rounding does to small numbers.
SLACK = 1.25
LINES = 70
WORDS = ("boat mast keel sail port proxy cache redis queue worker retry budget invoice table index schema user order"
         " token page limit cursor batch cron deploy branch harbour rope anchor deck").split()
LOGS: dict[str, Callable[[Random, int], str]] = {
    "choices": lambda random, n: f"We decided to use the {' '.join(random.choices(WORDS, k=6))}.",
    "the same": lambda random, n: "We decided to store sessions in Redis.",
    "one subject": lambda random, n: f"We decided to use port {n} for the proxy.",
    "values": lambda random, n: f"The {random.choice(WORDS)} {random.choice(WORDS)} is {n} metres long.",
    "to-dos": lambda random, n: f"TODO: add the {' '.join(random.choices(WORDS, k=3))} of pier {n}.",
    "back and forth": lambda random, n: f"Change of plan: store sessions in {('Redis', 'Postgres')[n % 2]}.",
    "small talk": lambda random, n: f"Let me look at the {' '.join(random.choices(WORDS, k=8))} first.",
    "中文": lambda random, n: f"我们决定用 {random.choice(WORDS)} 存第 {n} 个订单，不要改动它。",
}
STATEMENTS = (
    "we decided to use ", "never touch the ", "not not not ", "if maybe perhaps ", "不不不", "决定不用", "是否要不要",
    "a*b ", "decided, ", "(", "“", "`x` ", "we agreed. ", "should we? ", "and then we could use the ", "/a/b/c ",
    "99% ", "TODO ",
)
PIECES = ("password is ", "token: ", "ghp_", "-----BEGIN ", "http://a:b@", "\x1b[", "密码是", "=", "\u200b", "a")


def log_of(kind: str, count: int, start: int = 0) -> str:
    random = Random(f"{kind}{start}")
    rows = (LOGS[kind](random, number) for number in range(start, start + count))
    return "".join(f"User: {row}\nAssistant: OK.\n" for row in rows)


def calls(work: Callable[[], Any]) -> tuple[int, Any]:
    """How many functions `work` calls, those written in C too, and what it gives."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        found = work()
    finally:
        sys.setprofile(None)
    return count, found


def grows_no_faster(smaller: int, larger: int, factor: float = 2.0) -> bool:
    return larger <= smaller * factor * SLACK


@pytest.fixture(scope="module")
def book() -> Rulebook:
    """The rules, with everything built that is built once."""
    found = load()
    found.judge("We decided to use tabs, if not.", Role.USER)
    return found


@pytest.mark.parametrize("piece", STATEMENTS)
def test_a_statement_of_twice_the_length(book: Rulebook, piece: str) -> None:
    def work(length: int) -> int:
        before = book.work
        book.judge((piece * length)[:length], Role.USER)
        return book.work - before

    assert grows_no_faster(work(900) + 20, work(1800) + 20)
    assert work(200_000) <= work(2000) * SLACK + 20  # no more than the first 2,000 characters are looked at


@pytest.mark.parametrize("kind", LOGS)
def test_the_rules_and_the_judge_see_twice_as_much_in_twice_the_log(tmp_path: Path, kind: str) -> None:
    def walked(count: int) -> tuple[int, int]:
        path = tmp_path / "log.txt"
        path.write_text(log_of(kind, count), encoding="utf-8")
        book = load()
        with path.open("rb") as stream:
            log = Log("log.txt", stream)
            judge = Judge("log.txt", CueJudge(book), book.signals)
            for turn in turns(recognise(log).events(log)):
                judge.take(turn)
            judge.findings()
        return book.work, judge.seen

    (work, seen), (more_work, more_seen) = walked(LINES), walked(2 * LINES)
    assert more_seen == 2 * seen >= 2 * LINES
    assert grows_no_faster(work, more_work)


@pytest.mark.parametrize("kind", LOGS)
def test_a_run_over_twice_the_log(tmp_path: Path, kind: str) -> None:
    def run(count: int) -> int:
        path = tmp_path / "log.txt"
        path.write_text(log_of(kind, count), encoding="utf-8")
        return calls(lambda: distil([str(path)], Options(now=NOW)))[0]

    run(4)  # whatever is loaded and compiled once
    assert grows_no_faster(run(LINES), run(2 * LINES))


@pytest.mark.parametrize("kind", LOGS)
def test_a_link_of_a_chain_over_twice_the_state_and_twice_the_log(tmp_path: Path, kind: str) -> None:
    def run(count: int) -> int:
        first, second = tmp_path / "a.txt", tmp_path / "b.txt"
        first.write_text(log_of(kind, count), encoding="utf-8")
        second.write_text(log_of(kind, count, start=count), encoding="utf-8")
        state: State = distil([str(first)], Options(now=NOW))
        return calls(lambda: distil([str(second)], Options(now=NOW), previous=state))[0]

    run(4)
    assert grows_no_faster(run(LINES), run(2 * LINES))


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("function", [redact, clean])
def test_a_text_of_twice_the_length(piece: str, function: Callable[[str], Any]) -> None:
    def run(length: int) -> int:
        text = (piece * length)[:length]
        return calls(lambda: function(text))[0]

    run(100)
    assert grows_no_faster(run(4000) + 50, run(8000) + 50)
