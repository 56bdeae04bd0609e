"""Whether two statements alike in their words say the same of different things: "fix login on iOS", "… on Android".

Statements are laid side by side. Where all that differs is what stands in the same slots of one frame, and both sides
have a thing of their own there, one is no rewording of the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from distill.reconcile.alignment import codes
from distill.reconcile.wording import bare
from distill.text.lazy import Lazy
from distill.text.likeness import GENERIC, NUMBER_WORDS, STOP, content, grams

SAME = 0.5  # containment of the shorter in the longer from which two statements are one
ENOUGH, MOST = 3, 0.6  # words in common that are enough; of fewer they must be most
LONG = 40  # words up to which statements are laid side by side
FRAME = 0.5  # share of the longer statement that the frame must be
BRIEF = 3  # words of a statement that shares a frame with any word
_TOKEN = Lazy(
    r"\[redacted: [^\]]*\]|`[^`]+`|[A-Za-z0-9_][\w.+#/\\:@'’-]*[\w+#]|[A-Za-z0-9_]|[一-鿿㐀-䶿]|[,，;；、]", re.ASCII
)
_DIGIT = Lazy(r"\d")
_HOW_OFTEN = frozenset(["hourly", "daily", "weekly", "monthly", "yearly"])  # no units, as their stems are
_LEAD = Lazy(r"^.{2,60}?(?:: |：)(?=\s*\S)")  # what introduces the entries of a list
_LED = Lazy(r"^(?:[^\W\d_]{2,12}|to do)\s*[:：]\s*", re.IGNORECASE)  # "Decided:", 「待办：」
_STRONG = Lazy(  # code, a letter, SQLite, camelCase, a version, a path
    r"^(?:`.*`|[A-Z]|[A-Z][\w+#.]*[A-Z\d+#]\w*|[a-z]+[A-Z]\w*|v?\d[\w.:%]*|\w+[./\\_]\w[\w./\\]*)$", re.ASCII
)
_PARTICLES = frozenset("的了是在就把被也都吧呢啊呀嘛先再要将给为成到作设定改换按走用会应该请得地着过和与及")
_JOINTS = frozenset([",", "，", ";", "；", "、", "and", "和", "与"])
_IDENTIFIED = frozenset(  # their number is a name wherever they stand: "closed issue 12"
    ["issue", "ticket", "pr", "mr", "bug", "task", "request", "story", "epic", "migration", "工单", "问题", "任务"]
)
_NUMBERED = frozenset(  # theirs is one where something is said of them: "phase 1 is done", not "we meet in room 4"
    ["phase", "step", "part", "stage", "sprint", "milestone", "chapter", "section", "queue", "bay", "room", "floor",
     "round", "batch", "gate", "lane", "module", "shard", "week", "day", "level", "question", "option", "item", "no",
     "number", "nr", "阶段", "步骤", "部分", "章节", "队列", "批次", "模块", "里程碑", "迭代"]
)
_NUMERALS = frozenset("一二三四五六七八九十")
_BEFORE_A_THING = frozenset(
    ["a", "an", "the", "of", "to", "in", "on", "for", "with", "by", "from", "via", "at", "per", "as", "into", "our",
     "your", "each", "every", "no", "under", "using", "is", "are", "be", *"在走用给为是到把从对按向由和跟"]
)


class Word(NamedTuple):
    """A word in its place."""

    stem: str
    thing: bool = False  # an identifier, a number, a letter, code: what names one thing
    led: bool = False  # a word before it says that it is a thing
    joined: bool = False  # what follows is another part of a list
    names: str = ""  # what its number names: the "phase" of "phase 1", 第 of 「第 1 阶段」


class Line(tuple[Word, ...]):
    """The words of a text in their order, with what comparing it to others asks for again and again."""

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the words."""
        return tuple([word.stem for word in self])

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems, each once."""
        return frozenset(self.stems)

    @cached_property
    def said(self) -> str:
        """All stems, to be looked into."""
        return "\n".join(self.stems).casefold()

    @cached_property
    def things(self) -> tuple[str, ...]:
        """What names one thing."""
        return tuple([word.stem.casefold() for word in self if word.thing])


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands at one place of a frame in two statements."""

    one: tuple[Word, ...]
    other: tuple[Word, ...]
    first: bool  # nothing of the frame stands before it
    last: bool


