"""What development tools printed and somebody pasted without the prompt above it, told by their dialects."""

from __future__ import annotations

import re
from collections.abc import Sequence

from distill.text.lazy import Lazy

_LEVEL = r"(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)"
# Lines that only tools write, in any of their dialects; two of them under each other are output.
_PRINTED = Lazy(
    r"[ \t]*(?:[\w@~./\\-]{1,120}\.\w{1,6}(?::\d+(?::\d+)?(?::| - )|\(\d+(?:,\d+)?\):)\s*(?:\w+ )?"
    r"(?:error|warning|note|info|hint)\b"
    r"|\d+:\d+\s+(?:error|warning)\s|(?:hint|remote|fatal|error|warning): |npm (?:ERR!|WARN|notice|error|warn)\b"
    r"|\[[a-z][\w:-]{1,30}\] \S"
    rf"|(?:\[?\d{{4}}-\d\d-\d\d[T ])?\[?\d\d:\d\d:\d\d\S{{0,20}}\s+\W?{_LEVEL}|{_LEVEL}[:\]] "
    r"|(?:PASS|FAIL|ok|not ok) +[\w./-]*[./\d]|Step \d+/\d+ : |-+> (?:Running|[0-9a-f]{4})"
    r"|Uncaught |\w{1,60}(?:Error|Exception): |(?:modified|new file|deleted|renamed):   )"
)
# Whether there may be such a line, cheaper to ask of a whole message.
_MAY = Lazy(
    r"(?:error|warning|hint|remote|fatal|note): |npm [Ewn]|^[ \t]*(?:\[[a-z][\w:-]+\] |\d+:\d+\s+(?:error|warn)|-+> )"
    rf"|{_LEVEL}[:\]\s]|^(?:PASS|FAIL|ok|not ok) |Step \d+/|Uncaught |(?:Error|Exception): "
    r"|(?:modified|new file|deleted|renamed):  ",
    re.MULTILINE,
)
_COMMAND = r"(?:--\w|(?:npm|npx|yarn|pnpm|pip|git|cargo|go|docker|brew|apt) \w)"
# What consoles and tools offer under what they printed.
_OFFERED = Lazy(
    r"\s*(?:(?:Found|Generated) \d+ (?:error|warning|problem)s?\b.{0,80}$"
    r"|(?:Show|Hide) (?:\d+ )?(?:more|less|fewer|ignored|ignore-listed)\b.{0,24}$|(?:Understand|Explain) this error$"
    r"|(?:Show|View|Open) (?:stack|details|in editor)\b.{0,24}$"
    r"|(?:展开|收起|显示|隐藏|顯示|隱藏).{0,6}\d+.{0,4}(?:帧|幀|框架|条|條)$"
    rf"|(?:Run|Try|Use|See|For more)\b.{{0,12}}[`'\"]?{_COMMAND}.{{0,80}}$)"
)
_WITHIN = 4  # lines between two that tools wrote that they wrote as well


def written_by_tools(text: str) -> bool:
    """Whether `text` may hold lines that tools printed."""
    return "\n" in text and _MAY.search(text) is not None


def add_printed(lines: Sequence[str], found: set[int], asks: Lazy) -> None:
    """Add to `found`, the lines known to be pasted output, what else tools printed.

    That is lines in their dialects, what stands between two of them, and what they offer below. A single such line may
    be quoted by somebody who goes on in the next one. A line that `asks` matches is his.
    """
    known = [at in found or bool(_PRINTED.match(line)) for at, line in enumerate(lines)]
    last = -1  # the last line of a tool in this paragraph
    for at, line in enumerate(lines):
        if not line.strip():
            last = -1
        elif known[at]:
            between = range(last + 1, at)
            if last >= 0 and len(between) <= _WITHIN and not any(_said(lines[one], asks) for one in between):
                found.update(range(last, at + 1))
            last = at
        elif last >= 0 and last in found and _OFFERED.match(line):
            found.add(at)
            last = at


def _said(line: str, asks: Lazy) -> bool:
    """Whether a line among those of a tool is somebody's remark on them."""
    return not line.isascii() or bool(asks.match(line))
