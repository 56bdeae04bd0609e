"""Markdown and plain text to blocks: paragraphs, headings, list items and table rows, in one pass over the lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from distill.model import Shape
from distill.segment.markup import plain, unmarked
from distill.segment.noise import is_noise
from distill.text.lazy import Lazy

_FENCE = Lazy(r"\s{0,12}(?:[-*]\s+)?(`{3,}|~{3,})")
_HEADING = Lazy(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_LINE = Lazy(r"\s{0,3}(?:\*\*|__)(.{1,120}?)(?:\*\*|__)\s*([:：]?)\s*$")
_NUMBERED_HEADING = Lazy(
    r"\s{0,3}(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}[章节部步]\S?)\s*(\S.{0,50})$"
)
_ITEM = Lazy(
    r"(\s*)(?:[-*+•‣▪◦·–—●○]|(\d{1,3})[.)、．](?!\d)|[(（](\d{1,2}|[a-zA-Z一二三四五六七八九十])[)）]"
    r"|([①②③④⑤⑥⑦⑧⑨⑩])|([A-Za-z])[)）])(?:\s+|(?<=[、)）①-⑩.．])(?=[^\s\d])|(?<=[-–—•·])(?=[^\W\d].{12}))(.*)$"
)
_BOX = Lazy(r"\[([ xX✓✔~-])\]\s+")
_ROW = Lazy(r"\s*\|.*\|\s*$")
_RULE = Lazy(r"\s*(?:[-*_=]\s*){3,}$|\s*[~·.]{3,}\s*$")
_TABLE_RULE = Lazy(r"\s*\|?\s*:?-{2,}[-:| ]*$")
_DIFF = Lazy(r"diff --git |@@ -\d+(?:,\d+)? \+")
# What a line begins with that one of these can match: cheaper to ask than the expressions.
_RULE_STARTS = "-*_=~·."
_ITEM_STARTS = "-*+•‣▪◦·–—●○(（①②③④⑤⑥⑦⑧⑨⑩"
_CLOSED = (")", "）")  # after a letter: "a)"
LEAD_END = (":", "：", "—", "如下", "as follows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One paragraph, list item or table row; `line` is its offset in the message, `raw` its text as it stands."""

    text: str  # joined to one line, markup kept
    line: int
    raw: tuple[str, ...]  # the lines it is made of
    shape: Shape = Shape.SENTENCE
    heading: str = ""
    lead: str = ""
    checked: bool | None = None
    mark: str = ""  # the number or letter of a list item, as written
    depth: int = 0