@lru_cache(maxsize=1 << 12)
def in_order(text: str) -> Line:
    """The words of `text` that carry meaning, in their order."""
    found = _TOKEN.findall(bare(_LED.sub("", text)))
    folded = [token.casefold() for token in found]
    words: list[Word] = []
    for place, token in enumerate(found):
        if token in _JOINTS or token.startswith("[redacted"):
            continue
        before = folded[place - 1] if place else ""
        after = found[place + 1] if place + 1 < len(found) else ""
        stem, thing, counts = _known(token)
        names = _names(found[max(0, place - 3) : place]) if counts and place else ""
        if names:
            stem = folded[place]
        elif _is_letter(token):
            stem = _letter(token, after)
        if stem is not None:
            words.append(Word(stem, thing, before in _BEFORE_A_THING, after in _JOINTS, names))
    return Line(words)


@lru_cache(maxsize=1 << 13)
def _known(token: str) -> tuple[str | None, bool, bool]:
    """The stem of a word, whether it names one thing, and whether it may be the number of one."""
    counts = token[0].isdigit() or token in _NUMERALS or token.casefold() in NUMBER_WORDS
    return _stem(token), bool(_STRONG.match(token)), counts


def _names(before: list[str]) -> str:
    """The word whose number follows the words `before`, "" where it is a number of its own."""
    last = before[-1].casefold()
    if last == "第":
        return last
    led = [last.rstrip("s"), last, "".join(before[-2:]), "".join(before[-3:])]
    return next((word for word in led if word in _IDENTIFIED or word in _NUMBERED), "")


def _is_letter(token: str) -> bool:
    return len(token) == 1 and token.isupper()


def _letter(token: str, after: str) -> str | None:
    """The letter of "module A", not an article."""
    return None if token in "AI" and after[:1].isascii() and after[:1].islower() else token


def _stem(token: str) -> str | None:
    if token[0] > "㏿":
        return None if token in _PARTICLES else token
    folded = token.strip("`").casefold()
    if folded.isdigit() or folded in _HOW_OFTEN:
        return folded
    if folded in STOP or folded in NUMBER_WORDS:
        return None
    return "/".join(sorted(word for word in grams(folded) if word not in GENERIC)) or None


def slots(one: Line, other: Line) -> tuple[Slot, ...]:
    """The places where two statements of one frame differ; none where they have no frame in common.

    What only one of them has is no slot, and breaks the frame where it is more than a word.
    """
    if not one or not other or max(len(one), len(other)) > LONG:
        return ()
    stems, others = one.stems, other.stems
    small, large = sorted((len(stems), len(others)))
    if one.known.isdisjoint(other.known):
        return ()
    if small > BRIEF and sum(map(one.known.__contains__, others)) < FRAME * large:
        return ()  # no frame is larger, and this is found at once
    laid = codes(stems, others)
    frame = sum([end - start for name, start, end, _, _ in laid if name == "equal"])
    brief = frame and len(laid) <= 3 and small <= BRIEF
    if frame < FRAME * large and not brief:
        return ()
    if sum([max(e1 - s1, e2 - s2) for name, s1, e1, s2, e2 in laid if name in ("insert", "delete")]) > 1:
        return ()
    found: list[Slot] = []
    for name, s1, e1, s2, e2 in laid:
        if name == "replace":
            first, last = s1 == 0, e1 == len(one) and e2 == len(other)
            mine, yours = _unmoved(one[s1:e1], other.known), _unmoved(other[s2:e2], one.known)
            if mine and yours:
                found += _apart(Slot(mine, yours, first, last))
    return tuple(found)


def _unmoved(side: tuple[Word, ...], stems: frozenset[str]) -> tuple[Word, ...]:
    """The words of one side that do not stand elsewhere in the other statement; of numbers the place counts."""
    return tuple([word for word in side if word.stem not in stems or _DIGIT.search(word.stem)])


def _apart(slot: Slot) -> list[Slot]:
    """A slot as one, or one for each of its words where all are numbers: "number 1 'q1'" is a key and its value."""
    count = len(slot.one)
    if count != len(slot.other) or not all(_DIGIT.search(word.stem) for word in (*slot.one, *slot.other)):
        return [slot]
    return [
        Slot((one,), (other,), slot.first and not place, slot.last and place == count - 1)
        for place, (one, other) in enumerate(zip(slot.one, slot.other, strict=True))
    ]


