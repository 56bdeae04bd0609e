"""What a statement denies, so that it is never taken for the same as one that affirms it."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

_CLAUSE = Lazy(r"[.,;:!?，。；：！？、()→]+(?=\s|[一-鿿]|$)|\b(?:but|only|unless|until)\b|但(?!凡)|而(?=不|是)")
_NO = Lazy(
    r"\b(?:no longer|not(?! only)|no(?! need to worry)|never(?! mind)|without|cannot)\b|n['’]t\b(?! forget)",
    re.IGNORECASE,
)
_OF_ALL = Lazy(  # what stands before a "not" that denies the whole clause: its subject and an auxiliary
    r"^(?:(?!\b(?:and|or)\b).)*\b(?:is|are|was|were|be|been|has|have|had|do|does|did|ca|can|could|may|might|must|"
    r"shall|should|wo|will|would)\s*$",
    re.IGNORECASE,
)
_GIVES_UP = Lazy(
    r"\b(?:avoid|drop|remove|undo|stop)(?:s|p?ing)?\b(?P<object>.*?)(?=\b(?:and|or)\b|$)"
    r"|^(?P<subject>.*?)\b(?:is|are|was|were|be|been|being|gets?|got)\s(?:\w+\s)?"
    r"(?:avoided|dropped|removed|undone|stopped|gone|retired)\b",
    re.IGNORECASE,
)
_ZH_NO = Lazy(r"不(?![过同少仅只但错断论管如变])|别(?![的人忘名])|勿|没(?!问题)|无需|禁止|严禁")
_ZH_GIVES_UP = Lazy(r"去掉|拿掉|取消|弃用|停用|移除|下线|删[掉除]|撤销")
# What a text that denies something cannot be without: most texts hold none, and are not looked at closer.
_SIGNS = ("no", "never", "n't", "without", "avoid", "drop", "remov", "undo", "stop", "gone", "retired")
_ALL_SIGNS = (*_SIGNS, "n’t", *"不别勿没", "无需", "禁", "掉", "取消", "弃用", "停用", "移除", "下线", "删", "撤销")
_DOING_AWAY = frozenset(
    ["drop", "remov", "delet", "undo", "undon", "avoid", "stop", "去掉", "拿掉", "取消", "弃用", "停用", "移除", "下线",
     "删掉", "删除", "撤销"]
)
# Of what is affirmed with it the rest is denied.
_ONLY = Lazy(r"\b(?:only|just)\b|只|仅", re.IGNORECASE)
_AWAY = "-"  # stands for a verb of doing away among what is denied


def denied(text: str) -> frozenset[str]:
    """The words that stand under a negation in `text`, those apart that name no subject.

    A Chinese "not" denies its clause; an English one what follows it, and the subject where it goes with an auxiliary.
    """
    folded = text.casefold()
    if not any(sign in folded for sign in (_SIGNS if text.isascii() else _ALL_SIGNS)):
        return frozenset()
    found: set[str] = set()
    for clause in _CLAUSE.split(text):
        if _ZH_NO.search(clause):
            found |= grams(clause)
        elif _ZH_GIVES_UP.search(clause):
            found |= {_AWAY, *(grams(clause) - _DOING_AWAY)}
        elif no := _NO.search(clause):
            found |= grams(clause if _OF_ALL.match(clause[: no.start()]) else clause[no.end() :])
        elif away := _GIVES_UP.search(clause):
            found |= {_AWAY, *grams(away["object"] or away["subject"] or "")}
    return forms(content(frozenset(found)))


def denies(said: AbstractSet[str], words: AbstractSet[str], also_denied: AbstractSet[str], text: str) -> bool:
    """Whether a statement that denies what is `said` denies what `text` affirms, which has these words.

    Two that deny a word in common agree ("never delete rows", "rows are never deleted"), as do two of which one does
    away with what the other does away with in other words ("remove the map", "the map can be deleted"), and what is
    all that is to be agrees with what says no to the rest ("cache thumbnails only", "photos are not cached").
    """
    others = forms(words)
    if said & also_denied or (_AWAY in said and "drop" in others):
        return False
    return bool(said & others) and not _ONLY.search(text)


def forms(words: AbstractSet[str]) -> frozenset[str]:
    """The words as `denied` gives them: forms of a verb that stemming leaves apart are one."""
    return frozenset(map(form, words))


@lru_cache(maxsize=1 << 12)
def form(word: str) -> str:
    """One form for "delete" and "delet", "drop" and "dropp", and one for all verbs of doing away."""
    if word.isascii() and len(word) > 3:
        word = word.removesuffix("e")
        word = word[:-1] if word[-1] == word[-2] else word
    return "drop" if word in _DOING_AWAY else word