@dataclass(slots=True)
class _Open:
    lines: list[str]
    line: int
    shape: Shape
    lead: str
    checked: bool | None = None
    mark: str = ""
    depth: int = 0


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a message in order; code fences, quotations and pasted output are left out."""
    fence = ""
    headings: list[tuple[int, str]] = []
    lead = ""
    items: list[tuple[int, str]] = []  # (indent, text) of the list items we are inside of
    header: list[str] = []
    open_block: _Open | None = None
    blank = True
    diff = False  # inside the hunks of a pasted diff

    def heading() -> str:
        return " / ".join(title for _, title in headings[-2:])

    def close() -> Iterator[Block]:
        nonlocal open_block, lead
        if open_block is None:
            return
        now, open_block = open_block, None
        joined = _join(now.lines)
        if not joined:
            return
        if now.shape is Shape.SENTENCE and joined.rstrip("*_ ").endswith(LEAD_END):
            lead = plain(joined)
        yield Block(
            text=joined,
            line=now.line,
            raw=tuple(now.lines),
            shape=now.shape,
            heading=heading(),
            lead=now.lead,
            checked=now.checked,
            mark=now.mark,
            depth=now.depth,
        )

    for number, line in enumerate(text.split("\n")):
        if ("```" in line or "~~~" in line) and (found := _FENCE.match(line)):
            mark = found[1]
            if fence:
                if mark.startswith(fence[0]) and len(mark) >= len(fence) and line.strip(" `~\r-*") == "":
                    fence = ""
                continue
            yield from close()
            if line.count(mark[0] * 3) < 2:
                fence = mark
            continue
        if fence:
            continue
        stripped = line.strip()
        if not stripped:
            yield from close()
            blank, diff = True, False
            header = []
            continue
        start = stripped[0]
        diff = diff or (line[0] in "d@" and bool(_DIFF.match(line)))
        if diff and line[0] in "+- @di":
            yield from close()
            continue
        if start == ">" or (start in _RULE_STARTS and _RULE.match(line)):
            yield from close()
            blank = True
            if start != ">":
                items, lead = [], ""
            continue
        if start == "#" and (found := _HEADING.match(line)):
            yield from close()
            level, title = len(found[1]), _title(found[2])
            headings = [h for h in headings if h[0] < level]
            headings.append((level, title))
            items, lead, blank = [], "", True
            continue
        bold = _BOLD_LINE.match(line) if start in "*_" else None
        if bold and (bold[2] or bold[1].rstrip().endswith((":", "：")) or (blank and _titular(bold[1]))):
            yield from close()
            headings = [h for h in headings if h[0] < 7]
            headings.append((7, _title(bold[1])))
            items, lead, blank = [], "", True
            continue
        if start == "|" and stripped.count("|") >= 2 and _ROW.match(line):
            yield from close()
            cells = [plain(cell) for cell in stripped.strip("|").split("|")]
            if _TABLE_RULE.match(line):
                continue
            if not header:
                header = cells
                continue
            row = _row(cells)
            if row:
                yield Block(
                    text=row,
                    line=number,
                    raw=(line,),
                    shape=Shape.ROW,
                    heading=heading(),
                    lead=lead or " | ".join(header),
                )
            continue
        marked = start in _ITEM_STARTS or start.isdecimal() or stripped[1:2] in _CLOSED
        item = _ITEM.match(line) if marked else None
        if item and (item[6] or item[2]):
            yield from close()
            indent = len(item[1].expandtabs(4))
            while items and items[-1][0] >= indent:
                items.pop()
            body = item[6]
            checked = None
            if box := _BOX.match(body):
                checked = box[1] not in " ~-"
                body = body[box.end() :]
            parent = items[-1][1] if items else lead
            if is_noise(body):
                continue
            mark = item[2] or item[3] or item[4] or item[5] or ""
            open_block = _Open(
                lines=[body], line=number, shape=Shape.BULLET, lead=parent, checked=checked, mark=mark, depth=len(items)
            )
            items.append((indent, plain(body)))
            blank = False
            continue
        if blank and not line[:1].isspace():
            items = []
        if blank and (found := _NUMBERED_HEADING.match(line)) and not stripped.endswith(("。", ".", "；", ";")):
            headings = [h for h in headings if h[0] < 6]
            headings.append((6, _title(found[1])))
            lead = ""
            continue
        if is_noise(line):
            yield from close()
            continue
        if open_block is not None and not blank:
            inside = open_block.shape is Shape.BULLET and line[:1].isspace()
            if inside or _continues(open_block.lines[-1], line):
                open_block.lines.append(line)
                continue
            yield from close()
        open_block = _Open(lines=[line], line=number, shape=Shape.SENTENCE, lead=items[-1][1] if items else "")
        blank = False
    yield from close()


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on with the paragraph: hard-wrapped prose does, short lines of a listing do not."""
    if before.rstrip().endswith(("。", "！", "？", ".", "!", "?", ":", "：", ";", "；", "  ")):
        return False
    if ord(before.rstrip()[-1]) > 0x2E7F:  # Chinese is typed line by line, and hardly ever wrapped by hand
        return False
    return len(before) >= 60 and not line[:1].isspace()


def _join(lines: list[str]) -> str:
    parts = [part for line in lines if (part := line.strip())]
    if not parts:
        return ""
    joined = parts[0]
    for part in parts[1:]:
        glue = "" if ord(joined[-1]) > 0x2E7F and ord(part[0]) > 0x2E7F else " "
        joined += glue + part
    return joined


def _title(text: str) -> str:
    return unmarked(plain(text)).strip(" :：*#")[:120]


def _titular(text: str) -> bool:
    return len(text) <= 60 and not text.rstrip().endswith((".", "。", "!", "！", "?", "？", ",", "，"))


def _row(cells: list[str]) -> str:
    cells = [unmarked(cell).strip() for cell in cells]
    cells = [cell for cell in cells if cell and cell not in "-–—"]
    if len(cells) < 2:
        return ""
    first, *rest = cells
    colon = "：" if any("一" <= char <= "鿿" for char in first) else ": "
    return f"{first}{colon}{'；'.join(rest) if colon == '：' else '; '.join(rest)}"
