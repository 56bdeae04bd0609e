"""One writer at a time: a lock that is held from reading a state to writing it back."""

from __future__ import annotations

import contextlib
import errno
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from distill.model import DistillError
from distill.store.files import cannot_be_written, target_of

if TYPE_CHECKING:
    from filelock import BaseFileLock

NOTICE = 0.5  # seconds of waiting after which it is told
LIMIT = 600.0  # seconds of waiting after which it is an error: longer than the largest log takes
_POLL = 0.02
# What a file system says that has no locks, as some network ones do.
_LOCKLESS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}


@contextlib.contextmanager
def locked(
    path: str | Path, *, waiting: Callable[[], object] = lambda: None, limit: float | None = None
) -> Iterator[None]:
    """Hold the lock of the file that writing to `path` would make or replace; a device or a pipe has none.

    The lock is a file beside it, `.NAME.lock`: whoever can write there sees it, be it another user, another container
    or another host. It is taken away again before the lock is given up, and the lock of a process that was killed is
    given up by the system, so nothing has to be cleaned by hand. Where the file system has no locks, a marker file
    stands for it, which names its process and is taken over when that is gone.

    `waiting` is called when somebody else has it for more than half a second; after `limit` seconds (LIMIT by default)
    that is an error. Not reentrant. Raises DistillError, also where no file can be written there at all.
    """
    target = target_of(path)
    if target is None:
        yield
        return
    lock, name = _acquire(path, target, waiting, LIMIT if limit is None else limit)
    mark = _inode(name) if name else None
    try:
        yield
    finally:
        if name and os.name == "posix":  # who waits for the file that is gone takes a new one
            _remove(name, mark)
        lock.release()
        if name and os.name != "posix":
            _remove(name, mark)


def _acquire(
    path: str | Path, target: Path, waiting: Callable[[], object], limit: float
) -> tuple[BaseFileLock, Path | None]:
    """The lock of `target`, held, and its file; None for a marker, which goes away by itself."""
    from filelock import FileLock, SoftFileLock  # it takes two to three times as long to import as Python to start

    name = target.with_name(f".{target.name[:40]}.lock")
    late = f"{path}: another distill has been writing it for more than {limit:g} seconds: wait for it or end it"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it falls back to a marker is no news to the user
            try:
                return _waited(FileLock(name, mode=0o666), waiting, limit, late), name
            except OSError as error:
                if error.errno not in _LOCKLESS:
                    raise
            _remove(name, _inode(name))
            marker = name.with_suffix(".mark")
            late += f"; where none is running any more, remove {marker}"
            return _waited(SoftFileLock(marker), waiting, limit, late), None
    except OSError as error:
        raise cannot_be_written(path, error) from error


def _waited(lock: BaseFileLock, waiting: Callable[[], object], limit: float, late: str) -> BaseFileLock:
    """`lock`, acquired; a DistillError that says `late` where that takes more than `limit` seconds."""
    from filelock import Timeout

    try:
        try:
            lock.acquire(timeout=min(NOTICE, limit), poll_interval=_POLL)
        except Timeout:
            waiting()
            lock.acquire(timeout=max(0.0, limit - NOTICE), poll_interval=_POLL)
    except Timeout as error:
        raise DistillError(late) from error
    return lock


def _inode(name: Path) -> tuple[int, int] | None:
    try:
        found = name.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _remove(name: Path, mark: tuple[int, int] | None) -> None:
    """Remove the file of a lock, unless it is no longer the one that was locked."""
    if _inode(name) == mark:
        with contextlib.suppress(OSError):
            name.unlink()
