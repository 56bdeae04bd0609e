"""Terminal captures and stack traces that were pasted without a fence: what a program printed, not what was said.

Output may read like speech ("cat NOTES" prints sentences), so it is told by what it stands under.
"""

from __future__ import annotations

import re

from distill.segment.printed import add_printed, written_by_tools
from distill.text.lazy import Lazy

_TRACEBACK = "Traceback (most recent call last)"
_PROMPT_FORM = (  # one that no sentence begins with
    r"[ \t]*(?:\([\w.-]{1,40}\) )?(?:[\w.-]+@[\w.-]+:[^\s$#%]*[$#%](?: |$)"
    r"|\[[\w.-]+@[\w.-]+ [^\]\n]{1,80}\][$#%](?: |$)"
    r"|[\w.-]+@[\w.-]+ [~\w./-]{1,80} [%$#](?: |$)|PS [A-Z]:\\[^>\n]{0,200}>|[A-Z]:\\[^>\n]{0,200}>|➜ +\S+ )"
)
_COMMAND_FORM = r"[ \t]*[$%❯] (?:sudo )?[a-z~./][\w./-]*(?: |$)"  # or one that a price begins with as well
_TOLD_FORM = r"[ \t]*\[(?i:run|running|exec|execute|bash|sh|shell|cmd|command|tool|terminal)\] \S"  # as chats note them
_PROMPT = Lazy(_PROMPT_FORM)
_COMMAND = Lazy(rf"{_COMMAND_FORM}|{_TOLD_FORM}")
_FRAME_PYTHON = Lazy(r"\s*File \"[^\"\n]+\", line \d+")
_FRAME = Lazy(
    r"\s+at (?:[\w.$<>\[\]/ ]{1,200}"
    r"\((?:[^()\n]*[^()\d\n]:\d+(?::\d+)?|native|Native Method|Unknown Source|<anonymous>)\)"
    r"|\S{1,300}[^\s\d]:\d+:\d+$|.{1,300}:line \d+$)"
)
_CARETS = Lazy(r"\s*[\^~]+\s*$")
_RAISED = Lazy(r"\s*(?:Exception in thread |Uncaught |Caused by: )?[\w.$\"]*(?:Error|Exception|Warning)\b")
_CHAINED = Lazy(r"\s*(?:During handling of the above exception|The above exception was the direct cause)")
_ANY = Lazy(rf"^(?:{_PROMPT_FORM}|{_COMMAND_FORM}|{_TOLD_FORM}|[ \t]*File \"|[ \t]+at \S)", re.MULTILINE)
# How people turn to the assistant right under what they pasted.
_ASKS = Lazy(
    r"(?:please|pls|can you|could you|would you|why |how |what |help |fix |i (?:get|got|see|think|want|need)\b|any idea"
    r"|请|請|帮|幫|麻烦|麻煩|为什么|為什麼|为啥|怎么|怎麼|能不能|可以|这是|這是|看看|看一下|我)",
    re.IGNORECASE,
)
_SENTENCE = Lazy(r"[A-Z]\S*(?: \S+){2,}[.!?]$")
# The console of a browser: "SyncPane.vue:63 rows: 4", "flush @ queue.js:385", objects that it unfolds.
_CONSOLE = Lazy(r"[\w./-]{1,80}\.(?:[cm]?[jt]sx?|vue|svelte|html?):\d+(?::\d+)?[ \t]+\S")
_CALLED = Lazy(r"\s*(?:\(anonymous\)|[\w.$<>]{1,80}(?: \w{1,40})?) @ \S{1,200}:\d+(?::\d+)?\s*$")
_UNFOLDED = Lazy(r"\[\[Prototype\]\]|\{…\}|: ƒ \w+\(")
_BROWSER = Lazy(
    r"(?m: @ \S{1,200}:\d+\s*$|^[\w./-]{1,80}\.(?:[cm]?[jt]sx?|vue|svelte|html?):\d+)|\{…\}|\[\[Prototype\]\]"
)
_BETWEEN = Lazy(r"[\w.$ ]{1,60}$")  # what stands between two calls: "Promise.then", "await in load"
_ABOVE = 8  # lines above its first frame in which the message of a trace stands


