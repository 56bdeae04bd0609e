"""What PowerShell's cmdlets, and the commands of cmd.exe like them, do to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from distill.model import Action, ActionKind
from distill.read.shellplace import Place, act, base_name, join
from distill.read.shellwords import Word
from distill.text.lazy import Lazy

_NET_WRITE = Lazy(
    r"""\[(?:System\.)?IO\.File\]::WriteAll(?:Text|Lines|Bytes)\(\s*(?:(["'])([^"'\n]{1,300})\1|\$(\w+))""", re.I
)
_NET_NAME = Lazy(r"""\$(\w+)\s*=\s*(["'])([^"'\n]{1,300})\2""")
_WRITERS = frozenset(
    {"set-content", "out-file", "new-item", "add-content", "sc", "ni", "ac", "export-csv", "tee-object"}
)
_REMOVERS = frozenset({"remove-item", "ri", "del", "erase", "rd"})
_COPIERS = frozenset({"copy-item", "cpi", "copy"})
_RENAMERS = frozenset({"rename-item", "rni", "ren"})
CMDLETS = _WRITERS | _REMOVERS | _COPIERS | _RENAMERS | {"move-item", "mi", "move"}


def net_writes(script: str, place: Place) -> Iterator[Action]:
    """Files a PowerShell script writes with .NET calls."""
    names = {found[1].lower(): found[3] for found in _NET_NAME.finditer(script)}
    for found in _NET_WRITE.finditer(script):
        path = place.shown(Word(found[2] or names.get((found[3] or "").lower(), "")))
        if path:
            yield act(ActionKind.WROTE, path)


def _named(args: list[Word], *names: str) -> list[Word]:
    """The values of the parameters `names` of a cmdlet; lists are split."""
    found: list[Word] = []
    for flag, word in pairwise(args):
        if flag.text.lower() in names:
            found += _listed(word)
    return found


def _listed(word: Word) -> list[Word]:
    return [Word(part.strip(), word.fixed) for part in word.text.split(",") if part.strip()]


_VALUED = (
    "-encoding -value -filter -itemtype -include -exclude -type -erroraction -ea -destination -path -literalpath "
    "-filepath -newname -name -inputobject -width -target"
)


def _bare(args: list[Word]) -> list[Word]:
    found: list[Word] = []
    skip = False
    for word in args:
        if skip:
            skip = False
        elif word.text.startswith("-"):
            skip = word.text.lower() in _VALUED.split()
        else:
            found.append(word)
    return found


def cmdlet_actions(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    """Set-Content and its kin."""
    bare = _bare(args)
    paths = _named(args, "-path", "-literalpath", "-filepath") or (_listed(bare[0]) if bare else [])
    if name == "new-item":
        kind = next(iter(_named(args, "-itemtype", "-type")), Word("file")).text.lower()
        leaf = next(iter(_named(args, "-name")), None)
        if kind in ("directory", "dir", "d", "junction"):
            return
        if leaf is not None:
            paths = [Word(join(path.text, leaf.text), path.fixed and leaf.fixed) for path in paths or [Word("")]]
    if name in _WRITERS:
        value = next(iter([w for f, w in pairwise(args) if f.text.lower() == "-value"]), None)
        text = value.text if value is not None else (bare[1].text if len(bare) > 1 and not content else content)
        more = name in ("add-content", "ac") or any(word.text.lower() == "-append" for word in args)
        for word in paths:
            if path := place.shown(word):
                yield act(ActionKind.EDITED if more else ActionKind.WROTE, path, text)
    elif name in _REMOVERS:
        for word in paths + (bare[1:] if paths and bare and paths[0].text == bare[0].text else []):
            if not word.text.startswith("/") and (path := place.shown(word)):  # del /q is no path
                yield act(ActionKind.DELETED, path)
    else:
        rest = bare if not _named(args, "-path", "-literalpath") else [*paths, *bare]
        goal = next(iter(_named(args, "-destination", "-newname")), rest[1] if len(rest) > 1 else None)
        if goal is None or not goal.fixed or not rest:
            return
        source = paths[0] if paths else rest[0]
        if name in _RENAMERS and not re.search(r"[/\\]", goal.text):
            cut = max(source.text.rfind("/"), source.text.rfind("\\"))
            goal = Word(source.text[: cut + 1] + goal.text)
        elif goal.text.endswith(("/", "\\")):
            goal = Word(join(goal.text, base_name(source.text)), source.fixed)
        if path := place.shown(goal):
            if name in _COPIERS:
                yield act(ActionKind.WROTE, path)
            else:
                yield act(ActionKind.MOVED, path, place.shown(source) or source.text)
