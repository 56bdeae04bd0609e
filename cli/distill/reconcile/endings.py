"""What takes an open item or a file off the list: words that say it is done, a choice that settles it, its deletion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from distill.model import Item, Kind, Status
from distill.reconcile.merge import Group
from distill.reconcile.over import allows, asks_for, for_now, given_up, gives_up, names_all, ordered, withheld
from distill.reconcile.said import Endings, Said
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams, numbers

_LISTED = frozenset(["open/failed-push"])  # acts tell its end
_MENDING = frozenset(["fix", "repair", "resolv", "solv", "mend", "修复", "修", "解决"])  # a fault asks for no deed
_BANS = frozenset(["decision/prohibition", "decision/hold"])
FILE = "artifact/file"
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
        "known",
        "bug",
        "issue",
        "pick",
        "choose",
        "select",
        "decid",
        "whether",
        "which",
        "known",
        "issue",
        "issu",
        "bug",
        "problem",
        "defect",
        "已知",
        "知问",
        "知缺",
        "问题",
        "缺陷",
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
_HOW_FAR = Lazy(  # of Chinese, in which pairs of characters would join it to what stands beside it
    r"^第?\s*[一二三四五六七八九十\d]{1,2}\s*步\s*[:：]|^(?:已知(?:问题|缺陷)|遗留(?:问题)?|待办|待解决|待处理)\s*[:：]|(?:暂时|目前)?(?:还|尚)?(?:没|未)(?:有)?(?:修复|修|处理|解决|做|写|补)(?:好|完)?"
)
_ASKING = frozenset("选哪吗呢么")  # a pair of characters with one of these asks
_CHOICE = Lazy(
    r"\?|？|\b(?:pick|choose|chose|select|decide|decision|which|whether|what|confirm|settle|agree on|tbd|undecided|"
    r"unclear|or)\b"
    r"|待定|待确认|选|决定|确认|哪|是否|要不要|还是|不确定|没定|未定",
    re.IGNORECASE,
)
_MISSING = Lazy(  # a file; not something in it
    r"\b(?:missing|does(?: not|n't|n’t) exist|not there|to (?:write|create|add)|^(?:todo: )?(?:write|create|add))\b"
    r"|缺(?:少|失)?|不存在|还没有|没写|待写|新建|创建|编写|(?<![填改])写",
    re.IGNORECASE,
)
_NAME_END = Lazy(r": | \(")


class Closer:
    """Finds what ends an item. Looks at those words alone that an item shares with the log."""

    def __init__(self, endings: Endings, decisions: Sequence[Item]) -> None:
        """`decisions` are those that the log brought."""
        self._finished = _Words(endings.finished)
        self._decisions = _Words([Said(text=one.text, time=one.at) for one in decisions])
        self._items = list(decisions)
        self._given_up = [one for one in endings.dropped if gives_up(one.text)]
        self._ordered = [(ordered(one.text), one) for one in endings.dropped if ordered(one.text)]
        self._allowed = [one for one in endings.dropped if allows(one.text)]
        self._undone = {one.text: one for one in endings.finished if one.text.startswith("Revert ")}
        self._deleted: dict[str, list[Said]] = {}
        for one in endings.deleted:
            self._deleted.setdefault(_plain(one.text).rpartition("/")[2], []).append(one)

    def finished(self, item: Item) -> Said | None:
        """The words that say that an open item is done: most of what it is about stands in them."""
        return self._done(item.text, lambda said: not _earlier(said.time, item.at))

    def finished_after(self, text: str, record: int) -> Said | None:
        """The words after `record` of the same log that say that the open item `text` is done."""
        return self._done(text, lambda said: said.record > record)

    def _done(self, text: str, counts: Callable[[Said], bool]) -> Said | None:
        wanted = about(text)
        for number, both in self._finished.sharing(wanted):
            said, words = self._finished.said[number], self._finished.words[number]
            enough = _carried_out(text, wanted, said, words) if said.verbs else _enough(both, wanted, words)
            if enough and counts(said) and not other_numbers(said.text, text):
                return said
        return None

    def made(self, item: Item, files: Iterable[Item]) -> Item | None:
        """The file, created since, that an open item says to be missing or asks to be written."""
        if not _MISSING.search(item.text):
            return None
        named = (one for one in files if "created" in one.tags and _names(item.text, path_of(one)))
        return next((one for one in named if not _earlier(one.at, item.at)), None)

    def dropped(self, item: Item) -> Said | None:
        """The words by which an open item is given up."""
        return self._dropped(item.text, lambda said: not _earlier(said.time, item.at))

    def _dropped(self, text: str, counts: Callable[[Said], bool]) -> Said | None:
        if not self._given_up:
            return None
        wanted = about(text)
        for said in self._given_up:
            words = about(said.text)
            named = about(given_up(said.text))  # "forget the logo" need not say what was to be done with it
            enough = _enough(len(wanted & words), wanted, words) or bool(named and named <= wanted)
            if counts(said) and enough and not other_numbers(said.text, text):
                return said
        return None

    def lifted(self, item: Item) -> Said | None:
        """The words that end what a decision forbids, or keeps for the moment."""
        return self._lifted(item.text, item.rule, lambda said: not _earlier(said.time, item.at))

    def over_after(self, kind: Kind, text: str, rule: str, record: int) -> bool:
        """Whether words after `record` of the same log give up what is open, lift what a decision lays down, or tell
        that a file was deleted.
        """
        if kind is Kind.OPEN:
            return self._dropped(text, lambda said: said.record > record) is not None
        if kind is Kind.DECISION:
            return self._lifted(text, rule, lambda said: said.record > record) is not None
        return rule == FILE and self._gone(_NAME_END.split(text, maxsplit=1)[0], lambda said: said.record > record)

    def _lifted(self, text: str, rule: str, counts: Callable[[Said], bool]) -> Said | None:
        if rule in _BANS and (deed := withheld(text)):
            told = next((said for verb, said in self._ordered if verb == deed and counts(said)), None)
            if told:
                return told
        heard = [*(self._allowed if rule in _BANS else ()), *(self._given_up if for_now(text) else ())]
        return next((said for said in heard if counts(said) and said.text != text and names_all(said.text, text)), None)

    def settled(self, item: Item) -> Item | None:
        """The decision that answers an open choice: all that the choice is about stands in it."""
        if not _CHOICE.search(item.text):
            return None
        wanted = about(item.text)
        for number, both in self._decisions.sharing(wanted):
            if _earlier(self._decisions.said[number].time, item.at):
                continue
            if _all(both, wanted, self._decisions.words[number]):
                return self._items[number]
        return None

    def gone(self, item: Item) -> bool:
        """Whether the file that an item names was deleted, alone or with its folder, or its commit reverted."""
        if item.rule == "artifact/commit":
            undone = self._undone.get(f'Revert "{item.text.partition(": ")[2]}"')
            return undone is not None and not _earlier(undone.time, item.at)
        return self._gone(path_of(item), lambda said: not _earlier(said.time, item.at))

    def _gone(self, path: str, counts: Callable[[Said], bool]) -> bool:
        path = _plain(path)
        return any(
            counts(one) and _took(_plain(one.text), path)
            for name in dict.fromkeys(path.split("/"))
            for one in self._deleted.get(name, ())
        )


def answers(decision: str, question: str) -> bool:
    """Whether a decision settles an open choice."""
    wanted, said = about(question), about(decision)
    return bool(_CHOICE.search(question)) and _all(len(wanted & said), wanted, said)


def carries_out(deed: str, task: str) -> bool:
    """Whether what was made is what an open item asks for."""
    wanted, said = about(task), about(deed)
    return _enough(len(wanted & said), wanted, said) and not other_numbers(deed, task)


def _all(both: int, wanted: AbstractSet[str], said: AbstractSet[str]) -> bool:
    """Whether all that is wanted is said, of which `both` is the number."""
    return 0 < len(wanted) == both and (len(wanted) > 1 or len(said) < SHORT)


def _enough(both: int, wanted: AbstractSet[str], said: AbstractSet[str]) -> bool:
    """Whether most of what is wanted is said; of a single word, whether little else is."""
    if len(wanted) == 1:
        return both == 1 and len(said) <= SHORT
    return both >= 2 and both * 5 >= len(wanted) * 3


def _carried_out(task: str, wanted: AbstractSet[str], said: Said, words: AbstractSet[str]) -> bool:
    """Whether what is said to be done is what the task asks for: the same deed, and most of what it is done to."""
    deeds = asks_for(task, said.verbs)
    if not deeds:
        return bool(said.verbs & _MENDING) and _enough(len(wanted & words), wanted, words)
    things = frozenset(word for word in wanted - deeds if not _straddles(word, said.verbs))
    both = len(things & words)
    if not things:
        return False
    return both == len(things) <= 2 or (both >= 2 and both * 5 >= len(things) * 3)


def _straddles(word: str, verbs: AbstractSet[str]) -> bool:
    """Whether a pair of Chinese characters holds the end of a verb and the beginning of what it is done to."""
    return len(word) == 2 and any(not verb.isascii() and word[0] == verb[-1] and word != verb for verb in verbs)


def finish(groups: Iterable[Group], endings: Endings) -> None:
    """Close the open groups of a log that its own later words say to be done, and the bans that they lift.

    What is said to be done after the last word of a to-do list counts, though the list does not know it.
    """
    closer = Closer(endings, ())
    for group in groups:
        if group.status is not Status.LIVE or group.best.rule in _LISTED:
            continue
        text, record = group.best.text, group.order[1]
        if group.kind is Kind.OPEN and closer.finished_after(text, record) is not None:
            group.status = Status.RESOLVED
        elif closer.over_after(group.kind, text, group.best.rule, record):
            group.status = Status.SUPERSEDED


class _Words:
    """Texts by the words that say what they are about."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.said = said
        self.words = [about(one.text) for one in said]
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
    if item.rule == FILE:
        return _NAME_END.split(item.text, maxsplit=1)[0]
    if item.rule == "artifact/opened":
        return item.text.rsplit(": ", 1)[-1]
    return item.text if item.rule == "artifact/commit" else ""


def _names(text: str, path: str) -> bool:
    """Whether `text` names the file, by its path or the end of it that says which."""
    return bool(path) and re.search(rf"(?<![\w./-]){re.escape(_plain(path))}(?![\w/-]|\.\w)", _plain(text)) is not None


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


def about(text: str) -> frozenset[str]:
    """The words of what a text is about, without those that ask, choose or tell how far it is."""
    text = text if text.isascii() else _HOW_FAR.sub(" ", text)
    return frozenset(word for word in content(grams(text)) - _FRAME if not _ASKING.intersection(word))


def other_numbers(one: str, other: str) -> bool:
    """Whether both texts name numbers, and none in common."""
    first, second = numbers(one), numbers(other)
    return bool(first and second and not first & second)


def _earlier(one: str | None, other: str | None) -> bool:
    return bool(one and other and one < other)
