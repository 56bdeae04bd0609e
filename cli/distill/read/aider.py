"""Aider's `.aider.chat.history.md`: one Markdown file that all sessions of a folder are appended to."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Action, ActionKind, Event, Role
from distill.read import aidertext as form
from distill.read.actions import relative, shell_actions
from distill.read.aideredits import HEAD, TAIL, split_edits
from distill.read.formats import Format
from distill.read.log import Log
from distill.read.textlog import Fence, Lines, head_lines, is_text, located, trimmed, typed, when

LONGEST = 20_000  # lines of one answer that are held
OUTPUT = 400  # lines of a command's output that are held
PLAN = 8000  # characters of an approved plan


def _recognise(log: Log) -> bool:
    if not is_text(log):
        return False
    lines = [line for line in head_lines(log) if line.strip()]
    if any(form.START.match(line) for line in lines[:5]):
        return True
    # A history whose beginning was cut off.
    inputs = sum(bool(form.INPUT.match(line)) for line in lines)
    return inputs > 0 and sum(bool(form.OWN_LINE.match(line)) for line in lines) > 1


def _events(log: Log) -> Iterator[Event]:
    yield from _History(log).events()


class _History:
    """One pass over a history. Holds one answer, one input and the output of one command."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.tally = log.tally
        self.lines = Lines(log)
        self.spaced = form.spaced(head_lines(log))
        self.time: str | None = None
        self.session = ""
        self.fence = Fence()
        self.editing = False  # inside a SEARCH/REPLACE block, where a fence is content
        self.inside_until = 0  # a line up to which the open fence is known to go on
        self.before = ""  # the line before
        self.prose: list[str] = []
        self.prose_at = 0
        self.typed: list[str] = []
        self.typed_at = 0
        self.echo = ""  # words of a command that come again as an input
        self.said: tuple[int, str] = (0, "")  # the last answer, and where it stands
        self.entry: tuple[int, str] = (0, "")  # the tool line before
        self.edits: dict[str, str] = {}
        self.created: set[str] = set()
        self.command: tuple[int, str, Role] | None = None
        self.output: list[str] = []
        self.output_at = 0
        self.undo = 0  # the line of an /undo that nothing has answered yet
        self.waiting = False  # an input was sent and no answer is complete
        self.asked = 0  # the line of the last input
        self.committed: dict[str, int] = {}  # ids of commits, and the line of the input each came of

    def events(self) -> Iterator[Event]:
        for number, line in self.lines:
            if line[:1] not in ("#", ">") and not self.typed:
                self._prose(number, line)
                if len(self.prose) >= LONGEST:
                    yield from self._flush_talk()
            else:
                yield from self._line(number, line)
            self.before = line
        yield from self._flush(last=True)

    # -- lines -------------------------------------------------------------------------------------------------------

    def _line(self, number: int, line: str) -> Iterator[Event]:
        """A line that may be the beginning or end of something; the others are `_prose`."""
        start = form.START.match(line)
        if (self.fence.mark or self.editing) and not self._still_inside(number, line):
            self.fence.mark, self.editing = "", False
        if self.editing or self.fence.mark:
            self._prose(number, line)
        elif start:
            yield from self._flush(last=True)
            self.tally.types["session"] += 1
            self.session, self.time = start[1], when(start[1])
            self.tally.session = start[1]
        elif self._is_input(line):
            if not self.typed or not form.INPUT.match(self.before):
                yield from self._flush()
                self.typed_at = number
            self.typed.append(line[5:].rstrip())
        elif form.TOOL.match(line) and self._is_tool(line):
            yield from self._flush_talk()
            rest: list[str] = []
            if self.spaced and not line.endswith("  "):
                rest = self._rest_of_entry()
            yield from self._entry(number, "\n".join([line[2:].rstrip(), *rest]))
        else:
            if self.typed and line.strip():
                yield from self._flush()
            self._prose(number, line)

    def _prose(self, number: int, line: str) -> None:
        """A line of the assistant's; keeps account of what it opens and closes."""
        if self.editing:
            self.editing = not (line[:8].lstrip()[:1] == ">" and TAIL.match(line))
        elif line[:8].lstrip()[:1] == "<" and HEAD.match(line):
            self.editing = True
        else:
            self.fence.feed(line)
        if self.prose:
            self.prose.append(line)
        elif line.strip():
            self.prose_at = number
            self.prose.append(line)

    def _is_input(self, line: str) -> bool:
        """Aider ends every line it writes with two blanks; where an editor took them away, place must tell."""
        if not form.INPUT.match(line):
            return False
        if self.spaced:
            return line.endswith("  ") and (bool(self.typed) or not self.before.strip() or not self.prose)
        if self.typed and form.INPUT.match(self.before):
            return True
        if self.before.strip() and not form.TOOL.match(self.before):
            return not self.prose
        if not self.prose or form.known_command(line[5:]):
            return True
        return not any(form.HEADING.match(text) for text in self.prose) and not self._fence_follows()

    def _fence_follows(self) -> bool:
        """A heading over a listing ("#### main.py") is the assistant's."""
        following = next((line for line in self.lines.ahead(2) if line.strip()), "")
        return following.lstrip().startswith(("```", "~~~"))

    def _still_inside(self, number: int, line: str) -> bool:
        """Whether what is open goes on past this line: an answer that was cut off leaves a fence or edit open."""
        if number <= self.inside_until:
            return True
        if self.spaced and form.OWN_LINE.match(line) and line.endswith("  ") and not self.before.strip():
            return False
        if not (form.START.match(line) or self._is_input(line)):
            return True
        ahead = self.lines.ahead()
        over = form.over_spaced if self.spaced else form.over
        if self.editing:
            more = form.count_to(ahead, lambda text: bool(TAIL.match(text)), over)
        else:
            more = self.fence.closes_in(ahead, over)
        self.inside_until = number + more
        return more > 0

    def _is_tool(self, line: str) -> bool:
        if not self.spaced:
            return not (self.prose and self.before.strip() and not form.TOOL.match(self.before))
        if line.endswith("  "):
            return not (self.prose and self.before.strip())
        return not self.prose  # the first line of a longer entry; else a quotation of the assistant's

    def _rest_of_entry(self) -> list[str]:
        """The lines of an entry that has more than one: its last ends with two blanks, others may."""
        rest: list[str] = []
        last = 0
        for count, line in enumerate(self.lines.ahead(OUTPUT), 1):
            if form.START.match(line) or form.TOOL.match(line) or (form.INPUT.match(line) and line.endswith("  ")):
                break
            if last and not line.strip():
                break
            rest.append(line.rstrip())
            last = count if line.endswith("  ") else last
        for _ in zip(range(last), self.lines, strict=False):
            pass
        return rest[:last]

    # -- what was said -----------------------------------------------------------------------------------------------

    def _flush(self, last: bool = False) -> Iterator[Event]:
        """All that is held: a new input begins, or the session ends."""
        yield from self._flush_talk()
        yield from self._flush_command()
        if self.undo:
            yield self._act(self.undo, ActionKind.UNCOMMITTED, role=Role.USER)
            self.undo = 0
        self.edits = {}
        self.created = set()
        self.fence.mark, self.editing = "", False
        if last:
            self.echo, self.said, self.entry, self.waiting = "", (0, ""), (0, ""), False

    def _flush_talk(self) -> Iterator[Event]:
        if self.typed:
            typed, self.typed = self.typed, []
            yield from self._input(self.typed_at, typed)
        if self.prose:
            prose, self.prose = self.prose, []
            self.fence.mark, self.editing = "", False
            yield from self._answer(self.prose_at, prose)

    def _answer(self, number: int, lines: list[str]) -> Iterator[Event]:
        self.tally.types["assistant"] += 1
        yield from self._flush_command()
        lines, thought = form.without_thinking(lines)
        if thought:
            self.tally.set_aside["thinking"] += thought
        self.said = trimmed(number, lines)
        kept, new = split_edits(lines)
        self.edits.update(new)
        record, text = trimmed(number, kept)
        if text:
            yield self._speech(record, Role.ASSISTANT, text)

    def _input(self, number: int, lines: list[str]) -> Iterator[Event]:
        self.tally.types["user"] += 1
        record, text = trimmed(number, lines)
        if not text or text == "<blank>":
            return
        first, _, rest = text.partition("\n")
        found = form.COMMAND.match(first.strip())
        name = found[1].lower() if found else ""
        if first.startswith("!") and len(first) > 1:
            self.command = (record, text[1:].strip(), Role.USER)
        elif name in form.SHELL and found:
            words = "\n".join(part for part in (found[2] or "", rest) if part)
            self.command = (record, f"git {words}" if name == "git" else words, Role.USER)
        elif name in form.TALK and found:
            at = first.find(found[2]) if found[2] else len(first)
            record, words = trimmed(record, [first[at:], *rest.split("\n")])
            self.echo = form.plain(words)
            if words:
                yield from self._words(record, words)
        elif name in form.OTHER:
            self.tally.set_aside["command"] += 1
            if name == "undo":
                self.undo = record
        elif self.echo and form.plain(text) == self.echo:
            self.tally.set_aside["repeated text"] += 1
            self.echo = ""
        elif self.said[1] and form.plain(text) == form.plain(self.said[1]):
            self.tally.set_aside["machine prompt"] += 1  # the architect's plan, handed on to the editor
        else:
            self.echo = ""
            yield from self._words(record, text)

    def _words(self, record: int, words: str) -> Iterator[Event]:
        record, text = typed(record, words.split("\n"), self.tally)
        if text:
            self.waiting = True
            self.asked = record
            yield self._speech(record, Role.USER, text)

    # -- what was done -----------------------------------------------------------------------------------------------

    def _entry(self, number: int, text: str) -> Iterator[Event]:
        """One line (or more) that Aider itself wrote."""
        self.tally.types["tool line"] += 1
        (at, last), self.entry = self.entry, (number, text)
        if text.startswith("Tokens: "):
            self.waiting = False
        elif text.startswith("Applied edit to "):
            yield self._edited(number, text[16:].strip())
        elif found := form.COMMIT.match(text):
            self.committed[found[1]] = self.asked
            yield self._act(number, ActionKind.COMMITTED, found[1], found[2])
        elif self.undo and (found := form.REMOVED.match(text)):
            self.undo = 0
            if self.asked and self.committed.get(found[1]) == self.asked:  # and with it all that the input led to
                yield self._event(number, Role.USER, Action(kind=ActionKind.REWOUND, back_to=self.asked - 1))
            yield self._act(number, ActionKind.UNCOMMITTED, found[1], found[2], role=Role.USER)
        elif text.startswith("Creating empty file "):
            yield self._act(number, ActionKind.WROTE, self._path(text[20:]))
        elif text.startswith("Added ") and text.endswith(" to .gitignore"):
            yield self._act(number, ActionKind.EDITED, ".gitignore", text[6:-14])
        elif text.startswith("Git repository created in "):
            self.tally.project = self.tally.project or text[26:].strip()
        elif last.endswith(": file not found error") and (found := form.DROPPED.match(text)):
            yield self._act(number, ActionKind.DELETED, self._path(found[1]), role=Role.USER)
        elif text.startswith("Running "):
            yield from self._flush_command()
            self.command = (number, text[8:].strip(), Role.ASSISTANT)
        elif found := form.ASKED.match(text):
            yield from self._asked(number, found[1], found[2].lower(), at, last)
        elif "^C" in text[:40]:
            if self.waiting:
                self.waiting = False
                yield self._act(number, ActionKind.INTERRUPTED, role=Role.USER)
        elif self.command and not text.startswith("Added ") and len(self.output) < OUTPUT:
            self.output_at = self.output_at or number
            self.output += [""] * (number - self.output_at - len(self.output)) + text.split("\n")
        elif self.undo and text:
            self.undo = 0  # it could not be undone, and Aider says why

    def _asked(self, number: int, question: str, answer: str, at: int, subject: str) -> Iterator[Event]:
        refused = answer[:1] in ("n", "s", "d")
        if question.startswith("Create new file"):
            path = self._path(subject)
            if not refused:
                self.created.add(path)
            elif path:
                yield self._act(at, ActionKind.REJECTED, path, role=Role.USER)
        elif question.startswith("Run shell command") and refused and subject:
            yield self._act(at, ActionKind.REJECTED, subject, role=Role.USER)
        elif question.startswith("Edit the files"):
            if refused:
                yield self._act(number, ActionKind.REJECTED, "plan", role=Role.USER)
            else:
                record, plan = self.said
                yield self._act(record or number, ActionKind.APPROVED, detail=plan[:PLAN], role=Role.USER)

    def _edited(self, number: int, path: str) -> Event:
        path = self._path(path)
        slashed = path.replace("\\", "/")
        detail = self.edits.get(path) or self.edits.get(slashed) or ""
        if not detail:
            ends = (text for name, text in self.edits.items() if name.replace("\\", "/").endswith("/" + slashed))
            detail = next(ends, "")
        kind = ActionKind.WROTE if path in self.created else ActionKind.EDITED
        self.created.discard(path)
        return self._act(number, kind, path, detail)

    def _flush_command(self) -> Iterator[Event]:
        if self.command is None:
            return
        (record, command, role), self.command = self.command, None
        lines, start = self.output, self.output_at
        self.output, self.output_at = [], 0
        if not command:
            return
        for action in shell_actions(command, "\n".join(lines), failed=False, cwd=self.tally.project):
            first = command.partition("\n")[0]
            at = record if action.target and action.target in first else located(action.target, start, lines, record)
            yield self._event(at, role, action)

    def _path(self, path: str) -> str:
        return relative(path, self.tally.project)

    def _act(
        self, record: int, kind: ActionKind, target: str = "", detail: str = "", *, role: Role = Role.ASSISTANT
    ) -> Event:
        return self._event(record, role, Action(kind=kind, target=target, detail=detail.strip("\n")))

    def _event(self, record: int, role: Role, action: Action) -> Event:
        self.tally.understood += 1
        return Event(record=record, role=role, action=action, time=self.time, session=self.session,
                     project=self.tally.project, by_line=True)  # fmt: skip

    def _speech(self, record: int, role: Role, text: str) -> Event:
        self.tally.understood += 1
        return Event(record=record, role=role, text=text, time=self.time, session=self.session,
                     project=self.tally.project, by_line=True)  # fmt: skip


FORMAT = Format(
    name="aider",
    title="Aider",
    where=".aider.chat.history.md in the project's folder",
    order=30,
    heads=True,
    recognise=_recognise,
    events=_events,
)
