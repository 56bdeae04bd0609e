"""What a program's output comes to: test totals, result lines of builds, the last line of an error."""

from __future__ import annotations

import re

from distill.text.lazy import Lazy

LINE = 300  # characters of a line that are shown
_LAST = 60  # lines of an output's end that totals stand in
ANSI = Lazy(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]")

# Totals as test runners print them, the more particular first.
_TOTALS = tuple(
    Lazy(pattern)
    for pattern in (
        r"^=+ .*\b(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|warnings?)|no tests ran)\b.* =+$",
        r"^(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun)(?:, )?)+ in [\d.]+s",
        r"^Tests:\s+\d+ (?:passed|failed|skipped|todo|pending|total|incomplete|risky)",  # jest, pest
        r"^\s*Tests\s+\d+ (?:passed|failed|skipped|todo)",  # vitest
        r"^test result: (?:ok|FAILED)\. \d+ passed",  # cargo
        r"^\s*Summary \[.*\] +\d+ tests? run",  # nextest
        r"^(?:\[\w+\]\s+)?Tests run: \d+, Failures: \d+",  # maven
        r"^\d+ tests? completed, \d+ failed",  # gradle
        r"^\s*(?:Passed|Failed)!\s+-\s+Failed:\s*\d+",  # dotnet
        r"^\s*Total tests: \d+",
        r"^OK \(\d+ tests?, \d+ assertions?\)",  # phpunit
        r"^OK, but ",
        r"^Tests: \d+, Assertions: \d+",
        r"^\d+ examples?, \d+ failures?",  # rspec
        r"^\d+ (?:runs|tests|doctests|features|scenarios|specs)\b.*\b\d+ (?:failures?|passed|failed|undefined)",
        r"^\d+% tests passed, \d+ tests? failed out of \d+",  # ctest
        r"^Ran \d+ tests? in ",  # unittest
        r"Executed \d+ tests?, with ",  # swift
        r"^\d\d:\d\d \+\d+.*: (?:All tests passed|Some tests failed)",  # dart
        r"^(?:ok|FAILED) \| \d+ passed",  # deno
        r"^\[\s+(?:PASSED|FAILED)\s+\] \d+ tests?",  # gtest
        r"^(?:All tests passed \(|test cases:\s+\d+ \|)",  # catch2
        r"^\d+ success(?:es)? / \d+ failures?",  # busted
        r"^All \d+ tests? passed",
        r"^\s*\d+ (?:passing|failing|pending)\b",  # mocha
        r"^(?:#|ℹ) (?:pass|fail) \d+",  # node, tap
        r"^\s*\d+ (?:pass|fail)\b",  # bun
        r"^\s*\d+ (?:passed|failed|flaky|did not run)\b",  # playwright
        r"\b\d+ (?:tests? )?(?:passed|failed|passing|failing)\b",
        r"\b(?:[Pp]assed|PASSED|[Ff]ailed|FAILED|[Ff]ailures)\s*[:=]\s*\d+",
        r"^(?:ok|FAIL|---)\s+\S+.*(?:\d[\d.]*m?s|\(cached\)|\[build failed\])\s*\)?$",  # go
        r"^FAIL\b",
    )
)
_BAD = Lazy(
    r"\b(?!0\b)\d+ (?:tests? |examples? |assertions? )?(?:failed|failing|failures?|errors?|fail)\b"
    r"|\b(?:[Ff]ailed|FAILED|[Ff]ailures|[Ee]rrors|fail)\s*[:=]\s*(?!0\b)\d+|\bfail (?!0\b)\d+"
    r"|\bSome tests failed|^FAIL(?:ED)?\b|^--- FAIL|test result: FAILED|\[\s+FAILED\s+\]"
)
_SECOND = {"passing": "failing", "pass": "fail", "passed": "failed"}
_RESULT = Lazy(
    r"^(?:✓|✔|✨|√)? ?(?:built|compiled|done|finished|success|successfully|completed) in \d"
    r"|^Success: no issues|^Found \d+ (?:errors?|issues?|problems?|warnings?)|^All checks passed"
    r"|✖ \d+ problems?|\b\d+ problems? \(\d+ errors?|^BUILD (?:SUCCESS|SUCCESSFUL|FAILED|FAILURE)\b"
    r"|^(?:added|changed|removed|up to date|audited)\b.*\b\d+ packages?|^Installed \d+ (?:packages?|executables?)"
    r"|^Successfully (?:installed|built|tagged|published|deployed|uninstalled)|^Build succeeded"
    r"|\b\d+ (?:errors?|warnings?|files? (?:reformatted|left unchanged|changed|would be reformatted))\b"
    r"|^Finished `?\w+`? .*target|compiled (?:successfully|with \d+)|^Done in \d|^Uploading |^Published |^\+ \S+@\d"
    r"|^Apply complete!|^(?:Deployed|Production|Preview):? |^deployment\.apps|\b(?:configured|created|unchanged)$"
    r"|✓ (?:Squashed and merged|Merged|Rebased and merged|Created|Deployed|Published)",
    re.I,
)
_ERROR = Lazy(
    r"\b(?:error|errors|failed|failure|fatal|exception|cannot|can't|could not|unable to|not found|no such|denied|"
    r"refused|missing|invalid|undefined|unknown|rejected|aborted|timed out|timeout|conflict)\b|Error\b|✖|×|失败|错误",
    re.I,
)
_NO_ERROR = Lazy(
    r"^(?:npm (?:ERR!|error) (?:A complete log|This is probably|code|path|command)|Exit code \d+|\s+at )"
)


