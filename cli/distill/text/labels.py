"""The labels that the lines of the compact form begin with, in each language, and how such lines are told again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: By language: facts, decisions, artifacts, open, in the order in which the lines stand.
LABELS: dict[str, tuple[str, str, str, str]] = {
    "en": ("[Facts] ", "[Decisions] ", "[Artifacts] ", "[Open] "),
    "zh": ("【已确认事实】", "【已定决策】", "【已有产物】", "【待办】"),
    "zh-Hant": ("【已確認事實】", "【已定決策】", "【已有產物】", "【待辦】"),
}
JOINTS = {"en": "; ", "zh": "；", "zh-Hant": "；"}
LEFT_OUT = {"en": "(+{} left out)", "zh": "（另有 {} 条未列出）", "zh-Hant": "（另有 {} 條未列出）"}
ENDS = ".。;；"  # what no item ends with, since a joint may follow
_STARTS = {label: (lang, place) for lang, labels in LABELS.items() for place, label in enumerate(labels)}
_BEFORE = " \t>#"  # what a quotation puts before its lines


class Label(NamedTuple):
    """The label of a line: its language, and the place of its section among the four."""

    lang: str
    place: int


def label(line: str) -> Label | None:
    """The label that a line begins with, if it is one of ours."""
    line = line.lstrip(_BEFORE)
    mark = {"[": "]", "【": "】"}.get(line[:1], "")
    end = line.find(mark, 0, 20) + 1 if mark else 0
    found = _STARTS.get(line[:end]) or _STARTS.get(f"{line[:end]} ") if end else None
    return Label(*found) if found else None


def is_compact(lines: Sequence[str]) -> bool:
    """Whether these lines are the compact form of a state, or the end of one.

    People write "[Open] …" too: a line alone counts where it joins several items or says what was left out, several
    lines where they keep our order and language. None of ours ends with a full stop.
    """
    found = [label(line) for line in lines]
    if not lines or any(one is None or not _ends_open(line) for one, line in zip(found, lines, strict=True)):
        return False
    known = [one for one in found if one is not None]
    if len({one.lang for one in known}) > 1 or sorted({one.place for one in known}) != [one.place for one in known]:
        return False
    return len(known) > 1 or _joins(lines[0], known[0].lang)


def _ends_open(line: str) -> bool:
    line = line.rstrip()
    return not line.endswith(tuple(ENDS)) or line.endswith("..")


def _joins(line: str, lang: str) -> bool:
    before, after = LEFT_OUT[lang].split("{}")
    return JOINTS[lang] in line or (before in line and line.rstrip().endswith(after))
