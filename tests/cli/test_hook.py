"""`distill hook`: a project's state, written and shown by an agent's hooks, whatever happens to them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from distill.commands.hook import project_of
from distill.model import State
from distill.render.outputs import parse_state
from tests.cli.tool import Ran, Tool, environment, jsonl, record, said

ROOT = Path(__file__).resolve().parents[2]
MOST_TIME = 18.0  # seconds in which a hook that does not wait has surely ended, and less than its limit


class Project:
    """A repository in which an agent works, and the calls of its hooks."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.root = tool.folder / "my 项目"
        (self.root / ".git").mkdir(parents=True)
        (self.root / "src").mkdir()
        self.log = tool.folder / "logs" / "session.jsonl"
        self.log.parent.mkdir()

    def told(self, **more: Any) -> bytes:
        call = {"session_id": "s1", "transcript_path": str(self.log), "cwd": str(self.root / "src"), **more}
        return json.dumps(call).encode()

    def __call__(self, event: str, agent: str = "claude-code", *words: str, **more: Any) -> Ran:
        ran = self.tool("hook", agent, event, *words, stdin=self.told(**more))
        assert (ran.code, ran.err) == (0, "")
        return ran

    @property
    def folder(self) -> Path:
        return self.root / ".distill"

    @property
    def state(self) -> State:
        return parse_state((self.folder / "state.md").read_text("utf-8"), "state.md")

    @property
    def journal(self) -> str:
        path = self.folder / "hook.log"
        return path.read_text("utf-8") if path.exists() else ""

    def texts(self) -> set[str]:
        return {item.text for item in self.state.items if item.status == "live"}

    def say(self, day: int, *texts: str, add: bool = False) -> None:
        with self.log.open("a" if add else "w", encoding="utf-8") as stream:
            stream.write(said(day, *texts, project=str(self.root / "src")))


@pytest.fixture
def project(tool: Tool) -> Project:
    return Project(tool)


def test_the_two_ends_of_a_session(project: Project) -> None:
    assert project("session-start").out == ""
    assert not project.folder.exists()
    project.say(2, "We decided to use SQLite.", "接口一律返回 JSON，这是定下来的。")
    assert project("session-end").out == ""
    assert project.texts() == {"We decided to use SQLite.", "接口一律返回 JSON，这是定下来的。"}
    answer = json.loads(project("session-start", source="startup").out)["hookSpecificOutput"]
    assert answer["hookEventName"] == "SessionStart"
    assert "- We decided to use SQLite." in answer["additionalContext"]
    assert "- 接口一律返回 JSON" in answer["additionalContext"]
    assert project.journal == ""


@pytest.mark.parametrize("event", ["session-end", "pre-compact", "turn-end", "SessionEnd", "PreCompact", "Stop"])
def test_every_event_but_the_start_writes(project: Project, event: str) -> None:
    project.say(2, "We decided to use SQLite.")
    project(event)
    assert project.texts() == {"We decided to use SQLite."}


def test_what_is_shown_is_what_inject_prints_and_is_never_read_again(project: Project) -> None:
    project.say(2, "We decided to use SQLite.", "Never push to main.")
    project("session-end")
    shown = json.loads(project("session-start").out)["hookSpecificOutput"]["additionalContext"]
    printed = project.tool("inject", str(project.folder / "state.md"), "-q").out
    assert shown == printed
    other = project.log.with_name("other.jsonl")
    other.write_text(jsonl(record("user", f"{shown}\nWe decided to cache in memory.", "2026-03-05T09:00:00Z",
                                  session="s9", project=str(project.root))))  # fmt: skip
    before = project.texts()
    project("session-end", transcript_path=str(other))
    assert project.texts() - before == {"We decided to cache in memory."}


