"""Files that are written whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from distill.model import DistillError

_TRIES = 100  # names tried for the temporary file


def write_atomic(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all; what stood there before stays until the last moment.

    A link is followed and its target replaced; the permissions of an existing file are kept, a new one gets the usual
    ones. A device or a pipe is written to as it is. Raises DistillError where that cannot be done; the old file is then
    untouched and nothing else is left behind.
    """
    data = text.encode("utf-8", "replace")
    try:
        target = Path(os.path.realpath(path))
        old = _stat(target)
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise DistillError(f"{path}: is a folder: name a file in it")
        if old is not None and not stat.S_ISREG(old.st_mode):
            with target.open("wb") as stream:
                stream.write(data)
            return
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _replace(target, data, old)
    except FileNotFoundError as error:
        raise DistillError(f"{path}: the folder {Path(path).parent} does not exist: make it first") from error
    except OSError as error:
        raise DistillError(f"{path}: cannot be written: {error.strerror or error}") from error


def read_text(path: str | Path) -> str:
    """The text of `path`: UTF-8, or UTF-16 with a byte order mark; without the mark, line ends as they are.

    Raises DistillError where it cannot be read or is no such text.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise DistillError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        raise DistillError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DistillError(f"{path}:{line}: not valid {'UTF-16' if utf16 else 'UTF-8'}: save it as UTF-8") from error


def guard_state(path: str | Path, check: Callable[[str, str], object]) -> None:
    """Raise DistillError where writing a state to `path` would destroy something else.

    A missing or empty file, a device and a pipe may be written to; any other file only where `check(text, path)` takes
    it, that is, raises no DistillError.
    """
    found = _stat(path)
    if found is None or not stat.S_ISREG(found.st_mode) or not found.st_size:
        return
    try:
        text = read_text(path)
        if text.strip():
            check(text, str(path))
    except DistillError as error:
        reason = str(error).removeprefix(f"{path}: ")
        raise DistillError(
            f"{path}: is left as it is, since it is not a state that can be read ({reason}): "
            "write to another file, or remove this one"
        ) from error


def _stat(path: str | Path) -> os.stat_result | None:
    """What stands at `path`, links followed; None where nothing does."""
    try:
        return Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:  # a NUL in the name
        raise DistillError(f"{path!r}: not a possible file name") from error
    except OSError as error:
        raise DistillError(f"{path}: cannot be reached: {error.strerror or error}") from error


def _replace(target: Path, data: bytes, old: os.stat_result | None) -> None:
    descriptor, new = _temporary(target)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if old is not None:
            if hasattr(os, "chown"):
                with contextlib.suppress(OSError):  # only root may give files away, and only then can it differ
                    os.chown(new, old.st_uid, old.st_gid)
            new.chmod(stat.S_IMODE(old.st_mode))
        new.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    _sync_folder(target.parent)


def _temporary(target: Path) -> tuple[int, Path]:
    """A new file beside `target`, with the permissions that any new file gets (tempfile would make it private)."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(_TRIES):
        # A long name is cut, so that the temporary one is not too long for the file system.
        new = target.with_name(f".{target.name[:40]}.{os.getpid()}.{number}.tmp")
        with contextlib.suppress(FileExistsError):
            return os.open(new, flags, 0o666), new
    raise FileExistsError(errno.EEXIST, "too many temporary files beside it")


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
