"""What a simple shell command does to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from distill.model import Action, ActionKind
from distill.read.shellcmdlets import CMDLETS, cmdlet_actions
from distill.read.shellplace import Place, act, base_name, join
from distill.read.shellwords import Command, Word
from distill.text.lazy import Lazy

_PY_OPEN = Lazy(r"""\bopen\(\s*(?:(["'])([^"'\n]{1,300})\1|(\w+))\s*,\s*["']([wax])""")
_PY_PATH = Lazy(r"""\bPath\(\s*(?:(["'])([^"'\n]{1,300})\1|(\w+))\s*\)\.write_(?:text|bytes)\(""")
_PY_NAME = Lazy(r"""^\s*(?:const |let |var )?(\w+)\s*=\s*(?:Path\()?(["'])([^"'\n]{1,300})\2""", re.M)
_JS_WRITE = Lazy(r"""\bwriteFileSync\(\s*(?:(["'])([^"'\n]{1,300})\1|(\w+))""")
_PY_METHOD = Lazy(r"""\b(\w+)\.write_(?:text|bytes)\(""")


def file_actions(name: str, args: list[Word], command: Command, piped: str, place: Place) -> Iterator[Action]:
    """What the command `name` does to files, redirections included; `piped` is the text it gets from a pipe."""
    content = _content(name, args, command, piped)
    for op, word in command.writes:
        path = place.shown(word)
        if path and not path.endswith(".log") and not path.endswith("nohup.out"):
            yield act(ActionKind.WROTE if op == ">" else ActionKind.EDITED, path, content)
    run = _COMMANDS.get(name)
    if run is not None:
        yield from run(name, args, content, place)
    elif name in CMDLETS:
        yield from cmdlet_actions(name, args, content, place)
    elif name in _INTERPRETERS:
        yield from _inline(args, command.body or piped, place)


def touches(name: str, command: Command) -> bool:
    """Whether the command `name` is one that can do something to files."""
    return bool(command.writes) or name in _COMMANDS or name in CMDLETS or name in _INTERPRETERS


def _content(name: str, args: list[Word], command: Command, piped: str) -> str:
    if command.body and name not in _INTERPRETERS:
        return command.body
    if name in ("echo", "printf", "write-output"):
        return " ".join(word.text for word in args if word.text not in ("-e", "-n", "-ne", "-en"))
    return piped if name in ("cat", "tee", "set-content", "out-file", "add-content", "sc") else ""


def _plain(args: list[Word], valued: str = "") -> list[Word]:
    """The arguments that are no options; options in `valued` (blank-separated) take the next word along."""
    takes = valued.split()
    found: list[Word] = []
    skip = rest = False
    for word in args:
        if skip:
            skip = False
        elif rest or not word.text.startswith("-") or word.text == "-":
            found.append(word)
        elif word.text == "--":
            rest = True
        elif word.text in takes:
            skip = True
    return found


def _pairs(args: list[Word], place: Place) -> Iterator[tuple[str, str]]:
    """Old and new path of every file a copy or a move names."""
    plain = _plain(args, "-S -t --suffix -m -o -g")
    if len(plain) < 2 or not plain[-1].fixed:
        return
    *sources, goal = plain
    folder = len(sources) > 1 or goal.text.endswith(("/", "\\")) or goal.text in (".", "..")
    for source in sources:
        if folder and not source.fixed:
            continue
        word = Word(join(goal.text, base_name(source.text))) if folder else goal
        if target := place.shown(word):
            yield place.shown(source) or (source.text if source.fixed else ""), target


def _copy(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    for _, target in _pairs(args, place):
        yield act(ActionKind.WROTE, target)


def _move(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    for source, target in _pairs(args, place):
        yield act(ActionKind.MOVED, target, source)


def _remove(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    for word in _plain(args):
        if path := place.shown(word):
            yield act(ActionKind.DELETED, path.rstrip("/") or path)


def _touch(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    for word in _plain(args, "-d -r -t -A"):
        if path := place.shown(word):
            yield act(ActionKind.WROTE, path)


def _link(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    plain = _plain(args)
    if len(plain) == 2 and (path := place.shown(plain[1])):
        yield act(ActionKind.WROTE, path)


def _tee(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    more = any(word.text in ("-a", "--append") for word in args)
    for word in _plain(args):
        path = place.shown(word)
        if path and not path.endswith(".log"):
            yield act(ActionKind.EDITED if more else ActionKind.WROTE, path, content)


def _edit_in_place(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    scripts: list[str] = []
    files: list[Word] = []
    inside = script_given = after = False
    for word in args:
        text = word.text
        if after:
            scripts.append(text)
            after = False
        elif text.startswith(("-i", "--in-place")):
            inside = True
        elif text in ("-e", "-f", "--expression", "--file", "-pe", "-ne"):
            script_given = after = True
        elif name == "perl" and re.fullmatch(r"-(?!M)[0-9a-zA-Z]*i[0-9a-zA-Z.]*", text):
            inside = script_given = True
            after = text.endswith("e")
        elif text.startswith("-") or not text:  # BSD's sed takes an empty suffix
            continue
        elif script_given or scripts:
            files.append(word)
        else:
            scripts.append(text)
    if not inside:
        return
    for word in files:
        if path := place.shown(word):
            yield act(ActionKind.EDITED, path, "\n".join(scripts))


def _download(name: str, args: list[Word], content: str, place: Place) -> Iterator[Action]:
    flags = ("-o", "--output") if name == "curl" else ("-O", "--output-document")
    for flag, word in pairwise(args):
        if flag.text in flags and (path := place.shown(word)):
            yield act(ActionKind.WROTE, path)


def _inline(args: list[Word], body: str, place: Place) -> Iterator[Action]:
    """Files that a program given on the command line writes under names that stand in it."""
    program = body
    for flag, word in pairwise(args):
        if flag.text in ("-c", "-e"):
            program = word.text
    if not program or "write" not in program:
        return
    names = {found[1]: found[3] for found in _PY_NAME.finditer(program)}
    seen: set[str] = set()
    patterns = (_PY_OPEN, _PY_PATH, _JS_WRITE)
    hits = [
        (found.start(), found[2] or names.get(found[3], ""))
        for pattern in patterns
        for found in pattern.finditer(program)
    ]
    hits += [(found.start(), names.get(found[1], "")) for found in _PY_METHOD.finditer(program)]
    read_first = bool(re.search(r"\.read\(\)|\.read_text\(|readFileSync\(|\.readlines\(", program))
    for _, name in sorted(hits):
        path = place.shown(Word(name)) if name else ""
        if path and path not in seen:
            seen.add(path)
            yield act(ActionKind.EDITED if read_first else ActionKind.WROTE, path, program)


_INTERPRETERS = frozenset({"python", "python3", "py", "node", "bun", "deno"})
_COMMANDS = {
    "cp": _copy,
    "mv": _move,
    "rm": _remove,
    "rmdir": _remove,
    "unlink": _remove,
    "touch": _touch,
    "ln": _link,
    "tee": _tee,
    "sed": _edit_in_place,
    "gsed": _edit_in_place,
    "perl": _edit_in_place,
    "curl": _download,
    "wget": _download,
}
#: Commands that seldom fail: where a chain failed, one of the others did.
PLUMBING = (
    (frozenset(_COMMANDS) - {"curl", "wget"})
    | CMDLETS
    | {"echo", "printf", "cat", "mkdir", "cd", "ls", "pwd", "true", "chmod", "export", "set"}
)
