"""Prose to sentences, in Chinese and English, in one pass over the marks that matter."""

from __future__ import annotations

import re

from distill.text.lazy import Lazy

# Everything that can end a sentence or hold one together, and what it begins with, which is quicker to look for.
_SIGN = Lazy(r"[`。！？!?；….，,(（\[【「『《“)）\]】」』》”\"]")
_MARK = Lazy(
    r"`+|[。！？!?；…]+|\.(?=\s|$|[\"'”’)\]])|[，,](?=(?:另外|此外|还有|再就是|顺便|以及另外))"
    r"|[(（\[【「『《“]|[)）\]】」』》”]|\""
)
# What can end a sentence before the end of the text, and what that begins with.
_POINT = Lazy(r"[。！？!?；….，,]")
_INSIDE = Lazy(r"[。！？!?；…]|\.[\s\"'”’)\]]|[，,](?:另外|此外|还有|再就是|顺便|以及另外)")
_OPEN = {"(": ")", "（": "）", "[": "]", "【": "】", "「": "」", "『": "』", "《": "》", "“": "”"}
_CLOSE = set(_OPEN.values())
_SHORT = Lazy(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|fig|eq|sec|ch|vol|dept|est|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co)"
    r"|\b[A-Za-z]|^\s*\d{1,3})$",
    re.IGNORECASE,
)
_KEY = r"(?:[A-Ha-h]|\d{1,2})"
_PICKS = Lazy(rf"\s*{_KEY}(?:\s*(?:,|&|\+|and\b)\s*{_KEY})+")  # "1 and a." says which ones, and no more
_LIMIT = 120  # characters after which an opening mark that never closes stops holding a sentence together


def sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) of every sentence of a one-line `text`, blanks trimmed, in order.

    A mark inside code spans, brackets or quotation marks ends nothing, nor does the stop of an abbreviation or a
    number. Semicolons end a sentence only in Chinese, and so does a comma before 「另外」 and the like.
    """
    if _single(text):
        start = len(text) - len(text.lstrip())
        end = len(text.rstrip())
        return [(start, end)] if start < end else []
    cuts: list[int] = []
    stack: list[tuple[str, int]] = []
    code = ""
    quote = -1
    done = 0
    for sign in _SIGN.finditer(text):
        at = sign.start()
        mark = _MARK.match(text, at) if at >= done else None
        if mark is None:
            continue
        what, done = mark[0], mark.end()
        if what[0] == "`":
            if not code and text.find(what, done) >= 0:
                code = what
            elif code == what:
                code = ""
            continue
        if code:
            continue
        if what == '"':
            quote = at if quote < 0 else -1
        elif what in _OPEN:
            stack.append((_OPEN[what], at))
        elif what in _CLOSE:
            while stack and stack[-1][0] != what:
                stack.pop()
            if stack:
                stack.pop()
        else:
            while stack and at - stack[-1][1] > _LIMIT:
                stack.pop()
            if quote >= 0 and at - quote > _LIMIT:
                quote = -1
            if stack or quote >= 0:
                continue
            if what == "." and not _starts_new(text, done):
                continue
            if what == "." and _SHORT.search(text[max(0, at - 12) : at]) and not _PICKS.fullmatch(text, 0, at):
                continue
            if what in "!?" and text[done : done + 1].strip():  # `!=`, `?.`, URL queries
                continue
            if what == "…":
                continue
            cuts.append(done)
    spans: list[tuple[int, int]] = []
    start = 0
    for cut in [*cuts, len(text)]:
        while cut < len(text) and text[cut] in "\"'”’)）】」』" and text[cut - 1] in "。！？!?.":
            cut += 1
        left, right = start, cut
        while left < right and text[left].isspace():
            left += 1
        while right > left and text[right - 1].isspace():
            right -= 1
        if right > left:
            spans.append((left, right))
        start = cut
    return spans


def _single(text: str) -> bool:
    """Whether nothing in `text` can end a sentence but what stands at its end."""
    body = text.rstrip("。！？!?；…")
    if len(body) == len(text):
        body = text.removesuffix(".")
    return not _POINT.search(body) or not _INSIDE.search(body)


def _starts_new(text: str, at: int) -> bool:
    """Whether what follows a full stop begins a sentence: a word, Chinese, code or nothing."""
    rest = text[at : at + 8].lstrip(" \"'”’)]")
    if not rest:
        return True
    return rest[0].isalnum() or ord(rest[0]) > 0x2E7F or rest[0] in "`*([_\"'“✅❌-~"
