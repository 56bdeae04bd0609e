"""Hooks in settings files: put in and taken out again, and nothing else is touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from distill.agents.agent import Agent, agent_named, all_agents
from distill.agents.jsontext import inserted, parse, removed
from distill.agents.settings import EMPTY, commands, installed, uninstalled
from distill.model import DistillError

AGENTS = [agent for agent in all_agents() if agent.hooks]
CLAUDE, CURSOR = agent_named("claude-code"), agent_named("cursor")
THEIRS = """\
{
    "permissions": {"allow": ["Bash(npm run test)", "Read(~/笔记/**)"], "deny": []},
    "model":   "opus",
    "hooks": {
        "SessionEnd": [
            {
                "hooks": [
                    {"type": "command", "command": "notify-send '再见'"}
                ]
            }
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "say done", "async": true}]}]
    },
    "env": { "A": "1" }
}
"""


def put(text: str, agent: Agent = CLAUDE, program: str = "distill") -> str:
    return installed(text, "settings.json", agent, program)


def take(text: str, agent: Agent = CLAUDE) -> str:
    return uninstalled(text, "settings.json", agent)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_in_and_out_again(agent: Agent) -> None:
    text = put(EMPTY, agent)
    data = json.loads(text)
    assert list(data["hooks"]) == [hook.native for hook in agent.hooks]
    assert commands(text, "", agent) == {
        hook.native: f"distill hook {agent.name} {hook.event}" for hook in agent.hooks
    }
    assert put(text, agent) == text
    assert json.loads(take(text, agent)) == ({"version": 1} if agent is CURSOR else {})


def test_the_forms_that_the_agents_want() -> None:
    data = json.loads(put(EMPTY))
    assert data["hooks"]["SessionEnd"] == [
        {"hooks": [{"type": "command", "command": "distill hook claude-code session-end", "timeout": 30}]}
    ]
    assert data["hooks"]["SessionStart"][0]["matcher"] == "startup|clear|compact"
    assert json.loads(put(EMPTY, CURSOR)) == {
        "version": 1,
        "hooks": {
            name: [{"command": f"distill hook cursor {event}", "timeout": 30}]
            for name, event in (
                ("sessionStart", "session-start"), ("preCompact", "pre-compact"), ("sessionEnd", "session-end"),
            )
        },
    }  # fmt: skip


def test_what_is_there_stays_as_it_was_written() -> None:
    text = put(THEIRS)
    ours = [line for line in text.split("\n") if line not in THEIRS.split("\n")]
    kept = [line.rstrip(",") for line in THEIRS.split("\n")]
    assert [line for line in text.split("\n") if line.rstrip(",") in kept or line in ours] == text.split("\n")
    assert '    "permissions": {"allow": ["Bash(npm run test)", "Read(~/笔记/**)"], "deny": []},\n' in text
    data = json.loads(text)
    assert list(data) == ["permissions", "model", "hooks", "env"]
    assert list(data["hooks"]) == ["SessionEnd", "Stop", "SessionStart", "PreCompact"]
    assert len(data["hooks"]["SessionEnd"]) == 2
    assert '\n                        "command": "distill hook claude-code session-end"' in text  # indented as the rest
    assert take(text) == THEIRS
    assert put(text) == text


@pytest.mark.parametrize(
    "text",
    ['{"hooks": {"Stop": []}}', '{"a": [1, 2]}', "{}", '{\r\n\t"a": 1\r\n}\r\n', '{"hooks": {}}',
     '{"hooks":{"SessionEnd":[{"matcher":"x","hooks":[{"type":"command","command":"distill other"}]}]}}'],
)  # fmt: skip
def test_every_sort_of_file_keeps_its_data(text: str) -> None:
    after = put(text)
    assert commands(after, "", CLAUDE).keys() == {hook.native for hook in CLAUDE.hooks}
    assert ("\r\n" in after) is ("\r\n" in text)
    assert after.count("\n") == after.count("\r\n") or "\r" not in text
    wanted = json.loads(text)
    if wanted.get("hooks") == {}:
        del wanted["hooks"]
    assert json.loads(take(after)) == wanted


def test_another_program_takes_the_place_of_the_old_one() -> None:
    text = put(put(THEIRS), program="'/opt/my tools/distill'")
    assert set(commands(text, "", CLAUDE).values()) == {
        f"'/opt/my tools/distill' hook claude-code {event}" for event in ("session-start", "pre-compact", "session-end")
    }
    assert take(text) == THEIRS


def test_a_hook_in_a_group_with_others_goes_alone() -> None:
    ours = json.loads(put(EMPTY))["hooks"]["SessionEnd"][0]["hooks"][0]
    theirs = {"type": "command", "command": "echo distill hook claude-code session-end > /tmp/x"}
    text = json.dumps({"hooks": {"SessionEnd": [{"hooks": [theirs, ours]}]}}, indent=1)
    assert json.loads(take(text)) == {"hooks": {"SessionEnd": [{"hooks": [theirs]}]}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n  // mine\n  "a": 1\n}', "settings.json:2: is left as it is, since it is not plain JSON (comments"),
        ('{"a": 1,}', "settings.json:1: is left as it is"),
        ("", "settings.json:1: is left as it is"),
        ("[]", "settings.json: is left as it is, since it holds no settings"),
        ('{"hooks": []}', "settings.json: hooks: is left as it is, since it is not an object"),
        ('{"hooks": {"SessionEnd": {}}}', "settings.json: hooks: SessionEnd: is left as it is, since it is not a list"),
        ("[" * 100_000, "settings.json"),
    ],
)
def test_what_cannot_be_changed_is_left(text: str, words: str) -> None:
    with pytest.raises(DistillError) as caught:
        put(text)
    assert str(caught.value).startswith(words)


patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@patient
@given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 0, 1, 2, "\t"]), VALUES, st.text())
def test_any_object_takes_a_member_and_gives_it_back(data: Any, indent: Any, value: Any, key: str) -> None:
    data.pop(key, None)
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    more = inserted(text, parse(text, ""), key, value)
    assert json.loads(more) == {**data, key: value}
    assert list(json.loads(more)) == [*data, key]
    less = removed(more, parse(more, ""), len(data))
    assert less == text or (not data and json.loads(less) == {})


@patient
@given(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from([None, 2]), st.data())
def test_any_element_of_a_list_can_go(data: Any, indent: Any, choice: Any) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    index = choice.draw(st.integers(0, len(data) - 1))
    assert json.loads(removed(text, parse(text, ""), index)) == data[:index] + data[index + 1 :]
