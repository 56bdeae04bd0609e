"""Markdown inside a line: what a reader of plain text would see."""

from __future__ import annotations

import re

from distill.text.lazy import Lazy

_LINK = Lazy(r"!?\[([^\[\]\n]{1,300})\]\((?:<[^<>\n]{0,600}>|(?:[^()\s]|\([^()\s]{0,200}\)){0,600})\)")
_BOLD = Lazy(r"\*\*|__(?=\S)|(?<=\S)__|~~")
_TAGS = Lazy(r"</?(?:b|i|em|strong|u|br|p|span|sub|sup|kbd|details|summary)\s*/?>", re.IGNORECASE)
_MARKS = Lazy(r"^(?:[\s✅☑✔✓❌✗✘⚠️❗❓🔴🟡🟢🟠🔵⭐🎯🎉🚀📌📊📐📝💡🔧🔄👉➡️▶●○◆◇■□►•·–—]+\s*)+")
_NUMBERED = Lazy(r"^\s*[(（]\d{1,3}[)）]\s*(?=\S)")
_EMPHASIS = Lazy(r"(?<![\w*])\*([^*\n]{1,200})\*(?![\w*])")


def plain(text: str) -> str:
    """`text` without bold, links and simple tags; code spans, identifiers and numbers stay verbatim."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "**" in text or "__" in text or "~~" in text:
        parts = text.split("`")  # bold markers inside code spans are code
        parts[::2] = [_BOLD.sub("", part) for part in parts[::2]]
        text = "`".join(parts)
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", text)
    if "<" in text:
        text = _TAGS.sub(" ", text)
    return " ".join(text.split())


def unmarked(text: str) -> str:
    """`text` without the numbers in brackets, ticks, lamps and arrows that a summary puts before its lines."""
    if not text or text[0].isalnum():
        return text
    return _MARKS.sub("", _NUMBERED.sub("", text))
