"""Slips of the tongue: "no wait, Thursday" makes the words before it say what was meant, whole."""

from __future__ import annotations

import re

from distill.classify.cues import CueJudge
from distill.text.lazy import Lazy

LINE = 160  # characters of words that correct a slip
SORTS = ("day", "month", "colour")  # rules of `rules/speech` whose words stand for one another
# What leads from the words of correction to the right ones.
_LEAD = Lazy(
    r"^[\s,.:;!，。：；！—–-]*"
    r"(?:(?:it(?:'s| is| should be)|make it|that should be|should be)\s+|(?:应该是|应为|应是|是))?"
)
_CLAUSE = Lazy(r"\s*[,;，；。]\s*|\s+—\s+|\.\s+")
_NOT = Lazy(r"^(?:and )?(?:not|instead of|rather than)\s+|^(?:而)?不是")
_NUMBER = Lazy(r"\d+(?:[.:]\d+)*(?:\s?(?:%|[kmg]i?b|ms|px|s|h|min)\b)?", re.IGNORECASE)
_NAME = Lazy(r"`[^`]+`|[\w-]+(?:[./][\w-]+)+")  # a file or a path
_PROPER = Lazy(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]\w+")
_HAN = Lazy(r"^[一-鿿]{2,8}$")


def corrected(said: str, before: str, cues: CueJudge) -> str:
    """`before` as `said`, which corrects a slip in it, wants it; "" where `said` corrects none or fits nowhere."""
    line = said.strip()
    if len(line) > LINE or "?" in line or "？" in line:
        return ""
    heard = next((one for one in cues.speech(line) if one.name == "slipped"), None)
    if heard is None:
        return ""
    rest = _LEAD.sub("", line[heard.end :], count=1).rstrip(".。!！ ")
    parts = [part for part in _CLAUSE.sub("\n", rest).split("\n") if part]
    wrong = next((_NOT.sub("", part) for part in parts if _NOT.match(part)), "")
    right = next((part for part in parts if not _NOT.match(part)), "")
    if not right:
        return ""
    if wrong and before.casefold().count(wrong.casefold()) == 1:
        return re.sub(re.escape(wrong), lambda _: right, before, flags=re.IGNORECASE)
    return _by_sort(right, before, cues) or _by_frame(right, before)


def _by_sort(right: str, before: str, cues: CueJudge) -> str:
    """`before` with the one day, month, colour, file, number or name in it replaced by that of `right`."""
    for sort in SORTS:
        new, old = _named(right, sort, cues), _named(before, sort, cues)
        if len(new) == len(old) == 1:
            return _put(before, old[0], right[slice(*new[0])])
    for shape in (_NAME, _NUMBER):
        new, old = ([one.span() for one in shape.finditer(text)] for text in (right, before))
        if len(new) == len(old) == 1:
            return _put(before, old[0], right[slice(*new[0])])
    old = [one.span() for one in _PROPER.finditer(before)]
    if len(old) == 1 and re.fullmatch(r"(?:in |to |on |at )?[A-Z]\w+", right):
        return _put(before, old[0], right.rsplit(" ", 1)[-1])
    return ""


def _by_frame(right: str, before: str) -> str:
    """`before` with `right` in the place of the words of its length that begin or end as it does."""
    if _HAN.match(right):
        frame = f"{right[0]}[一-鿿]{{1,{len(right)}}}{right[-1]}"
        found = re.findall(frame, before)
        if len(found) == 1:
            return before.replace(found[0], right)
        return next((said for end in range(len(right) - 1, 1, -1) if (said := _by_end(right, end, before))), "")
    words, around = right.split(), before.rstrip(".。!！ ").split()
    if not 2 <= len(words) < len(around):
        return ""
    last = [at for at, word in enumerate(around) if word.casefold() == words[-1].casefold()]
    if len(last) == 1 and last[0] + 1 >= len(words):
        start = last[0] + 1 - len(words)
        return " ".join([*around[:start], *words, *around[last[0] + 1 :]])
    return ""


def _by_end(right: str, end: int, before: str) -> str:
    """`before` with `right` in the place of as many characters, where the last `end` of them are the same."""
    at = before.find(right[-end:]) + end
    start = at - len(right)
    if before.count(right[-end:]) != 1 or start < 0 or not _HAN.match(before[start:at]):
        return ""
    return _put(before, (start, at), right)


def _named(text: str, sort: str, cues: CueJudge) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in cues.speech(text) if one.name == sort]


def _put(text: str, at: tuple[int, int], new: str) -> str:
    return text[: at[0]] + new + text[at[1] :]
