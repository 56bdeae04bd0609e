"""The tool blocks of SpecStory histories: what was called, with what, and what came of it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from distill.read.textlog import Fence
from distill.text.lazy import Lazy

_TAG = Lazy(r'<tool-use\b[^>]*?data-tool-type="([^"]*)"[^>]*?data-tool-name="([^"]*)"')
_NAMED = Lazy(r"Tool use: \*\*([^*]+)\*\*")
_INPUT = Lazy(r"- ([A-Za-z_][\w.-]*):(?: `(.*)`)?\s*$")
_STATUS = Lazy(r"Status: \*\*(\w+)\*\*")
_FILE = Lazy(r"\b(Edit|Create|Write|Update|Delete|Created|Edited|Deleted|Wrote) file: (.+?)\s*$")
_RUN = Lazy(r"Run command: (.+)$", re.S)
_INLINE = Lazy(r"`([^`]+)`\s*$")
_DONE = Lazy(
    r"The file (.+?) has been (?:updated|created)|File created successfully at: (.+?)(?: \(file state|$)", re.M
)
SUMMARY = 400  # lines a summary may have
_SHELLS = {"bash", "sh", "shell", "zsh", "powershell", "pwsh", "cmd", "console", "fish"}
_BAD = {"error", "failed", "failure", "cancelled", "canceled", "rejected", "aborted", "denied"}
_FAILED = Lazy(
    r"\s*(?:<tool_use_error>|Error: |Error executing|Exit code:? [1-9]|String to replace not found"
    r"|File has (?:not been read|been (?:unexpectedly )?modified)|The string to replace was not found"
    r"|No such tool available|InputValidationError)"
)
_REFUSED = Lazy(
    r"The user doesn't want to (?:proceed with|take) this (?:tool use|action)|The tool use was rejected"
)
_REASON = Lazy(r"(?:the user said|reason for the rejection):\s*")


@dataclass(slots=True)
class Fenced:
    """One code fence of a block: its info word, the line its content starts at, and the content."""

    info: str
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The content as one text."""
        return "\n".join(self.lines)


@dataclass(slots=True)
class Block:
    """One tool call as the history shows it, with the lines it stands on."""

    start: int
    lines: list[str]
    kind: str = ""
    name: str = ""
    summary: str = ""
    fences: list[Fenced] = field(default_factory=list)
    prose: list[tuple[int, str]] = field(default_factory=list)  # numbered lines of the body outside of fences
    inputs: dict[str, str] = field(default_factory=dict)
    input_lines: dict[str, int] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    status: str = ""
    error: bool = False

    @property
    def output(self) -> str:
        """What the tool printed, as far as the history shows it."""
        fence = self.output_fence
        return html.unescape(fence.text) if fence else ""

    @property
    def output_fence(self) -> Fenced | None:
        """The fence with the output: the last one that holds no command, parameters or change."""
        shown = [f for f in self.fences if f.info not in _SHELLS and f.info not in ("json", "diff")]
        return shown[-1] if shown else None

    @property
    def failed(self) -> bool:
        """Whether the call is marked as failed, refused or cancelled, or its output begins like an error."""
        return self.error or self.status in _BAD or self.refused or bool(_FAILED.match(self.output))

    @property
    def refused(self) -> bool:
        """Whether the user refused the call."""
        return bool(_REFUSED.match(self.output))

    def reason(self) -> tuple[int, list[str]]:
        """The user's words in a refusal: the line they start at, and the lines; none gives no lines."""
        fence = self.output_fence
        if fence is None:
            return 0, []
        for at, line in enumerate(fence.lines):
            if found := _REASON.search(line):
                first = line[found.end() :]
                rest = fence.lines[at + 1 :]
                return (fence.line + at, [first, *rest]) if first.strip() else (fence.line + at + 1, rest)
        return 0, []

    @property
    def path(self) -> tuple[str, str]:
        """(path, verb) of the file a block is about; "" where it names none."""
        for line in [self.summary, *(text for _, text in self.prose)]:
            if found := _FILE.search(line):
                return found[2].strip("`"), found[1]
        if (fence := self.output_fence) and (found := _DONE.search(fence.text[:2000])):
            return (found[1] or found[2]).strip(), ""
        values: dict[str, Any] = {**self.parameters, **self.inputs}
        keys = ("file_path", "filePath", "path", "target_file", "relativeWorkspacePath", "notebook_path", "targetFile")
        for key in keys:
            named = values.get(key)
            if isinstance(named, str) and named:
                return named, ""
        for _, text in self.prose[:3]:
            if self.kind == "write" and (found := _INLINE.match(text.strip())):
                return found[1], ""
        return "", ""

    @property
    def command(self) -> tuple[str, int]:
        """(command, its line) of a shell block; "" where it shows none."""
        for fence in self.fences:
            if fence.info in _SHELLS and fence.text.strip():
                return _shown(fence.text.strip("\n")), fence.line
        for number, text in self.prose:
            if text.startswith("`") and (found := _INLINE.match(text)):
                return found[1], number
        if found := _RUN.search(self.summary):
            return found[1].strip(), self.start
        if found := _INLINE.match(self.summary):
            return found[1], self.start
        line = self.parameters.get("commandLine")
        named = line.get("original") if isinstance(line, dict) else self.parameters.get("command")
        named = named if isinstance(named, str) else self.inputs.get("command", "")
        return named, self.start


