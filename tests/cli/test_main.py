"""The front door: help, version, suggestions, streams, signals, exit codes."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import distill
from tests.cli.tool import NOW, Tool, environment, said

TALK = "User: We decided to store sessions in Redis.\nAssistant: OK.\n"
COMMANDS = ("run", "show", "eval", "formats", "rules")
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a Unix shell")


# -- help, version, suggestions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("--help",), ("-h",)])
def test_help(tool: Tool, words: tuple[str, ...]) -> None:
    ran = tool(*words)
    assert (ran.code, ran.err) == (0, "")
    assert all(f"  {name} " in ran.out for name in COMMANDS)


def test_help_of_every_command(tool: Tool) -> None:
    for name in COMMANDS:
        ran = tool(name, "--help")
        assert ran.code == 0
        assert ran.out.startswith(f"Usage: distill {name}")
    assert "--previous" in tool("run", "-h").out


def test_version(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    for words in (("--version",), ("-V",), ("run", "--version"), ("log.txt", "--version")):
        ran = tool(*words)
        assert (ran.code, ran.out, ran.err) == (0, f"distill {distill.__version__}\n", "")


def test_a_word_that_is_neither_file_nor_command(tool: Tool) -> None:
    near = tool("fromats")
    assert (near.code, near.out) == (2, "")
    assert near.err == "distill: error: fromats: no such file or command; did you mean 'distill formats'?\n"
    far = tool("nonsense")
    assert (far.code, far.out) == (3, "")
    assert far.err.startswith("distill: error: nonsense: no such file or command; commands: ")
    assert {"eval", "formats", "run"} <= set(far.err.rstrip().rpartition(": ")[2].split(", "))


def test_a_file_may_be_called_like_anything(tool: Tool) -> None:
    tool.write("notes", TALK)
    assert tool("notes").code == 0
    tool.write("show", TALK)
    assert tool("run", "show").code == 0
    assert tool("./show").code == 0


# -- completion -------------------------------------------------------------------------------------------------------


def complete(tool: Tool, line: str) -> list[str]:
    words = line.split(" ")
    ran = tool(env={"_DISTILL_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)})
    assert ran.code == 0
    return ran.out.split()


def test_completion(tool: Tool) -> None:
    assert set(COMMANDS) <= set(complete(tool, "distill "))
    assert complete(tool, "distill for") == ["formats"]
    assert complete(tool, "distill rules ex") == ["explain"]
    assert complete(tool, "distill run --prev") == ["--previous"]
    assert complete(tool, "distill log.txt --prev") == ["--previous"]


def test_the_script_for_a_shell(tool: Tool) -> None:
    ran = tool.process("--show-completion", env={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    named = tool.process("--show-completion", "bash", env={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert "_DISTILL_COMPLETE=complete_bash" in ran.out + named.out


# -- processes --------------------------------------------------------------------------------------------------------


@UNIX
def test_as_a_process(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    ran = tool.process("log.txt", "--now", NOW)
    assert (ran.code, ran.out) == (0, tool("log.txt", "--now", NOW).out)
    assert tool.process(stdin=TALK.encode()).code == 0
    assert tool.process("missing.txt").code == 3
    assert tool.process("--nonsense").code == 2


@UNIX
def test_a_closed_pipe_ends_it_quietly(tool: Tool) -> None:
    tool.write("log.txt", "".join(f"User: We decided that team {n} owns boat {n * 7} at pier {n * 3}.\nAssistant: OK.\n"
                                  for n in range(150)))
    ran = tool.process(shell="distill log.txt -q -f json | head -1; echo ${PIPESTATUS[0]}")
    assert (ran.out, ran.err) == ("{\n0\n", "")
    for words in ("rules list", "formats --json", "rules show decision/explicit", "--help"):
        ran = tool.process(shell=f"distill {words} | true; echo ${{PIPESTATUS[0]}}")
        assert (ran.out, ran.err) == ("0\n", ""), words
    ran = tool.process(shell="distill log.txt 2>&1 >state.json | true; echo ${PIPESTATUS[0]}")
    assert (ran.out, ran.err) == ("0\n", "")


@UNIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    for words in ("log.txt -q", "formats", "--help", "--version"):
        ran = tool.process(shell=f"distill {words} > /dev/full")
        assert ran.code == 2
        assert ran.err == "distill: error: standard output cannot be written: No space left on device\n"
    assert tool.process(shell="distill log.txt -q -o /dev/full").code == 2
    assert tool.process(shell="distill log.txt 2> /dev/full").code == 0


@UNIX
def test_a_state_is_written_whole_or_not_at_all(tool: Tool) -> None:
    turns = (f"User: We decided that team {n} owns boat {n * 7}.\nAssistant: OK.\n" for n in range(30))
    tool.write("log.txt", "".join(turns))
    tool.process("log.txt", "-o", "state.md", "--now", NOW)
    before = tool.read("state.md")
    ran = tool.process(shell="ulimit -f 1; distill log.txt -o state.md -f json")
    assert ran.code == 2
    assert "state.md: cannot be written: File too large" in ran.err
    assert tool.read("state.md") == before
    assert sorted(path.name for path in tool.folder.iterdir()) == ["log.txt", "state.md"]


@UNIX
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(tool: Tool, closed: str) -> None:
    tool.write("log.txt", TALK)
    ran = tool.process(shell=f"distill log.txt -o state.md {closed}")
    assert ran.code == 0
    assert tool.read("state.md").startswith("---\n")


@UNIX
@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_any_locale(tool: Tool, locale: str) -> None:
    tool.write("log.txt", "用户：我们决定用 PostgreSQL 16 存订单。\n助手：好的。\n")
    env = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = tool.process("log.txt", "-o", "state.md", env=env)
    assert ran.code == 0
    shown = tool.process("show", "state.md", env=env)
    assert shown.code == 0
    assert "我们决定用 PostgreSQL 16 存订单" in shown.out


@UNIX
def test_interrupted(tool: Tool) -> None:
    tool.write("state.md", tool("-", stdin=TALK.encode()).out)
    before = tool.read("state.md")
    child = subprocess.Popen(
        [sys.executable, "-m", "distill", "-", "-o", "state.md"], cwd=tool.folder, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(TALK.encode() * 2500)  # more than a pipe holds: once it is gone, the log is being read
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (130, b"")
    assert err.strip() == b"distill: interrupted"
    assert tool.read("state.md") == before
    assert [path.name for path in tool.folder.iterdir()] == ["state.md"]


@UNIX
def test_an_error_of_ours_is_one_line_without_a_traceback(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.write("log.txt", TALK)

    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("boat")

    monkeypatch.setattr("distill.commands.run.distil", broken)
    ran = tool("log.txt")
    assert ran.code == 70
    assert ran.err.startswith("distill: error: unexpected KeyError: 'boat'; please report it (DISTILL_DEBUG=1 shows ")
    assert ran.err.count("\n") == 1
    debug = tool("log.txt", env={"DISTILL_DEBUG": "1"})
    assert debug.code == 70
    assert "Traceback (most recent call last)" in debug.err


def test_debugging_shows_the_traceback_of_an_ordinary_error(tool: Tool) -> None:
    assert "Traceback" not in tool("missing.txt").err
    ran = tool("missing.txt", env={"DISTILL_DEBUG": "1"})
    assert ran.code == 3
    assert "Traceback" in ran.err


# -- the terminal -----------------------------------------------------------------------------------------------------


def on_terminal(tool: Tool, *words: str, env: dict[str, str]) -> str:
    """What a process shows on a terminal of its own."""
    master, slave = pty.openpty()
    child = subprocess.Popen([sys.executable, "-m", "distill", *words], cwd=tool.folder, env=environment(env),
                             stdin=slave, stdout=slave, stderr=slave, close_fds=True)
    os.close(slave)
    parts = []
    while True:
        ready, _, _ = select.select([master], [], [], 30)
        try:
            part = os.read(master, 4096) if ready else b""
        except OSError:
            part = b""
        if not part:
            break
        parts.append(part)
    os.close(master)
    assert child.wait(timeout=30) == 0
    return b"".join(parts).decode()


@UNIX
def test_colour_on_a_terminal_alone_and_never_with_no_color(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool("log.txt", "-o", "state.md")
    for words in (("show", "state.md"), ("--help",)):
        coloured = on_terminal(tool, *words, env={"TERM": "xterm-256color", "NO_COLOR": ""})
        assert "\x1b[" in coloured, words
        assert "\x1b[" not in on_terminal(tool, *words, env={"TERM": "xterm-256color", "NO_COLOR": "1"}), words
        assert "\x1b[" not in tool.process(*words).out


@UNIX
def test_progress_of_a_long_log_is_for_terminals(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distill.commands.progress.LONG", 10)
    tool.write("log.txt", TALK)
    plain = tool("log.txt", "--now", NOW)
    assert "\x1b[" not in plain.out + plain.err
    watched = tool("log.txt", "--now", NOW, terminal=True, env={"TERM": "xterm-256color", "NO_COLOR": ""})
    assert watched.out == plain.out
    assert "records" in watched.err


# -- the same bytes ---------------------------------------------------------------------------------------------------


def test_the_hash_seed_changes_nothing(tool: Tool) -> None:
    tool.write("a.jsonl", said(
        1, "We decided to paint the boat red. Never touch the legacy/ folder.", "TODO: order ropes.",
        "Change of plan: paint the boat blue.", "The timeout is 30 seconds; 12 tests passed."))
    tool.write("b.jsonl", said(
        2, "We settled on port 8080 for the proxy.", "Back to red for the boat, final.",
        "我们决定用 PostgreSQL 16 存订单。不要改动 user 表。"))
    seen = {tool.process("a.jsonl", "b.jsonl", "--now", NOW, "-f", "json", env={"PYTHONHASHSEED": seed}).out
            for seed in ("0", "1", "4242")}
    assert len(seen) == 1
    assert json.loads(seen.pop())["decisions"]
