"""The formats of coding agents together: each log is taken by one format alone, and no field breaks a reader."""

from __future__ import annotations

import copy
import io
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from distill.read.formats import all_formats, format_named, recognise
from distill.read.log import Log

START = 1772442000000
V0 = [
    {
        "id": 0,
        "timestamp": "2026-03-02T09:00:00",
        "source": "user",
        "action": "message",
        "args": {"content": "Use Go."},
    },
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "touch a", "thought": "I run it."}},
    {
        "id": 2,
        "source": "agent",
        "observation": "run",
        "cause": 1,
        "content": "",
        "extras": {"metadata": {"exit_code": 0}},
    },
    {"id": 3, "source": "agent", "action": "edit", "args": {"command": "create", "path": "a.py", "file_text": "a"}},
    {"id": 4, "source": "agent", "observation": "edit", "cause": 3, "content": "", "extras": {"prev_exist": False}},
    {"id": 5, "source": "agent", "action": "task_tracking", "args": {"task_list": [{"title": "x", "status": "todo"}]}},
    {"id": 6, "source": "agent", "observation": "task_tracking", "cause": 5, "content": ""},
    {"id": 7, "source": "agent", "action": "finish", "args": {"final_thought": "Done.", "outputs": {"a": "b"}}},
]
V1 = [
    {
        "id": "e1",
        "timestamp": "2026-03-02T09:00:00",
        "source": "user",
        "kind": "MessageEvent",
        "llm_message": {"role": "user", "content": [{"type": "text", "text": "Use Go."}]},
    },
    {
        "id": "e2",
        "source": "agent",
        "kind": "ActionEvent",
        "tool_name": "terminal",
        "tool_call_id": "c2",
        "thought": [{"type": "text", "text": "I run it."}],
        "action": {"kind": "TerminalAction", "command": "touch a"},
    },
    {
        "id": "e3",
        "source": "environment",
        "kind": "ObservationEvent",
        "action_id": "e2",
        "tool_call_id": "c2",
        "observation": {"content": [{"type": "text", "text": ""}], "metadata": {"exit_code": 0, "working_dir": "/w"}},
    },
    {
        "id": "e4",
        "source": "agent",
        "kind": "ActionEvent",
        "tool_name": "file_editor",
        "tool_call_id": "c4",
        "action": {"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"},
    },
    {
        "id": "e5",
        "source": "environment",
        "kind": "UserRejectObservation",
        "action_id": "e4",
        "tool_call_id": "c4",
        "rejection_reason": "no",
        "rejection_source": "user",
    },
]
INSTANCE = {
    "instance_id": "i1",
    "instruction": "Fix it.",
    "metadata": {},
    "history": V0,
    "test_result": {"git_patch": "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n"},
}
SWE = {
    "environment": "swe_main",
    "trajectory": [
        {
            "action": "str_replace_editor create /r/a.py --file_text 'a'",
            "observation": "ok",
            "thought": "I write a.",
            "response": "x",
            "state": '{"working_dir": "/r"}',
        },
        {"action": "pytest", "observation": "1 passed in 0.1s", "thought": "", "response": "", "state": {}},
    ],
    "history": [{"role": "user", "content": "Fix it.", "message_type": "observation"}],
    "info": {
        "exit_status": "submitted",
        "submission": "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n",
    },
}
MINI = [
    {"role": "system", "content": "You are an agent."},
    {"role": "user", "content": "Fix it and say COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT."},
    {"role": "assistant", "content": "THOUGHT: I look.\n\n```bash\ntouch a\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\n</output>"},
]
UI = [
    {"ts": START, "type": "say", "say": "task", "text": "Use Go."},
    {"ts": START, "type": "ask", "ask": "followup", "text": '{"question": "Port?", "options": ["1", "2"]}'},
    {"ts": START, "type": "say", "say": "user_feedback", "text": "2"},
    {"ts": START, "type": "ask", "ask": "tool", "text": '{"tool": "newFileCreated", "path": "a", "content": "a"}'},
    {"ts": START, "type": "say", "say": "task_progress", "text": "- [ ] x"},
    {"ts": START, "type": "say", "say": "command", "text": "touch b"},
    {"ts": START, "type": "say", "say": "command_output", "text": ""},
    {"ts": START, "type": "say", "say": "api_req_started", "text": '{"request": "x"}'},
    {"ts": START, "type": "say", "say": "completion_result", "text": "Done.HAS_CHANGES"},
]
API = [
    {"role": "user", "content": [{"type": "text", "text": "<task>\nUse Go.\n</task>"}], "ts": START},
    {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "id": "t1",
                "name": "write_to_file",
                "input": {"path": "a", "content": "a", "task_progress": "- [ ] x"},
            }
        ],
        "ts": START,
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}], "ts": START},
    {
        "role": "assistant",
        "content": "<ask_followup_question><question>Port?</question></ask_followup_question>",
        "ts": START,
    },
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "[ask_followup_question for 'Port?'] Result:"},
            {"type": "text", "text": "<answer>2</answer>"},
        ],
        "ts": START,
    },
]
SDK = {
    "version": 1,
    "agent": "lead",
    "sessionId": "s1",
    "messages": [
        {
            "role": "user",
            "content": [{"type": "text", "text": '<user_input mode="act">Use Go.</user_input>'}],
            "ts": START,
        },
        {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "c",
                    "name": "run_commands",
                    "input": {"commands": ["touch a", {"command": "touch", "args": ["b"]}]},
                }
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c",
                    "content": [{"result": "", "success": True}, {"error": "x", "success": False}],
                }
            ],
        },
    ],
    "system_prompt": "x",
}
EXPORT = {
    "info": {"id": "ses_1", "title": "t", "directory": "/w", "revert": {"messageID": "m2"}},
    "messages": [
        {
            "info": {"id": "m1", "role": "user", "time": {"created": START}},
            "parts": [{"type": "text", "text": "Use Go."}],
        },
        {
            "info": {"id": "m2", "role": "assistant"},
            "parts": [
                {"type": "text", "text": "Go."},
                {
                    "type": "tool",
                    "tool": "write",
                    "callID": "c",
                    "state": {"status": "completed", "input": {"filePath": "a", "content": "a"}, "output": "ok"},
                },
                {
                    "type": "tool",
                    "tool": "question",
                    "callID": "d",
                    "state": {
                        "status": "completed",
                        "input": {"questions": [{"question": "Port?", "options": [{"label": "2"}]}]},
                        "output": "",
                        "metadata": {"answers": [["2"]]},
                    },
                },
            ],
        },
    ],
}
TRANSCRIPT = [
    {"type": "user", "timestamp": "2026-03-02T09:00:00Z", "content": "Use Go."},
    {
        "type": "tool_use",
        "timestamp": "2026-03-02T09:00:00Z",
        "tool_name": "bash",
        "tool_input": {"command": "touch a"},
    },
    {
        "type": "tool_result",
        "tool_name": "bash",
        "tool_input": {"command": "touch a"},
        "tool_output": {"output": "", "metadata": {"exit": 0}},
    },
    {"type": "tool_use", "tool_name": "todowrite", "tool_input": {"todos": [{"content": "x", "status": "pending"}]}},
    {"type": "tool_result", "tool_name": "todowrite", "tool_input": {}, "tool_output": "ok"},
]
MARKDOWN = (
    "# T\n\n**Session ID:** ses_1\n\n---\n\n## User\n\nUse Go.\n\n---\n\n## Assistant (Build · M · 1s)\n\nGo.\n\n---\n"
)

