"""Texts in which speakers are named: chats, interviews, minutes, exports of all sorts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from distill.model import Event, Role
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.nametags import could_be_name, is_label, part_of, people, role_of
from distill.read.own import is_state
from distill.read.roles import Speaker
from distill.read.textlog import Fence, Lines, front_matter, head_lines, is_text, told_time, typed, when
from distill.text.lazy import Lazy

_HEADING = Lazy(
    r"(#{1,6}) (?:Turn|Message|Round|第)? ?#?\d{0,5} ?(?:轮|[.)])?(?: ?[—–:：|·-])? ?(.{1,120})$", re.I
)
_AFTER = Lazy(r"\s*(?:[·|—–*(（\[,]|\s-\s|[:：]?$)")
_BOLD = Lazy(r"\*\*([^*\n]{1,60}?)(?:[(（]([^)）\n]{1,60})[)）])?\s?(?:[:：]\*\*|\*\*\s?[:：])\s?(.*)$")
_INLINE = Lazy(
    r"\[?([^\W\d_][^:：\n\[\](){}（）*#|]{0,30}?)\]?\s?(?:[(（]([^)）\n]{1,60})[)）])?\s?[:：](?:\s+|(?<=：)|$)(.*)$"
)
_ANGLE = Lazy(r"<[@+ ]?([\w.\-\u4e00-\u9fff]{1,30})> (\S.*)$")
_ANY_HEADING = Lazy(r"#{1,5} \S")
_WORD = Lazy(r"[^\s·|—–(（\[*:：,]+(?: (?:Prompt|User|Message|Said|said))?")
_DETAILS = Lazy(r"\s*<details>|\s*<summary>")
LONGEST = 20_000  # lines of one message that are held


@dataclass(frozen=True, slots=True)
class _Turn:
    """The line a turn begins with: who, what is said on that line, the form, and a time if it tells one."""

    name: str
    rest: str
    form: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class _Style:
    """How the turns of one text look."""

    forms: frozenset[str]
    people: frozenset[str]

    def turn(self, line: str) -> _Turn | None:
        """The turn that `line` begins, if any."""
        found = _heading(line) or _inline(line)
        if found is None or found.form not in self.forms:
            return None
        return found if part_of(found.name) or (found.name in self.people and found.form != "heading") else None


def _heading(line: str) -> _Turn | None:
    if line[:1] != "#":
        return None
    found = _HEADING.match(line)
    if not found:
        return None
    text = re.sub(r"^[^\w(（*]+\s*", "", found[2]).strip("* ")
    word = _WORD.match(text)
    if not word or not _AFTER.match(text[word.end() :]) or part_of(word[0]) is None:
        return None
    return _Turn(word[0], "", f"heading{len(found[1])}", when(text[word.end() :]))


def _inline(line: str) -> _Turn | None:
    if line[:2] == "**":
        found = _BOLD.match(line)
        return _Turn(found[1].strip(), found[3], "bold", when(found[2] or "")) if found else None
    if line[:1] == "<":
        found = _ANGLE.match(line)
        return _Turn(found[1], found[2], "angle") if found else None
    if line[:1] in "#>|-`~ \t" or (":" not in line[:100] and "：" not in line[:100]):
        return None
    found = _INLINE.match(line)
    return _Turn(found[1].strip(), found[3], "inline", when(found[2] or "")) if found else None


def _style(lines: list[str]) -> _Style | None:
    """How the turns look, told from the head of a text; None where it has none."""
    known: list[_Turn] = []
    others: list[_Turn] = []
    shown = 0
    first = ""
    for line in lines:
        if not line.strip():
            continue
        shown += 1
        found = _heading(line) or _inline(line)
        if found is None:
            continue
        if part_of(found.name) is not None:
            known.append(found)
            first = first or line
        elif not is_label(found.name):
            others.append(found)
    named = frozenset(people(turn.name for turn in others if not turn.form.startswith("heading")))
    spoken = [turn for turn in others if turn.name in named]
    meeting = len(named) > 1 and len(spoken) * 3 >= shown and len(spoken) >= 2 * len(named)
    parts = {part_of(turn.name) for turn in known}
    talk = Speaker.USER in parts and (len(parts) > 1 or len(known) > 1 or _opens(lines, first))
    talk = talk or (len(known) > 1 and Speaker.ASSISTANT in parts and (meeting or _opens(lines, first)))
    if not talk and not meeting and not (known and spoken and len(known) + len(spoken) > 2):
        return None
    forms = {turn.form for turn in known}
    if any(form.startswith("heading") for form in forms):  # the level of the first; deeper ones are content
        level = next(turn.form for turn in known if turn.form.startswith("heading"))
        forms = {form for form in forms if not form.startswith("heading")} | {level}
    return _Style(forms=frozenset(forms | {turn.form for turn in spoken}), people=named)


def _opens(lines: list[str], first: str) -> bool:
    """Whether a turn is the first thing in a text, but for a title and the like."""
    shown = [line for line in lines if line.strip()]
    return first in shown[:1] or (first in shown[:12] and all(_ANY_HEADING.match(x) or x == first for x in shown[:2]))


def _recognise(log: Log) -> bool:
    return is_text(log) and not is_state(log.head) and _style(head_lines(log)) is not None


def _events(log: Log) -> Iterator[Event]:
    style = _style(head_lines(log)) or _Style(frozenset(("inline", "bold")), frozenset())
    yield from _Talk(log, style).events()


class _Talk:
    """One pass over a conversation. Holds one message."""

    def __init__(self, log: Log, style: _Style) -> None:
        self.tally = log.tally
        self.lines = Lines(log)
        self.style = style
        self.started = told_time({}, head_lines(log, 40))
        self.time: str | None = None
        self.role: Role | None = Role.UNKNOWN
        self.person = False
        self.fence = Fence()
        self.inside_until = 0
        self.held: list[str] = []
        self.held_at = 1

    def events(self) -> Iterator[Event]:
        front = front_matter(self.lines, self.tally)
        self.started = told_time(front, ()) or self.started
        for number, line in self.lines:
            turn = self._turn(number, line)
            if turn:
                yield from self._flush()
                self._begin(turn)
                line = turn.rest
            elif self.person and not self.fence.mark and _ANY_HEADING.match(line):
                yield from self._flush()  # in minutes a heading ends what somebody says
                self.role, self.person = Role.UNKNOWN, False
            if turn is None or line:
                self.fence.feed(line)
            if not self.held:
                self.held_at = number
            self.held.append(line)
            if len(self.held) >= LONGEST:
                yield from self._flush()
        yield from self._flush()

    def _turn(self, number: int, line: str) -> _Turn | None:
        if not line or number <= self.inside_until:
            return None
        turn = self.style.turn(line)
        if turn and self.fence.mark:
            more = self.fence.closes_in(self.lines.ahead())
            self.inside_until = number + more
            return None if more else turn
        return turn

    def _begin(self, turn: _Turn) -> None:
        self.fence.mark = ""
        self.role = role_of(turn.name)
        self.person = part_of(turn.name) is None
        self.time = turn.time
        self.tally.types[turn.name if self.person else str(self.role or "aside")] += 1

    def _flush(self) -> Iterator[Event]:
        held, self.held = self.held, []
        if not held:
            return
        if self.role is None:
            self.tally.set_aside["injected text"] += 1
            return
        if self.role is Role.ASSISTANT:
            held = _without_details(held)
        while held and held[-1].strip() in ("", "---", "***", "___"):
            held.pop()
        record, text = typed(self.held_at, _unquoted(held) if self.role is Role.USER else held, self.tally)
        if text.strip(" -*_=#"):
            self.tally.understood += 1
            time = self.time or self.started
            yield Event(record=record, role=self.role, text=text, time=time, session=self.tally.session,
                        project=self.tally.project, by_line=True)  # fmt: skip


def _unquoted(lines: list[str]) -> list[str]:
    """Words that an export shows as a quotation, without its marks."""
    shown = [line for line in lines if line.strip()]
    if not shown or not all(line.startswith(">") for line in shown):
        return lines
    return [line[2:] if line.startswith("> ") else line[1:] for line in lines]


def _without_details(lines: list[str]) -> list[str]:
    """Folded parts (tool calls, thoughts) emptied."""
    if not any(_DETAILS.match(line) for line in lines):
        return lines
    kept: list[str] = []
    inside = False
    for line in lines:
        inside = inside or bool(_DETAILS.match(line))
        kept.append("" if inside else line)
        if "</details>" in line:
            inside = False
    return kept


def named_turn(line: str) -> tuple[str, str] | None:
    """(name, what is said) of a line "name: words"; None where there is no such name."""
    found = _inline(line)
    if found is None or not found.name or not (part_of(found.name) or could_be_name(found.name)):
        return None
    return found.name, found.rest


FORMAT = Format(
    name="speakers",
    title="Text with speakers",
    where="chats, minutes and exports saved as text or Markdown",
    order=92,
    recognise=_recognise,
    events=_events,
)
