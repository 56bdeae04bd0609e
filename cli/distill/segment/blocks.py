"""Markdown and plain text to blocks: paragraphs, headings, list items and table rows, in one pass over the lines."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from distill.model import Shape
from distill.segment.captures import captured
from distill.segment.markup import plain, unmarked
from distill.segment.noise import is_noise
from distill.text.lazy import Lazy
from distill.text.wrapping import may_go_on, paragraphs

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
_MARKED = _RULE_STARTS + ">#|"
_NUMBERS = "一二三四五六七八九十第"  # what a numbered heading begins with
_CLOSED = (")", "）")  # after a letter: "a)"
LEAD_END = (":", "：", "—", "如下", "as follows")


class Wrapped(StrEnum):
    """When long lines without a stop are one paragraph that was broken at a margin."""

    NEVER = "never"  # lines that people type
    CLEARLY = "clearly"  # a line breaks off within a sentence: a text that may say one thing a line
    LIKELY = "likely"  # the next line begins with a small letter: prose


class Block(NamedTuple):
    """One paragraph, list item or table row; `line` is its offset in the message, `raw` its text as it stands."""

    text: str  # joined to one line, markup kept
    line: int
    raw: tuple[str, ...]  # the lines it is made of
    shape: Shape = Shape.SENTENCE
    heading: str = ""
    lead: str = ""
    checked: bool | None = None
    mark: str = ""  # the number or letter of a list item, as written


def blocks(text: str, wrapped: Wrapped = Wrapped.CLEARLY) -> list[Block]:
    """The blocks of a message in order; code fences, quotations and pasted output are left out.

    `wrapped` says when long lines without a stop count as one paragraph.
    """
    page = _Page(wrapped)
    pasted = captured(text)
    take = page.take
    fenced = "```" in text or "~~~" in text
    fence = ""
    for number, line in enumerate(text.split("\n")):
        if number in pasted:
            page.close()
            page.blank = True
        elif fenced and ("```" in line or "~~~" in line) and (found := _FENCE.match(line)):
            mark = found[1]
            if fence:
                if mark.startswith(fence[0]) and len(mark) >= len(fence) and line.strip(" `~\r-*") == "":
                    fence = ""
                continue
            page.close()
            if line.count(mark[0] * 3) < 2:
                fence = mark
        elif not fence:
            take(number, line)
    page.close()
    return page.found


class _Page:
    """The blocks found so far, and what stands above the line that is read."""

    __slots__ = (
        *("wrapped", "found", "headings", "heading", "lead", "items", "header", "blank", "diff"),
        *("lines", "line", "shape", "above", "checked", "mark"),
    )

    def __init__(self, wrapped: Wrapped) -> None:
        self.wrapped = wrapped
        self.found: list[Block] = []
        self.headings: list[tuple[int, str]] = []
        self.heading = ""  # the last two of them
        self.lead = ""  # the paragraph that introduces what follows
        self.items: list[tuple[int, str]] = []  # (indent, text) of the list items we are inside of
        self.header: list[str] = []  # of the table we are inside of
        self.blank = True  # nothing stands between this line and an empty one, a rule or a heading
        self.diff = False  # inside the hunks of a pasted diff
        self.lines: list[str] = []  # of the block that is open, with what is known of it
        self.line = 0
        self.shape = Shape.SENTENCE
        self.above = ""
        self.checked: bool | None = None
        self.mark = ""

    def take(self, number: int, line: str) -> None:
        """A line outside of code fences."""
        stripped = line.strip()
        if not stripped:
            self.close()
            self.blank, self.diff = True, False
            self.header = []
            return
        start = stripped[0]
        if self.diff or line[0] in "d@":
            self.diff = self.diff or bool(_DIFF.match(line))
            if self.diff and line[0] in "+- @di":
                self.close()
                return
        if start in _MARKED and self.marked(number, line, stripped, start):
            return
        if start in _ITEM_STARTS or start.isdecimal() or stripped[1:2] in _CLOSED:
            item = _ITEM.match(line)
            if item and (item[6] or item[2]):
                self.item(number, item)
                return
        if self.blank:
            if not line[:1].isspace():
                self.items = []
            numbered = start in _NUMBERS and not stripped.endswith(("。", ".", "；", ";"))
            if numbered and (found := _NUMBERED_HEADING.match(line)):
                self.head(6, found[1])
                self.lead = ""
                return
        if is_noise(line):
            self.close()
            return
        if self.lines:
            inside = self.shape is Shape.BULLET and line[:1].isspace()
            if not self.blank and (inside or may_go_on(self.lines[-1], line)):
                self.lines.append(line)
                return
            self.close()
        self.lines, self.line, self.shape, self.checked, self.mark = [line], number, Shape.SENTENCE, None, ""
        self.above = plain(self.items[-1][1]) if self.items else ""
        self.blank = False

    def marked(self, number: int, line: str, stripped: str, start: str) -> bool:
        """Whether a line is a quotation, a rule, a heading or a table row, which is then dealt with."""
        if start == ">" or (start in _RULE_STARTS and _RULE.match(line)):
            self.close()
            self.blank = True
            if start != ">":
                self.items, self.lead = [], ""
            return True
        if start == "#" and (found := _HEADING.match(line)):
            self.close()
            self.head(len(found[1]), found[2])
            self.items, self.lead, self.blank = [], "", True
            return True
        bold = _BOLD_LINE.match(line) if start in "*_" else None
        if bold and (bold[2] or bold[1].rstrip().endswith((":", "：")) or (self.blank and _titular(bold[1]))):
            self.close()
            self.head(7, bold[1])
            self.items, self.lead, self.blank = [], "", True
            return True
        if start == "|" and stripped.count("|") >= 2 and _ROW.match(line):
            self.close()
            if not _TABLE_RULE.match(line):
                self.row(number, line, [plain(cell) for cell in stripped.strip("|").split("|")])
            return True
        return False

    def head(self, level: int, title: str) -> None:
        """A heading: it ends those of its level and below."""
        self.headings = [one for one in self.headings if one[0] < level]
        self.headings.append((level, _title(title)))
        self.heading = " / ".join(title for _, title in self.headings[-2:])

    def row(self, number: int, line: str, cells: list[str]) -> None:
        """A row of a table, of which the first is its header."""
        if not self.header:
            self.header = cells
        elif row := _row(cells):
            lead = self.lead or " | ".join(self.header)
            self.found.append(Block(row, number, (line,), Shape.ROW, self.heading, lead))

    def item(self, number: int, item: re.Match[str]) -> None:
        """A list item."""
        self.close()
        items = self.items
        indent = len(item[1].expandtabs(4))
        while items and items[-1][0] >= indent:
            items.pop()
        body = item[6]
        checked = None
        if body[:1] == "[" and (box := _BOX.match(body)):
            checked = box[1] not in " ~-"
            body = body[box.end() :]
        if is_noise(body):
            return
        self.lines, self.line, self.shape, self.checked = [body], number, Shape.BULLET, checked
        self.mark = item[2] or item[3] or item[4] or item[5] or ""
        self.above = plain(items[-1][1]) if items else self.lead
        items.append((indent, body))
        self.blank = False

    def close(self) -> None:
        """The block that is open ends here: one, or one for each line where its lines are no paragraph."""
        lines, line = self.lines, self.line
        if not lines:
            return
        self.lines = []
        for group in [lines] if len(lines) == 1 else self.parted(lines):
            self.put(group, line)
            line += len(group)
            self.shape, self.checked, self.mark = Shape.SENTENCE, None, ""

    def parted(self, lines: list[str]) -> list[list[str]]:
        """The lines of the open block, those together that make one paragraph."""
        inside = 1  # a list item and the lines indented under it belong together
        while self.shape is Shape.BULLET and inside < len(lines) and lines[inside][:1].isspace():
            inside += 1
        if inside == len(lines):
            return [lines]
        if self.wrapped is Wrapped.NEVER:
            return [lines[:inside], *([line] for line in lines[inside:])]
        first, *rest = paragraphs(lines[inside - 1 :], loose=self.wrapped is Wrapped.LIKELY)
        return [lines[: inside - 1] + first, *rest]

    def put(self, lines: list[str], line: int) -> None:
        """Note the lines of one block, of which the first is number `line`."""
        joined = lines[0].strip() if len(lines) == 1 else _join(lines)
        if not joined:
            return
        if self.shape is Shape.SENTENCE and joined.rstrip("*_ ").endswith(LEAD_END):
            self.lead = plain(joined)
        self.found.append(
            Block(joined, line, tuple(lines), self.shape, self.heading, self.above, self.checked, self.mark)
        )


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