DOCUMENTS: dict[str, Any] = {
    "openhands": V0,
    "swe-agent": SWE,
    "mini-swe-agent": MINI,
    "cline-ui": UI,
    "cline-api": API,
    "cline-sdk": SDK,
    "opencode": EXPORT,
}
LINES: dict[str, list[Any]] = {
    "openhands-output": [INSTANCE],
    "openhands-v1": V1,
    "opencode-transcript": TRANSCRIPT,
}
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e400,
    "",
    "x",
    "\ud800",
    [],
    [None],
    {},
    {"a": []},
    [[{"type": "text", "text": 1}]],
)


def _log(name: str, sample: Any) -> Log:
    if isinstance(sample, str):
        text = sample
    elif name in LINES:
        text = "\n".join(json.dumps(one) for one in sample)
    else:
        text = json.dumps(sample)
    return Log("log", io.BytesIO(text.encode("utf-8", "replace")))


SAMPLES: dict[str, Any] = {**DOCUMENTS, **LINES, "opencode-markdown": MARKDOWN}
VARIANTS: list[tuple[str, Any]] = [
    *SAMPLES.items(),
    ("openhands-v1", json.dumps(V1[0], indent=2)),
    ("openhands-v1", json.dumps(V1)),
    ("mini-swe-agent", json.dumps({"info": {}, "messages": MINI, "trajectory_format": "mini-swe-agent-1.1"}, indent=2)),
    ("cline-api", json.dumps([{k: v for k, v in one.items() if k != "ts"} for one in API])),
    ("opencode", json.dumps(EXPORT["messages"])),
    ("swe-agent", json.dumps(SWE, indent=4)),
    ("cline-ui", json.dumps(UI, indent=2)),
]


