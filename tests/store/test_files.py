"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from distill.model import DistillError
from distill.store.files import guard_state, read_text, stamp, write_atomic
from tests.cli.tool import environment

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def plain_umask() -> Iterator[None]:
    old = os.umask(0o022)
    yield
    os.umask(old)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("plain_umask")
def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    write_atomic(path, "é\n长\n")
    assert path.read_bytes() == "é\n长\n".encode()
    assert mode(path) == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_of_an_old_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    path.chmod(0o660)
    write_atomic(path, "new")
    assert (path.read_text(), mode(path)) == ("new", 0o660)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "s.md", tmp_path / "link.md"
    link.symlink_to(Path("real") / "s.md")
    for text in ("first", "second"):  # a link to nothing, then to a file
        write_atomic(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert list((tmp_path / "real").iterdir()) == [target]


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomic("s.md", "text")
    assert (tmp_path / "s.md").read_text() == "text"


def test_a_name_of_the_greatest_length(tmp_path: Path) -> None:
    path = tmp_path / ("长" * 85)
    write_atomic(path, "text")
    assert path.read_text() == "text"


@pytest.mark.parametrize(("place", "word"), [("none/s.md", "does not exist: make it"), (".", "is a folder")])
def test_a_place_where_nothing_can_be_written(tmp_path: Path, place: str, word: str) -> None:
    with pytest.raises(DistillError, match=word) as caught:
        write_atomic(tmp_path / place, "text")
    assert caught.value.code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DistillError, match="file is not a folder"):
        write_atomic(tmp_path / "file" / "s.md", "text")


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_write_protected_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(DistillError, match="cannot be written"):
        write_atomic(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_full_disk_or_an_interrupt_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    def fail(descriptor: int) -> None:
        raise failure

    path = tmp_path / "s.md"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    wanted: Any = DistillError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(wanted):
        write_atomic(path, "new" * 100_000)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not AS_ROOT, reason="only root may give files away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    os.chown(path, 1234, 2345)
    path.chmod(0o604)
    write_atomic(path, "new")
    found = path.stat()
    assert (path.read_text(), found.st_uid, found.st_gid, mode(path)) == ("new", 1234, 2345, 0o604)


def test_the_group_is_kept_where_the_owner_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    asked: list[tuple[int, int]] = []

    def chown(file: Any, owner: int, group: int) -> None:
        asked.append((owner, group))
        if owner != -1:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "chown", chown)
    write_atomic(path, "new")
    assert asked == [(path.stat().st_uid, path.stat().st_gid), (-1, path.stat().st_gid)]
    assert path.read_text() == "new"


@pytest.mark.usefixtures("plain_umask")
def test_the_new_text_is_never_open_to_more_than_the_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    path.chmod(0o600)
    real = os.open
    modes = []

    def opened(name: Any, flags: int, *more: Any, **named: Any) -> int:
        found = real(name, flags, *more, **named)
        if flags & os.O_CREAT:
            modes.append(stat.S_IMODE(os.fstat(found).st_mode))
        return found

    monkeypatch.setattr(os, "open", opened)
    write_atomic(path, "new")
    assert modes == [0o600]


def test_what_killed_runs_left_is_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    for number in range(3):
        (tmp_path / f".s.md.{number}.tmp").write_text("half")
    (tmp_path / ".other.md.0.tmp").write_text("half")
    write_atomic(path, "new")
    assert sorted(one.name for one in tmp_path.iterdir()) == [".other.md.0.tmp", "s.md"]


def test_what_another_is_writing_is_left_alone(tmp_path: Path) -> None:
    left = tmp_path / ".s.md.0.tmp"
    with left.open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        write_atomic(tmp_path / "s.md", "new")
        assert sorted(one.name for one in tmp_path.iterdir()) == [left.name, "s.md"]
    write_atomic(tmp_path / "s.md", "new")
    assert [one.name for one in tmp_path.iterdir()] == ["s.md"]


