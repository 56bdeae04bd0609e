"""The folder that a batch writes to: on the disk, or behind a URL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from distill.model import DistillError
from distill.store.files import cannot_be_written, write_atomic
from distill.store.lock import locked
from distill.store.remote import is_url, reached, stamp_of, told


class Folder(Protocol):
    """Files by names relative to the folder, parted by "/". All raise DistillError where that cannot be done."""

    @property
    def where(self) -> str:
        """The folder as it was named."""

    def read(self, name: str) -> bytes | None:
        """The content of a file; None where there is none."""

    def write(self, name: str, text: str) -> None:
        """Write a file whole or not at all, in folders that are made for it."""

    def add(self, name: str, text: str) -> bool:
        """Append to a file; False where that cannot be done here, and it has to be written whole."""

    def remove(self, name: str) -> None:
        """Take a file away, and the folders that are empty then."""

    def files(self, under: str) -> dict[str, str]:
        """All files below a folder in it by name, each with what changes when it is written to."""

    def stamp(self, name: str) -> str:
        """The same for one file; "" where there is none."""

    def local(self, name: str) -> Path | None:
        """Where a file lies on the disk; None behind a URL."""

    def held(self, name: str, waiting: Callable[[], object]) -> AbstractContextManager[None]:
        """Keep others that ask for it from writing the file `name` meanwhile, where that can be done here."""


def folder_at(where: str) -> Folder:
    """The folder called `where`: a path or a URL."""
    return RemoteFolder(where.rstrip("/")) if is_url(where) else LocalFolder(where)


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """A folder on the disk."""

    where: str

    def local(self, name: str) -> Path:
        """As in Folder."""
        return Path(self.where, *name.split("/"))

    def read(self, name: str) -> bytes | None:
        """As in Folder."""
        path = self.local(name)
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise DistillError(f"{path}: cannot be read: {error.strerror or error}") from error

    def write(self, name: str, text: str) -> None:
        """As in Folder."""
        write_atomic(self._made(name), text)

    def add(self, name: str, text: str) -> bool:
        """As in Folder."""
        path = self._made(name)
        try:
            with path.open("ab") as stream:
                stream.write(text.encode("utf-8", "replace"))
        except OSError as error:
            raise cannot_be_written(path, error) from error
        return True

    def remove(self, name: str) -> None:
        """As in Folder."""
        path = self.local(name)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise DistillError(f"{path}: cannot be removed: {error.strerror or error}") from error
        top = Path(self.where)
        with suppress(OSError):  # the first that is not empty ends it
            for parent in path.parents:
                if parent == top or top not in parent.parents:
                    break
                parent.rmdir()

    def stamp(self, name: str) -> str:
        """As in Folder."""
        try:
            return _stamp(self.local(name).stat())
        except OSError:
            return ""

    def files(self, under: str) -> dict[str, str]:
        """As in Folder."""
        found: dict[str, str] = {}
        rest = [under]
        while rest:
            name = rest.pop()
            try:
                with os.scandir(self.local(name)) as entries:
                    for entry in entries:
                        inner = f"{name}/{entry.name}"
                        if entry.is_dir(follow_symlinks=False):
                            rest.append(inner)
                        else:
                            found[inner] = _stamp(entry.stat(follow_symlinks=False))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise DistillError(f"{self.local(name)}: cannot be read: {error.strerror or error}") from error
        return found

    def held(self, name: str, waiting: Callable[[], object]) -> AbstractContextManager[None]:
        """As in Folder."""
        return locked(self._made(name), waiting=waiting)

    def _made(self, name: str) -> Path:
        path = self.local(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DistillError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
        return path


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """A folder behind a URL. Its files are written whole; nothing keeps two runs from writing them at once."""

    where: str

    def local(self, name: str) -> None:
        """As in Folder."""

    def read(self, name: str) -> bytes | None:
        """As in Folder."""
        url = f"{self.where}/{name}"
        system, path = reached(url)
        try:
            data: bytes = system.cat_file(path)
        except FileNotFoundError:
            return None
        except Exception as error:
            raise DistillError(f"{url}: cannot be read: {told(error)}") from error
        return data

    def write(self, name: str, text: str) -> None:
        """As in Folder."""
        url = f"{self.where}/{name}"
        system, path = reached(url)
        try:
            system.makedirs(path.rpartition("/")[0], exist_ok=True)  # object stores have no folders and do nothing
            system.pipe_file(path, text.encode("utf-8", "replace"))
        except Exception as error:
            raise DistillError(f"{url}: cannot be written: {told(error)}") from error

    def add(self, name: str, text: str) -> bool:
        """As in Folder."""
        return False

    def remove(self, name: str) -> None:
        """As in Folder."""
        url = f"{self.where}/{name}"
        system, path = reached(url)
        try:
            with suppress(FileNotFoundError):
                system.rm_file(path)
        except Exception as error:
            raise DistillError(f"{url}: cannot be removed: {told(error)}") from error

    def stamp(self, name: str) -> str:
        """As in Folder."""
        return self.files(name).get(name, "")

    def files(self, under: str) -> dict[str, str]:
        """As in Folder."""
        system, top = reached(self.where)
        try:
            system.invalidate_cache()
            found = system.find(f"{top}/{under}", detail=True)
        except FileNotFoundError:
            return {}
        except Exception as error:
            raise DistillError(f"{self.where}: cannot be listed: {told(error)}") from error
        return {str(path)[len(top) :].lstrip("/"): stamp_of(info) for path, info in found.items()}

    @contextmanager
    def held(self, name: str, waiting: Callable[[], object]) -> Iterator[None]:
        """As in Folder."""
        yield


def _stamp(stat: os.stat_result) -> str:
    return f"{stat.st_mtime_ns} {stat.st_size}"
