"""Runs of the command line in processes forked from this one, so that a thousand of them take no longer than needed."""

from __future__ import annotations

import os
import random
import signal
import string
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from distill.main import main
from distill.model import State
from distill.render.outputs import parse_state
from tests.cli.tool import NOW, said

WATCHED = (f"{os.sep}distill{os.sep}store{os.sep}", f"{os.sep}filelock{os.sep}", f"commands{os.sep}run.py")
CHOICES = (
    "We decided to use {0} with {1} for {2}.",
    "决定采用{0}。",
    "Never mix {0} with {1} or {2}.",
    "待办：补充{0}",
)
_HAN = "船锚帆桅舵桨港码灯塔风浪潮汐礁岛湾岸鱼虾蟹贝网绳钩旗钟罗盘海图货舱甲板缆桥"


def call(*words: str) -> int:
    """Run the command line in this process; the exit code."""
    sys.argv = ["distill", *words]
    try:
        main()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 1
    return 0


def forked(act: Callable[[], int]) -> int:
    """Start `act` in a process of its own; its id."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        code = act()
    finally:
        os._exit(code)


def _names() -> set[str]:
    return {one.name for one in Path().iterdir()}


def ended(child: int) -> int:
    """Wait for a process; its exit code, negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def conclusion(number: int) -> str:
    """A statement in one of the two languages that shares next to no words with the others."""
    dice = random.Random(number)
    form = CHOICES[number % len(CHOICES)]
    if not form.isascii():
        return form.format("".join(dice.sample(_HAN, 8)))
    return form.format(*("".join(dice.sample(string.ascii_lowercase, 8)) for _ in range(3)))


# -- kills ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Kills:
    """What was seen: how runs ended, which state stood there then, what lay beside it."""

    ends: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    litter: int = 0  # the most files that ever lay beside the state


def kills(folder: Path, points: Sequence[float], *, timed: bool = False) -> Kills:
    """Kill runs that write a state, each at one of `points`: a share (0 to 1) of the lines that write, or of the time.

    Runs write one state and the other by turns, so that the old one and the new one can be told apart. After each kill
    the file must be one of the two, whole, and a run that is left alone must get through.
    """
    os.chdir(folder)
    texts = {}
    for name, day in (("old", 1), ("new", 2)):
        Path(f"{name}.jsonl").write_text(said(day, *(conclusion(40 * day + n) for n in range(40))), "utf-8")
        assert call(f"{name}.jsonl", "-q", "-o", f"{name}.md", "--now", NOW) == 0
        texts[Path(f"{name}.md").read_bytes()] = name
    Path("state.md").write_bytes(Path("old.md").read_bytes())
    lines, seconds = _measure()
    kept = _names()
    seen = Kills()
    for number, point in enumerate(points):
        before = texts.get(Path("state.md").read_bytes())
        log = "old.jsonl" if before == "new" else "new.jsonl"
        if timed:
            child = forked(partial(_run, log))
            time.sleep(1.5 * point * seconds)
            os.kill(child, signal.SIGKILL)
        else:
            child = forked(partial(_run, log, int(point * lines)))
        seen.ends["killed" if ended(child) == -signal.SIGKILL else "through"] += 1
        stands = texts.get(Path("state.md").read_bytes())
        seen.found["broken" if stands is None else "the old one" if stands == before else "the new one"] += 1
        seen.broken += stands is None
        beside = _names() - kept
        seen.litter = max(seen.litter, len(beside))
        seen.beside.update(beside)
        if number % 10 == 9:
            seen.broken += ended(forked(partial(_run, log))) != 0
    seen.broken += ended(forked(partial(_run, "old.jsonl"))) != 0
    seen.broken += _names() != kept  # nothing lies about after a run that got through
    return seen


def _run(log: str, stop: int | None = None) -> int:
    if stop is not None:
        sys.settrace(_stopper(stop))
    return call(log, "-q", "-o", "state.md", "--now", NOW)


def _stopper(stop: int, seen: list[int] | None = None) -> Any:
    """A trace function that kills the process at line number `stop` of what writes, or counts the lines in `seen`."""
    count = 0

    def line(frame: FrameType, event: str, value: Any) -> Any:
        nonlocal count
        if event == "line":
            if count == stop and seen is None:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1
            if seen is not None:
                seen[0] = count
        return line

    def enter(frame: FrameType, event: str, value: Any) -> Any:
        return line if any(part in frame.f_code.co_filename for part in WATCHED) else None

    return enter


def _measure() -> tuple[int, float]:
    """How many lines and seconds a whole run takes."""
    seen = [0]
    start = time.monotonic()
    _run("new.jsonl")
    seconds = time.monotonic() - start
    sys.settrace(_stopper(-1, seen))
    _run("old.jsonl")
    sys.settrace(None)
    return seen[0], seconds


# -- writers ----------------------------------------------------------------------------------------------------------


def writers(folder: Path, count: int, processes: int = 2) -> tuple[int, int]:
    """Let `processes` update one state `count` times together, each time with a log of its own.

    How many of the conclusions stand in the state at the end, live or as history, and how many runs failed.
    """
    os.chdir(folder)
    wanted = {}
    for number in range(count):
        wanted[f"{number}.jsonl"] = text = conclusion(number)
        Path(f"{number}.jsonl").write_text(said(1 + number % 28, text, session=f"s{number}"), "utf-8")
    assert call(next(iter(wanted)), "-q", "-o", "state.md", "--now", NOW) == 0
    logs = list(wanted)

    def update(mine: Sequence[str]) -> int:
        return sum(call(log, "-q", "-p", "state.md", "-o", "state.md", "--now", NOW) != 0 for log in mine)

    children = [forked(partial(update, logs[one::processes])) for one in range(processes)]
    failed = sum(ended(child) for child in children)
    state: State = parse_state(Path("state.md").read_text("utf-8"), "state.md")
    texts = {item.text for item in state.items}
    assert _names() == {*logs, "state.md"}
    return sum(text in texts for text in wanted.values()), failed


def random_points(count: int, seed: int = 1) -> list[float]:
    """`count` points from 0 to 1."""
    return [random.Random(f"{seed} {number}").random() for number in range(count)]
