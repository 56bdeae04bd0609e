"""Patches to actions: the "*** Begin Patch" grammar, unified git diffs, and paths as they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distill.model import Action, ActionKind
from distill.text.lazy import Lazy

DETAIL = 2000  # characters of new text an action carries
_DRIVE = Lazy(r"[A-Za-z]:[\\/]")
_HUNK = Lazy(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ESCAPE = Lazy(r"\\([0-7]{3}|.)")


def absolute(path: str) -> bool:
    """Whether `path` starts at a root, a drive, a home folder or a variable's value."""
    return path.startswith(("/", "\\", "~")) or bool(_DRIVE.match(path))


def relative(path: str, cwd: str) -> str:
    r"""`path` as it is shown: relative to `cwd` when it lies below it, without a leading "./".

    Takes POSIX and Windows paths (drive letters and letter case do not matter there); slashes stay as they were.
    """
    if cwd[:1] == "/" and path.startswith(cwd) and path[len(cwd) : len(cwd) + 1] == "/" and cwd[-1] not in "/\\":
        below = path[len(cwd) + 1 :]
        if below and below[0] not in "/\\" and not below[-1].isspace():
            return below  # by far the most frequent
    path = path.strip()
    if path.startswith("file://"):
        path = path[7:]
    while path.startswith(("./", ".\\")):
        path = path[2:].lstrip("/") if path[1] == "/" else path[2:].lstrip("\\")
    base = cwd.rstrip("/\\")
    if not base or len(path) <= len(base) + 1 or path[len(base)] not in "/\\":
        return path
    head = path[: len(base)]
    if head == base or (_DRIVE.match(base) and _alike(head) == _alike(base)):
        return path[len(base) + 1 :].lstrip("/\\") or path
    return path


def _alike(path: str) -> str:
    return path.replace("\\", "/").casefold()


def patch_actions(patch: str, *, done: bool, cwd: str = "") -> tuple[Action, ...]:
    """What a patch in the "*** Begin Patch" grammar writes, edits, moves and deletes; `done` says whether it took."""
    found: list[Action] = []
    kind: ActionKind | None = None
    path = moved = ""
    added: list[str] = []

    def close() -> None:
        if kind is None:
            return
        target = relative(path, cwd)
        if moved:
            found.append(Action(kind=ActionKind.MOVED, target=relative(moved, cwd), detail=target, done=done))
            target = relative(moved, cwd)
        if not moved or added:
            found.append(Action(kind=kind, target=target, detail="\n".join(added)[:DETAIL], done=done))

    room = DETAIL
    for line in patch.split("\n"):
        line = line.rstrip("\r")
        if line.startswith("*** "):
            head, _, rest = line[4:].partition(": ")
            if head in _FILES:
                close()
                kind, path, moved, added, room = _FILES[head], rest.strip(), "", [], DETAIL
            elif head == "Move to":
                moved = rest.strip()
            elif line.startswith("*** End Patch"):
                close()
                kind = None
        elif line.startswith("+") and room > 0:
            added.append(line[1:])
            room -= len(line)
    close()
    return tuple(found)


_FILES = {
    "Add File": ActionKind.WROTE,
    "Update File": ActionKind.EDITED,
    "Delete File": ActionKind.DELETED,
}


