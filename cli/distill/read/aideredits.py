"""The edits inside an Aider answer: what is put where, and the prose that remains."""

from __future__ import annotations

import re

from distill.read.patches import DETAIL, added_text
from distill.read.textlog import Fence
from distill.text.lazy import Lazy

HEAD = Lazy(r"\s{0,8}<{5,9} ?SEARCH\b")
_DIVIDER = Lazy(r"\s{0,8}={5,9}\s*$")
TAIL = Lazy(r"\s{0,8}>{5,9} ?REPLACE\b")
_PATH = Lazy(r"[\w@.~+()\[\]$%&#,\\/: -]{1,240}$")


def split_edits(lines: list[str]) -> tuple[list[str], dict[str, str]]:
    """`lines` of an answer with its edit blocks emptied, and the beginning of the new text by path.

    An edit block is a SEARCH/REPLACE block with its fence and the path above it. A fence under a line that is a path
    (a whole file, or a diff) gives the new text too, but stays where it is.
    """
    kept = list(lines)
    new: dict[str, str] = {}
    whole: dict[str, str] = {}
    fence = Fence()
    edited = False  # the fence that is open holds an edit block
    path = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        if HEAD.match(line):
            end, text = _block(lines, at)
            above = _opening(lines, at)
            for number in range(above, min(end + 1, len(lines))):
                kept[number] = ""
            named = next((p for n in range(at - 1, above - 1, -1) if (p := path_of(lines[n]))), "")
            path = named or path
            if path:
                new[path] = f"{new[path]}\n{text}"[:DETAIL] if path in new else text[:DETAIL]
            at = end + 1
            edited = bool(fence.mark)
            continue
        was = fence.mark
        fence.feed(line)
        if edited:
            kept[at] = ""
            edited = bool(fence.mark)
        if fence.mark and not was and (found := path_of(_above(lines, at))):
            whole.setdefault(found, _fenced(lines, at + 1, fence.mark))
        elif was and line.startswith("+++ ") and (found := path_of(line[4:].removeprefix("b/"))):
            whole.setdefault(found, added_text("\n".join(lines[at : at + 200])))
        at += 1
    return kept, whole | new


def path_of(line: str) -> str:
    """The path that a line consists of, without the marks around it; "" where it is none."""
    text = line.strip().strip("*`").removeprefix("#### ").rstrip(":").strip("`* ")
    if not text or text[0] in "<>=-|" or not _PATH.match(text):
        return ""
    name = re.split(r"[\\/]", text)[-1]
    if " " in text and not re.search(r"\.\w{1,10}$", name):
        return ""
    return text if "." in name[1:-1] or "/" in text or "\\" in text or name in _BARE or name.startswith(".") else ""


_BARE = {"Makefile", "Dockerfile", "LICENSE", "Procfile", "Gemfile", "Rakefile", "Vagrantfile", "Jenkinsfile"}


def _block(lines: list[str], start: int) -> tuple[int, str]:
    """The last line of the block that starts at `start`, and its new text."""
    text: list[str] = []
    room = DETAIL
    inside = False
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if TAIL.match(line):
            return at, "\n".join(text)
        if inside:
            if room > 0:
                text.append(line)
                room -= len(line) + 1
        elif _DIVIDER.match(line):
            inside = True
    return len(lines) - 1, "\n".join(text)


def _opening(lines: list[str], at: int) -> int:
    """Where the block at `at` begins with its fence and path; `at` itself where it has none."""
    first = at
    for number in range(at - 1, max(-1, at - 5), -1):
        line = lines[number].strip()
        if line.startswith(("```", "~~~")) or path_of(line):
            first = number
        elif line:
            break
    return first


def _above(lines: list[str], at: int) -> str:
    """The line above a fence, one blank line between them at most."""
    if at and lines[at - 1].strip():
        return lines[at - 1]
    return lines[at - 2] if at > 1 else ""


def _fenced(lines: list[str], start: int, mark: str) -> str:
    text: list[str] = []
    room = DETAIL
    for line in lines[start : start + 400]:
        if room <= 0 or line.strip() == mark:
            break
        text.append(line)
        room -= len(line) + 1
    return "\n".join(text)[:DETAIL]
