"""Numbers that are values: whether two statements set them for one thing, or for two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from distill.reconcile.parallel import Line, in_order, named, slots
from distill.text.lazy import Lazy

SAID = 3  # characters that a clause must have besides its value; a Latin word counts as two
_CLAUSE = Lazy(r"[，；。！？;!?]|,\s|\.\s")
_DIGIT = Lazy(r"\d")
_UNITS = (  # of what the value of one thing may be told in either
    r"ms|s|sec(?:ond)?|min(?:ute?)?|h|hour|day|week|month|year|[kmgt]i?b|byte?|分钟?|秒钟?|毫秒|个?小时|个?钟头|天|日|周|个?星期|个?月|年"
)
_UNIT = Lazy(_UNITS, re.IGNORECASE)
_IN_UNIT = Lazy(rf"{_UNITS}|[分钟秒毫个小时天日周星期月年]", re.IGNORECASE)
#: Units of time, as stems and pairs of characters.
TIME = frozenset(
    "秒 分 天 日 周 月 年 分钟 小时 钟头 秒钟 毫秒 星期 个月 minut min hour second sec day week month year".split()
)
#: What tells of a change or a bound, and of no thing: stems, and Chinese phrases.
CHANGE = frozenset(
    "actual instead set make get mak rais lower increas reduc extend shorten bump upgrad downgrad mov move chang "
    "change switch go need want allow use keep stay run limit max maximum minimum least most up down new old now not "
    "no again back after all before plan mind scratch correction let us let's second".split()
)
CHANGES = Lazy(
    r"(?:升级|降级|升|降|放宽|调整|调|提高|改|换|移|定)[到回成为在]?|还是|统一|使用|采用|设置?为|不超过|最多|最少|至少|上限|下限|"
    r"执行|时间|次数|数量|现在|以后|[了吧再就]"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a statement in which a number stands, and the words in it that are neither number nor unit."""

    words: Line
    plain: frozenset[str]


def revalued(one: str, other: str) -> bool:
    """Whether a clause of each sets another number for the same: "CI runs on Node 18", "CI runs on Node 22 now"."""
    others = _clauses(other)
    return bool(others) and any(
        abs(len(first.plain) - len(second.plain)) <= 1
        and len(first.plain ^ second.plain) <= 1
        and _revalued(first.words, second.words)
        for first in _clauses(one)
        for second in others
    )


def of_another(one: str, other: str) -> bool:
    """Whether numbers of two statements are those of two things: the clauses of each name what the other's do not.

    What only tells of a change or a bound is no name. False where one of them has no number.
    """
    first, second = _plain(one), _plain(other)
    return bool(first and second) and all(mine - yours and yours - mine for mine in first for yours in second)


def _plain(text: str) -> list[frozenset[str]]:
    """The words of each clause with a number that name a thing."""
    text = text if text.isascii() else CHANGES.sub(" ", text)
    return [clause.plain - CHANGE for clause in _clauses(text)]


@lru_cache(maxsize=1 << 12)
def _clauses(text: str) -> tuple[Clause, ...]:
    if not _DIGIT.search(text):
        return ()
    found = []
    for part in _CLAUSE.split(text):
        if _DIGIT.search(part):
            words = in_order(part)
            plain = (word.stem for word in words if not _DIGIT.search(word.stem) and not _IN_UNIT.fullmatch(word.stem))
            found.append(Clause(words, frozenset(plain)))
    return tuple(found)


def _revalued(one: Line, other: Line) -> bool:
    found = slots(one, other)
    if len(found) != 1 or found[0].first or named(found[0]):
        return False
    frame = one[: len(one) - len(found[0].one)]
    if sum(1 if word.stem[0] > "\u33ff" else 2 for word in frame) < SAID:
        return False
    units = set()
    for side in (found[0].one, found[0].other):
        if not any(_DIGIT.search(word.stem) for word in side):
            return False
        units.add("".join(word.stem for word in side if not _DIGIT.search(word.stem)))
    return len(units) == 1 or all(_UNIT.fullmatch(unit) for unit in units)
