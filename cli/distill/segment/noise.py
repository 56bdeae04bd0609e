"""Lines that are no prose: code, terminal captures, stack traces, logs, drawings."""

from __future__ import annotations

from distill.text.lazy import Lazy

_DIFF = r"diff --git |index [0-9a-f]{6,}|@@ -\d|\+\+\+ |--- [ab]/|[+-]\s{2,}\S"
_TRACE = (
    r"Traceback \(most recent call last\)|File \"[^\"]*\", line \d+|at [\w.$<>\[\] ]+\("
    r"|Caused by: |\.{3} \d+ more|panic: |goroutine \d+|thread '[^']*' panicked"
)
_PROMPT = r"[$❯➜%] \S|PS [A-Z]:\\|>>> |\(\w+\) \$ |[A-Z]:\\[^ ]*>"
_SCREEN = r"[⎿●⏺✻✽✢❯]\s|[│┃║╭╰╮╯┌└├┤┬┴┼─━═]{1,}"
_LOG = (
    r"\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S*\]?\s+\W?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b"
    r"|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\]?[: ]\s*\S"
    r"|npm (?:ERR!|WARN|notice)|error(?:\[\w+\]|: )|warning: "
)
_TREE = r"(?:[│|]\s+)*[├└`|][─-]{1,}"
_JSON = r"[{\[].{0,400}[}\]],?\s*$"
_NOISE = Lazy(rf"{_DIFF}|\s*(?:{'|'.join((_TRACE, _PROMPT, _SCREEN, _LOG, _TREE, _JSON))})")
_RAISED = Lazy(r"\s*\w+(?:\.\w+)*(?:Error|Exception|Warning): ")
_REMOTE = Lazy(r"\s*[\w.-]+@[\w.-]+:\S*[$#] ")
_MENTION = Lazy(r"\s*@\S*[/\\.]\S*\s*$")  # of a file, as editors put it in: "@docs/plan.md:3-9"
_CODE = Lazy(
    r"\s*(?:(?:import|from|export|const|let|var|def|class|return|if|for|while|function|func|public|private|static|async|await"
    r"|package|using|#include|SELECT|INSERT|UPDATE|CREATE|ALTER|DROP)\b.*[;{}():=]\s*$|[}\])]+[;,]?\s*$"
    r"|.{0,200}[;{]\s*$|</?\w[\w-]*(?:\s[^<>]{0,200})?>\s*$|\"[\w.-]+\"\s*:\s|[\w.]+\(.{0,120}\);?\s*$|//|/\*|\*/|#!/)"
)
# A line of code begins or ends with one of these: cheaper to ask than the expression.
_CODE_STARTS, _CODE_ENDS = '}])<"/*#', ";{}():="
_DRAWING = Lazy(r"[─━═│┃┌┐└┘├┤┬┴┼╔╗╚╝▼▲→←↑↓]")


def is_noise(line: str) -> bool:
    """Whether a line outside a code fence is terminal output, a trace, a log line, a drawing or code."""
    if _NOISE.match(line) or (": " in line and _RAISED.match(line)):
        return True
    if "@" in line and (_REMOTE.match(line) or _MENTION.match(line)):
        return True
    bare = line.strip()
    if not bare:
        return False
    if not bare.isascii() and len(_DRAWING.findall(bare)) * 4 > len(bare):
        return True
    return (bare[0] in _CODE_STARTS or bare[-1] in _CODE_ENDS) and bool(_CODE.match(line)) and not _prose(line)


def _prose(line: str) -> bool:
    """Prose that happens to look like code: a Chinese sentence, or several words and a closing stop."""
    if any("一" <= char <= "鿿" for char in line):
        return not line.rstrip().endswith(("{", ";", "}"))
    words = line.split()
    return len(words) >= 5 and not line.rstrip().endswith(("{", "}", ";", ")", ":"))
