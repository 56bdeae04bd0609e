"""A file replaced by a new one in a single step, and what killed runs left of their attempts."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from pathlib import Path

_TRIES = 100  # names tried for the temporary file
_LEFT = 86_400  # seconds after which a temporary file is nobody's, where the file system knows no locks
_POSIX = os.name == "posix"  # elsewhere an open file can be neither locked so nor renamed nor removed


def replace_file(target: Path, data: bytes, old: os.stat_result | None) -> None:
    """Put a file of `data` in the place of `target`, whole or not at all; `old` is what stands there, None for nothing.

    The new file is written beside it, brought to the disk and then renamed. Raises OSError where that cannot be done;
    `target` is then as it was and nothing stands beside it.
    """
    descriptor, new = _temporary(target, 0o666 if old is None else stat.S_IMODE(old.st_mode) & 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if old is not None:
                _give(new, target, old)
            os.fsync(descriptor)
            if _POSIX:  # while it is open, nobody takes it for one that was left behind
                new.replace(target)
        if not _POSIX:
            new.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    _sync_folder(target.parent)


def _give(new: Path, target: Path, old: os.stat_result) -> None:
    """Give a new file the owner, the permissions and the access list of the one it replaces, as far as one may."""
    if hasattr(os, "chown"):
        for owner, group in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
            try:
                os.chown(new, owner, group)
                break
            except OSError:  # only root may give files away; the group may still be one of ours
                continue
    new.chmod(stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                os.setxattr(new, name, os.getxattr(target, name))


def _temporary(target: Path, mode: int) -> tuple[int, Path]:
    """A new file beside `target`, locked as long as it is open; never open to more than the old one was."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # A long name is cut, so that the temporary one is not too long for the file system.
    names = [target.with_name(f".{target.name[:40]}.{number}.tmp") for number in range(_TRIES)]
    for number, new in enumerate(names):
        _clear(new)
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(new, flags, mode)
            if _claim(descriptor):
                for other in names[number + 1 :]:
                    if not _clear(other):
                        break
                return descriptor, new
            os.close(descriptor)
    raise FileExistsError(errno.EEXIST, "too many temporary files beside it")


def _claim(descriptor: int) -> bool:
    """Lock a temporary file; False where somebody else has it or has removed it. Without locks it is ours."""
    return _lock(descriptor) is not False and os.fstat(descriptor).st_nlink > 0


def _lock(descriptor: int) -> bool | None:
    """Lock an open file as long as it is open; False where somebody else has locked it, None where that is no use."""
    if not _POSIX:
        return None
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def _clear(left: Path) -> bool:
    """Remove a temporary file whose writer was killed; whether there was a file at all."""
    if not _POSIX:
        with contextlib.suppress(PermissionError):  # it is open
            left.unlink(missing_ok=True)
        return left.exists()
    try:
        descriptor = os.open(left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return False
    except OSError:  # somebody else's, or no plain file
        return True
    try:
        here, locked = os.fstat(descriptor), _lock(descriptor)
        with contextlib.suppress(FileNotFoundError):  # it was moved to its place meanwhile
            if (locked or _old(here, locked)) and os.path.samestat(here, left.stat()):
                left.unlink()
    finally:
        os.close(descriptor)
    return True


def _old(here: os.stat_result, locked: bool | None) -> bool:
    """Whether a file that cannot be locked has lain there too long for anybody to be writing it."""
    return locked is None and time.time() - here.st_mtime > _LEFT


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