def test_without_locks_only_old_leavings_are_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*asked: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    new, old = tmp_path / ".s.md.0.tmp", tmp_path / ".s.md.1.tmp"
    for one in (new, old):
        one.write_text("half")
    os.utime(old, (1e9, 1e9))
    write_atomic(tmp_path / "s.md", "new")
    assert sorted(one.name for one in tmp_path.iterdir()) == [new.name, "s.md"]


def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".s.md.0.tmp").symlink_to("mine")
    write_atomic(tmp_path / "s.md", "new")
    assert ((tmp_path / "s.md").read_text(), (tmp_path / "mine").read_text()) == ("new", "mine")


_FULL = """
import resource, sys
from distill.model import DistillError
from distill.store.files import write_atomic
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_atomic(sys.argv[1], "new" * 100_000)
except DistillError as error:
    print(error)
"""


def test_a_disk_that_is_full_half_way_through(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", _FULL, path], env=environment(), capture_output=True, text=True,
                          check=True)
    assert done.stdout == f"{path}: cannot be written: File too large\n"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace", "chmod"])
def test_a_fault_at_any_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "s.md"
    path.write_text("old")
    real = getattr(os, call)

    def fail(*asked: Any, **named: Any) -> Any:
        if call == "open" and not (asked[1] & os.O_CREAT):
            return real(*asked, **named)
        raise OSError(errno.ENOSPC, "No space left on device")

    if call == "write":
        monkeypatch.setattr("builtins.open", lambda *a, **k: fail())
    else:
        monkeypatch.setattr(os, call, fail)
    with pytest.raises(DistillError, match="cannot be written: No space left on device"):
        write_atomic(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_device(tmp_path: Path) -> None:
    with pytest.raises(DistillError, match="/dev/full: cannot be written: No space left"):
        write_atomic("/dev/full", "new")


def test_an_open_stream_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with path.open("wb") as stream:
        stream.write(b"before ")
        stream.flush()
        guard_state(f"/dev/fd/{stream.fileno()}", check)
        assert stamp(f"/dev/fd/{stream.fileno()}") is None
        write_atomic(f"/dev/fd/{stream.fileno()}", "text")
        stream.write(b" after")
    assert path.read_text() == "before text after"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_that_nobody_reads_is_left_to_the_caller(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError):
        write_atomic(f"/dev/fd/{write}", "text")
    os.close(write)


def test_what_tells_that_a_file_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    assert stamp(path) is None
    path.write_text("a")
    first = stamp(path)
    assert first == stamp(path)
    write_atomic(path, "a")
    second = stamp(path)
    assert second != first
    path.write_text("bb")
    assert stamp(path) != second
    assert stamp(os.devnull) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    write_atomic(os.devnull, "text")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    for data in (b"\xef\xbb\xbfa\xc3\xa9\r\n", "aé\r\n".encode("utf-16")):
        path.write_bytes(data)
        assert read_text(path) == "aé\r\n"
    path.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(DistillError, match=r"s\.md:2: not valid UTF-8"):
        read_text(path)
    with pytest.raises(DistillError, match="no such file") as caught:
        read_text(tmp_path / "none.md")
    assert caught.value.code == 2
    with pytest.raises(DistillError, match="cannot be read"):
        read_text(tmp_path)


def check(text: str, path: str) -> None:
    if text != "state":
        raise DistillError(f"{path}: not a state")


def test_a_state_may_be_written_over_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "s.md"
    guard_state(path, check)  # nothing there
    for text in ("", "\n", "state"):
        path.write_text(text)
        guard_state(path, check)
    for data in (b"my notes", b"\xff\xfe\x00", b"\x80"):
        path.write_bytes(data)
        with pytest.raises(DistillError, match=r"s\.md: is left as it is") as caught:
            guard_state(path, check)
        assert caught.value.code == 2
        assert path.read_bytes() == data


def test_a_device_needs_no_guard() -> None:
    guard_state(os.devnull, check)
