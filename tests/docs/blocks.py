"""The parts of the README that are made by running distill, and the parts that a test runs as they stand.

A made part stands between `<!-- made: NAME -->` and `<!-- end -->`; a part to run is the fenced block behind
`<!-- run: NAME -->`.
"""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Callable
from contextlib import ExitStack, chdir
from pathlib import Path
from unittest.mock import patch

from distill.model import Event, Role
from distill.pipeline import open_log
from distill.read.formats import recognise
from tests.docs import layers
from tests.golden.samples import NOW, ROOT, run

README = ROOT.parent / "README.md"
SESSIONS = ROOT.parent / "tests" / "fold" / "sessions"
SHOWN_CARDS = 5  # paragraphs of a folded session: what is said about the cards, a heading with the first, more
SHOWN = 100  # characters of a line of the README's view of a log
_MADE = re.compile(r"(<!-- made: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_RUN = re.compile(r"<!-- run: ([a-z-]+) -->\n+```[a-z]*\n(.*?)```", re.DOTALL)
_FRONT = re.compile(r"---\n.*?\n---\n", re.DOTALL)


def made(text: str) -> str:
    """`text` with every made part made anew."""
    return _MADE.sub(lambda found: f"{found[1]}{BLOCKS[found[2]]()}{found[4]}", text)


def names(text: str) -> list[str]:
    """The made parts of `text`, by name."""
    return [found[2] for found in _MADE.finditer(text)]


def runnable(text: str) -> dict[str, str]:
    """The parts of `text` that a test runs, by name."""
    return {found[1]: found[2] for found in _RUN.finditer(text)}


def _fenced(body: str, language: str = "text") -> str:
    return f"```{language}\n{body.rstrip()}\n```\n"


def _output(*arguments: str, folder: Path = ROOT) -> str:
    """What a command prints, as wide as the README is."""
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        ran = run(*arguments, folder=folder)
    if ran.code:
        raise AssertionError(f"distill {' '.join(arguments)}: exit code {ran.code}: {ran.err}")
    return ran.out.decode()


def _said(event: Event) -> str:
    """One event of a log on one line; what the user says is not shortened."""
    if event.action is None:
        line = f"{event.role}: {' '.join(event.text.split())}"
        if event.role is Role.USER:
            return textwrap.fill(line, SHOWN, subsequent_indent="  ")
        return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
    action = event.action
    what = action.target or action.detail or ", ".join(f"{task.text} ({task.status})" for task in action.tasks)
    answer = f" → {action.detail}" if action.kind in ("answered", "tested") else ""
    line = f"[{action.kind}] {what.split(chr(10))[0]}{answer}"
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def _before_en() -> str:
    sample = ROOT / "claude-code-en"
    with ExitStack() as stack, chdir(sample):
        log = open_log("log.jsonl", stack)
        events = list(recognise(log).events(log))
    shown = [_said(event) for event in events if event.text or event.action]
    return _fenced("\n".join(shown))


def _after_en() -> str:
    text = (ROOT / "claude-code-en" / "state.md").read_text(encoding="utf-8")
    body = _FRONT.sub("", text, count=1).partition("<!-- distill:ledger")[0]
    return _fenced(body.strip(), "markdown")


def _before_zh() -> str:
    return _fenced((ROOT / "text-zh" / "log.txt").read_text(encoding="utf-8"))


def _after_zh() -> str:
    return _fenced((ROOT / "text-zh" / "compact.txt").read_text(encoding="utf-8"))


def _front() -> str:
    found = _FRONT.match((ROOT / "claude-code-en" / "state.md").read_text(encoding="utf-8"))
    assert found
    return _fenced(found[0], "yaml")


def _closing() -> str:
    return _fenced(run("log.jsonl", "--now", NOW, folder=ROOT / "claude-code-en").err)


def _formats() -> str:
    rows = json.loads(_output("formats", "--json"))
    lines = ["| `--from` | written by | where its logs lie |", "| --- | --- | --- |"]
    lines += [f"| `{row['name']}` | {_cell(row['title'])} | {_cell(row['where'])} |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text as a cell of a table; words with signs that Markdown takes for its own stand as code."""
    return re.sub(r"[^\s,`]*[*<>~][^\s,`]*", r"`\g<0>`", text).replace("|", "\\|")


def _fold() -> str:
    """The head of a folded session and its newest cards."""
    text = _output("fold", "seedlib-en.jsonl", "-q", folder=SESSIONS).partition("<!-- distill:end -->")[0]
    parts = text.rstrip().split("\n\n")
    return _fenced("\n\n".join([*parts[:SHOWN_CARDS], "…"]))


BLOCKS: dict[str, Callable[[], str]] = {
    "fold": _fold,
    "context-turn": lambda: layers.printed("turn"),
    "context-prompt": lambda: layers.printed("prompt"),
    "before-en": _before_en,
    "after-en": _after_en,
    "before-zh": _before_zh,
    "after-zh": _after_zh,
    "front": _front,
    "closing": _closing,
    "formats": _formats,
    "options": lambda: _fenced(_output("run", "--help")),
    "formats-log": lambda: _fenced(_output("formats", "log.jsonl", folder=ROOT / "codex-zh")),
    "show-item": lambda: _fenced(_output("show", "state.md", "1", "-C", "0", folder=ROOT / "claude-code-en")),
    "inject": lambda: _fenced(
        _output("inject", "state.md", "--for", "Make the limit of the alert sender configurable per harbour.", "--now",
                "2026-04-20", folder=ROOT / "claude-code-en")
    ),
    "explain": lambda: _fenced(_output("rules", "explain", "We decided not to use Redis.")),
    "budget": lambda: _fenced(
        _output("log.jsonl", "--now", NOW, "-q", "-f", "compact", "--budget", "120", folder=ROOT / "claude-code-en")
    ),
}
