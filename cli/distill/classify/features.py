"""What can be seen of a statement alone: its form, its place in the message, the heading above it."""

from __future__ import annotations

import re

from distill.model import Role, Shape, Statement
from distill.text.language import width

_CODE = re.compile(r"`[^`\n]{1,120}`|\b\w+\.\w{1,4}\b|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|--[a-z][\w-]+")
_PATH = re.compile(r"(?:[\w.~-]+[/\\])+[\w.-]+|\b[\w-]+\.(?:py|js|ts|tsx|jsx|vue|go|rs|java|md|json|ya?ml|toml|sql|sh|css|html?)\b")
_PATH_FIRST = re.compile(
    r"^(?:(?:new|updated|created|modified|added|新增|修改|新建)[:：]?\s+)?[`*]{0,3}((?:[\w.@~-]+[/\\])*[\w.@-]+\.\w{1,10}|(?:[\w.@~-]+[/\\])+[\w.@-]+/?)[`*]{0,3}"
    r"(?:\s*[（(][^()（）]{0,40}[)）])?\s*(?:[:：—–]|-(?=\s)|→|=>)\s*(\S.*)$",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"\d+(?:\.\d+)?\s*(?:%|ms|s|sec|min|h|days?|hours?|minutes?|seconds?|lines?|files?|tests?|rows?|[KMG]i?B|px|x|times|个|台|秒|分钟"
    r"|小时|天|行|条|次|张|周|项|万|倍|字节|人)\b|\d+\s*[个台秒分小天行条次张周项万倍人]"
)
_LABEL = re.compile(r"^[`*]{0,3}[^:：。.!?]{1,40}[`*]{0,3}[:：]\s*\S")
_ARROW = re.compile(r"→|->|=>|⇒|➜")
_TICK = re.compile(r"[✅☑✔✓]|\[[xX]\]")
_CROSS = re.compile(r"[❌✗✘]")


def described_path(text: str) -> tuple[str, str] | None:
    """The path a line begins with and what it says of it ("src/a.py - parses the file"), or None."""
    found = _PATH_FIRST.match(text)
    return (found[1], found[2]) if found else None


def shape_signals(statement: Statement, raw: str) -> set[str]:
    """The names of the signals that form and place give; `raw` is the statement with its markup."""
    text = statement.text
    found: set[str] = set()
    size = width(text)
    if statement.role is not Role.ASSISTANT:
        found.add("user")
    if _CODE.search(text):
        found.add("code_span")
    if any(char.isdigit() for char in text):
        found.add("digit")
        if _QUANTITY.search(text):
            found.add("quantity")
    if _LABEL.match(text):
        found.add("label_value")
    if _ARROW.search(text):
        found.add("arrow")
    if "**" in raw:
        found.add("bold")
    if statement.shape is Shape.BULLET:
        found.add("bullet")
        if statement.mark.isdigit():
            found.add("numbered")
    if statement.shape is Shape.ROW:
        found.add("row")
    if _TICK.search(raw) or statement.checked:
        found.add("tick")
    if _CROSS.search(raw):
        found.add("cross")
    if _PATH.search(text):
        found.add("path")
    if described_path(text):
        found.add("path_first")
    if size < 16:
        found.add("tiny")
    elif size < 28:
        found.add("short")
    elif size > 400:
        found.add("endless")
    elif size >= 60:
        found.add("long")
    if text.rstrip("`*_ ").endswith((":", "：")):
        found.add("colon_end")
    if text.rstrip("`*_ \"”)）").endswith(("?", "？")):
        found.add("asks")
    if statement.count > 60:
        found.add("crowded")
    return found