def parse(start: int, lines: list[str]) -> Block:
    """A block from its lines; `start` is the number of the first."""
    block = Block(start=start, lines=lines)
    if found := _TAG.search(lines[0]):
        block.kind, block.name = found[1], found[2]
    first = 0
    for at, line in enumerate(lines[:6]):
        if "<summary>" in line:
            end = next((n for n in range(at, min(at + SUMMARY, len(lines))) if "</summary>" in lines[n]), at)
            whole = "\n".join(lines[at : end + 1]).partition("<summary>")[2].partition("</summary>")[0]
            block.summary = html.unescape(whole).strip()
            first = end + 1
            break
    if found := _NAMED.search(block.summary) or _NAMED.match(lines[0]):
        block.name = block.name or found[1]
    _body(block, first)
    return block


def _body(block: Block, first: int) -> None:
    fence = Fence()
    section, key = "", ""
    for at in range(first, len(block.lines)):
        line = block.lines[at]
        was = fence.mark
        if fence.feed(line):
            if not was and fence.mark:
                info = line.strip().lstrip("`~-*+ ").split(" ")[0].casefold()
                block.fences.append(Fenced(info=info, line=block.start + at + 1))
            elif fence.mark:
                block.fences[-1].lines.append(line)
            else:
                _take(block, section, key)
                key = ""
            continue
        text = line.strip()
        if found := _INPUT.match(text):
            key = found[1]
            block.inputs[key] = found[2] or ""
            block.input_lines[key] = block.start + at
        elif text in ("Parameters:", "Result:", "Additional data:", "**Input:**", "**Result:**", "**Output:**"):
            section = text.strip("*:")
        elif text == "**Error:**":
            section, block.error = "Error", True
        elif found := _STATUS.match(text):
            block.status = found[1].casefold()
        if text and not text.startswith(("</details>", "</tool-use>", "<details>", "<summary>")):
            block.prose.append((block.start + at, line))


def _take(block: Block, section: str, key: str) -> None:
    """A fence that has just been closed, by where it stands."""
    fence = block.fences[-1]
    if key and section == "Input":
        block.inputs[key] = fence.text
        block.input_lines[key] = fence.line
        block.fences.pop()  # an argument, not an output
    elif fence.info == "json" and section in ("Parameters", "Result"):
        try:
            value = json.loads(html.unescape(fence.text), strict=False)
        except (ValueError, RecursionError):
            return
        if section == "Result":
            block.result = value
        elif isinstance(value, dict):
            block.parameters = value


def sections(block: Block) -> Iterator[tuple[str, str, int, str]]:
    """(verb, path, line, diff) of a patch shown as "**Update: `path`**" sections with a diff each."""
    for number, text in block.prose:
        if found := re.match(r"\s*\*\*(Add|Update|Modify|Delete): `([^`]+)`\*\*", text):
            diff = next((f.text for f in block.fences if f.info == "diff" and f.line > number), "")
            yield found[1], found[2], number, diff


def _shown(command: str) -> str:
    """A command as it was run: some writers escape it as HTML."""
    return html.unescape(command) if "&amp;" in command or "&gt;" in command or "&lt;" in command else command
