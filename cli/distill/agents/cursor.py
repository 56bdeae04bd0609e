"""Cursor: hooks in hooks.json, one list an event; its command line does not always name the log."""

from __future__ import annotations

import json
import re
from pathlib import Path

from distill.agents.agent import Agent, Call, Environment, Event, Hook, Shape, newest

_NO_NAME = re.compile(r"[^A-Za-z0-9]+")


def home(environment: Environment) -> Path:
    """The folder of the user's settings and sessions."""
    return Path.home() / ".cursor"


def find(call: Call, home: Path) -> Path | None:
    """The log of the session, alone or in a folder of its own, in the folder that is named after the project's."""
    if not call.session or not call.session.replace("-", "").isalnum():
        return None
    folder = home / "projects" / _NO_NAME.sub("-", call.cwd).strip("-") / "agent-transcripts"
    return newest([folder / f"{call.session}.jsonl", folder / call.session / f"{call.session}.jsonl"])


AGENT = Agent(
    name="cursor",
    title="Cursor",
    folder=".cursor",
    settings="hooks.json",
    home=home,
    shape=Shape.FLAT,
    hooks=(
        Hook(native="sessionStart", event=Event.SESSION_START, timeout=30),
        Hook(native="preCompact", event=Event.PRE_COMPACT, timeout=30),
        Hook(native="sessionEnd", event=Event.SESSION_END, timeout=30),
    ),
    events={
        "sessionstart": Event.SESSION_START,
        "precompact": Event.PRE_COMPACT,
        "sessionend": Event.SESSION_END,
        "stop": Event.TURN_END,
    },
    find=find,
    answer=lambda event, text: json.dumps({"additional_context": text}, ensure_ascii=False) + "\n",
)
