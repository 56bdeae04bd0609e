"""What takes an open item or a file off the list: words that say it is done, a choice that settles it, its deletion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from distill.model import Item
from distill.text.likeness import content, grams, numbers

SHORT = 4  # words of a statement that may finish an item of one word
_FRAME = frozenset(
    [
        "open",
        "todo",
        "question",
        "pending",
        "remain",
        "left",
        "still",
        "tbd",
        "finish",
        "complete",
        "done",
        "close",
        "resolve",
        "fix",
        "implement",
        "handle",
        "later",
        "next",
        "step",
        "task",
        "item",
        "pick",
        "choose",
        "select",
        "decid",
        "whether",
        "which",
        "待办",
        "还要",
        "还需",
        "需要",
        "待定",
        "尚未",
        "完成",
        "已完",
        "解决",
        "处理",
        "补充",
        "已补",
        "选择",
        "确认",
    ]
)
_ASKING = frozenset("选哪吗呢么")  # a pair of characters with one of these asks
_CHOICE = re.compile(
    r"\?|？|\b(?:pick|choose|chose|select|decide|decision|which|whether|what|confirm|settle|agree on|tbd|undecided|"
    r"unclear|or)\b"
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


class Closer:
    """Finds what ends an item. Looks at those words alone that an item shares with the log."""

    def __init__(self, endings: Endings, decisions: Sequence[Item]) -> None:
        """`decisions` are those that the log brought."""
        self._finished = _Words(endings.finished)
        self._decisions = _Words([Said(text=one.text, time=one.at) for one in decisions])
        self._items = list(decisions)
        self._deleted: dict[str, list[Said]] = {}
        for one in endings.deleted:
            self._deleted.setdefault(_plain(one.text).rpartition("/")[2], []).append(one)

    def finished(self, item: Item) -> Said | None:
        """The words that say that an open item is done: most of what it is about stands in them."""
        wanted = _subject(item.text)
        for number, both in self._finished.sharing(wanted):
            said = self._finished.said[number]
            if _earlier(said.time, item.at) or _other_numbers(said.text, item.text):
                continue
            if len(wanted) == 1 and len(self._finished.words[number]) <= SHORT:
                return said
            if both >= 2 and both * 5 >= len(wanted) * 3:
                return said
        return None

    def settled(self, item: Item) -> Item | None:
        """The decision that answers an open choice: all that the choice is about stands in it."""
        if not _CHOICE.search(item.text):
            return None
        wanted = _subject(item.text)
        for number, both in self._decisions.sharing(wanted):
            if both < len(wanted) or _earlier(self._decisions.said[number].time, item.at):
                continue
            if len(wanted) > 1 or len(self._decisions.words[number]) < SHORT:
                return self._items[number]
        return None

    def gone(self, item: Item) -> bool:
        """Whether the file that an item names was deleted, alone or with its folder."""
        path = _plain(path_of(item))
        return any(
            not _earlier(one.time, item.at) and _took(_plain(one.text), path)
            for name in dict.fromkeys(path.split("/"))
            for one in self._deleted.get(name, ())
        )


class _Words:
    """Texts by the words that say what they are about."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.said = said
        self.words = [_subject(one.text) for one in said]
        self._places: dict[str, list[int]] = {}
        for number, words in enumerate(self.words):
            for word in words:
                self._places.setdefault(word, []).append(number)

    def sharing(self, wanted: Iterable[str]) -> list[tuple[int, int]]:
        """The numbers of the texts that share words with `wanted` and how many, in order."""
        shared: Counter[int] = Counter()
        for word in wanted:
            shared.update(self._places.get(word, ()))
        return sorted(shared.items())


def path_of(item: Item) -> str:
    """The path, commit or address that names an artifact proved by an act; "" for every other item."""
    if item.rule == "artifact/file":
        return _NAME_END.split(item.text, maxsplit=1)[0]
    if item.rule == "artifact/opened":
        return item.text.rsplit(": ", 1)[-1]
    return item.text if item.rule == "artifact/commit" else ""


def _took(deleted: str, path: str) -> bool:
    """Whether deleting one path took the other away; either may be written from another folder."""
    if not deleted or not path:
        return False
    if deleted == path or path.startswith(deleted + "/"):
        return True
    short, long = sorted((deleted, path), key=len)
    return "/" in short and long.endswith("/" + short)


def _plain(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").rstrip("/")


def _subject(text: str) -> frozenset[str]:
    """The words of what a text is about, without those that ask, choose or tell how far it is."""
    return frozenset(word for word in content(grams(text)) - _FRAME if not _ASKING.intersection(word))


def _other_numbers(one: str, other: str) -> bool:
    first, second = numbers(one), numbers(other)
    return bool(first and second and not first & second)


def _earlier(one: str | None, other: str | None) -> bool:
    return bool(one and other and one < other)
