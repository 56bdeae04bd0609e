"""One line a section, to paste into a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from distill.model import SECTIONS, Kind, State
from distill.render.lines import one_line
from distill.render.outputs import Output

#: The order of the lines.
ORDER = (Kind.FACT, Kind.DECISION, Kind.ARTIFACT, Kind.OPEN)
_EN = {Kind.FACT: "[Facts] ", Kind.DECISION: "[Decisions] ", Kind.ARTIFACT: "[Artifacts] ", Kind.OPEN: "[Open] "}
_ZH = {Kind.FACT: "【已确认事实】", Kind.DECISION: "【已定决策】", Kind.ARTIFACT: "【已有产物】", Kind.OPEN: "【待办】"}
_STARTS = tuple(label for labels in (_EN, _ZH) for label in labels.values())
_ENDS = ".。;；"


def section_line(kind: Kind, texts: Iterable[str], omitted: int, lang: str) -> str:
    """The line of one section: its label, its texts, and how many more were left out."""
    zh = lang == "zh"
    label = (_ZH if zh else _EN)[kind]
    row = ("；" if zh else "; ").join(_closed(text) for text in texts)
    if omitted:
        note = f"（另有 {omitted} 条未列出）" if zh else f"(+{omitted} left out)"
        row = f"{row}{'' if zh or not row else ' '}{note}"
    return label + row


def render(state: State, lang: str) -> str:
    """A line for every section that is not empty; "" where all are."""
    omitted = dict(zip(SECTIONS, state.omitted, strict=True))
    lines = [
        section_line(kind, [item.text for item in state.live(kind)], omitted[kind], lang)
        for kind in ORDER
        if state.live(kind) or omitted[kind]
    ]
    return "".join(f"{line}\n" for line in lines)


def recognise(text: str) -> bool:
    """Whether every line of `text` is one of ours."""
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    return 0 < len(lines) <= len(ORDER) and all(line.startswith(_STARTS) for line in lines)


def _closed(text: str) -> str:
    """`text` without a full stop at its end, since a semicolon follows; an ellipsis stays."""
    line = one_line(text)
    return line if line.endswith("..") else line.rstrip(_ENDS) or line


OUTPUT = Output(name="compact", title="one line a section", order=40, render=render, recognise=recognise)
