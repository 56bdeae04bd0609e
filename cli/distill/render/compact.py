"""One line a section, to paste into a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from distill.model import SECTIONS, Kind, State
from distill.render.lines import one_line
from distill.render.outputs import Output
from distill.text.labels import ENDS, JOINTS, LABELS, LEFT_OUT, label

#: The order of the lines.
ORDER = (Kind.FACT, Kind.DECISION, Kind.ARTIFACT, Kind.OPEN)


def section_line(kind: Kind, texts: Iterable[str], omitted: int, lang: str) -> str:
    """The line of one section: its label, its texts, and how many more were left out."""
    lang = lang if lang in LABELS else "en"
    row = JOINTS[lang].join(_closed(text) for text in texts)
    if omitted:
        row += (" " if row and lang == "en" else "") + LEFT_OUT[lang].format(omitted)
    return LABELS[lang][ORDER.index(kind)] + row


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
    return 0 < len(lines) <= len(ORDER) and all(label(line) for line in lines)


def _closed(text: str) -> str:
    """`text` without a full stop at its end, since a semicolon follows; an ellipsis stays."""
    line = one_line(text)
    return line if line.endswith("..") else line.rstrip(ENDS) or line


OUTPUT = Output(name="compact", title="one line a section", order=40, render=render, recognise=recognise)
