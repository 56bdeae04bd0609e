"""The lines of an Aider history: what they look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from distill.text.lazy import Lazy

START = Lazy(r"# aider chat started at (\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2})\s*$")
INPUT = Lazy(r"####(?: |$)")
TOOL = Lazy(r">(?: |$)")
HEADING = Lazy(r"#{1,3} \S")
COMMAND = Lazy(r"/([A-Za-z][\w-]*)(?:\s+(.*))?$")
COMMIT = Lazy(r"Commit ([0-9a-f]{7,40})\b ?(.*)")
REMOVED = Lazy(r"Removed: ([0-9a-f]{7,40})\b ?(.*)")
ASKED = Lazy(r"(.{3,200}\?) \(Y\)es/\(N\)o.{0,80}\]:? ?(\S*)")
DROPPED = Lazy(r"Dropping (\S.*?) from the chat")  # said of a file that was deleted outside
OWN_LINE = Lazy(r"> (?:Tokens: |Applied edit to |Commit [0-9a-f]{7}|Aider v\d)")
_THINKING, _ANSWER = "► **THINKING**", "► **ANSWER**"
TALK = {"ask", "code", "architect", "context"}  # commands whose words the user says to the assistant
SHELL = {"run", "test", "git"}
OTHER_NAMES = (
    "add chat-mode clear commit copy copy-context diff drop edit editor editor-model exit help lint load ls map "
    "map-refresh model models multiline-mode ok paste quit read-only reasoning-effort report reset save settings "
    "think-tokens tokens undo voice weak-model web"
)
OTHER = set(OTHER_NAMES.split())


def over(line: str) -> bool:
    """Whether a line says that the answer before it is over."""
    return bool(START.match(line)) or line.startswith("> Tokens: ")


def over_spaced(line: str) -> bool:
    """The same in a file that keeps the two blanks at the end of Aider's lines."""
    return bool(START.match(line)) or (line.endswith("  ") and bool(OWN_LINE.match(line)))


def count_to(lines: Iterator[str], end: Callable[[str], bool], stop: Callable[[str], bool]) -> int:
    """How many lines it takes to `end`; 0 where `stop` comes first."""
    for count, line in enumerate(lines, 1):
        if end(line):
            return count
        if stop(line):
            return 0
    return 0


def spaced(lines: list[str]) -> bool:
    """Whether the file keeps Aider's two blanks at the end of a line."""
    marked = [line.endswith("  ") for line in lines if line.startswith(("> ", "#### "))]
    return sum(marked) * 2 >= len(marked) > 0


def known_command(text: str) -> bool:
    """Whether an input is a slash command of Aider's own."""
    found = COMMAND.match(text.strip())
    return bool(found) and found is not None and found[1].lower() in TALK | SHELL | OTHER


def plain(text: str) -> str:
    """The lines of a text that are not blank, to compare it by."""
    return "\n".join(line for part in text.split("\n") if (line := part.strip()))


def without_thinking(lines: list[str]) -> tuple[list[str], int]:
    """`lines` with the thoughts of a reasoning model emptied, and how many there were."""
    if not any(line.startswith(_THINKING) for line in lines):
        return lines, 0
    kept: list[str] = []
    thinking, count = False, 0
    for line in lines:
        if line.startswith(_THINKING):
            thinking, count = True, count + 1
        kept.append("" if thinking or line.startswith("------------") else line)
        if line.startswith(_ANSWER):
            thinking = False
    return kept, count
