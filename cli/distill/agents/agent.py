"""What an agent is to its hooks, the list of them all, and what every one of them says when it calls a hook."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import distill.agents as room
from distill.model import DistillError

Environment = Mapping[str, str]


class Event(StrEnum):
    """The ends of a session, whatever the agent calls them."""

    SESSION_START = "session-start"  # the state is shown
    TURN_END = "turn-end"  # at the others it is brought up to date
    PRE_COMPACT = "pre-compact"
    SESSION_END = "session-end"


class Shape(StrEnum):
    """How a settings file keeps its hooks."""

    GROUPS = "groups"  # {"hooks": {EVENT: [{"matcher", "hooks": [{"type", "command", "timeout"}]}]}}
    FLAT = "flat"  # {"version": 1, "hooks": {EVENT: [{"command", "timeout"}]}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One hook that is put into the settings of an agent."""

    native: str  # the event as the agent calls it
    event: Event
    timeout: int  # in the agent's unit
    matcher: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an agent told its hook; "" where it did not."""

    session: str = ""
    transcript: str = ""
    cwd: str = ""
    source: str = ""  # why the session starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent. `settings` and `folder` are relative to the project or to `home(environment)`."""

    name: str
    title: str
    folder: str  # of its settings, in a project
    settings: str  # the file in it
    home: Callable[[Environment], Path]  # where the user's own settings lie
    shape: Shape = Shape.GROUPS
    hooks: tuple[Hook, ...] = ()
    events: Mapping[str, Event]  # its own names of events, in lower case
    find: Callable[[Call, Path], Path | None]  # the log of a session where the call does not name it; home
    answer: Callable[[Event, str], str]  # what to print so that the next prompt begins with a text
    logs: tuple[str, ...] = ()  # globs of its sessions' logs below `home`; with "!", names that are none
    note: str = ""  # what the user still has to do after installing


def call_of(payload: object) -> Call:
    """What the JSON on a hook's standard input says, under the names that the agents use."""
    if not isinstance(payload, dict):
        return Call()

    def text(*keys: str) -> str:
        return next((value for key in keys if isinstance(value := payload.get(key), str) and value), "")

    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return Call(
        session=text("session_id", "conversation_id", "thread-id", "sessionId"),
        transcript=text("transcript_path", "transcriptPath", "agent_transcript_path"),
        cwd=text("cwd") or root,
        source=text("source", "trigger"),
    )


def context_json(native: str, text: str) -> str:
    """The answer of the agents that take context as `hookSpecificOutput`."""
    answer: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": native, "additionalContext": text}}
    return json.dumps(answer, ensure_ascii=False) + "\n"


def event_named(agent: Agent, name: str) -> Event:
    """The event called `name`, by its own name or by the agent's; DistillError where there is none."""
    plain = name.casefold()
    if plain in agent.events:
        return agent.events[plain]
    try:
        return Event(plain)
    except ValueError:
        known = ", ".join(Event)
        raise DistillError(f"{name}: no event of a hook; known: {known}") from None


@cache
def all_agents() -> tuple[Agent, ...]:
    """Every agent, by name."""
    import pkgutil

    modules = [importlib.import_module(f"distill.agents.{one.name}") for one in pkgutil.iter_modules(room.__path__)]
    return tuple(sorted((m.AGENT for m in modules if hasattr(m, "AGENT")), key=lambda agent: agent.name))


def agent_named(name: str) -> Agent:
    """The agent called `name`; DistillError that lists them all where there is none."""
    try:
        found: Agent = importlib.import_module(f"distill.agents.{name.replace('-', '_')}").AGENT
    except (ImportError, AttributeError, ValueError):
        known = ", ".join(agent.name for agent in all_agents())
        raise DistillError(f"{name}: no agent whose hooks are known; known: {known}") from None
    return found


def newest(paths: list[Path]) -> Path | None:
    """The file among `paths` that was written last."""
    there = [(path.stat().st_mtime, path) for path in paths if path.is_file()]
    return max(there)[1] if there else None
