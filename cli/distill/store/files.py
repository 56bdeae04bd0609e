"""Files that are written whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

from distill.model import DistillError
from distill.store.replace import replace_file

_LINKS = 40  # links followed on the way to an open stream
_STREAM = re.compile(r"/(?:dev|proc/(?:self|thread-self|\d+))/fd/(\d+)")
Stamp = tuple[int, int, int, int]


def write_atomic(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all; what stood there before stays until the last moment.

    A link is followed and its target replaced; owner and permissions of an existing file are kept, a new one gets the
    usual ones. A device, a pipe or an open stream (/dev/stdout) is written to as it is. What an earlier run left
    beside the file when it was killed is cleared away. Raises DistillError where it cannot be written; the old file is
    then untouched and nothing else is left behind. Raises BrokenPipeError where nobody reads the pipe any more.
    """
    data = text.encode("utf-8", "replace")
    target = target_of(path)
    try:
        if target is None:
            _pour(path, data)
        else:
            replace_file(target, data, _stat(target))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_be_written(path, error) from error


def target_of(path: str | Path) -> Path | None:
    """The file that writing to `path` makes or replaces, links followed; None for a device, a pipe or an open stream.

    Raises DistillError where no file can be written there: a folder, no folder to hold it, no permission.
    """
    if _stream(path) is not None:
        return None
    found = _stat(path)
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise DistillError(f"{path}: is a folder: name a file in it")
    if found is not None and not stat.S_ISREG(found.st_mode):
        return None
    try:
        target = Path(os.path.realpath(path))
        folder = target.parent.stat()
    except FileNotFoundError as error:
        raise DistillError(f"{path}: the folder {Path(path).parent} does not exist: make it first") from error
    except OSError as error:
        raise cannot_be_written(path, error) from error
    if not stat.S_ISDIR(folder.st_mode):
        raise DistillError(f"{path}: {Path(path).parent} is not a folder")
    if found is not None and not os.access(target, os.W_OK):
        raise cannot_be_written(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    return target


def cannot_be_written(path: str | Path, error: OSError) -> DistillError:
    """The error that says why `path` cannot be written."""
    what = error.strerror or str(error)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        what += " (the file and its folder must be writable)"
    return DistillError(f"{path}: cannot be written: {what}")


def stamp(path: str | Path) -> Stamp | None:
    """What tells whether the file at `path` was written to or replaced; None where there is none."""
    found = _file(path)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if found is not None else None


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
    found = _file(path)
    if found is None or not found.st_size:
        return
    try:
        text = read_text(path)
        if text.strip():
            check(text, str(path))
    except DistillError as error:
        reason = str(error).removeprefix(f"{path}: ").replace(f"{path}:", "line ", 1)
        raise DistillError(
            f"{path}: is left as it is, since it is not a state that can be read ({reason}): "
            "write to another file, or remove this one"
        ) from error


def _file(path: str | Path) -> os.stat_result | None:
    """The file that stands at `path`, links followed; None for nothing, a folder, a device, a pipe, an open stream."""
    found = _stat(path) if _stream(path) is None else None
    return found if found is not None and stat.S_ISREG(found.st_mode) else None


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


# -- streams ----------------------------------------------------------------------------------------------------------


def _stream(path: str | Path) -> int | None:
    """The open file of this process that `path` stands for (/dev/stdout, /dev/fd/3), else None.

    The file behind it must not be replaced: others write to it through the same opening.
    """
    here = Path.cwd() / path
    for _ in range(_LINKS):
        if found := _STREAM.fullmatch(str(here)):
            return int(found[1])
        try:
            here = Path(os.path.normpath(here.parent / here.readlink()))
        except (OSError, ValueError):
            return None
    return None


def _pour(path: str | Path, data: bytes) -> None:
    number = _stream(path)
    with open(os.dup(number) if number is not None else path, "wb") as stream:
        stream.write(data)