def captured(text: str) -> frozenset[int]:
    """The numbers (from 0) of the lines of a message that stand in a terminal capture or in a stack trace.

    A capture goes from a prompt to an empty line, or to a line that turns to the assistant.
    """
    terminal, browser = _TRACEBACK in text or _ANY.search(text), _BROWSER.search(text)
    tools = written_by_tools(text)
    if not terminal and not browser and not tools:
        return frozenset()
    lines = text.split("\n")
    found = _logged(lines) if browser else set()
    at = 0 if terminal else len(lines)
    while at < len(lines):
        end = at + 1
        line = lines[at]
        if _TRACEBACK in line:
            end = _trace_end(lines, at)
        elif _FRAME_PYTHON.match(line):
            end = min(at + 2, len(lines))  # the line of code stands below
        elif _FRAME.match(line):
            at = _message_above(lines, at)
        elif _PROMPT.match(line):
            end = _output_end(lines, at, sure=True)
        elif _COMMAND.match(line):
            end = _output_end(lines, at, sure=False)
        else:
            at = end
            continue
        found.update(range(at, end))
        at = end
    if tools or browser:
        add_printed(lines, found, _ASKS)
    return frozenset(found)


def _logged(lines: list[str]) -> set[int]:
    """The lines that the console of a browser printed.

    One alone that begins with a place in a file may be a remark on it; two one under the other are a log.
    """
    found = {at for at, line in enumerate(lines) if _CALLED.match(line) or _UNFOLDED.search(line)}
    found.update(at for at in range(1, len(lines) - 1) if {at - 1, at + 1} <= found and _BETWEEN.match(lines[at]))
    placed = [_CONSOLE.match(line) is not None for line in lines]
    for at, is_placed in enumerate(placed):
        if is_placed and (at - 1 in found or (at + 1 < len(lines) and (placed[at + 1] or at + 1 in found))):
            found.add(at)
    return found


def _trace_end(lines: list[str], at: int) -> int:
    """Where the trace of Python that begins on line `at` ends: behind the line that names the exception."""
    inner = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines):
        line = lines[end]
        back = len(line) - len(line.lstrip()) <= inner
        if line.strip() and back and not (_FRAME_PYTHON.match(line) or _FRAME_PYTHON.match(lines[end - 1])):
            break
        if not line.strip() and not any(one.startswith((" ", "\t")) for one in lines[end + 1 : end + 2]):
            return end  # cut off before the exception
        end += 1
    while end < len(lines) and lines[end].strip() and not _ASKS.match(lines[end]):
        end += 1  # the exception, whose message may have several lines
    follows = end + 1 if end < len(lines) and not lines[end].strip() else end
    return follows + 1 if follows < len(lines) and _CHAINED.match(lines[follows]) else end


def _message_above(lines: list[str], at: int) -> int:
    """The line from which on a trace is told whose first frame is line `at`."""
    for above in range(at - 1, max(at - _ABOVE, 0) - 1, -1):
        if not lines[above].strip():
            break
        if _RAISED.match(lines[above]):
            return _code_above(lines, above)
    return at


def _code_above(lines: list[str], at: int) -> int:
    """The line from which on Node shows where it was: a place, a line of code, and carets under it."""
    carets = at - 1 if lines[at - 1].strip() else at - 2
    return max(carets - 2, 0) if at > 1 and _CARETS.match(lines[carets]) else at


def _output_end(lines: list[str], at: int, *, sure: bool) -> int:
    """Where ends what the command on line `at` printed; where the prompt is not `sure`, a sentence ends it too."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _ASKS.match(lines[end]):
        if not sure and (_SENTENCE.match(lines[end]) or not lines[end].isascii()):
            break
        end += 1
    return end
