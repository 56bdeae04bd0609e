"""What the items of a state name: files, commits, branches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from distill.classify.features import named_paths
from distill.model import Item, Kind, State, Status
from distill.reconcile.endings import path_of

LONGEST = 400  # characters of a path
_NO_FILE = re.compile(r"[*?<>|\"$%{}\n]|\[|\.\.\.|…|://")
_WEB = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|\bwww\.\S+|\S+@\S+")
_COMMIT = re.compile(r"(?<![\w/.-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}(?![\w/-]|\.\w)")
_ID = re.compile(r"Commit ([0-9a-f]{4,40})(?:: (.*))?$")
_NEAR_COMMIT = re.compile(r"\b(?:commit(?:ted)?(?:s| as)?|revision|rev|sha|HEAD)\b|提交|版本号?", re.IGNORECASE)
_NEAR = 24  # characters before an id in which it must be called a commit
_MARK = "[`'\"“「]?"
_CALLED = r"[A-Za-z0-9_](?:[A-Za-z0-9_./-]*[A-Za-z0-9_])?"
_BRANCHES = (
    re.compile(rf"\bbranch(?:es)?(?:\s+(?:named|called|is))?:?\s+({_MARK})({_CALLED})", re.IGNORECASE),
    re.compile(rf"({_MARK})({_CALLED})[`'\"”]?\s+branch\b", re.IGNORECASE),
    re.compile(rf"分支(?:名|名称)?(?:是|为|叫)?\s*[:：]?\s*({_MARK})({_CALLED})"),
    re.compile(rf"({_MARK})({_CALLED})[`'\"”」]?\s*分支"),
)
_JOINED = re.compile(r"[-_.\d]")  # "the `else` branch" is no branch of a repository
_TOLD = re.compile(r"\b(?:delet|remov|dropp|renam|moved)|\bgone\b|删|移除|去掉|改名|重命名", re.IGNORECASE)


class What(StrEnum):
    """The sort of a name."""

    FILE = "file"
    COMMIT = "commit"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A file, commit or branch that an item names.

    `sure` tells that the item stands for it (an artifact that an act proved) or calls it by its sort: other words may
    only look like a name. `subject` is that of a commit, where the item tells it.
    """

    what: What
    text: str
    item: Item
    since: str | None  # the time from which changes count
    sure: bool
    subject: str = ""


def names(state: State) -> list[Name]:
    """What the live items name, artifacts first, else in the order of the state; each name once an item."""
    live = [item for item in state.items if item.status is Status.LIVE]
    live.sort(key=lambda item: item.kind is not Kind.ARTIFACT)
    found: list[Name] = []
    told: set[tuple[What, str]] = set()
    for item in live:
        since = item.at or state.covers[1] or state.written_at
        mine: set[tuple[What, str]] = set()
        for what, text, sure, subject in _in_item(item):
            key = (what, text)
            if key in mine or (key in told and not sure):
                continue
            mine.add(key)
            found.append(Name(what=what, text=text, item=item, since=since, sure=sure, subject=subject))
        told |= mine
    return found


def is_path(text: str) -> bool:
    """Whether `text` may be the path of one file: no address, no pattern, no variable."""
    return 0 < len(text) <= LONGEST and not _NO_FILE.search(text)


def _in_item(item: Item) -> Iterator[tuple[What, str, bool, str]]:
    if item.rule == "artifact/opened":
        return  # an address
    if item.rule == "artifact/file":
        if is_path(path := path_of(item)):
            yield What.FILE, path, True, ""
        return
    if item.rule == "artifact/commit":
        if found := _ID.match(item.text):
            yield What.COMMIT, found[1], True, found[2] or ""
        return
    text = _WEB.sub(" ", item.text)
    paths = named_paths(text)
    rest = text
    for path in paths:
        rest = rest.replace(path, " ")
    if not _TOLD.search(rest):  # else it says itself what became of them
        yield from ((What.FILE, path.rstrip("."), False, "") for path in paths if is_path(path))
    for found in _COMMIT.finditer(text):
        called = _NEAR_COMMIT.search(text[max(0, found.start() - _NEAR) : found.start()])
        yield What.COMMIT, found[0], bool(called), ""
    for form in _BRANCHES:
        for mark, name in form.findall(text):
            yield What.BRANCH, name, "/" in name or bool(mark and _JOINED.search(name)), ""