def diff_actions(diff: str, *, done: bool, cwd: str = "") -> tuple[Action, ...]:
    """What a unified diff (git's, or plain with "---" and "+++" lines) does to files; `done` says whether it took."""
    found: list[Action] = []
    old = new = ""
    kind: ActionKind | None = None
    added: list[str] = []
    room = DETAIL
    left = [0, 0]  # lines of the hunk still to come, old and new: inside it "--- a" is a removed line

    def close() -> None:
        if kind is None:
            return
        target = relative(new or old, cwd)
        if kind is ActionKind.MOVED:
            found.append(Action(kind=kind, target=target, detail=relative(old, cwd), done=done))
            if added:
                text = "\n".join(added)[:DETAIL]
                found.append(Action(kind=ActionKind.EDITED, target=target, detail=text, done=done))
        else:
            found.append(Action(kind=kind, target=target, detail="\n".join(added)[:DETAIL], done=done))

    for line in diff.split("\n"):
        line = line.rstrip("\r")
        mark = line[:1]
        if left[0] > 0 or left[1] > 0:
            if mark == "+":
                left[1] -= 1
                if room > 0:
                    added.append(line[1:])
                    room -= len(line)
                continue
            if mark in ("-", " ", ""):
                left[0] -= 1
                left[1] -= mark != "-"
                continue
            if mark == "\\":
                continue
            left = [0, 0]
        if line.startswith("diff --git "):
            close()
            kind, added, room = ActionKind.EDITED, [], DETAIL
            old, new = _git_names(line[11:])
        elif line.startswith("new file mode"):
            kind = ActionKind.WROTE
        elif line.startswith("deleted file mode"):
            kind = ActionKind.DELETED
        elif line.startswith("rename from "):
            kind, old = ActionKind.MOVED, _name(line[12:])
        elif line.startswith("rename to "):
            new = _name(line[10:])
        elif line.startswith("--- "):
            name = _name(line[4:])
            if kind is None or added or (kind is ActionKind.EDITED and old and name not in (old, "/dev/null")):
                close()
                kind, added, room, new = ActionKind.EDITED, [], DETAIL, ""
            if name == "/dev/null":
                kind = ActionKind.WROTE
            elif kind is not ActionKind.MOVED:
                old = name
        elif line.startswith("+++ ") and kind is not None:
            name = _name(line[4:])
            if name == "/dev/null":
                kind, new = ActionKind.DELETED, old
            else:
                new = name
        elif hunk := _HUNK.match(line):
            left = [int(hunk[1] or 1), int(hunk[2] or 1)]
    close()
    return tuple(found)


def change_actions(changes: Mapping[str, Any], *, done: bool, cwd: str = "") -> tuple[Action, ...]:
    """What a map from path to change does, as patch events hold it.

    A change is `{"type": "add"|"update"|"delete", "content"|"unified_diff", "move_path"}`, or `{"add": {...}}` etc.
    """
    found: list[Action] = []
    for path, change in changes.items():
        if not isinstance(change, dict):
            continue
        kind = change.get("type")
        if not isinstance(kind, str):
            kind = next((k for k in ("add", "update", "delete") if isinstance(change.get(k), dict)), "update")
            change = change.get(kind) if isinstance(change.get(kind), dict) else change
        content, diff, moved = change.get("content"), change.get("unified_diff"), change.get("move_path")
        target = relative(path, cwd)
        if kind == "delete":
            found.append(Action(kind=ActionKind.DELETED, target=target, done=done))
            continue
        if isinstance(moved, str) and moved:
            found.append(Action(kind=ActionKind.MOVED, target=relative(moved, cwd), detail=target, done=done))
            target = relative(moved, cwd)
        text = content if isinstance(content, str) else added_text(diff if isinstance(diff, str) else "")
        if not moved or text:
            what = ActionKind.WROTE if kind == "add" else ActionKind.EDITED
            found.append(Action(kind=what, target=target, detail=text[:DETAIL], done=done))
    return tuple(found)


def added_text(diff: str) -> str:
    """The added lines of a diff, at most `DETAIL` characters."""
    added: list[str] = []
    room = DETAIL
    for line in diff.split("\n"):
        if line.startswith("+") and not line.startswith("+++ "):
            added.append(line[1:].rstrip("\r"))
            room -= len(line)
            if room <= 0:
                break
    return "\n".join(added)[:DETAIL]


def _git_names(rest: str) -> tuple[str, str]:
    """The two names after "diff --git": equal unless renamed, so that blanks in them do no harm."""
    half = len(rest) // 2
    if len(rest) % 2 and rest[half] == " ":
        old, new = _name(rest[:half]), _name(rest[half + 1 :])
        if old == new:
            return old, new
    old, _, new = rest.partition(" b/")
    return _name(old), new.strip('"')


def _name(text: str) -> str:
    text = text.split("\t")[0].strip()
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        text = _unquote(text[1:-1])
    return text[2:] if text[:2] in ("a/", "b/") else text


def _unquote(text: str) -> str:
    """A name as git quotes it: octal escapes of UTF-8 bytes."""
    raw = bytearray()
    at = 0
    for found in _ESCAPE.finditer(text):
        raw += text[at : found.start()].encode("utf-8", "replace")
        code = found[1]
        raw += bytes([int(code, 8) & 255]) if len(code) == 3 else code.encode("utf-8", "replace")
        at = found.end()
    raw += text[at:].encode("utf-8", "replace")
    return raw.decode("utf-8", "replace")
