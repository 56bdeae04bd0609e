"""Gemini CLI: hooks in settings.json, times in milliseconds, nothing but JSON on standard output."""

from __future__ import annotations

from pathlib import Path

from distill.agents.agent import Agent, Call, Environment, Event, Hook, context_json, newest

_ID = 8  # characters of a session's id in the name of its log


def home(environment: Environment) -> Path:
    """The folder of the user's settings and sessions."""
    given = environment.get("GEMINI_CLI_HOME")
    return (Path(given) if given else Path.home()) / ".gemini"


def find(call: Call, home: Path) -> Path | None:
    """The log that bears the beginning of the session's id."""
    start = call.session[:_ID]
    if len(start) < _ID or not start.isalnum():
        return None
    return newest(list((home / "tmp").glob(f"*/chats/session-*{start}*.json*")))


AGENT = Agent(
    name="gemini",
    title="Gemini CLI",
    folder=".gemini",
    settings="settings.json",
    home=home,
    hooks=(
        Hook(native="SessionStart", event=Event.SESSION_START, timeout=30_000),
        Hook(native="PreCompress", event=Event.PRE_COMPACT, timeout=30_000),
        Hook(native="SessionEnd", event=Event.SESSION_END, timeout=30_000),
    ),
    events={
        "sessionstart": Event.SESSION_START,
        "precompress": Event.PRE_COMPACT,
        "sessionend": Event.SESSION_END,
        "afteragent": Event.TURN_END,
    },
    find=find,
    answer=lambda event, text: context_json("SessionStart", text),
)
