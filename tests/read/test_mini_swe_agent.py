"""mini-swe-agent trajectories."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.log import Log
from distill.read.mini_swe_agent import FORMAT

Json = dict[str, Any]


def _log(document: object) -> Log:
    return Log("log", io.BytesIO(json.dumps(document).encode()))


def _answer(command: str, thought: str = "", fence: str = "mswea_bash_command") -> Json:
    return {"role": "assistant", "content": f"THOUGHT: {thought}\n\n```{fence}\n{command}\n```"}


def _printed(output: str, code: int = 0, role: str = "user", **more: object) -> Json:
    return {"role": role, "content": f"<returncode>{code}</returncode>\n<output>\n{output}</output>", **more}


PROMPT: list[Json] = [
    {"role": "system", "content": "You answer with one ```mswea_bash_command block."},
    {"role": "user", "content": "Never use floats. Finish with COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT."},
]


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_bare_list() -> None:
    log = _log(
        [
            *PROMPT,
            _answer("cat > cart.py <<'EOF'\nlimit = 12\nEOF", "The cart needs a limit."),
            _printed(""),
            _answer("python -m pytest -q", "Now the tests."),
            _printed("1 failed, 3 passed in 0.2s\n", 1),
            _answer("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
            {"role": "user", "content": "diff --git a/cart.py b/cart.py"},
        ]
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (3, Role.ASSISTANT, "The cart needs a limit."),
        (5, Role.ASSISTANT, "Now the tests."),
    ]
    wrote, tested = [e for e in events if e.action and e.action.kind is not ActionKind.RAN]
    assert wrote.action is not None
    assert tested.action is not None
    assert (wrote.record, wrote.action.kind, wrote.action.target) == (3, ActionKind.WROTE, "cart.py")
    assert (tested.action.kind, tested.action.done) == (ActionKind.TESTED, False)
    assert log.tally.set_aside["prompt from a template"] == 1
    assert log.tally.records == 8


def test_the_newer_form_with_calls_times_and_a_patch() -> None:
    patch = "diff --git a/src/cart.py b/src/cart.py\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1 +1 @@\n-a\n+b\n"
    call = {"id": "c1", "function": {"name": "bash", "arguments": json.dumps({"command": "sed -i s/a/b/ src/cart.py"})}}
    document = {
        "info": {"exit_status": "Submitted", "submission": patch, "config": {"environment": {"cwd": "/testbed"}}},
        "messages": [
            *PROMPT,
            {
                "role": "assistant",
                "content": "I change a to b.",
                "tool_calls": [call],
                "extra": {"timestamp": 1772442060.5},
            },
            _printed("", role="tool", tool_call_id="c1", extra={"returncode": 0, "raw_output": ""}),
            _answer("touch /testbed/try.py", "A scratch file."),
            _printed(""),
            {"role": "exit", "content": patch},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
        "instance_id": "shop-1",
    }
    log = _log(document)
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _acts(events) == [(3, ActionKind.EDITED, "src/cart.py", True)]
    assert events[0].time == "2026-03-02T09:01:00Z"
    assert (log.tally.session, log.tally.project) == ("shop-1", "/testbed")
    assert log.tally.set_aside["scratch file"] == 1


def test_somebody_at_the_terminal() -> None:
    log = _log(
        [
            *PROMPT,
            _answer("z3 -T:60 p.smt2", "A minute should do."),
            {
                "role": "user",
                "content": "Command not executed. The user rejected your command with the following message: "
                "do not use a timeout longer than 10s",
            },
            _answer("z3 -T:10 p.smt2"),
            _printed("sat"),
            {"role": "user", "content": "Interrupted by user: use cvc5 instead"},
            _answer("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
            {"role": "user", "content": "The user added a new task: write the report"},
        ]
    )
    events = list(FORMAT.events(log))
    assert [(n, text) for n, role, text in _said(events) if role is Role.USER] == [
        (4, "do not use a timeout longer than 10s"),
        (7, "use cvc5 instead"),
        (9, "write the report"),
    ]
    acts = _acts(events)
    assert (4, ActionKind.REJECTED, "z3 -T:60 p.smt2", False) in acts
    assert (7, ActionKind.INTERRUPTED, "", True) in acts


def test_complaints_about_the_form_are_no_users_words() -> None:
    log = _log(
        [
            *PROMPT,
            {"role": "assistant", "content": "I do not know."},
            {
                "role": "user",
                "content": "Please always provide EXACTLY ONE action in triple backticks, found 0 actions.",
            },
            _answer("ls"),
            _printed("a"),
        ]
    )
    assert [role for _, role, _ in _said(list(FORMAT.events(log)))] == [Role.ASSISTANT]


def test_neighbours_are_not_taken() -> None:
    chat = [
        {"role": "user", "content": "How do I list files?"},
        {"role": "assistant", "content": "Like this:\n```bash\nls\n```"},
        {"role": "user", "content": "Thanks"},
    ]
    assert not FORMAT.recognise(_log(chat))
    assert not FORMAT.recognise(_log({"messages": chat}))
    assert not FORMAT.recognise(_log({"info": {"id": "ses_1"}, "messages": []}))
    assert FORMAT.recognise(_log([*PROMPT, _answer("ls", fence="bash"), _printed("a")]))
