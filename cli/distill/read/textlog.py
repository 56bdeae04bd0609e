"""What the readers of text logs share: lines with a look ahead, code fences, times, and what is no text at all."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from distill.read.log import Log, Tally
from distill.read.own import blanked, may_hold_own, without_own_output
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

AHEAD = 3000  # lines looked ahead for the end of a fence
FRONT = 100  # lines a front matter may have
Numbered = tuple[int, str]

_FENCE = Lazy(r"\s{0,12}(?:[-*+]\s{1,3})?(`{3,}|~{3,})\s{0,4}(.*)$")
_JSON_HEAD = Lazy(r'(?:\{\s*(?:["\'}]|\{\s*")|\[\s*(?:[{"]|\[\s*[\[{"\d]))')
_ISO = Lazy(
    r"(?<!\d)(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?:日|号)?"
    r"(?:[T\s,]{1,3}(?:at\s)?(?:GMT[+-]\d{1,2}(?::\d{2})?\s)?(上午|下午|晚上|凌晨|中午|早上)?\s?"
    r"(\d{1,2})[:：时點点](\d{2})?(?:[:：分](\d{2}))?[秒分]?(?:[.,]\d{1,6})?"
    r"\s?([AaPp][Mm])?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_LOCAL = Lazy(
    r"(?<!\d)(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?:[,\s]{1,2}(?:at\s)?"
    r"(\d{1,2}):(\d{2})(?::(\d{2}))?[\s\u202f]?([AaPp][Mm])?)?(?!\d)"
)
_DATED = Lazy(r"[\s|>*_#-]*(?:date|time|when|created|日期|时间|時間|会议时间|创建时间)[\s|*_]*[:：|]", re.I)
_ZONE = Lazy(r"(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d{2}))?\b")


class Lines:
    """The numbered lines of a log, with a look ahead; what `distill` wrote itself comes out as empty lines."""

    def __init__(self, log: Log) -> None:
        self._found = [0]
        self._told = 0  # how many of these blocks the tally knows of
        self._tally = log.tally
        self._source = blanked(log.text_lines(), self._found)
        self._next: deque[Numbered] = deque()

    def __iter__(self) -> Iterator[Numbered]:
        while True:
            if self._next:
                yield self._next.popleft()
                continue
            one = next(self._source, None)
            if self._found[0] > self._told:
                self._tally.set_aside["own output"] += self._found[0] - self._told
                self._told = self._found[0]
            if one is None:
                return
            yield one

    def ahead(self, count: int = AHEAD) -> Iterator[str]:
        """The lines to come, at most `count`, without taking them."""
        for at in range(count):
            if at >= len(self._next):
                one = next(self._source, None)
                if one is None:
                    return
                self._next.append(one)
            yield self._next[at][1]


class Fence:
    """A code fence that the lines read so far leave open; `mark` is "" outside of one."""

    __slots__ = ("mark",)

    def __init__(self) -> None:
        self.mark = ""

    def feed(self, line: str) -> bool:
        """Take one line; whether it belongs to a fence (its own marks included)."""
        if "```" not in line and "~~~" not in line:
            return bool(self.mark)
        found = _FENCE.match(line)
        if not found:
            return bool(self.mark)
        if self.mark:
            if self._closes(found):
                self.mark = ""
            return True
        if found[1][0] in found[2]:  # ```code``` on one line
            return False
        self.mark = found[1]
        return True

    def closes_in(self, ahead: Iterable[str], stop: Callable[[str], bool] | None = None) -> int:
        """In how many of the lines to come the open fence is closed; 0 where it is not.

        It is not where another one opens first, or where `stop` says that the message is over.
        """
        for count, line in enumerate(ahead, 1):
            if stop is not None and stop(line):
                return 0
            if ("```" in line or "~~~" in line) and (found := _FENCE.match(line)):
                if self._closes(found):
                    return count
                if found[2] and found[1][0] == self.mark[0] and len(found[1]) >= len(self.mark):
                    return 0
        return 0

    def _closes(self, found: re.Match[str]) -> bool:
        return not found[2].strip() and found[1][0] == self.mark[0] and len(found[1]) >= len(self.mark)


def front_matter(lines: Lines, tally: Tally) -> dict[str, str]:
    """The simple `key: value` lines of a YAML front matter, which is taken from `lines`; none gives {}."""
    if next(lines.ahead(1), "").strip() != "---":
        return {}
    head = list(lines.ahead(FRONT))
    end = next((at for at, line in enumerate(head) if at and line.strip() == "---"), 0)
    if not end:
        return {}
    for _ in zip(range(end + 1), lines, strict=False):
        pass
    found: dict[str, str] = {}
    for line in head[1:end]:
        key, colon, value = line.partition(":")
        if colon and key and key[0].isalpha():
            found[key.strip().casefold()] = value.strip().strip("\"'")
    tally.title = tally.title or found.get("title", "")
    tally.project = tally.project or found.get("cwd", "")
    tally.branch = tally.branch or found.get("gitbranch", "") or found.get("branch", "")
    tally.session = tally.session or found.get("session", "") or found.get("session_id", "")
    return found


def told_time(front: dict[str, str], head: Iterable[str]) -> str | None:
    """The time a text gives for itself: in its front matter, its title, or a line that names the date."""
    for key in ("started", "date", "created", "created_at", "time", "ended"):
        if found := when(front.get(key, "")):
            return found
    for at, line in enumerate(line for line in head if line.strip()):
        if at > 11:
            break
        if (not at or _DATED.match(line)) and (found := when(line)):
            return found
    return None


def trimmed(start: int, lines: Sequence[str]) -> tuple[int, str]:
    """Lines from `start` on as (line of the first that is not blank, text), blank ones at both ends dropped."""
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return start + first, "\n".join(line.rstrip() for line in lines[first:last])


def typed(start: int, lines: Sequence[str], tally: Tally) -> tuple[int, str]:
    """`trimmed`, without what `distill` wrote itself, which is counted in `tally`."""
    if any(may_hold_own(line) for line in lines):
        text, own = without_own_output("\n".join(lines))
        if own:
            tally.set_aside["own output"] += own
            lines = text.split("\n")
    return trimmed(start, lines)


def located(needle: str, start: int, lines: Sequence[str], default: int) -> int:
    """The number of the first of `lines` (from `start` on) that holds the first line of `needle`, else `default`."""
    wanted = needle.strip().partition("\n")[0].rstrip()
    if wanted:
        for at, line in enumerate(lines):
            if wanted in line:
                return start + at
    return default


def is_text(log: Log) -> bool:
    """Whether a log is text: no JSON lines, no JSON document, not a broken one either."""
    head = log.head[:4096].lstrip()
    if _JSON_HEAD.match(head):
        return False
    if head[:1] == "{" and log.objects:
        return False
    if head[:1] == "[" and log.whole and _parses(log.head):
        return False
    shown = [line for line in islice(log.head.split("\n"), 60) if line.strip()]
    return len(log.objects) < 2 or len(log.objects) * 2 < len(shown)


def head_lines(log: Log, count: int = 2000) -> list[str]:
    """The first lines of a log, for detection; code fences and `distill`'s own output are left out."""
    fence = Fence()
    lines = log.head.split("\n", count)[:count]
    return [line for _, line in blanked(enumerate(lines), [0]) if not fence.feed(line)]


