"""One writer at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from distill.model import DistillError
from distill.store.lock import locked
from tests.cli.tool import environment

_HOLD = """
import errno, fcntl, sys, time
from distill.store.lock import locked
if sys.argv[2] == "lockless":
    def flock(*asked): raise OSError(errno.ENOLCK, "No locks available")
    fcntl.flock = flock
with locked(sys.argv[1]):
    print("held", flush=True)
    time.sleep(float(sys.argv[3]))
"""
KINDS = ["locks", "lockless"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file system with locks, or one without."""
    if request.param == "lockless":

        def flock(*asked: Any) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr(fcntl, "flock", flock)
    return str(request.param)


def holder(path: Path, kind: str, seconds: float) -> subprocess.Popen[str]:
    """A process that holds the lock of `path`."""
    found = subprocess.Popen([sys.executable, "-c", _HOLD, str(path), kind, str(seconds)], env=environment(),
                             stdout=subprocess.PIPE, text=True)
    assert found.stdout is not None
    assert found.stdout.readline() == "held\n"
    return found


def test_nothing_is_left_beside_the_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "状态.md"
    with locked(path):
        (name,) = tmp_path.iterdir()
        assert name.name == (".状态.md.lock" if kind == "locks" else ".状态.md.mark")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyError), locked(path):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_a_second_one_waits_and_says_so(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.md"
    told: list[float] = []
    other = holder(path, kind, 1.2)
    with locked(path, waiting=lambda: told.append(time.monotonic())):
        assert other.wait() == 0
    assert len(told) == 1


def test_who_need_not_wait_hears_nothing(tmp_path: Path, kind: str) -> None:
    with locked(tmp_path / "s.md", waiting=lambda: pytest.fail("waited")):
        pass


def test_the_wait_has_a_limit(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.md"
    other = holder(path, kind, 60)
    try:
        with pytest.raises(DistillError) as caught, locked(path, limit=0.6):
            pytest.fail("two at once")
        assert str(caught.value).startswith(f"{path}: another distill has been writing it for more than 0.6 seconds: ")
        assert "\n" not in str(caught.value)
        assert (".s.md.mark" in str(caught.value)) is (kind == "lockless")
    finally:
        other.kill()
        other.wait()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.md"
    other = holder(path, kind, 60)
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    with locked(path, limit=5):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_link_and_its_target_have_one_lock(tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to("s.md")
    other = holder(tmp_path / "link.md", "locks", 60)
    try:
        with pytest.raises(DistillError), locked(tmp_path / "s.md", limit=0.1):
            pytest.fail("two at once")
    finally:
        other.kill()
        other.wait()


def test_files_in_one_folder_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with locked(tmp_path / "a.md"), locked(tmp_path / "b.md", limit=0.1):
        assert len(list(tmp_path.iterdir())) == 2


def test_devices_and_pipes_have_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (os.devnull, "/dev/stdout", str(tmp_path / "pipe")):
        with locked(path), locked(path, limit=0.1):
            pass
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize(("place", "word"), [("none/s.md", "does not exist: make it"), (".", "is a folder"),
                                             ("file/s.md", "is not a folder")])
def test_a_place_where_no_file_can_stand(tmp_path: Path, place: str, word: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DistillError, match=word), locked(tmp_path / place):
        pytest.fail("locked")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_folder_that_may_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    real = os.open

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(path).startswith(str(tmp_path)) and flags & os.O_CREAT:
            raise OSError(number, os.strerror(number), path)
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", opened)
    wanted = r"s\.md: cannot be written: .* must be writable"
    with pytest.raises(DistillError, match=wanted), locked(tmp_path / "s.md", limit=0.1):
        pytest.fail("locked")
