"""A git repository looked at from outside."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from distill.model import DistillError
from distill.store.repository import GitTroubleError, Reference, Repository, Touch, folder


def git(place: Path, *words: str, time: str = "2026-03-01T09:00:00Z", env: Mapping[str, str] | None = None) -> str:
    """What git prints; the author and all settings are fixed."""
    own = {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time, "GIT_CONFIG_GLOBAL": os.devnull,
           "GIT_CONFIG_NOSYSTEM": "1"}
    named = ("-c", "user.name=lin", "-c", "user.email=lin@example.com")
    return subprocess.run(["git", *named, *words], cwd=place, env={**os.environ, **own, **(env or {})}, check=True,
                          capture_output=True, text=True).stdout.strip()


def commit(place: Path, subject: str, time: str = "2026-03-01T09:00:00Z") -> str:
    git(place, "add", "-A")
    git(place, "commit", "-q", "--allow-empty", "-m", subject, time=time)
    return git(place, "rev-parse", "HEAD")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main", "work")
    return tmp_path / "work"


def test_commits_come_oldest_first_with_what_they_touched(place: Path) -> None:
    (place / "旧 a.py").write_text("one\ntwo\nthree\n")
    (place / "b.py").write_text("b")
    commit(place, "First")
    git(place, "mv", "旧 a.py", "新.py")
    (place / "b.py").unlink()
    commit(place, "改名", "2026-03-02T09:00:00Z")
    first, second = Repository(place).since(None)
    assert (first.subject, first.time, second.subject) == ("First", "2026-03-01T09:00:00Z", "改名")
    assert {(one.how, one.path) for one in first.touched} == {("A", "b.py"), ("A", "旧 a.py")}
    assert set(second.touched) == {Touch(how="D", path="b.py"), Touch(how="R", path="旧 a.py", new="新.py")}
    assert [one.subject for one in Repository(place).since("2026-03-01T12:00:00Z")] == ["改名"]
    assert Repository(place).files() == ["新.py"]


def test_commits_known_outside_and_reverted(place: Path) -> None:
    first = commit(place, "First")
    git(place, "switch", "-q", "-c", "side")
    side = commit(place, "On the side")
    git(place, "switch", "-q", "main")
    (place / "a").write_text("a")
    wrong = commit(place, "Wrong")
    git(place, "revert", "--no-edit", wrong)
    repository = Repository(place)
    assert repository.known([first[:8], side, "0123abc", first[:8]]) == {first[:8]: first, side: side}
    assert repository.outside([first, side]) == {side}
    assert repository.reverted() == {wrong: git(place, "rev-parse", "HEAD")}


def test_branches(place: Path) -> None:
    commit(place, "First")
    git(place, "branch", "done")
    git(place, "update-ref", "refs/remotes/origin/feature/x", "HEAD")
    commit(place, "Second")
    git(place, "switch", "-q", "-c", "ahead")
    commit(place, "Third")
    git(place, "switch", "-q", "main")
    assert sorted(Repository(place).branches(), key=lambda one: one.name) == [
        Reference(name="ahead", merged=False), Reference(name="done", merged=True),
        Reference(name="feature/x", merged=True), Reference(name="main", merged=False),
    ]


def test_a_repository_without_a_commit(place: Path) -> None:
    repository = Repository(place)
    assert (repository.head, repository.since(None), repository.files(), repository.branches()) == (None, [], [], [])
    assert repository.reverted() == {}


def test_nothing_of_the_repository_is_run_or_written(place: Path, tmp_path: Path) -> None:
    (place / "a.py").write_text("a")
    (place / ".gitattributes").write_text("*.py diff=odd filter=odd\n")
    first = commit(place, "First")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "diff.external", "diff.odd.textconv", "diff.odd.command",
                 "gpg.program", "core.sshCommand", "pager.log"):
        git(place, "config", name, str(trap))
    git(place, "config", "log.showSignature", "true")
    git(place, "config", "log.follow", "true")
    for hook in ("post-index-change", "pre-commit", "reference-transaction"):
        (place / ".git" / "hooks" / hook).write_text(trap.read_text())
        (place / ".git" / "hooks" / hook).chmod(0o755)
    (place / "a.py").touch()  # an index to be refreshed
    before = {path: path.stat().st_mtime_ns for path in (place / ".git").rglob("*")}
    repository = Repository(place)
    assert [one.id for one in repository.since(None)] == [first]
    assert repository.files() == [".gitattributes", "a.py"]
    assert repository.known([first]) == {first: first}
    repository.outside([first])
    repository.branches()
    repository.reverted()
    assert not (tmp_path / "sprung").exists()
    assert {path: path.stat().st_mtime_ns for path in (place / ".git").rglob("*")} == before


def test_the_surroundings_of_a_hook_do_not_lead_elsewhere(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = commit(place, "First")
    monkeypatch.setenv("GIT_DIR", str(place.parent / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(place.parent / "nothing"))
    assert Repository(place).head == first


def test_trouble_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitTroubleError, match="not a git repository"):
        Repository(tmp_path)
    with pytest.raises(GitTroubleError, match="longer than 0 s"):
        Repository(tmp_path, 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitTroubleError, match="not installed"):
        Repository(tmp_path)


def test_only_a_folder_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DistillError, match="is not a folder"):
        folder(str(tmp_path / "file"))
    with pytest.raises(DistillError, match="no such folder"):
        folder(str(tmp_path / "none"))
