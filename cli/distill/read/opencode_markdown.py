"""opencode's `/export`: a session as Markdown, with the tools' input and output in fences.

A message begins at a `## User` or `## Assistant (…)` heading that stands under a rule; other headings are prose.
Thinking is marked where it begins and not where it ends.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from distill.model import Event
from distill.read.actions import in_result
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.opencode_json import refusal_words, typed
from distill.read.parts import looks_failed
from distill.read.teller import Call, Teller, mapping
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_SESSION = Lazy(r"^\*\*Session ID:\*\* (ses_\w+)", re.MULTILINE)
_HEADING = Lazy(r"## (User|Assistant(?: \(.*\))?)\s*$")
_TOOL = Lazy(r"\*\*Tool: (.{1,200})\*\*\s*$")
_OLD_TOOL = Lazy(r"Tool: (\S{1,200})\s*$")
_TIME = Lazy(r"\*\*(?:Created|Updated):\*\* (.*\S)")
_US_TIME = Lazy(r"(\d{1,2})/(\d{1,2})/(\d{4}), (\d{1,2}):(\d\d)(?::(\d\d))?\s?([AP])M")
_THINKING = "_Thinking:_"
# How a paragraph of thinking begins.
_MUSING = Lazy(
    r"(?:The user|User wants|Let me (?!know)|I should|I need to|We should|We need to|Hmm|Wait|Actually,|Maybe|Perhaps"
    r"|Looking at|So |OK|Okay|用户|让我|我需要|我应该|我得)"
)
_TITLE = Lazy(r"\*\*[^*]+\*\*\s*$")
AHEAD = 5  # lines that are looked at to tell where a fence closes


@dataclass(slots=True)
class _Part:
    """A stretch of a message: prose, thinking, or a tool with its input and output; lines with their numbers."""

    kind: str
    start: int = 0
    lines: list[str] = field(default_factory=list)
    name: str = ""
    given: list[tuple[int, str]] = field(default_factory=list)
    output: list[tuple[int, str]] = field(default_factory=list)
    failed: bool = False


def recognise(log: Log) -> bool:
    """Whether a session's id stands at the top."""
    return log.first not in ("{", "[") and bool(_SESSION.search(log.head[:4000]))


def events(log: Log) -> Iterator[Event]:
    """The events of an export; a record is a line."""
    export = _Export(log)
    for number, line, ahead in _windows(log.text_lines()):
        yield from export.line(number, line, ahead)
    yield from export.flush()


def _windows(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str, Sequence[str]]]:
    """Every line with the lines after it."""
    held: deque[tuple[int, str]] = deque()
    for one in chain(lines, [None] * AHEAD):
        if one is not None:
            held.append(one)
        if held and (one is None or len(held) > AHEAD):
            number, line = held.popleft()
            yield number, line, [text for _, text in held]


