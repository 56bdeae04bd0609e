"""OpenHands evaluations."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.log import LONGEST, Log
from distill.read.openhands_output import FORMAT

Json = dict[str, Any]
PATCH = """diff --git a/src/price.py b/src/price.py
--- a/src/price.py
+++ b/src/price.py
@@ -1 +1 @@
-a = 1.0
+a = 100
diff --git a/docs/price.md b/docs/price.md
new file mode 100644
--- /dev/null
+++ b/docs/price.md
@@ -0,0 +1 @@
+Prices are in cents.
"""


def _log(*instances: object) -> Log:
    return Log("log", io.BytesIO("\n".join(json.dumps(one) for one in instances).encode()))


def _history() -> list[Json]:
    edit = {"path": "/workspace/shop/src/price.py", "command": "str_replace", "old_str": "1.0", "new_str": "100"}
    scratch = {"path": "/workspace/shop/try.py", "command": "create", "file_text": "print(1)"}
    return [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "You must never use floats. Fix it."}},
        {"id": 1, "source": "agent", "action": "edit", "args": {**edit, "thought": "The price is a float."}},
        {
            "id": 2,
            "source": "agent",
            "observation": "edit",
            "cause": 1,
            "content": "ok",
            "extras": {"prev_exist": True},
        },
        {"id": 3, "source": "agent", "action": "edit", "args": scratch},
        {"id": 4, "source": "agent", "observation": "edit", "cause": 3, "content": "ok", "extras": {}},
        {"id": 5, "source": "user", "action": "message", "args": {"content": "Please continue working on the task."}},
        {"id": 6, "source": "agent", "action": "finish", "args": {"final_thought": "Prices are integers."}},
    ]


def _instance(history: object, patch: str = PATCH) -> Json:
    return {
        "instance_id": "shop-1",
        "instruction": "You must never use floats. Fix it.",
        "metadata": {},
        "history": history,
        "test_result": {"git_patch": patch},
        "error": None,
    }


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_the_template_is_no_users_decision_and_the_patch_is_what_counts() -> None:
    log = _log(_instance(_history()))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.ASSISTANT, "The price is a float."),
        (1, Role.ASSISTANT, "Prices are integers."),
    ]
    assert _acts(events) == [
        (1, ActionKind.EDITED, "src/price.py", True),
        (1, ActionKind.WROTE, "docs/price.md", True),
    ]
    assert log.tally.set_aside["prompt from a template"] == 2
    assert log.tally.set_aside["scratch file"] == 1
    assert {e.session for e in events} == {"shop-1"}


def test_without_a_patch_the_acts_are_what_there_is() -> None:
    events = list(FORMAT.events(_log(_instance(_history(), ""))))
    assert [target for _, _, target, _ in _acts(events)] == ["/workspace/shop/src/price.py", "/workspace/shop/try.py"]


def test_a_record_is_a_line() -> None:
    log = _log(_instance(_history()), _instance(_history()))
    assert {e.record for e in FORMAT.events(log)} == {1, 2}
    assert log.tally.records == 2


def test_older_histories_are_pairs_without_sources() -> None:
    old = {
        "issue": {"owner": "a", "repo": "b", "number": 1},
        "instruction": "Fix the bug.",
        "history": [
            [{"action": "message", "args": {"content": "Fix the bug."}}, {"observation": "null", "content": ""}],
            [
                {"action": "write", "args": {"path": "a.py", "content": "a", "thought": "I write a."}},
                {"observation": "write", "content": "", "extras": {"path": "a.py"}},
            ],
            [{"action": "message", "args": {"content": "Fixed."}}, {"observation": "null", "content": ""}],
        ],
        "success": True,
        "result_explanation": "The bug is gone.",
    }
    log = _log(old)
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert [text for _, _, text in _said(events)] == ["I write a.", "Fixed.", "The bug is gone."]
    assert {role for _, role, _ in _said(events)} == {Role.ASSISTANT}
    assert _acts(events) == [(1, ActionKind.WROTE, "a.py", True)]


def test_a_history_of_sdk_events() -> None:
    def message(source: str, text: str) -> Json:
        return {"kind": "MessageEvent", "source": source, "llm_message": {"content": [{"type": "text", "text": text}]}}

    log = _log(_instance([message("user", "Never use floats."), message("agent", "Done.")], ""))
    assert _said(list(FORMAT.events(log))) == [(1, Role.ASSISTANT, "Done.")]


def test_a_line_longer_than_the_head_is_recognised_and_read_line_by_line() -> None:
    big = _instance(_history())
    big["instruction"] = "x" * (2 * LONGEST)
    log = _log(big, _instance(_history()))
    assert FORMAT.recognise(log)
    assert {e.record for e in FORMAT.events(log)} == {1, 2}
    assert not log.tally.skipped


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_log({"instance_id": "a", "messages": []}))
    assert not FORMAT.recognise(_log({"history": [], "trajectory": [], "info": {}}))
    assert not FORMAT.recognise(_log({"instance_id": "a", "model_patch": "x" * (2 * LONGEST)}))