@pytest.mark.parametrize(("name", "sample"), VARIANTS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(VARIANTS)])
def test_a_log_is_taken_by_its_own_format(name: str, sample: Any) -> None:
    particular = [one for one in all_formats() if one.order < 50]
    assert [one.name for one in particular if one.recognise(_log(name, sample))] == [name]
    assert recognise(_log(name, sample)).name == name


@pytest.mark.parametrize("name", SAMPLES)
def test_recognising_a_log_uses_nothing_of_it_up(name: str) -> None:
    log = _log(name, SAMPLES[name])
    assert format_named(name).recognise(log)
    assert log.read_text().strip()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_log_says_something(name: str) -> None:
    log = _log(name, SAMPLES[name])
    events = list(format_named(name).events(log))
    assert events
    assert log.tally.understood == len(events) + log.tally.set_aside["scratch file"]
    assert all(1 <= event.record <= log.tally.records for event in events)
    assert not log.tally.skipped


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in a JSON value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)


@pytest.mark.parametrize("name", [*DOCUMENTS, *LINES])
def test_odd_values_in_any_field_are_survived(name: str) -> None:
    sample = SAMPLES[name]
    dice = random.Random(7)
    for place in range(len(list(_places(sample)))):
        changed = copy.deepcopy(sample)
        container, key = list(_places(changed))[place]
        container[key] = dice.choice(ODD)
        form = format_named(name)
        form.recognise(_log(name, changed))
        list(form.events(_log(name, changed)))


@pytest.mark.parametrize("name", [*DOCUMENTS, *LINES])
def test_every_field_gone(name: str) -> None:
    sample = SAMPLES[name]
    for place in range(len(list(_places(sample)))):
        changed = copy.deepcopy(sample)
        container, key = list(_places(changed))[place]
        del container[key]
        if changed:
            list(format_named(name).events(_log(name, changed)))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    "text", ["[", "{", "[]", "{}", "null", "[1, 2]", '{"messages": 3}', "# x", '{"kind": "', "\ufeff[{}]"]
)
def test_other_texts_are_survived(name: str, text: str) -> None:
    form = format_named(name)
    assert not form.recognise(_log(name, text))
    assert list(form.events(_log(name, text))) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_log_cut_anywhere_is_survived(name: str) -> None:
    sample = SAMPLES[name]
    whole = (
        sample
        if isinstance(sample, str)
        else "\n".join(map(json.dumps, sample))
        if name in LINES
        else json.dumps(sample)
    )
    for end in range(1, len(whole), 7):
        form = format_named(name)
        form.recognise(Log("log", io.BytesIO(whole[:end].encode())))
        list(form.events(Log("log", io.BytesIO(whole[:end].encode()))))
