"""The everyday forms, told without the parser: `distill [run] LOG…` with -p, -o, -f and -q, and the call of a hook.

Importing the parser takes longer than distilling a small log. What is not exactly of these forms is left to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

_QUIET = ("-q", "--quiet")
_VALUES = {
    "-p": "previous", "--previous": "previous", "-o": "output", "--output": "output", "-f": "form", "--format": "form",
}


@dataclass(slots=True)
class Plain:
    """What was typed, None where nothing was."""

    logs: list[str] = field(default_factory=list)
    previous: str | None = None
    output: str | None = None
    form: str | None = None
    quiet: bool | None = None


def plain(words: Sequence[str]) -> Plain | None:
    """What the words of a command line ask for, None where the parser must say."""
    if os.name == "nt" or "_DISTILL_COMPLETE" in os.environ:
        return None  # words to be expanded; a shell that asks how they may go on
    first = words[0] if words else ""
    if not first and sys.stdin.isatty():
        return None
    if not (first in ("", "run") or first.startswith("-") or "." in first or os.sep in first):
        return None  # it may be a command, or a slip of the pen
    asked = Plain()
    rest = iter(words[1:] if first == "run" else words)
    for word in rest:
        if word in _QUIET:
            asked.quiet = True
        elif word in _VALUES:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
            setattr(asked, _VALUES[word], value)
        elif word.startswith("-") and word != "-":
            return None
        else:
            asked.logs.append(word)
    return asked


def is_hook(words: Sequence[str]) -> bool:
    """Whether the words call a hook and nothing else: `hook AGENT EVENT`."""
    return len(words) == 3 and words[0] == "hook" and not any(word.startswith("-") for word in words)


def run_hook(agent: str, event: str) -> int:
    """Serve the hook; the exit code."""
    from distill.commands.hook import hook_command
    from distill.commands.hook_setup import VERBS, setup_command

    if event in VERBS:
        return setup_command(agent, event, project=False, user=False)
    return hook_command(agent, event, None)


def run_plain(asked: Plain) -> int:
    """Do it; the exit code."""
    from distill.commands.run import run_command
    from distill.config import settle

    settings = settle({"format": asked.form, "quiet": asked.quiet})
    return run_command(asked.logs, asked.previous, asked.output, settings)