class _Export:
    def __init__(self, log: Log) -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.teller.by_line = True
        self.time: str | None = None
        self.role = ""  # of the message we are in
        self.parts: list[_Part] = []
        self.place = ""  # inside "input" or "output"
        self.inner = False  # inside a fence that an output itself opened
        self.wrapped = False  # the tool stands in a fence of its own
        self.under_rule = False  # the last line that is not blank was a rule

    # -- lines ---------------------------------------------------------------------------------------------------

    def line(self, number: int, line: str, ahead: Sequence[str]) -> Iterator[Event]:
        if self.place.startswith("opening"):
            self.place, self.inner = self.place.removeprefix("opening "), False
            return
        if self.place == "input":
            self._input(number, line)
            return
        if self.place == "output":
            self._output(number, line, ahead)
            return
        if self.under_rule and (heading := _HEADING.match(line)):
            yield from self.flush()
            self.role = heading[1].split(" ", 1)[0]
            self.tally.types[self.role.lower()] += 1
        elif not self.role:
            self._front(line)
        elif not self._structure(number, line, ahead):
            self._prose(number, line)
        if line.strip():
            self.under_rule = line.strip() == "---"

    def _front(self, line: str) -> None:
        if line.startswith("# ") and not self.tally.title:
            self.tally.title = line[2:].strip()
        elif session := _SESSION.match(line):
            self.tally.session = self.teller.session = session[1]
        elif time := _TIME.match(line):
            self.time = _time(time[1]) or self.time

    def _structure(self, number: int, line: str, ahead: Sequence[str]) -> bool:
        """Whether a line belongs to a tool or begins thinking, and not to the prose."""
        if self.role != "Assistant":
            return False
        old = _OLD_TOOL.match(ahead[0]) if line.rstrip() == "```" and ahead else None
        last = self.parts[-1] if self.parts else None
        if tool := old or _TOOL.match(line):
            self.parts.append(_Part("tool", number, name=tool[1]))
            self.wrapped = old is not None
            return True
        if line.strip() == _THINKING:
            self.parts.append(_Part("thinking", number + 1))
            return True
        if last is None or last.kind != "tool":
            return False
        if line.strip() in ("**Input:**", "**Output:**", "**Error:**") and ahead and ahead[0].startswith("```"):
            last.failed = last.failed or line.startswith("**Error")
            self.place = "opening input" if line.startswith("**Input") else "opening output"
            return True
        if self.wrapped and line.rstrip() == "```":
            self.wrapped = False
            return True
        return not line.strip() or (self.wrapped and bool(_OLD_TOOL.match(line)))

    def _input(self, number: int, line: str) -> None:
        if line.rstrip() == "```":
            self.place = ""
        else:
            self.parts[-1].given.append((number, line))

    def _output(self, number: int, line: str, ahead: Sequence[str]) -> None:
        bare = line.rstrip() == "```"
        if bare and (self._message_ends(ahead) or (not self.inner and (not ahead or ahead[0].strip() in ("", "```")))):
            self.place = ""
            return
        if bare:
            self.inner = not self.inner
        elif line.startswith("```"):
            self.inner = True
        self.parts[-1].output.append((number, line))

    def _message_ends(self, ahead: Sequence[str]) -> bool:
        """Whether what follows a fence is the next tool or the next message."""
        rest = [line for line in ahead if line.strip() and line.rstrip() != "```"]
        if not rest or ahead[0].strip() not in ("", "```"):
            return not rest
        if _TOOL.match(rest[0]):
            return True
        return rest[0].strip() == "---" and (len(rest) == 1 or bool(_HEADING.match(rest[1])))

    def _prose(self, number: int, line: str) -> None:
        if not self.parts or self.parts[-1].kind == "tool":
            self.parts.append(_Part("text", number))
        self.parts[-1].lines.append(line)

    # -- messages ------------------------------------------------------------------------------------------------

    def flush(self) -> Iterator[Event]:
        """The events of the message that ends here."""
        parts, self.parts = self.parts, []
        if parts and parts[-1].lines:  # the rule before the next heading
            while parts[-1].lines and parts[-1].lines[-1].strip() in ("", "---"):
                parts[-1].lines.pop()
        acts = any(part.kind == "tool" for part in parts)
        for part in parts:
            if part.kind == "tool":
                self.tally.types["tool"] += 1
                yield from self._tool(part)
            elif self.role == "User":
                yield from self._typed(part)
            elif part.kind == "thinking":
                self.tally.set_aside["thinking"] += 1
                if not acts:
                    yield from self._assistant(*_answer(part))
            else:
                yield from self._assistant(part.start, part.lines)

    def _assistant(self, start: int, lines: list[str]) -> Iterator[Event]:
        start, lines = _trimmed(start, lines)
        yield from self.teller.assistant("\n".join(lines), start, self.time)

    def _typed(self, part: _Part) -> Iterator[Event]:
        """The user's words, cut where something between them was not typed, so that every line keeps its number."""
        start, lines = _trimmed(part.start, part.lines)
        words = typed("\n".join(lines))
        if words == "\n".join(lines).strip():
            yield from self.teller.user(words, start, self.time)
            return
        self.tally.set_aside["injected text"] += 1
        places: dict[str, list[int]] = {}
        for place, line in enumerate(lines):
            places.setdefault(line.strip(), []).append(place)
        run: list[str] = []
        began = at = 0
        for line in words.split("\n"):
            known = places.get(line.strip(), [])
            after = bisect_left(known, at)
            place = known[after] if after < len(known) else at
            if run and place != at:
                yield from self.teller.user("\n".join(run), start + began, self.time)
                run = []
            began = began if run else place
            run.append(line)
            at = place + 1
        yield from self.teller.user("\n".join(run), start + began, self.time)

    def _tool(self, part: _Part) -> Iterator[Event]:
        try:
            given = json.loads("\n".join(line for _, line in part.given), strict=False)
        except (ValueError, RecursionError):
            return
        call = Call(part.name, mapping(given), part.start, self.time)
        output = "\n".join(line for _, line in part.output)
        words = refusal_words(output) if part.failed else None
        end = part.output[0][0] if part.output else part.start
        if words is not None:
            yield from self.teller.refusal(call, words, end, self.time)
        elif part.name == "task":
            self.tally.set_aside["side chain"] += 1
        else:
            failed = part.failed or looks_failed(output)
            for event in self.teller.done(call, output, end, self.time, failed=failed):
                yield replace(event, record=_line_of(event, part))


def _trimmed(start: int, lines: list[str]) -> tuple[int, list[str]]:
    """Lines without blank ones before them, and the number of the first."""
    skip = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    return start + skip, lines[skip:]


def _answer(part: _Part) -> tuple[int, list[str]]:
    """What follows the thinking in a message without tools: all after the last paragraph that muses, at least one.

    The first paragraph is thinking (with the next where it is but a title), and a heading begins an answer.
    """
    lines = part.lines
    starts = [i for i, line in enumerate(lines) if line.strip() and (i == 0 or not lines[i - 1].strip())]
    if len(starts) < 2:
        return part.start, []
    titled = bool(_TITLE.match(lines[starts[0]]))
    begin = 2 if titled else 1
    for place, at in enumerate(starts[1:], 1):
        if titled and _TITLE.match(lines[at]):
            begin = place + 2
        elif lines[at].startswith(("#", "**")):
            break
        elif _MUSING.match(lines[at]):
            begin = place + 1
    at = starts[min(begin, len(starts) - 1)]
    return part.start + at, lines[at:]


def _line_of(event: Event, part: _Part) -> int:
    """The line of a tool's input or output on which the words of an act stand."""
    action = event.action
    if action is None:
        return event.record
    told = in_result(action)
    words = action.tasks[0].text if action.tasks else (told and action.detail) or action.target
    first = words.split("\n", 1)[0][:80]
    needles = (json.dumps(words, ensure_ascii=False)[1:-1][:80], first)
    lines = part.output if told else part.given
    return next((n for n, line in lines if first and any(one in line for one in needles)), event.record)


def _time(shown: str) -> str | None:
    """A time as the program's locale writes it; days and months are told apart only in the American form."""
    american = _US_TIME.match(shown)
    if not american:
        return rfc3339(shown)
    month, day, year, hour, minute, second, half = american.groups()
    at = int(hour) % 12 + (12 if half == "P" else 0)
    return rfc3339(f"{year}-{month}-{day} {at:02}:{minute}:{second or '00'}")


FORMAT = Format(
    name="opencode-markdown",
    title="opencode (/export)",
    where="where /export saved it",
    order=26,
    heads=True,
    recognise=recognise,
    events=events,
)
