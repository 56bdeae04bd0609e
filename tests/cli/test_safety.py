"""Where a state is written to, and who else is at it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from distill.model import State
from distill.pipeline import distil
from distill.store import lock
from tests.cli.tool import NOW, Tool, environment, said

NOT_ROOT = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
EN = said(1, "We decided to paint the boat red.", "TODO: order the ropes.")
ZH = said(2, "决定把会话存到 Redis。", "待办：补充分页参数校验")


def names(tool: Tool) -> list[str]:
    return sorted(path.name for path in tool.folder.iterdir())


@contextmanager
def busy(tool: Tool, name: str = "state.md") -> Iterator[None]:
    """Somebody else holds the lock of a file of the folder."""
    path = tool.folder / f".{name}.lock"
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
        path.unlink()


# -- two at once ------------------------------------------------------------------------------------------------------


def test_the_wait_for_another_is_told_and_has_a_limit(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.write("log.jsonl", EN)
    tool("log.jsonl", "-o", "state.md")
    before = tool.read("state.md")
    monkeypatch.setattr(lock, "LIMIT", 0.7)
    with busy(tool):
        ran = tool("log.jsonl", "-p", "state.md", "-o", "state.md")
        quiet = tool("log.jsonl", "-q", "-p", "state.md", "-o", "state.md")
    assert ran.err.split("\n")[:1] == ["distill: waiting for another distill on state.md …"]
    assert "distill: error: state.md: another distill has been writing it for more than 0.7 seconds" in ran.err
    assert (ran.code, quiet.code, quiet.err.count("\n")) == (2, 2, 1)
    assert tool.read("state.md") == before
    assert names(tool) == ["log.jsonl", "state.md"]


def test_only_who_writes_there_waits(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    tool("log.jsonl", "-o", "state.md")
    with busy(tool):
        for words in ((), ("-p", "state.md"), ("-p", "state.md", "-o", "other.md")):
            ran = tool("log.jsonl", *words)
            assert (ran.code, "waiting" in ran.err) == (0, False)
        assert tool("show", "state.md").code == 0


def test_the_state_is_read_when_it_is_ones_turn(tool: Tool) -> None:
    tool.write("a.jsonl", EN)
    tool.write("b.jsonl", ZH)
    tool("a.jsonl", "-o", "state.md", "--now", NOW)
    with busy(tool):
        waiting = subprocess.Popen(
            [sys.executable, "-m", "distill", "a.jsonl", "-p", "state.md", "-o", "state.md", "--now", NOW],
            cwd=tool.folder, env=environment(), stderr=subprocess.PIPE, text=True)
        assert waiting.stderr is not None
        assert waiting.stderr.readline() == "distill: waiting for another distill on state.md …\n"
        other = tool("b.jsonl", "-p", "state.md", "--now", NOW).out
        tool.write("state.md", other)
    assert waiting.wait() == 0
    waiting.stderr.close()
    state = tool("a.jsonl", "-p", "state.md", "-f", "json").state
    assert {"We decided to paint the boat red.", "决定把会话存到 Redis。"} <= {item.text for item in state.items}


def test_two_readings_of_one_log_at_once_are_one(tool: Tool) -> None:
    tool.write("log.jsonl", EN + ZH)
    tool("log.jsonl", "-o", "once.md", "--now", NOW)
    tool.write("state.md", tool.read("once.md"))
    words = [sys.executable, "-m", "distill", "log.jsonl", "-q", "-p", "state.md", "-o", "state.md", "--now", NOW]
    running = [subprocess.Popen(words, cwd=tool.folder, env=environment()) for _ in range(3)]
    assert [one.wait() for one in running] == [0, 0, 0]
    assert tool.read("state.md") == tool.read("once.md")
    assert names(tool) == ["log.jsonl", "once.md", "state.md"]


def test_a_run_that_is_killed_while_it_waits_or_works_blocks_nobody(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    words = [sys.executable, "-m", "distill", "-", "-o", "state.md"]
    running = subprocess.Popen(words, cwd=tool.folder, env=environment(), stdin=subprocess.PIPE)
    until = time.monotonic() + 30
    while not (tool.folder / ".state.md.lock").exists() and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert names(tool) == [".state.md.lock", "log.jsonl"]
    ran = tool("log.jsonl", "-o", "state.md")
    assert (ran.code, "waiting" in ran.err) == (0, False)
    assert names(tool) == ["log.jsonl", "state.md"]


def test_what_an_editor_saves_meanwhile_is_not_written_over(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.write("log.jsonl", EN)
    tool("log.jsonl", "-o", "state.md")

    def read(*asked: Any, **named: Any) -> State:
        tool.write("state.md", tool.read("state.md").replace("red. (", "blue. ("))
        return distil(*asked, **named)

    monkeypatch.setattr("distill.commands.run.distil", read)
    ran = tool("log.jsonl", "-p", "state.md", "-o", "state.md")
    assert ran.code == 2
    assert "state.md: was changed meanwhile and is left as it is now: run this again" in ran.err
    assert "blue" in tool.read("state.md")
    monkeypatch.undo()
    assert tool("log.jsonl", "-p", "state.md", "-o", "state.md").code == 0
    assert "- We decided to paint the boat blue. (" in tool.read("state.md")


@pytest.mark.parametrize(("text", "code"), [("", 3), (EN + "{broken\n", 4)])
def test_nothing_stays_locked_after_an_error(tool: Tool, text: str, code: int) -> None:
    tool.write("log.jsonl", text)
    assert tool("log.jsonl", "--strict", "-o", "state.md").code == code
    assert names(tool) == ["log.jsonl"]


# -- where it is written to -------------------------------------------------------------------------------------------


def test_dev_null(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    for _ in range(2):
        ran = tool("log.jsonl", "-o", "/dev/null")
        assert (ran.code, ran.out) == (0, "")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_path(tool: Tool, place: str) -> None:
    tool.write("log.jsonl", EN)
    wanted = tool("log.jsonl", "--now", NOW).out
    piped = tool.process(shell=f"distill log.jsonl -q --now {NOW} -o {place} | cat")
    assert (piped.code, piped.out, piped.err) == (0, wanted, "")
    tool.process(shell=f"{{ echo before; distill log.jsonl -q --now {NOW} -o {place}; echo after; }} > out")
    assert tool.read("out") == f"before\n{wanted}after\n"
    assert names(tool) == ["log.jsonl", "out"]


def test_a_reader_that_has_enough(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    ran = tool.process(shell="set -o pipefail; distill log.jsonl -q -o /dev/stdout | true; echo $?")
    assert ran.out in ("0\n", "141\n")
    assert ran.err == ""


def test_a_named_pipe(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    os.mkfifo(tool.folder / "pipe")
    got: list[str] = []

    def read() -> None:
        stream: IO[str]
        with (tool.folder / "pipe").open(encoding="utf-8") as stream:
            got.append(stream.read())

    reader = threading.Thread(target=read)
    reader.start()
    ran = tool("log.jsonl", "-o", "pipe", "--now", NOW)
    reader.join()
    assert (ran.code, got) == (0, [tool("log.jsonl", "--now", NOW).out])
    assert names(tool) == ["log.jsonl", "pipe"]


def test_a_full_device(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    ran = tool("log.jsonl", "-o", "/dev/full")
    assert (ran.code, ran.err) == (2, "distill: error: /dev/full: cannot be written: No space left on device\n")


@pytest.mark.parametrize(("place", "what"), [
    ("none/state.md", "none/state.md: the folder none does not exist: make it first"),
    ("log.jsonl/state.md", "log.jsonl/state.md: log.jsonl is not a folder"),
    (".", ".: is a folder: name a file in it"),
    ("loop", "loop: cannot be reached: "),
])
def test_what_cannot_be_written_is_told_before_the_log_is_read(tool: Tool, place: str, what: str) -> None:
    tool.write("log.jsonl", EN)
    (tool.folder / "loop").symlink_to("loop")
    ran = tool("log.jsonl", "missing.jsonl", "-o", place)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"distill: error: {what}")
    assert ran.err.count("\n") == 1
    assert names(tool) == ["log.jsonl", "loop"]


@NOT_ROOT
@pytest.mark.parametrize("closed", ["state.md", "."])
def test_without_permission(tool: Tool, closed: str) -> None:
    tool.write("log.jsonl", EN)
    tool("log.jsonl", "-o", "state.md")
    (tool.folder / closed).chmod(0o555 if closed == "." else 0o444)
    ran = tool("log.jsonl", "-o", "state.md")
    (tool.folder / closed).chmod(0o755)
    assert ran.code == 2
    assert "state.md: cannot be written: Permission denied (the file and its folder must be writable)" in ran.err


def test_a_new_state_honours_the_umask_and_a_link_to_nothing(tool: Tool) -> None:
    tool.write("log.jsonl", EN)
    (tool.folder / "link.md").symlink_to("state.md")
    old = os.umask(0o027)
    try:
        assert tool("log.jsonl", "-o", "link.md").code == 0
    finally:
        os.umask(old)
    assert (tool.folder / "link.md").is_symlink()
    assert (tool.folder / "state.md").stat().st_mode & 0o777 == 0o640
