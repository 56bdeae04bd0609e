"""Claude Code: hooks in settings.json, the session's log named in every call.

Its hooks for the end of a session share a second and a half unless one asks for more time, which then counts for all.
"""

from __future__ import annotations

import re
from pathlib import Path

from distill.agents.agent import Agent, Call, Environment, Event, Hook, context_json, newest

_NO_NAME = re.compile(r"[^A-Za-z0-9]")  # what a folder's name becomes a dash for


def home(environment: Environment) -> Path:
    """The folder of the user's settings and sessions."""
    given = environment.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else Path.home() / ".claude"


def find(call: Call, home: Path) -> Path | None:
    """The log of the session in the folder that is named after the project's; the latest one where no id is known."""
    folder = home / "projects" / _NO_NAME.sub("-", call.cwd)
    if call.session:
        named = folder / f"{call.session}.jsonl"
        return named if named.is_file() else None
    return newest(list(folder.glob("*.jsonl"))) if call.cwd else None


AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    folder=".claude",
    settings="settings.json",
    home=home,
    hooks=(
        Hook(native="SessionStart", event=Event.SESSION_START, timeout=30, matcher="startup|clear|compact"),
        Hook(native="PreCompact", event=Event.PRE_COMPACT, timeout=30),
        Hook(native="SessionEnd", event=Event.SESSION_END, timeout=30),
    ),
    events={
        "sessionstart": Event.SESSION_START,
        "precompact": Event.PRE_COMPACT,
        "sessionend": Event.SESSION_END,
        "stop": Event.TURN_END,
    },
    find=find,
    logs=("projects/*/*.jsonl", "!agent-*.jsonl"),  # the latter are of subagents
    answer=lambda event, text: context_json("SessionStart", text),
)
