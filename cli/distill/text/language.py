"""Which of the two languages a text is in, and how much room it takes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from distill.text.lazy import Lazy

LANGUAGES = ("auto", "en", "zh", "zh-Hant")  # that can be asked for

_HAN = Lazy(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_WORD = Lazy(r"[A-Za-z]{2,}")
# English sentences cannot do without these, while Chinese ones borrow names and identifiers only.
_GLUE = Lazy(
    r"\b(?:the|a|an|of|to|in|on|is|are|was|be|and|or|for|with|it|this|that|we|you|not|no|as|at|by|from|should|must|will"
    r"|can|has|have|if|when|into|so|but|do)\b",
    re.IGNORECASE | re.ASCII,
)
# Double width in a terminal: Han, kana, hangul, their punctuation, full-width forms, emoji.
_WIDE = (
    "\u1100-\u115f \u2e80-\u303e \u3041-\u33ff \u3400-\u4dbf \u4e00-\ua4cf \ua960-\ua97f "
    "\uac00-\ud7a3 \uf900-\ufaff \ufe10-\ufe19 \ufe30-\ufe6f \uff01-\uff60 \uffe0-\uffe6 "
    "\U0001f300-\U0001f64f \U0001f900-\U0001f9ff \U00020000-\U0003fffd"
).split(" ")


class _Columns(dict[str, int]):
    """The columns of each character, found when it is first met: a pattern of these ranges takes long to compile."""

    def __missing__(self, char: str) -> int:
        self[char] = columns = 2 if any(span[0] <= char <= span[2] for span in _WIDE) else 1
        return columns


_COLUMNS = _Columns()


def han(text: str) -> int:
    """How many Han characters stand in a text."""
    return 0 if text.isascii() else len(_HAN.findall(text))


def language(text: str) -> str:
    """The language of a text, "zh" or "en"; "en" where there is no Han character.

    Every Han character counts for Chinese; against it count the small words of English, and other Latin words a
    little: a Chinese sentence full of identifiers stays Chinese, an English one that quotes a label stays English.
    """
    count = han(text)
    if not count:
        return "en"
    return "zh" if 8 * count > 16 * len(_GLUE.findall(text)) + len(_WORD.findall(text)) else "en"


def script(text: str) -> str:
    """The language of a text as a heading over it has it: "en", "zh", or "zh-Hant" where its Chinese is traditional."""
    from distill.text.fold import is_traditional  # a large table, which few commands need

    found = language(text)
    return "zh-Hant" if found == "zh" and is_traditional(text) else found


def dominant(counts: Mapping[str, int], default: str = "en") -> str:
    """The language with the greatest count, such as a Counter over the languages of all messages.

    Chinese wins a tie; `default` where nothing was counted.
    """
    zh, en = counts.get("zh", 0), counts.get("en", 0)
    if not zh and not en:
        return default
    return "zh" if zh >= en else "en"


def width(text: str) -> int:
    """The columns a text takes: a Han character, kana, full-width form or emoji counts 2, anything else 1."""
    return len(text) if text.isascii() else sum(map(_COLUMNS.__getitem__, text))
