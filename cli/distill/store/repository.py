"""A git repository looked at from outside: which files, commits and branches it has, and what its commits changed.

Nothing is written, fetched or run on its behalf: no hook, no file-system monitor, no pager, no signature check, no
external diff, no lock. A handful of processes answers for any number of names.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from distill.model import DistillError
from distill.text.times import rfc3339

LIMIT = 20.0  # seconds for all questions together
_QUIET = (
    *("core.fsmonitor=false", f"core.hooksPath={os.devnull}", f"diff.orderFile={os.devnull}", "core.quotePath=false"),
    *("log.showSignature=false", "log.follow=false", "log.mailmap=false", "log.diffMerges=off", "log.showRoot=true"),
    *("protocol.allow=never", "submodule.recurse=false", "i18n.logOutputEncoding=UTF-8"),
    "safe.bareRepository=explicit",
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "LANGUAGE": "",
}
_COMMIT, _FIELD = "\x01", "\x02"
_REVERTS = "This reverts commit "


class GitTroubleError(Exception):
    """Git gave no answer; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """What one commit did to one file: "A" added, "M" changed, "D" deleted, "R" renamed to `new`."""

    how: str
    path: str
    new: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit, its time (RFC 3339 in UTC) and the files it touched; those of a merge are left to its parents."""

    id: str
    time: str
    subject: str
    touched: tuple[Touch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A branch; `merged` tells whether it is behind what is checked out and all of it part of that."""

    name: str
    merged: bool


class Repository:
    """The git repository around a folder. Every question raises GitTroubleError where git does not answer in time."""

    def __init__(self, folder: Path, limit: float = LIMIT) -> None:
        """Find the repository of `folder`; GitTroubleError where there is none or git is missing."""
        self._folder = folder
        self._until = monotonic() + limit
        self._limit = limit
        head = self._ask("rev-parse", "--is-shallow-repository", "--show-toplevel").split("\n")
        self.shallow = head[0] == "true"
        self.root = Path(head[1])
        found = self._ask("rev-parse", "--verify", "-q", "HEAD^{commit}", fine=(0, 1)).strip()
        self.head: str | None = found or None

    def files(self) -> list[str]:
        """The tracked files, relative to the root."""
        return self._ask("-C", str(self.root), "ls-files", "-z").split("\0")[:-1]

    def since(self, time: str | None) -> list[Commit]:
        """The commits of what is checked out that are newer than `time`, oldest first; all of them for None."""
        if self.head is None:
            return []
        form = f"--format={_COMMIT}%H{_FIELD}%ct{_FIELD}%s"
        window = (f"--since={time}",) if time else ()
        return _commits(self._ask(
            "log", "-z", "--name-status", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", form,
            *window, self.head, "--"))

    def known(self, ids: Iterable[str]) -> dict[str, str]:
        """Of these short or long ids those that name a commit, with the full id."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        asked = "".join(f"{one}^{{commit}}\n" for one in wanted)
        lines = self._ask("cat-file", "--batch-check=%(objectname) %(objecttype)", given=asked).splitlines()
        found = {}
        for one, line in zip(wanted, lines, strict=False):
            name, _, kind = line.rpartition(" ")
            if kind == "commit":
                found[one] = name
        return found

    def outside(self, ids: Iterable[str]) -> set[str]:
        """Of these full ids the commits that are no part of what is checked out."""
        wanted = set(ids)
        if not wanted or self.head is None:
            return wanted
        asked = "".join(f"{one}\n" for one in sorted(wanted)) + f"^{self.head}\n"
        return wanted.intersection(self._ask("rev-list", "--stdin", given=asked).split())

    def reverted(self) -> dict[str, str]:
        """Full ids of commits that a later commit of what is checked out says it reverts, with that one's id."""
        if self.head is None:
            return {}
        text = self._ask("log", "-z", "-F", f"--grep={_REVERTS}", "--no-color", "--no-notes",
                         f"--format=%H{_FIELD}%b", self.head, "--")
        found: dict[str, str] = {}
        for entry in text.split("\0"):
            name, _, body = entry.partition(_FIELD)
            for part in body.split(_REVERTS)[1:]:
                found.setdefault(part[:40].rstrip(".\n "), name)
        return found

    def branches(self) -> list[Reference]:
        """Local and remote branches, each by its name without the remote's."""
        if self.head is None:
            return []
        form = "--format=%(refname) %(objectname)"
        where = ("refs/heads", "refs/remotes")
        every = self._ask("for-each-ref", form, *where).splitlines()
        merged = set(self._ask("for-each-ref", form, f"--merged={self.head}", *where).splitlines())
        return [Reference(name=_branch(one.split(" ")[0]), merged=one in merged and not one.endswith(self.head))
                for one in every]

    def _ask(self, *words: str, given: str = "", fine: Sequence[int] = (0,)) -> str:
        left = self._until - monotonic()
        if left <= 0:
            raise GitTroubleError(f"git took longer than {self._limit:g} s")
        settings = [part for one in _QUIET for part in ("-c", one)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(
                ["git", "--no-pager", "--no-optional-locks", *settings, *words], cwd=self._folder, timeout=left,
                env=environment | _ENVIRONMENT, input=given.encode(), capture_output=True, check=False,
            )
        except FileNotFoundError:
            raise GitTroubleError("git is not installed") from None
        except subprocess.TimeoutExpired:
            raise GitTroubleError(f"git took longer than {self._limit:g} s") from None
        except OSError as error:
            raise GitTroubleError(f"git cannot be run: {error.strerror or error}") from None
        if done.returncode not in fine:
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
            raise GitTroubleError(said.removeprefix("fatal: ") or f"git ended with {done.returncode}")
        return done.stdout.decode("utf-8", "surrogateescape")


def folder(path: str) -> Path:
    """The folder `path` with all links followed; DistillError (exit 2) where it is none."""
    place = Path(path).expanduser()
    if not place.is_dir():
        what = "is not a folder" if place.exists() else "no such folder"
        raise DistillError(f"{path}: {what}: name the folder that the state speaks of with --repo")
    return place.resolve()


def _branch(reference: str) -> str:
    """The name that people use: without refs/heads/ or refs/remotes/NAME/."""
    place, name = reference.removeprefix("refs/").split("/", 1)
    return name.split("/", 1)[-1] if place == "remotes" else name


def _commits(text: str) -> list[Commit]:
    found: list[Commit] = []
    head: tuple[str, str, str] | None = None
    touched: list[Touch] = []

    def close() -> None:
        if head is not None:
            name, seconds, subject = head
            time = rfc3339(datetime.fromtimestamp(int(seconds), UTC)) or ""
            found.append(Commit(id=name, time=time, subject=subject, touched=tuple(touched)))

    parts = iter(text.split("\0"))
    for part in parts:
        word = part.lstrip("\n")
        if word.startswith(_COMMIT):
            close()
            name, seconds, subject = (*word[1:].split(_FIELD, 2), "", "")[:3]
            head, touched = (name, seconds, subject), []
        elif word:
            how, path = word[0], next(parts, "")
            new = next(parts, "") if how in "RC" else ""
            touched.append(Touch(how="A", path=new) if how == "C" else Touch(how=how, path=path, new=new))
    close()
    found.reverse()
    return found
