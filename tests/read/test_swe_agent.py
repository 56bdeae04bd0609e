"""SWE-agent trajectories."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.log import Log
from distill.read.swe_agent import FORMAT

Json = dict[str, Any]
STATE = json.dumps({"open_file": "n/a", "working_dir": "/repo"})
PATCH = """diff --git a/src/cart.py b/src/cart.py
--- a/src/cart.py
+++ b/src/cart.py
@@ -1 +1,2 @@
 total = 0
+limit = 12
diff --git a/tests/test_cart.py b/tests/test_cart.py
new file mode 100644
--- /dev/null
+++ b/tests/test_cart.py
@@ -0,0 +1 @@
+assert True
"""


def _log(document: object) -> Log:
    return Log("log", io.BytesIO(json.dumps(document).encode()))


def _step(action: str, observation: object = "", thought: str = "", state: object = STATE) -> Json:
    response = f"{thought}\n\n```\n{action}\n```"
    return {"action": action, "observation": observation, "response": response, "thought": thought, "state": state}


def _run(steps: list[Json], submission: str | None = None, history: list[Json] | None = None) -> Json:
    told = [
        {"role": "system", "content": "You must always answer in English.", "message_type": "system_prompt"},
        {"role": "user", "content": "We never use floats. Solve this.", "message_type": "observation"},
    ]
    info = {"exit_status": "submitted", "submission": submission}
    return {
        "environment": "swe_main",
        "trajectory": steps,
        "history": told if history is None else history,
        "info": info,
    }


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_steps_and_the_patch_at_the_end() -> None:
    edit = "str_replace_editor str_replace /repo/src/cart.py --old_str 'total = 0' --new_str 'total = 0\nlimit = 12'"
    log = _log(
        _run(
            [
                _step("ls", "src\r\nREADME.md\r\n", "Let me look around."),
                _step(
                    "str_replace_editor create /repo/reproduce.py --file_text 'print(1)'",
                    "File created successfully at: /repo/reproduce.py",
                ),
                _step(edit, "The file /repo/src/cart.py has been edited.", "The cart has no limit."),
                _step("python -m pytest -q", "4 passed in 0.1s\r\n"),
                _step("submit", "diff --git a/src/cart.py b/src/cart.py"),
            ],
            PATCH,
        )
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [(1, Role.ASSISTANT, "Let me look around."), (3, Role.ASSISTANT, "The cart has no limit.")]
    assert _acts(events) == [
        (3, ActionKind.EDITED, "src/cart.py", True),
        (4, ActionKind.TESTED, "python -m pytest -q", True),
        (5, ActionKind.WROTE, "tests/test_cart.py", True),
    ]
    assert next(e.action.detail for e in events if e.action) == "total = 0\nlimit = 12"
    assert log.tally.set_aside["scratch file"] == 1
    assert log.tally.set_aside["prompt from a template"] == 1
    assert (log.tally.records, log.tally.project) == (5, "/repo")


def test_a_file_that_only_the_patch_tells_of_is_cited_from_the_last_step_that_names_it() -> None:
    steps = [_step("python gen.py tests/test_cart.py"), _step("cat test_cart.py", "assert True"), _step("submit", "ok")]
    events = list(FORMAT.events(_log(_run(steps, PATCH))))
    assert [(n, target) for n, kind, target, _ in _acts(events) if kind is not ActionKind.RAN] == [
        (3, "src/cart.py"),
        (1, "tests/test_cart.py"),
    ]


def test_nobody_decides_anything() -> None:
    log = _log(_run([_step("ls", "src", "I look.")]))
    assert all(e.role is Role.ASSISTANT for e in FORMAT.events(log))


def test_without_a_patch_every_file_counts_and_failures_do_not() -> None:
    log = _log(
        _run(
            [
                _step(
                    "str_replace_editor create /repo/a.py --file_text 'a'", "File created successfully at: /repo/a.py"
                ),
                _step(
                    "str_replace_editor str_replace /repo/b.py --old_str x --new_str y",
                    "No replacement was performed, old_str `x` did not appear verbatim in /repo/b.py.",
                ),
                _step("str_replace_editor view /repo/c.py", "1 c"),
                _step("str_replace_editor undo_edit /repo/a.py", "Last edit to /repo/a.py undone successfully."),
            ]
        )
    )
    assert _acts(list(FORMAT.events(log))) == [
        (1, ActionKind.WROTE, "a.py", True),
        (2, ActionKind.EDITED, "b.py", False),
        (4, ActionKind.RESTORED, "a.py", True),
    ]


def test_the_windowed_editor_changes_the_open_file() -> None:
    opened = {"open_file": "/repo/src/cart.py", "working_dir": "/repo"}
    log = _log(
        _run(
            [
                _step("open src/cart.py", "[File: /repo/src/cart.py (1 lines total)]", state=opened),
                _step("edit 1:1\nlimit = 12\nend_of_edit", "File updated.", state=opened),
                _step(
                    "edit 1:1\nlimit =\nend_of_edit",
                    "Your proposed edit has introduced new syntax error(s).",
                    state=opened,
                ),
                _step("create notes.md", "[File: notes.md (1 lines total)]", state=opened),
            ]
        )
    )
    events = list(FORMAT.events(log))
    assert _acts(events) == [
        (2, ActionKind.EDITED, "src/cart.py", True),
        (3, ActionKind.EDITED, "src/cart.py", False),
        (4, ActionKind.WROTE, "notes.md", True),
    ]
    assert next(e.action.detail for e in events if e.action) == "limit = 12"


def test_a_last_step_without_an_observation_is_not_known_to_be_done() -> None:
    log = _log(_run([_step("ls", "x"), {"action": "touch a.py", "thought": "Now a.", "observation": None}]))
    events = list(FORMAT.events(log))
    assert [(n, text) for n, _, text in _said(events)] == [(2, "Now a.")]
    assert _acts(events) == []


def test_a_history_alone_is_read_without_its_demonstrations() -> None:
    history: list[Json] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Here is a demonstration."},
        {"role": "assistant", "thought": "A demo.", "action": "touch demo.py", "is_demo": True},
        {"role": "user", "content": "", "is_demo": True},
        {"role": "assistant", "thought": "The real thing.", "action": "touch real.py"},
        {"role": "user", "content": ""},
    ]
    log = _log(_run([], history=history))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [(5, Role.ASSISTANT, "The real thing.")]
    assert [target for _, _, target, _ in _acts(events)] == ["real.py"]


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_log({"trajectory": "x", "history": [], "info": {}}))
    assert not FORMAT.recognise(_log({"messages": [], "info": {}}))
    assert not FORMAT.recognise(_log([{"action": "ls", "observation": ""}]))
