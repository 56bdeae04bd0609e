"""The second pass in hooks: within their time, over what the rules have written already, and never a fault."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.test_hook import Project
from tests.cli.test_second import own_cache
from tests.cli.tool import Tool, environment
from tests.refine.server import Behaviour, answer, dropping, endless, events, hanging_up, serving, silent, status

IMPLIED = "where the probe gave nothing the line stops"
IN_CHINESE = "探头没给数的地方，线就断在那里"
ANSWER = """\
import json, sys, time
prompt = sys.stdin.buffer.read().decode()
open("{calls}", "a").write("x")
time.sleep({pause})
said = [{{"kind": "decision", "text": words, "record": record, "quote": words, "id": ""}}
        for record, words in {words!r} if words in prompt]
print(json.dumps({{"items": said, "drop": []}}))
"""


@pytest.fixture
def project(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    own_cache(tmp_path, monkeypatch)
    made = Project(tool)
    made.say(2, "Decision: the exporter writes CSV only. Look at the gaps in the plot.", IMPLIED)
    return made


def profile(project: Project, pause: float = 0.0, code: str = "", more: str = "") -> Path:
    """A profile called "small", whose model says that what is implied is decided; the file that counts its calls."""
    calls = project.tool.folder / "calls"
    model = project.tool.folder / "model.py"
    words = [(3, IMPLIED), (5, IN_CHINESE)]
    model.write_text(code or ANSWER.format(calls=calls, pause=pause, words=words), encoding="utf-8")
    (project.root / "distill.yaml").write_text(
        f"llm-profiles:\n  small:\n    cmd: '\"{sys.executable}\" \"{model}\"'\n{more}", encoding="utf-8")
    return calls


def end(project: Project, *words: str) -> None:
    assert project("session-end", "claude-code", "--llm", "small", *words).out == ""


def test_a_profile_that_is_named_is_asked(project: Project) -> None:
    calls = profile(project)
    project("session-end")
    assert IMPLIED not in project.texts()
    assert not calls.exists()  # a file alone turns nothing on
    end(project)
    assert IMPLIED in project.texts()
    assert "Decision: the exporter writes CSV only." in project.texts()
    assert project.journal == ""


def test_what_was_answered_is_asked_once_and_stays_when_the_session_goes_on(project: Project) -> None:
    calls = profile(project)
    end(project)
    before = (project.folder / "state.md").read_bytes()
    time.sleep(1.1)  # another time of writing
    end(project)
    assert (calls.read_text(), (project.folder / "state.md").read_bytes()) == ("x", before)
    project.say(3, "What about the tape?", IN_CHINESE, add=True)
    end(project)
    assert {IMPLIED, "Decision: the exporter writes CSV only."} <= project.texts()
    assert len(calls.read_text()) == 2


def test_the_state_stands_before_the_model_is_asked(project: Project) -> None:
    profile(project, pause=60)
    started = time.monotonic()
    ran = project.tool.process("hook", "claude-code", "session-end", "--llm", "small", "--time-limit", "4",
                               stdin=project.told())
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert time.monotonic() - started < 8
    assert "Decision: the exporter writes CSV only." in project.texts()
    assert "without an answer" in project.journal


@pytest.mark.parametrize("code", [
    "raise SystemExit(3)", "print('no')", "print('{\"items\": [' * 10**6)", "while 1: pass"])
def test_a_command_that_fails_is_noted(project: Project, code: str) -> None:
    profile(project, code=code)
    end(project, "--time-limit", "4")
    assert "Decision: the exporter writes CSV only." in project.texts()
    assert "second pass: 1 part of the log without an answer" in project.journal


@pytest.mark.parametrize("behaviour", [
    status(401), status(429, "", Retry_After="9999"), status(500), silent, endless, dropping, hanging_up,
    answer("Sorry."), answer(None, refusal="No."), events("The user", hold=8),
])
def test_a_hostile_endpoint_is_no_fault(project: Project, behaviour: Behaviour) -> None:
    pytest.importorskip("httpx")
    started = time.monotonic()
    with serving(behaviour) as server:
        (project.root / "distill.yaml").write_text(f"llm-profiles: {{small: {{url: {server.url}, model: m}}}}\n")
        end(project, "--time-limit", "4")
    assert time.monotonic() - started < 8
    assert "Decision: the exporter writes CSV only." in project.texts()
    assert "second pass" in project.journal


@pytest.mark.parametrize("text", ["", "llm-profiles: 3\n", "llm-profiles: {other: {cmd: x}}\n", "llm-profiles: [\n"])
def test_a_profile_that_is_not_there_is_no_fault(project: Project, text: str) -> None:
    project("session-end")
    before = project.texts()
    (project.root / "distill.yaml").write_text(text)
    end(project)
    assert project.texts() == before
    assert project.journal.count("\n") == 1


def test_edits_by_hand_stay(project: Project) -> None:
    profile(project)
    project("session-end")
    path = project.folder / "state.md"
    path.write_text(path.read_text().replace("## Decisions\n", "## Decisions\n- 只在周五发布\n"))
    end(project)
    assert {IMPLIED, "只在周五发布"} <= project.texts()


def test_another_session_that_ends_meanwhile_is_not_lost(project: Project) -> None:
    calls = profile(project, pause=2)
    line = [sys.executable, "-m", "distill", "hook", "claude-code", "session-end", "--llm", "small"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, cwd=project.root, env=environment()) as child:
        assert child.stdin
        child.stdin.write(project.told())
        child.stdin.close()
        for _ in range(200):
            if calls.exists():
                break
            time.sleep(0.05)
        log = project.log
        project.log = log.with_name("other.jsonl")
        project.say(5, "We decided to use SQLite.")
        project("session-end")
        project.log = log
        assert child.wait(timeout=20) == 0
    assert {IMPLIED, "We decided to use SQLite.", "Decision: the exporter writes CSV only."} <= project.texts()
    assert calls.read_text() == "x"


def test_installing_names_the_profile_in_the_hooks_that_write(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tool.folder / "home"))
    (tool.folder / ".git").mkdir()
    tool.write("distill.yaml", "llm-profiles: {small: {cmd: cat}}\n")
    path = tool.folder / ".claude" / "settings.json"
    for words in (["--llm", "none"], ["--llm", "small", "--user"], ["--llm", "https://models.invalid/v1"]):
        ran = tool("hook", "claude-code", "install", *words)
        assert (ran.code, len(ran.err.strip().split("\n")), path.exists()) == (2, 1, False)
    assert tool("hook", "claude-code", "install", "--llm", "small").code == 0
    hooks = json.loads(path.read_text())["hooks"]
    commands = {native: group["hooks"][0]["command"] for native, (group,) in hooks.items()}
    assert {native for native, command in commands.items() if command.endswith(" --llm small")} == {
        "SessionEnd", "PreCompact"}
    assert "installed already" in tool("hook", "claude-code", "install", "--llm", "small").out
    assert tool("hook", "claude-code", "status", "--project").code == 0
    tool("hook", "claude-code", "install")
    assert "--llm" not in path.read_text()
    tool("hook", "claude-code", "install", "--llm", "small")
    assert "taken out of" in tool("hook", "claude-code", "uninstall").out
    assert json.loads(path.read_text()) == {}
