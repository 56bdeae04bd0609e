"""The words of the Markdown file in each language, and what a heading means."""

from __future__ import annotations

from dataclasses import dataclass

from distill.model import Kind
from distill.render.lines import PROPOSED
from distill.text.lazy import Lazy

_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
DAY = Lazy(_DAY)
_HEADING_DAY = Lazy(rf"\s*\({_DAY}\)$")
_NOTES = ("Left out", "left out", "未列出")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the file says in one language."""

    headings: dict[Kind, str]
    history: str
    proposed: str
    left_out: str
    count: str
    joint: str
    replaced: str
    superseded: str
    removed: str
    resolved: str
    ticked: str


EN = Words(
    headings=dict(zip(Kind, ("Decisions", "Facts", "Artifacts", "Open"), strict=True)),
    history="History",
    proposed=PROPOSED[0],
    left_out="Left out: ",
    count="{} {}",
    joint=", ",
    replaced="replaced by “{}”",
    superseded="no longer holds",
    removed="removed by hand",
    resolved="done",
    ticked="ticked off by hand",
)
ZH = Words(
    headings=dict(zip(Kind, ("决策", "事实", "产物", "待办"), strict=True)),
    history="历史",
    proposed=PROPOSED[1],
    left_out="未列出：",
    count="{1} {0} 条",
    joint="、",
    replaced="已改为「{}」",
    superseded="不再有效",
    removed="已手工删除",
    resolved="已完成",
    ticked="已手工勾选完成",
)
ZH_HANT = Words(
    headings=dict(zip(Kind, ("決策", "事實", "產物", "待辦"), strict=True)),
    history="歷史",
    proposed=PROPOSED[2],
    left_out="未列出：",
    count="{1} {0} 條",
    joint="、",
    replaced="已改為「{}」",
    superseded="不再有效",
    removed="已手動刪除",
    resolved="已完成",
    ticked="已手動勾選完成",
)
_LANGUAGES = {"en": EN, "zh": ZH, "zh-Hant": ZH_HANT}
HISTORY = "history"  # the section of what left
_SECTION_OF: dict[str, Kind | str] = {
    heading.casefold(): kind for words in _LANGUAGES.values() for kind, heading in words.headings.items()
} | {words.history.casefold(): HISTORY for words in _LANGUAGES.values()}
_NAMES = Lazy("|".join(rf"\b{name}\b" if name.isascii() else name for name in _SECTION_OF))


def words(lang: str) -> Words:
    """The words of a language; English where it is none of ours."""
    return _LANGUAGES.get(lang, EN)


def section(heading: str) -> Kind | str | None:
    """The section that a heading line means: its name, or other words around the name of just one; None for none."""
    title = _HEADING_DAY.sub("", heading.strip("#").strip()).casefold()
    named = {_SECTION_OF[name] for name in _NAMES.findall(title)}
    return _SECTION_OF.get(title) or (named.pop() if len(named) == 1 else None)


def is_note(line: str) -> bool:
    """Whether a line is the note on what a budget left out."""
    return line[0] == line[-1] == "_" and any(words in line for words in _NOTES)
