"""Names of roles, speakers and times."""

from __future__ import annotations

import pytest

from distill.read.roles import Speaker, machine_named, speaker_of, time_of


@pytest.mark.parametrize(
    ("part", "names"),
    [
        (Speaker.USER, "user human me Human USER 客户 用户 客戶 HumanMessage user_message UserMessage user-prompt"),
        (
            Speaker.ASSISTANT,
            "assistant bot agent ai AI model gpt chatgpt AIMessage AIMessageChunk agent_message 助手 bot_reply:",
        ),
        (Speaker.SYSTEM, "system developer SystemMessage 系统"),
        (Speaker.TOOL, "tool function observation tool_result ToolMessage function_call tool-call FunctionCallOutput"),
    ],
)
def test_names_of_roles(part: Speaker, names: str) -> None:
    for name in names.split():
        assert speaker_of(name) is part, name


@pytest.mark.parametrize(
    "name", ["", "Alice", "message", "text", "username", "robotics team", None, 3, ["user"], "x" * 90]
)
def test_what_is_no_role(name: object) -> None:
    assert speaker_of(name) is None


def test_names_of_machines_and_of_people() -> None:
    for name in ("gpt-4o", "Claude 3", "review-bot", "AI助手", "qwen2.5", "deepseek-chat", "Support Agent"):
        assert machine_named(name), name
    for name in ("Alice", "Abbot", "Aidan", "Claudette", "张三", "U0123"):
        assert not machine_named(name), name


@pytest.mark.parametrize(
    ("record", "time"),
    [
        ({"ts": 1772442000}, "2026-03-02T09:00:00Z"),
        ({"ts": 1772442000000}, "2026-03-02T09:00:00Z"),
        ({"timestamp": "2026-03-02T09:00:00.999Z"}, "2026-03-02T09:00:00Z"),
        ({"_metadata": {"timestamp": "2026-03-02T09:00:00Z"}}, "2026-03-02T09:00:00Z"),
        ({"timestamp": None, "created_at": 1772442000}, "2026-03-02T09:00:00Z"),
        ({"time": {"created": 1772442000000}}, "2026-03-02T09:00:00Z"),
        ({"ts": 5, "time": [], "date": "soon"}, None),
        ({}, None),
    ],
)
def test_times(record: dict[str, object], time: str | None) -> None:
    assert time_of(record) == time