def clean(line: str) -> str:
    """One line of output as it may be shown: no terminal escapes, no blanks at the ends, no endless length."""
    if "\x1b" in line:
        line = ANSI.sub("", line)
    if "\r" in line:  # a progress line: what was printed last
        line = line.rstrip("\r").rpartition("\r")[2]
    return line.strip()[:LINE]


def last_lines(output: str, count: int = _LAST) -> list[str]:
    """The last lines that are not blank, in order."""
    found: list[str] = []
    for line in reversed(output[-8192:].split("\n")):
        text = clean(line)
        if text:
            found.append(text)
            if len(found) == count:
                break
    return found[::-1]


def test_verdict(output: str) -> tuple[str, bool | None]:
    """The line with the totals of a test run, and whether tests failed; ("", None) where none is printed."""
    lines = last_lines(output)
    for pattern in _TOTALS:
        hits = [(place, line) for place, line in enumerate(lines) if pattern.search(line)]
        if not hits:
            continue
        bad = [line for _, line in hits if _BAD.search(line)]
        place, line = hits[-1]
        if bad:
            line = bad[-1]
        elif line.startswith("test result:"):  # one line a crate: the one that says most
            line = max((text for _, text in hits), key=lambda text: int(text.split()[3]))
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if line.startswith("Ran ") and following.startswith("FAILED"):
            line = following
        failed = bool(bad) or bool(_BAD.search(line)) or _sibling(hits, lines)
        return line.strip("= "), failed
    return "", None


def _sibling(hits: list[tuple[int, str]], lines: list[str]) -> bool:
    """Whether a line close to the totals counts failures that the totals leave out."""
    place = hits[-1][0]
    near = lines[max(0, place - 4) : place + 4]
    return any(re.search(r"^(?:\[\s+FAILED|\s*(?!0\b)\d+ (?:failing|fail|failed)\b|FAILED \()", line) for line in near)


def result_line(output: str) -> str:
    """The line a build, a linter or an installer sums itself up in, or ""."""
    for line in reversed(last_lines(output, 12)):
        if _RESULT.search(line):
            return line
    return ""


def counts_errors(line: str) -> bool:
    """Whether a result line counts at least one error or failure."""
    return bool(re.search(r"\b(?!0\b)\d+ (?:errors?|failures?|failed)\b|BUILD FAIL|\bFAILED\b", line, re.I))


def error_line(output: str) -> str:
    """The last line that names an error, else the last line, of a command that failed."""
    rest = ""
    for line in reversed(last_lines(output, 40)):
        if not _NO_ERROR.match(line):
            if _ERROR.search(line):
                return line
            rest = rest or line
    return rest
