"""Where a shell command runs, and how the paths in it are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distill.model import Action, ActionKind
from distill.read.patches import DETAIL, absolute, relative
from distill.read.shellwords import Word
from distill.text.lazy import Lazy

_SCRATCH = Lazy(
    r"^(?:/tmp|/var/tmp|/private/tmp|/private/var|/var/folders|/dev|/proc|/sys|/run)(?:/|$)|^[$%]|^~/\.cache\b|^nul$"
    r"|\\AppData\\Local\\Temp\\|/AppData/Local/Temp/"
    r"|(?:^|[/\\])(?:\.git|node_modules|__pycache__|\.pytest_cache|\.ruff_cache|\.mypy_cache|\.venv)(?:[/\\]|$)",
    re.I,
)
_UP = Lazy(r"\.\.(?:[/\\]|$)")
_LETTER = Lazy(r"\w")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command runs: the session's working directory, and the folder the script went to.

    `here` is "" for the working directory itself and None where the script went somewhere unknown.
    """

    cwd: str
    here: str | None = ""

    def enter(self, word: Word) -> Place:
        """The place after `cd word`."""
        if not word.fixed or word.text == "-":
            return Place(self.cwd, None)
        return Place(self.cwd, self.full(word.text))

    def full(self, path: str) -> str | None:
        """`path` as seen from the working directory, or None where that is unknown."""
        if absolute(path):
            return path
        if self.here is None:
            return None
        return join(self.here, path, self.cwd)

    def shown(self, word: Word) -> str:
        """The path in `word` as an action names it, or "" where it names no file that could matter."""
        if not word.fixed or len(word.text) > 300 or "\n" in word.text or not _LETTER.search(word.text):
            return ""
        full = self.full(word.text)
        if full is None:
            return ""
        path = relative(full, self.cwd)
        return "" if _SCRATCH.search(path) else path


def join(base: str, path: str, cwd: str = "") -> str:
    """`path` below the folder `base`; steps up are taken out of `base`, and of `cwd` where base is used up."""
    while path.startswith(("./", ".\\")):
        path = path[2:]
    if path == ".":
        path = ""
    while _UP.match(path):
        if not base or base == "..":
            if not cwd:
                return path
            base = cwd
        cut = max(base.rstrip("/\\").rfind("/"), base.rstrip("/\\").rfind("\\"))
        base = base[:cut] if cut > 0 else ("/" if base.startswith("/") else "")
        path = path[3:]
        cwd = ""
    if not base or not path:
        return base or path
    separator = "\\" if "\\" in base and "/" not in base else "/"
    return base.rstrip("/\\") + separator + path


def scratch(path: str) -> bool:
    """Whether `path` lies where nothing is meant to last: temporary folders, devices, caches."""
    return bool(_SCRATCH.search(path))


def base_name(path: str) -> str:
    """The last part of a path."""
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def act(kind: ActionKind, target: str, detail: str = "") -> Action:
    """A done act on a file, with its new text shortened."""
    return Action(kind=kind, target=target, detail=detail[:DETAIL])