def enough(both: int, small: int) -> bool:
    """Whether two statements, the shorter of `small` words, may be one with `both` words in common."""
    return both >= max(1, SAME * small) and (both >= 2 or small <= 1) and (both >= ENOUGH or both >= MOST * small)


@lru_cache(maxsize=1 << 12)
def _lead(text: str) -> str:
    """What introduces the entries of a list, of which `text` is one; "" where nothing does."""
    found = _LEAD.match(text)
    return found[0] if found else ""


def _entries(one: str, other: str) -> bool:
    """Whether two texts are entries under one lead-in that have too little in common without it."""
    first, second = one, other
    while (lead := _lead(first)) and second.startswith(lead):
        first, second = first[len(lead) :], second[len(lead) :]
    if first == one or not second.strip():
        return False
    words, others = (content(grams(text)) or grams(text) for text in (bare(first), bare(second)))
    return not enough(len(words & others), min(len(words), len(others)))


def parallel(one: str, other: str) -> bool:
    """Whether two texts say the same of different things."""
    first, second = in_order(one), in_order(other)
    if _own(first, second) and _own(second, first):
        return True
    return any(named(slot) or _holds(slot) for slot in slots(first, second)) or _entries(one, other)


def listed(one: str, other: str) -> bool:
    """Whether two texts of one message are points of a list: the same but for a word or two in the same places.

    Nobody says the same twice in one breath with another word; from message to message it may be a synonym.
    """
    first, second = in_order(one), in_order(other)
    found = slots(first, second)
    apart = sum(max(len(slot.one), len(slot.other)) for slot in found)
    return 0 < apart <= 2 and all(_holds(slot, anywhere=True) for slot in found)


def keyed(one: str, other: str) -> bool:
    """Whether two texts are about different things: "bay 1 holds oak", "bay 2 holds elm"; "oak is dry", "elm is dry".

    A number at the very beginning is a value where nothing but numbers differs: "40 rows a page".
    """
    found = slots(in_order(one), in_order(other))
    if any(named(slot) for slot in found):
        return True
    if not found or found[0].last or any(side[-1].joined for side in (found[0].one, found[0].other)):
        return False
    if found[0].first:
        return any(not word.stem.isdigit() for slot in found for word in (*slot.one, *slot.other))
    return len(found) > 1


def named(slot: Slot) -> bool:
    """Whether the two sides are numbers that name two things."""
    one, other = slot.one[0].names, slot.other[0].names
    return one == other != "" and (not slot.last or one in _IDENTIFIED)


@lru_cache(maxsize=1 << 12)
def _numbered(text: str) -> frozenset[tuple[str, str]]:
    """The numbers in `text` that name a thing, each with what it names: ("phase", "1")."""
    words = in_order(text)
    last = len(words) - 1
    return frozenset(
        (word.names, word.stem)
        for place, word in enumerate(words)
        if word.names and (place < last or word.names in _IDENTIFIED)
    )


def of_other_numbers(one: str, other: str) -> bool:
    """Whether two texts name things of one sort by other numbers: phase 1 and phase 2."""
    first, second = _numbered(one), _numbered(other)
    return bool(first and second) and first.isdisjoint(second) and bool({n for n, _ in first} & {n for n, _ in second})


def _own(one: Line, other: Line) -> bool:
    """Whether the first names a thing that the second does not."""
    said = other.said
    return any(thing not in said for thing in one.things)


def _holds(slot: Slot, *, anywhere: bool = False) -> bool:
    """Whether both sides of a slot are things, neither of which is a longer form of the other.

    They are where they stand first, last or after what leads to a thing, or `anywhere`.
    """
    one, other = ["".join([word.stem for word in side]) for side in (slot.one, slot.other)]
    if one in other or other in one or _alike(one, other):
        return False
    return anywhere or slot.first or slot.last or (slot.one[0].led and slot.other[0].led)


def _alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: "configure" and "configuration"."""
    short = min(len(one), len(other))
    return one.isascii() and other.isascii() and short >= 4 and one[: max(4, short - 2)] == other[: max(4, short - 2)]
