"""Lines that are no prose: code, terminal captures, stack traces, logs, drawings."""

from __future__ import annotations

from distill.text.lazy import Lazy

_TRACE = (
    r"\s*(?:Traceback \(most recent call last\)|File \"[^\"]*\", line \d+|at [\w.$<>\[\] ]+\("
    r"|Caused by: |\.{3} \d+ more|panic: |goroutine \d+|thread '[^']*' panicked"
    r"|\w+(?:\.\w+)*(?:Error|Exception|Warning): )"
)
_PROMPT = r"\s*(?:[$❯➜%] \S|PS [A-Z]:\\|>>> |\(\w+\) \$ |[\w.-]+@[\w.-]+:\S*[$#] |[A-Z]:\\[^ ]*>)"
_SCREEN = r"\s*(?:[⎿●⏺✻✽✢❯]\s|[│┃║╭╰╮╯┌└├┤┬┴┼─━═]{1,})"
_LOG = (
    r"\s*\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S*\]?\s+\W?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b"
    r"|\s*\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\]?[: ]\s*\S"
    r"|\s*npm (?:ERR!|WARN|notice)|\s*error(?:\[\w+\]|: )|\s*warning: "
)
_DIFF = r"(?:diff --git |index [0-9a-f]{6,}|@@ -\d|\+\+\+ |--- [ab]/|[+-]\s{2,}\S)"
_CODE = Lazy(
    r"\s*(?:(?:import|from|export|const|let|var|def|class|return|if|for|while|function|func|public|private|static|async|await"
    r"|package|using|#include|SELECT|INSERT|UPDATE|CREATE|ALTER|DROP)\b.*[;{}():=]\s*$|[}\])]+[;,]?\s*$"
    r"|.{0,200}[;{]\s*$|</?\w[\w-]*(?:\s[^<>]{0,200})?>\s*$|\"[\w.-]+\"\s*:\s|[\w.]+\(.{0,120}\);?\s*$|//|/\*|\*/|#!/)"
)
_JSON = r"\s*[{\[].{0,400}[}\]],?\s*$"
_TREE = r"\s*(?:[│|]\s+)*[├└`|][─-]{1,}"
_NOISE = Lazy("|".join((_TRACE, _PROMPT, _SCREEN, _LOG, _DIFF, _TREE, _JSON)))
_DRAWING = Lazy(r"[─━═│┃┌┐└┘├┤┬┴┼╔╗╚╝▼▲→←↑↓]")


def is_noise(line: str) -> bool:
    """Whether a line outside a code fence is terminal output, a trace, a log line, a drawing or code."""
    if _NOISE.match(line):
        return True
    if len(_DRAWING.findall(line)) * 4 > len(line.strip()) > 0:
        return True
    return bool(_CODE.match(line)) and not _prose(line)


def _prose(line: str) -> bool:
    """Prose that happens to look like code: a Chinese sentence, or several words and a closing stop."""
    if any("一" <= char <= "鿿" for char in line):
        return not line.rstrip().endswith(("{", ";", "}"))
    words = line.split()
    return len(words) >= 5 and not line.rstrip().endswith(("{", "}", ";", ")", ":"))
