"""What takes an open item or a file off the list: words that say it is done, a choice that settles it, its deletion."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distill.model import Item
from distill.text.likeness import content, grams, numbers

_FRAME = frozenset(
    "open todo question pending remain left still tbd finish complete done close resolve fix implement handle later next step"
    " task item pick choose select decid whether which 待办 还要 还需 需要 待定 尚未 完成 已完 解决 处理 补充 已补 选择 确认".split()
)
_CHOICE = re.compile(
    r"\?|？|\b(?:pick|choose|chose|select|decide|decision|which|whether|what|confirm|settle|agree on|tbd|undecided|unclear|or)\b"
    r"|待定|待确认|选|决定|确认|哪|是否|要不要|还是|不确定|没定|未定",
    re.IGNORECASE,
)
_NAME_END = re.compile(r": | \(")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words of a log (or a path) and their time."""

    text: str
    time: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """What one log says to be finished, and the files it deleted."""

    finished: tuple[Said, ...] = ()
    deleted: tuple[Said, ...] = ()


def finishes(said: str, open_text: str) -> bool:
    """Whether words that say that something is done speak of this open item: most of what it is about stands in them."""
    wanted, words = _subject(open_text), _subject(said)
    both = len(wanted & words)
    if not both or _other_numbers(said, open_text):
        return False
    if len(wanted) == 1:
        return len(words) <= 4
    return both >= 2 and both * 5 >= len(wanted) * 3


def settles(decision: str, open_text: str) -> bool:
    """Whether a decision answers an open choice: all that the choice is about stands in it."""
    wanted = _subject(open_text)
    return bool(wanted) and bool(_CHOICE.search(open_text)) and wanted <= _subject(decision) | grams(decision)


def path_of(item: Item) -> str:
    """The path, commit or address that names an artifact proved by an act; "" for every other item."""
    if item.rule not in ("artifact/file", "artifact/commit", "artifact/opened"):
        return ""
    if item.rule == "artifact/opened":
        return item.text.rsplit(": ", 1)[-1] if "://" in item.text else item.text
    return _NAME_END.split(item.text, maxsplit=1)[0] if item.rule == "artifact/file" else item.text


def is_gone(path: str, deleted: str) -> bool:
    """Whether deleting `deleted` (a file or folder) took `path` away; either may be given from another folder."""
    one, other = (text.replace("\\", "/").removeprefix("./").rstrip("/") for text in (path, deleted))
    if not one or not other:
        return False
    return one == other or one.startswith(other + "/") or one.endswith("/" + other) or other.endswith("/" + one)


def _subject(text: str) -> frozenset[str]:
    return content(grams(text)) - _FRAME


def _other_numbers(one: str, other: str) -> bool:
    first, second = numbers(one), numbers(other)
    return bool(first and second and not first & second)