def test_a_project_has_one_state_for_all_its_sessions_and_agents(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project("session-end")
    project.log = project.log.with_name("second.jsonl")
    project.say(3, "We decided to use PostgreSQL instead of SQLite.")
    project("turn-end", "codex", cwd="/nowhere")  # the log itself tells where it belongs
    assert [Path(log.path).name for log in project.state.sources] == ["session.jsonl", "second.jsonl"]
    assert "We decided to use PostgreSQL instead of SQLite." in project.texts()
    assert not (project.root / "src" / ".distill").exists()


def test_a_log_that_grew_is_read_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.say(2, *[f"Look at part {number}." for number in range(30)], "We decided to use SQLite.")
    project("session-end")
    first = project.state
    project.say(3, "Go on.", "日志保留 30 天。", add=True)
    opened: list[int] = []
    from distill.read.log import Log

    start = Log.__init__

    def spy(self: Log, path: str, stream: Any, size: int | None = None, begin: Any = None) -> None:
        opened.append(begin.record if begin else 0)
        start(self, path, stream, size, begin)

    monkeypatch.setattr(Log, "__init__", spy)
    project("session-end")
    assert opened == [0, 60]  # once for the folder it names
    assert project.texts() == {"We decided to use SQLite.", "日志保留 30 天。"}
    assert project.state.sources[0].records == first.sources[0].records + 4
    (item,) = [item for item in project.state.items if item.text.startswith("日志")]
    assert [source.record for source in item.sources] == [65]
    opened.clear()
    before = (project.folder / "state.md").read_bytes()
    project("session-end")
    assert opened == [0]
    assert (project.folder / "state.md").read_bytes() == before


def test_what_is_kept_beside_the_state_changes_no_byte_of_it(project: Project) -> None:
    texts = [f"We decided to keep table {n} in schema {chr(97 + n)}{n}." for n in range(9)]
    project.say(2, *texts, "日志保留 30 天。", "`a <!-- b` is never used.")
    project("session-end")
    project.say(3, "Go on.", "日志保留 60 天。", "Actually keep table 3 in schema z9.", add=True)
    kept = {path.name: path.read_bytes() for path in project.folder.iterdir()}
    found = []
    for name in ("", "state.cache"):
        for file, data in kept.items():
            (project.folder / file).write_bytes(data)
        (project.folder / name).unlink() if name else None
        project("session-end")
        lines = (project.folder / "state.md").read_text("utf-8").splitlines()
        found.append([line for line in lines if not line.startswith("written_at: ")])
    assert found[0] == found[1]
    assert "日志保留 60 天。" in project.texts()


def test_a_log_that_is_another_is_read_whole(project: Project) -> None:
    project.say(2, "We decided to use SQLite.", "Look.", "Look again.")
    project("session-end")
    project.say(3, "We decided to write the tests first.")
    project("session-end")
    assert project.texts() == {"We decided to use SQLite.", "We decided to write the tests first."}


def test_edits_by_hand_count(project: Project) -> None:
    project.say(2, "We decided to use SQLite.", "Never push to main.")
    project("session-end")
    path = project.folder / "state.md"
    path.write_text(path.read_text("utf-8").replace("- We decided to use SQLite.", "- We decided to use DuckDB."),
                    "utf-8")  # fmt: skip
    project.say(3, "Look.", add=True)
    project("session-end")
    assert project.texts() == {"We decided to use DuckDB.", "Never push to main."}


def test_git_leaves_the_folder_alone_until_somebody_wants_it(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project("session-end")
    ignore = project.folder / ".gitignore"
    assert ignore.read_text("utf-8").splitlines()[-1] == "*"
    ignore.unlink()
    project.say(3, "We decided to log to a file.", add=True)
    project("session-end")
    assert not ignore.exists()
    assert sorted(path.name for path in project.folder.iterdir()) == ["progress.json", "state.cache", "state.md"]


def test_settings_of_the_project_hold(project: Project) -> None:
    (project.root / "distill.yaml").write_text("budget: 200\nlang: zh\n", "utf-8")
    project.say(2, *[f"We decided to keep table {n} in schema {chr(97 + n)}{n}." for n in range(12)])
    project("session-end")
    assert len(project.texts()) == 12  # a budget bounds what is shown, not what is kept
    assert "## 决策" in (project.folder / "state.md").read_text("utf-8")
    shown = json.loads(project("session-start").out)["hookSpecificOutput"]["additionalContext"]
    assert 0 < shown.count("\n- ") < 12


def test_credentials_are_kept_nowhere(project: Project) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    project.say(2, f"We decided to use the token {key} for the mirror.")
    project("session-end")
    assert project.texts()
    for path in project.folder.iterdir():
        assert key not in path.read_text("utf-8"), path.name


# -- nothing stops the agent ------------------------------------------------------------------------------------------


def test_a_missing_log_is_noted(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project("session-end")
    project("session-end", transcript_path=str(project.log.with_name("gone.jsonl")))
    project("session-end", transcript_path="")
    first, second = project.journal.splitlines()
    assert re.fullmatch(r"\S+Z claude-code session-end: .*gone\.jsonl: no such file", first)
    assert "the log of the session is not known" in second
    assert project.texts() == {"We decided to use SQLite."}


@pytest.mark.parametrize("stdin", [b"", b"{", b"\xff\xfe", b"[1]", b'{"cwd": 3}', b"null"])
@pytest.mark.parametrize("event", ["session-start", "session-end"])
def test_whatever_the_agent_says(tool: Tool, stdin: bytes, event: str) -> None:
    ran = tool("hook", "claude-code", event, stdin=stdin)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert list(tool.folder.iterdir()) == []
    ran = tool("hook", "claude-code", event, "-v", stdin=stdin)
    assert ran.code == 0
    assert ran.err.count("\n") <= 1


def test_a_state_that_cannot_be_read_is_left_alone(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project("session-end")
    path = project.folder / "state.md"
    broken = path.read_text("utf-8").replace("## Decisions", "## Entscheidungen?\n\nfree text")
    path.write_text(broken, "utf-8")
    project.say(3, "We decided to log to a file.", add=True)
    project("session-end")
    assert project("session-start").out == ""
    assert path.read_text("utf-8") == broken
    assert project.journal.count("state.md:") == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_project_that_cannot_be_written_to(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project.root.chmod(0o555)
    try:
        project("session-end")
        ran = project.tool("hook", "claude-code", "session-end", "-v", stdin=project.told())
    finally:
        project.root.chmod(0o755)
    assert ran.code == 0
    assert "cannot be made" in ran.err


def test_an_unknown_agent_fails_only_a_person(tool: Tool) -> None:
    for words in (("clod", "session-end"), ("claude-code", "sesion-end")):
        ran = tool("hook", *words, stdin=b"{}")
        assert (ran.code, ran.out) == (0, "")
        assert "known: " in ran.err
        assert ran.err.count("\n") == 1
        ran = tool("hook", *words, terminal=True)
        assert ran.code == 2
        assert "known: " in ran.err


@pytest.mark.skipif(os.name == "nt", reason="needs a pipe with a name")
def test_it_gives_up_in_time(project: Project) -> None:
    pipe = project.log.with_name("pipe.jsonl")
    os.mkfifo(pipe)
    project.say(2, "We decided to use SQLite.")
    project("session-end")
    started = time.monotonic()
    ran = project.tool.process("hook", "claude-code", "session-end", "--time-limit", "1.5",
                               stdin=project.told(transcript_path=str(pipe)))  # fmt: skip
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert time.monotonic() - started < MOST_TIME
    assert "gave up after 1.5 seconds" in project.journal
    assert project.texts() == {"We decided to use SQLite."}


def test_a_pipe_that_is_left_open_is_not_waited_for(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    command = [sys.executable, "-m", "distill", "hook", "claude-code", "session-end"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(), cwd=project.root) as process:
        assert process.stdin
        process.stdin.write(project.told())
        process.stdin.flush()
        assert process.wait(MOST_TIME) == 0
    assert project.texts() == {"We decided to use SQLite."}
    assert "gave up" not in project.journal


def test_two_sessions_that_end_at_once_lose_nothing(project: Project) -> None:
    calls = []
    for number in range(4):
        log = project.log.with_name(f"{number}.jsonl")
        log.write_text(said(number + 1, f"We decided to call queue number {number} 'q{number}'.",
                            project=str(project.root)), "utf-8")  # fmt: skip
        calls.append(project.told(transcript_path=str(log)))
    running = []
    for call in calls:
        command = [sys.executable, "-m", "distill", "hook", "claude-code", "session-end"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(), cwd=project.root)
        assert process.stdin
        process.stdin.write(call)
        process.stdin.close()
        running.append(process)
    assert [process.wait(60) for process in running] == [0] * 4
    assert project.journal == ""
    assert len(project.texts()) == 4
    assert len(json.loads((project.folder / "progress.json").read_text("utf-8"))["logs"]) == 4


# -- other agents -----------------------------------------------------------------------------------------------------


def test_codex_may_say_it_in_an_argument(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    home = project.tool.folder / "codex"
    log = home / "sessions" / "2026" / "03" / "02" / "rollout-2026-03-02T09-00-00-abc-1.jsonl"
    log.parent.mkdir(parents=True)
    sample = (ROOT / "samples" / "codex-zh" / "log.jsonl").read_text("utf-8")
    log.write_text(sample.replace("/home/lin/seatdesk", str(project.root)), "utf-8")
    monkeypatch.setenv("CODEX_HOME", str(home))
    payload = json.dumps({"type": "agent-turn-complete", "thread-id": "abc-1", "cwd": str(project.root)})
    ran = project.tool("hook", "codex", "notify", payload)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert project.state.sources[0].format == "codex"


def test_any_other_program_gets_plain_text(project: Project) -> None:
    project.say(2, "We decided to use SQLite.")
    project("session-end", "generic")
    assert project("session-start", "generic").out == project.tool("inject", str(project.folder / "state.md"), "-q").out


def test_where_a_project_begins(tmp_path: Path) -> None:
    (tmp_path / "repo" / "a" / "b").mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere\n")
    assert project_of(str(tmp_path / "repo" / "a" / "b")) == tmp_path / "repo"
    assert project_of(str(tmp_path)) == tmp_path


# -- settings ---------------------------------------------------------------------------------------------------------


def test_install_status_uninstall(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tool.folder / "home"))
    (tool.folder / ".git").mkdir()
    path = tool.folder / ".claude" / "settings.json"
    assert tool("hook", "claude-code", "status").code == 1
    for words in ("installed in", "installed already in"):
        ran = tool("hook", "claude-code", "install")
        assert (ran.code, ran.out, ran.err) == (0, f"Claude Code: hooks {words} {path}\n", "")
    assert [one.name for one in path.parent.iterdir()] == ["settings.json"]
    ran = tool("hook", "claude-code", "status")
    assert ran.code == 0
    assert ran.out.count("hook claude-code ") == 3
    assert f"{tool.folder / 'home' / 'settings.json'}: no hooks of distill" in ran.out
    assert tool("hook", "claude-code", "status", "--user").code == 1
    assert tool("hook", "claude-code", "install", "--user").code == 0
    assert tool("hook", "claude-code", "status", "--user").code == 0
    ran = tool("hook", "claude-code", "uninstall", "--project")
    assert (ran.code, json.loads(path.read_text())) == (0, {})
    assert "not in" in tool("hook", "claude-code", "uninstall").out
    assert tool("hook", "claude-code", "status", "--project").code == 1


def test_settings_that_are_no_plain_json_are_left(tool: Tool) -> None:
    text = '{\n  // mine\n  "model": "opus"\n}\n'
    path = tool.write(".claude/settings.json", text)
    ran = tool("hook", "claude-code", "install")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"distill: error: {path}:2: is left as it is, since it is not plain JSON (comments")
    assert path.read_text() == text


def test_wrong_ways_to_install(tool: Tool) -> None:
    assert tool("hook", "clod", "install").code == 2
    ran = tool("hook", "generic", "install")
    assert (ran.code, "let it run 'distill hook generic session-end'" in ran.err) == (2, True)
    assert tool("hook", "codex", "install", "--user", "--project").code == 2


def test_the_hooks_that_are_installed_work(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the settings file, run by a shell as an agent runs them."""
    monkeypatch.chdir(project.root)
    tool = Tool(project.root)
    assert tool("hook", "gemini", "install").code == 0
    hooks = json.loads((project.root / ".gemini" / "settings.json").read_text("utf-8"))["hooks"]
    project.say(2, "We decided to use SQLite.")
    for native in ("SessionEnd", "SessionStart"):
        (command,) = [one["command"] for group in hooks[native] for one in group["hooks"]]
        shell = f'distill() {{ "{sys.executable}" -m distill "$@"; }}; {command}'
        done = subprocess.run(["bash", "-c", shell], input=project.told(), env=environment(), capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
    assert "We decided to use SQLite." in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
