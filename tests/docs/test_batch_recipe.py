"""The recipe for a whole folder of logs runs as it stands and does what the page says of it."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.blocks import README, runnable
from tests.docs.test_readme import Shell, needs_a_shell

TEXT = README.read_text(encoding="utf-8")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("DISTILL_CACHE_DIR", str(tmp_path / "cache"))
    return Shell(tmp_path)


@needs_a_shell
def test_a_whole_folder_of_logs(shell: Shell) -> None:
    shell.bring("claude-code-en", "logs/a/one.jsonl")
    shell.bring("codex-zh", "logs/二.jsonl")
    shell.bring("claude-code-en", "logs/draft-3.jsonl")
    shell.bring("claude-code-en", "claude/projects/-home-mara/s.jsonl")
    ran = shell(f"set -e\n{runnable(TEXT)['batch']}", CLAUDE_CONFIG_DIR=str(shell.folder / "claude"))
    assert ran.code == 0, ran.err
    states = sorted(str(path.relative_to(shell.folder / "out")) for path in shell.folder.glob("out/**/*.md"))
    assert states == ["index.md", "states/a/one.jsonl.md", "states/draft-3.jsonl.md", "states/二.jsonl.md"]
    index = json.loads((shell.folder / "projects/index.json").read_text(encoding="utf-8"))
    assert {one["project"] for one in index["projects"]} == {"/home/mara/tidewatch", "/home/lin/seatdesk"}
    assert len(list(shell.folder.glob("projects/projects/*.md"))) == 2
    assert json.loads((shell.folder / "report.json").read_text())["counts"]["new"] == 2
    assert len(list(shell.folder.glob("all/projects/tidewatch-*.md"))) == 1


def test_it_names_extras_that_there_are() -> None:
    (extras,) = re.findall(r"pip install 'distill-log\[(dask,remote)\]'", TEXT)
    settings = (README.parent / "pyproject.toml").read_text(encoding="utf-8")
    for name in extras.split(","):
        assert re.search(rf"^{name} = \[", settings, re.MULTILINE)
    assert find_spec("pathspec")
