"""What agents say to their hooks, and where they keep their logs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from distill.agents.agent import Agent, Call, Event, agent_named, all_agents, call_of, event_named
from distill.model import DistillError


def test_the_agents() -> None:
    assert [agent.name for agent in all_agents()] == ["claude-code", "codex", "cursor", "gemini", "generic"]
    with pytest.raises(DistillError, match=r"clod: no agent .* known: claude-code, codex, cursor, gemini, generic"):
        agent_named("clod")
    with pytest.raises(DistillError):
        agent_named("agent")


@pytest.mark.parametrize("agent", all_agents(), ids=lambda agent: agent.name)
def test_events_go_by_both_names(agent: Agent) -> None:
    assert event_named(agent, "session-end") is Event.SESSION_END
    for hook in agent.hooks:
        assert event_named(agent, hook.native) is hook.event
    with pytest.raises(DistillError, match="no event of a hook; known: session-start, turn-end, pre-compact"):
        event_named(agent, "sesion-end")


@pytest.mark.parametrize(
    ("payload", "call"),
    [
        ({"session_id": "s", "transcript_path": "/l", "cwd": "/w", "source": "clear"},
         Call(session="s", transcript="/l", cwd="/w", source="clear")),
        ({"conversation_id": "c", "transcript_path": None, "workspace_roots": ["/w", "/x"]},
         Call(session="c", cwd="/w")),
        ({"type": "agent-turn-complete", "thread-id": "t", "cwd": "/项目"}, Call(session="t", cwd="/项目")),
        ({"session_id": 3, "cwd": ["x"], "workspace_roots": "x"}, Call()),
        (None, Call()),
        ([1], Call()),
    ],
)  # fmt: skip
def test_what_is_said(payload: Any, call: Call) -> None:
    assert call_of(payload) == call


def test_context_is_given_as_each_agent_takes_it() -> None:
    text = 'Background "quoted"\n中文'
    for name in ("claude-code", "codex", "gemini"):
        assert json.loads(agent_named(name).answer(Event.SESSION_START, text)) == {
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}
        }
    assert json.loads(agent_named("cursor").answer(Event.SESSION_START, text)) == {"additional_context": text}
    assert agent_named("generic").answer(Event.SESSION_START, text) == text


ID = "019cb1f0-a3c4-7d21-8e55-0b7f6d2c9a10"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("claude-code", f"projects/-w-my-app/{ID}.jsonl"),
        ("codex", f"sessions/2026/03/02/rollout-2026-03-02T09-00-00-{ID}.jsonl"),
        ("gemini", "tmp/abc/chats/session-2026-03-02T09-00-019cb1f0.json"),
        ("gemini", "tmp/abc/chats/session-2026-03-02T09-00-019cb1f0.jsonl"),
        ("cursor", f"projects/w-my-app/agent-transcripts/{ID}.jsonl"),
        ("cursor", f"projects/w-my-app/agent-transcripts/{ID}/{ID}.jsonl"),
    ],
)
def test_a_log_is_found_where_the_agent_keeps_it(name: str, place: str, tmp_path: Path) -> None:
    agent = agent_named(name)
    call = Call(session=ID, cwd="/w/my.app")
    assert agent.find(call, tmp_path) is None
    log = tmp_path / place
    log.parent.mkdir(parents=True)
    log.write_text("{}\n")
    assert agent.find(call, tmp_path) == log
    assert agent.find(Call(session="../../etc", cwd="/w/my.app"), tmp_path) is None


def test_without_a_session_the_latest_log_of_the_project_counts(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-w"
    folder.mkdir(parents=True)
    for number, name in enumerate(("b.jsonl", "a.jsonl")):
        (folder / name).write_text("{}\n")
        os.utime(folder / name, (number, number))
    assert agent_named("claude-code").find(Call(cwd="/w"), tmp_path) == folder / "a.jsonl"


def test_settings_lie_where_the_environment_says(tmp_path: Path) -> None:
    where = {"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "CODEX_HOME": str(tmp_path / "x")}
    assert agent_named("claude-code").home(where) == tmp_path / "c"
    assert agent_named("codex").home(where) == tmp_path / "x"
    assert agent_named("claude-code").home({}) == Path.home() / ".claude"
