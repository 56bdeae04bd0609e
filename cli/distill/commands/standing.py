"""How what a state names stands today: there, changed, renamed, gone, reverted; told from plain facts alone."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from distill.commands.names import Name, What
from distill.store.repository import Commit, Reference

_DRIVE = re.compile(r"[A-Za-z]:/")
_MERGED = re.compile(r"Merge (?:remote-tracking )?(?:branch(?:es)?|pull request) (.+)")
_SHORT = 7  # characters of an id that are enough


class Standing(StrEnum):
    """What became of something."""

    PRESENT = "present"
    CHANGED = "changed"  # by later commits
    MERGED = "merged"
    RENAMED = "renamed"
    GONE = "gone"
    UNKNOWN = "unknown"  # no such commit
    ASIDE = "not in HEAD"
    REVERTED = "reverted"
    ELSEWHERE = "elsewhere"  # outside the folder, or nothing that can be told


STALE = frozenset([Standing.RENAMED, Standing.GONE, Standing.UNKNOWN, Standing.ASIDE, Standing.REVERTED])


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one name stands. `now` is the name it goes by today; `commits` counts the later ones, `last` is the last."""

    name: Name
    standing: Standing
    now: str = ""
    commits: int = 0
    last: Commit | None = None
    why: str = ""

    @property
    def stale(self) -> bool:
        """Whether the item speaks of something that is not so any more."""
        return self.standing in STALE


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a folder. `there` tells whether a path relative to it exists; `prefix` leads to it from the
    root that `tracked` files and `history` are relative to ("" or "sub/").
    """

    there: Callable[[str], bool]
    root: str
    project: str = ""
    home: str = ""
    git: bool = False
    prefix: str = ""
    tracked: Sequence[str] = ()
    history: Sequence[Commit] = ()  # oldest first
    commits: Mapping[str, str] = field(default_factory=dict)  # id as written: full id
    outside: frozenset[str] = frozenset()
    reverted: Mapping[str, str] = field(default_factory=dict)
    branches: Sequence[Reference] = ()
    shallow: bool = False


def verdicts(found: Iterable[Name], facts: Facts) -> list[Verdict]:
    """How each name stands, in their order; words that only look like a name and match nothing are left out."""
    wanted = list(found)
    judge = _Judge(facts, wanted)
    told = (judge.tell(name) for name in wanted)
    return [one for one in told if one is not None]


class _Judge:
    def __init__(self, facts: Facts, wanted: Sequence[Name]) -> None:
        self._facts = facts
        commits = [name for name in wanted if name.what is What.COMMIT and name.sure]
        subjects = {name.subject for name in commits if name.subject}
        self._own = {facts.commits[name.text] for name in commits if name.text in facts.commits}
        self._own |= {one.id for one in facts.history if one.subject in subjects}  # they hold what the state tells
        self._by_end: dict[str, list[str]] = {}  # tracked files by the last part of their path, letter case aside
        for path in facts.tracked:
            self._by_end.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
        self._touches: dict[str, list[int]] = {}  # numbers of the commits that touched a path
        for number, commit in enumerate(facts.history):
            for touch in commit.touched:
                self._touches.setdefault(touch.path, []).append(number)
        self._refs: dict[str, bool] = {}
        for one in facts.branches:
            self._refs[one.name] = self._refs.get(one.name, False) or one.merged

    def tell(self, name: Name) -> Verdict | None:
        if name.what is What.FILE:
            return self._file(name)
        if not self._facts.git:
            return None
        return self._commit(name) if name.what is What.COMMIT else self._branch(name)

    # -- files --------------------------------------------------------------------------------------------------------

    def _file(self, name: Name) -> Verdict | None:
        ends = self._ends(name.text)
        if not ends:
            return Verdict(name=name, standing=Standing.ELSEWHERE, why="outside the folder") if name.sure else None
        for end in ends:  # the longest that is there or once was
            inside = self._facts.prefix + end
            if self._facts.there(end) or inside in self._touches:
                return self._since(name, inside)
            if end in self._touches:
                return self._since(name, end)
        if (like := self._alike(ends[0])) is not None:
            return self._since(name, like)
        if not name.sure:
            return None
        return Verdict(name=name, standing=Standing.GONE, why="no such file")

    def _ends(self, text: str) -> list[str]:
        """The ways to read a path from the folder on, the longest first; none where it lies elsewhere."""
        path = text.replace("\\", "/").rstrip("/")
        if path.startswith("~/") and self._facts.home:
            path = self._facts.home + path[1:]
        absolute = path.startswith("/") or bool(_DRIVE.match(path))
        path = posixpath.normpath(path)
        if not absolute:
            parts = [part for part in path.split("/") if part not in ("..", ".", "~")]
            return self._suffixes(parts)
        for top in (self._facts.root, self._facts.project.replace("\\", "/").rstrip("/")):
            if top and path.casefold().startswith(top.casefold() + "/"):
                return self._suffixes(path[len(top) + 1 :].split("/"))
        if self._facts.project:
            return self._below(path)
        return self._suffixes(path.removeprefix("/").split("/"))

    def _below(self, path: str) -> list[str]:
        """What stands below a folder that is called as the project or the root is: on another machine, or moved."""
        parts = path.split("/")
        for top in (self._facts.project, self._facts.root):
            last = top.replace("\\", "/").rstrip("/").rpartition("/")[2]
            if last and last in parts[:-1]:
                return self._suffixes(parts[parts.index(last) + 1 :])
        return []

    def _suffixes(self, parts: list[str]) -> list[str]:
        """A path and its ends, of two parts at least: many a folder has a README of its own."""
        if not parts or parts == [""]:
            return []
        ends = ["/".join(parts)]
        ends += ["/".join(parts[n:]) for n in range(1, len(parts) - 1)]
        if len(parts) == 2 and parts[0] == self._facts.root.rpartition("/")[2]:
            ends.append(parts[1])
        return ends

    def _alike(self, end: str) -> str | None:
        """The one tracked file whose path ends so, letter case aside."""
        wanted = "/" + end.casefold()
        near = self._by_end.get(wanted.rpartition("/")[2], ())
        found = [path for path in near if ("/" + path.casefold()).endswith(wanted)]
        return found[0] if len(found) == 1 else None

    def _since(self, name: Name, path: str) -> Verdict:
        """What later commits made of the file `path` (from the root)."""
        now, count, gone, last = path, 0, False, None
        start = -1
        while True:  # follow it from name to name
            later = [n for n in self._touches.get(now, ()) if n > start and self._after(n, name)]
            moved = False
            for number in later:
                commit = self._facts.history[number]
                touch = next(one for one in commit.touched if one.path == now)
                start = number
                if commit.id not in self._own or touch.how in "DR":
                    count, last = count + 1, commit
                gone = touch.how == "D"
                if touch.how == "R":
                    now, moved = touch.new, True
                    break
            if not moved:
                break
        shown = self._shown(now)
        there = self._facts.there(shown)
        if now != path:
            if there:
                return Verdict(name=name, standing=Standing.RENAMED, now=shown, commits=count, last=last)
            gone = True
        if not there:
            why = "deleted" if gone else "deleted, not committed" if self._facts.git else "no such file"
            return Verdict(name=name, standing=Standing.GONE, commits=count, last=last if gone else None, why=why)
        standing = Standing.CHANGED if count else Standing.PRESENT
        return Verdict(name=name, standing=standing, now=shown, commits=count, last=last)

    def _after(self, number: int, name: Name) -> bool:
        return not name.since or self._facts.history[number].time > name.since

    def _shown(self, path: str) -> str:
        """A path from the root as it is seen from the folder."""
        prefix = self._facts.prefix
        return path.removeprefix(prefix) if path.startswith(prefix) else posixpath.relpath(path, prefix or ".")

    # -- commits and branches -----------------------------------------------------------------------------------------

    def _commit(self, name: Name) -> Verdict | None:
        full = self._facts.commits.get(name.text)
        if full is None:
            if not name.sure:
                return None
            if self._facts.shallow:
                return Verdict(name=name, standing=Standing.ELSEWHERE, why="not in this shallow clone")
            return self._rewritten(name, Standing.UNKNOWN, "no such commit")
        if full in self._facts.outside:
            return self._rewritten(name, Standing.ASIDE, "not part of what is checked out")
        if (by := self._facts.reverted.get(full)) is not None:
            last = next((one for one in self._facts.history if one.id == by), None)
            return Verdict(name=name, standing=Standing.REVERTED, now=by[:_SHORT], last=last)
        return Verdict(name=name, standing=Standing.PRESENT, now=full[:_SHORT])

    def _rewritten(self, name: Name, standing: Standing, why: str) -> Verdict:
        """A commit that is not there, with the one of the same subject that is: amended or rebased."""
        last = next((one for one in self._facts.history if name.subject and one.subject == name.subject), None)
        return Verdict(name=name, standing=standing, now=last.id[:_SHORT] if last else "", last=last, why=why)

    def _branch(self, name: Name) -> Verdict | None:
        if name.text in self._refs:
            merged = self._refs[name.text]
            return Verdict(name=name, standing=Standing.MERGED if merged else Standing.PRESENT, now=name.text)
        for commit in reversed(self._facts.history):
            found = _MERGED.match(commit.subject)
            if found and re.search(rf"(?<![\w.-]){re.escape(name.text)}(?![\w./-])", found[1]):
                return Verdict(name=name, standing=Standing.MERGED, last=commit, why="merged and deleted")
        return Verdict(name=name, standing=Standing.GONE, why="no such branch") if name.sure else None
