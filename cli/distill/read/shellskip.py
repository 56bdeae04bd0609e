"""Where quotes, substitutions and here-documents of a shell script end. What is not closed takes the rest."""

from __future__ import annotations

import re

from distill.text.lazy import Lazy

_NEST = 24  # substitutions inside quotes inside substitutions …
_SKIP = Lazy(r"['\"\\()`\n#]|<<-?")
MARK = Lazy(r"<<-?[ \t]*\\?(['\"]?)([^\s'\"();&|<>]+)\1")
_DOUBLE = Lazy(r"[\"\\`$]")


def heredoc_end(text: str, at: int, mark: str, tabs: bool) -> tuple[int, int]:
    """Where the here-document that begins at `at` ends, and where the script goes on."""
    found = re.compile(("^\t*" if tabs else "^") + re.escape(mark) + r"[ \t]*\r?$", re.M).search(text, at)
    return (found.start(), min(found.end() + 1, len(text))) if found else (len(text), len(text))


def after_double(text: str, at: int, nest: int, powershell: bool) -> int:
    """The place after the double quotes that open at `at`."""
    escape = "`" if powershell else "\\"
    at += 1
    while found := _DOUBLE.search(text, at):
        at = found.end()
        char = found[0]
        if char == '"':
            if powershell and text.startswith('"', at):
                at += 1
                continue
            return at
        if char == escape:
            at += 1
        elif char == "$" and text.startswith("(", at):
            at = after_paren(text, at, nest + 1, powershell)
    return len(text)


def after_paren(text: str, at: int, nest: int, powershell: bool) -> int:
    """The place after the bracket that matches the one at `at`."""
    if nest > _NEST:
        return len(text)
    level = 0
    marks: list[tuple[str, bool]] = []
    while found := _SKIP.search(text, at):
        char, start, at = found[0], found.start(), found.end()
        if char == "(":
            level += 1
        elif char == ")":
            level -= 1
            if level == 0:
                return at
        elif char == "'":
            stop = text.find("'", at)
            at = len(text) if stop < 0 else stop + 1
        elif char == '"':
            at = after_double(text, start, nest + 1, powershell)
        elif char == "\\" and not powershell:
            at += 1
        elif char == "#" and not powershell and text[start - 1 : start].isspace():
            stop = text.find("\n", at)
            at = len(text) if stop < 0 else stop
        elif char == "\n":
            for mark, tabs in marks:
                at = heredoc_end(text, at, mark, tabs)[1]
                at -= 1 if at < len(text) and text[at - 1] == "\n" else 0
                at = max(at, start + 1)
            marks = []
        elif char.startswith("<<") and not powershell:
            mark_found = MARK.match(text, start)
            if mark_found:
                marks.append((mark_found[2], char == "<<-"))
                at = mark_found.end()
    return len(text)