@lru_cache(maxsize=4096)
def when(text: str) -> str | None:
    """The first time in `text` as RFC 3339 in UTC, None where there is none or it can be read in two ways.

    Takes ISO 8601, Chinese dates (2026年3月5日 下午3:20), and day and month in either order where the numbers, an AM or
    PM, or a full stop between them tell which is which. A zone as "GMT+8" counts; without one a time counts as UTC.
    """
    text = text[:200]
    if found := _ISO.search(text):
        year, month, day, part, hour, minute, second, noon, zone = found.groups()
        return _time(text, year, month, day, hour, minute, second, noon or part, zone)
    if found := _LOCAL.search(text):
        one, mark, two, year, hour, minute, second, noon = found.groups()
        first, other = int(one), int(two)
        if mark == "." or first > 12:
            day, month = one, two
        elif other > 12 or noon or first == other:
            day, month = two, one
        else:
            return None
        return _time(text, year if len(year) == 4 else f"20{year}", month, day, hour, minute, second, noon, None)
    return None


def _time(
    text: str,
    year: str,
    month: str,
    day: str,
    hour: str | None,
    minute: str | None,
    second: str | None,
    noon: str | None,
    zone: str | None,
) -> str | None:
    clock = int(hour or 0)
    if noon and noon.casefold() in ("pm", "下午", "晚上", "中午") and clock < 12:
        clock += 12 if not (noon == "中午" and clock in (10, 11)) else 0
    elif noon and noon.casefold() in ("am", "凌晨") and clock == 12:
        clock = 0
    if zone is None and (named := _ZONE.search(text)):
        zone = f"{named[1]}{int(named[2]):02d}:{named[3] or '00'}"
    offset = "" if zone in (None, "Z", "UTC", "GMT") else zone
    date = f"{year}-{int(month):02d}-{int(day):02d}"
    return rfc3339(f"{date} {clock:02d}:{minute or '00'}:{second or '00'}{offset}")


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
