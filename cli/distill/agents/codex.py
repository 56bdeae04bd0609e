"""OpenAI Codex: hooks in hooks.json; a hook must be trusted once before it runs.

A session's end is told by newer versions only, so the state is brought up to date at the end of every turn. The program
named by `notify` is told the same in its last argument.
"""

from __future__ import annotations

from pathlib import Path

from distill.agents.agent import Agent, Call, Environment, Event, Hook, context_json, newest


def home(environment: Environment) -> Path:
    """The folder of the user's settings and sessions."""
    given = environment.get("CODEX_HOME")
    return Path(given) if given else Path.home() / ".codex"


def find(call: Call, home: Path) -> Path | None:
    """The rollout that bears the id of the session."""
    if not call.session or not call.session.replace("-", "").isalnum():
        return None
    return newest(list((home / "sessions").glob(f"*/*/*/rollout-*{call.session}.jsonl")))


AGENT = Agent(
    name="codex",
    title="OpenAI Codex",
    folder=".codex",
    settings="hooks.json",
    home=home,
    hooks=(
        Hook(native="SessionStart", event=Event.SESSION_START, timeout=30, matcher="startup|clear|compact"),
        Hook(native="PreCompact", event=Event.PRE_COMPACT, timeout=30),
        Hook(native="Stop", event=Event.TURN_END, timeout=30),
    ),
    events={
        "sessionstart": Event.SESSION_START,
        "precompact": Event.PRE_COMPACT,
        "sessionend": Event.SESSION_END,
        "stop": Event.TURN_END,
        "notify": Event.TURN_END,
    },
    find=find,
    logs=("sessions/*/*/*/rollout-*.jsonl",),
    answer=lambda event, text: context_json("SessionStart", text),
    note="codex runs a hook only once it is trusted: look at it with /hooks in the next session",
)
