"""What a statement is about and what it says of it, so that a later choice can be told to replace an earlier one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distill.text.likeness import content, grams, numbers

_NEGATED = re.compile(
    r"\b(?:not?|never|don't|doesn't|without|avoid|drop(?:ped|s)?|remov(?:e[ds]?|ing)|no longer|instead of|rather "
    r"than)\b"
    r"|不|别|無|无需|没|去掉|拿掉|取消|弃用|停用|移除|删"
)
_NAME = re.compile(r"\b(?:[A-Z][A-Za-z0-9+#.]*[A-Za-z0-9+#]|[a-z]+[A-Z]\w+|[A-Z]{2,})\b|`[^`]{1,60}`")
_CORRECTION = re.compile(
    r"\b(?:actually|instead|after all|scratch that|change of plan|changed (?:my|our) mind|no longer|back to|revert|"
    r"rather "
    r"than|on second thought|correction"
    r"|make (?:that|it)|switch(?:ed|ing)? (?:to|back)|replace[ds]?|never mind|not anymore|from \S+ to)\b"
    r"|算了|改成|改为|改用|改回|换成|还是用|不用了|改到|改主意|不要.{0,20}了|重新|而是|换回|更正|不再|取消|推翻|"
    r"改走|拿掉|去掉|恢复"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A statement taken apart: the words of its subject, the names and numbers that are its value, its polarity."""

    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    negated: bool
    corrects: bool  # says itself that it replaces something


def subject_of(text: str) -> Subject:
    """Take `text` apart."""
    folded = text.casefold()
    names = frozenset(
        name.strip("`").casefold()
        for name in _NAME.findall(text)
        if not text.startswith(name) or name.isupper() or "`" in name
    )
    found = numbers(text)
    words = frozenset(word for word in content(grams(text)) - grams(" ".join(names)) if not word.isdigit())
    return Subject(
        words=words,
        names=names,
        numbers=found,
        negated=bool(_NEGATED.search(folded)),
        corrects=bool(_CORRECTION.search(folded)),
    )


def replaces(later: Subject, earlier: Subject) -> bool:
    """Whether the later statement sets another value for what the earlier one is about."""
    both = later.words & earlier.words
    smaller = min(len(later.words), len(earlier.words))
    share = len(both) / smaller if smaller else 0.0
    if later.corrects:
        if later.negated and later.names & earlier.names and not earlier.negated:
            return True  # "not X any more": the earlier choice of X is gone
        if later.negated and not earlier.negated and len(both) >= 2 and share >= 0.4:
            return True  # "no map links after all"
        if share >= 0.5 and both and _other_value(later, earlier):
            return True
    if not both or share < 0.99:
        return False
    return _other_value(later, earlier)


def _other_value(later: Subject, earlier: Subject) -> bool:
    if later.numbers and earlier.numbers:
        return later.numbers != earlier.numbers and not earlier.numbers & later.numbers
    if later.names and earlier.names:
        return not later.names & earlier.names
    return False
