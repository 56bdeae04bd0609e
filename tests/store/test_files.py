"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from distill.model import DistillError
from distill.store.files import guard_state, read_text, write_atomic

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
    with pytest.raises(DistillError):
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
