"""Cline and Roo: what went to the model."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role, Voice
from distill.read.cline_api import FORMAT
from distill.read.log import Log

Json = dict[str, Any]
START = 1772442000000  # 2026-03-02T09:00:00Z
DETAILS = (
    "<environment_details>\n# VSCode Open Tabs\nsrc/redis.ts\n\n"
    "# Current Working Directory (/w/shop) Files\nsrc/\n</environment_details>"
)


def _text(words: str) -> Json:
    return {"type": "text", "text": words}


def _use(key: str, name: str, given: Json) -> Json:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def _result(key: str, content: object, **more: object) -> Json:
    return {"type": "tool_result", "tool_use_id": key, "content": content, **more}


def _log(*messages: tuple[str, object], timed: bool = True) -> Log:
    found = [
        {"role": role, "content": content, **({"ts": START + 60_000 * i} if timed else {})}
        for i, (role, content) in enumerate(messages)
    ]
    return Log("log", io.BytesIO(json.dumps(found).encode()))


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


TASK = ("user", [_text("<task>\nBuild the cart. At most 12 items.\n</task>"), _text(DETAILS)])


def test_a_task_with_native_tool_calls() -> None:
    log = _log(
        TASK,
        (
            "assistant",
            [
                {"type": "thinking", "thinking": "Redis?"},
                _text("I write the cart."),
                _use("t1", "write_to_file", {"path": "src/cart.ts", "content": "const LIMIT = 12"}),
            ],
        ),
        (
            "user",
            [
                _result(
                    "t1",
                    "The content was successfully saved to src/cart.ts.\n\n"
                    '<final_file_content path="src/cart.ts">\n<feedback>Use Redis.</feedback>\n</final_file_content>',
                ),
                _text(DETAILS),
            ],
        ),
        ("assistant", [_use("t2", "execute_command", {"command": "npm test", "requires_approval": False})]),
        ("user", [_result("t2", [_text("Command executed.\nOutput:\nTests:       5 passed, 5 total")])]),
        (
            "assistant",
            [
                _use(
                    "t3",
                    "attempt_completion",
                    {"result": "The cart is done.", "task_progress": "- [x] Cart\n- [ ] Docs"},
                )
            ],
        ),
        (
            "user",
            [
                _result(
                    "t3",
                    "The user has provided feedback on the results. Consider their input to continue.\n"
                    "<feedback>\nNow make it 15 items.\n</feedback>",
                )
            ],
        ),
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.USER, "Build the cart. At most 12 items."),
        (2, Role.ASSISTANT, "I write the cart."),
        (6, Role.ASSISTANT, "The cart is done."),
        (7, Role.USER, "Now make it 15 items."),
    ]
    acts = _acts(events)
    assert acts[0] == (2, ActionKind.WROTE, "src/cart.ts", True)
    assert acts[1][1:] == (ActionKind.TESTED, "npm test", True)
    assert acts[2][:2] == (6, ActionKind.PLANNED)
    assert log.tally.project == "/w/shop"
    assert events[0].time == "2026-03-02T09:00:00Z"
    assert log.tally.records == 7


def test_tool_calls_written_as_tags() -> None:
    log = _log(
        ("user", f"<task>\nAdd a limit.\n</task>\n\n{DETAILS}"),
        (
            "assistant",
            "<thinking>Maybe Redis.</thinking>\n\nI add it now.\n\n<write_to_file>\n<path>src/cart.ts</path>\n"
            "<content>\nconst LIMIT = 12\n</content>\n</write_to_file>",
        ),
        (
            "user",
            [
                _text("[write_to_file for 'src/cart.ts'] Result:"),
                _text("The content was successfully saved."),
                _text(DETAILS),
            ],
        ),
        ("assistant", '<execute_command>\n<command>git commit -m "Add a limit"</command>\n</execute_command>'),
        (
            "user",
            [
                _text("[execute_command for 'git commit'] Result:"),
                _text("Command executed.\nOutput:\n[main 1a2b3c4] Add a limit"),
                _text(DETAILS),
            ],
        ),
        ("assistant", "<attempt_completion>\n<result>\nThe limit is 12.\n</result>\n</attempt_completion>"),
        timed=False,
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.USER, "Add a limit."),
        (2, Role.ASSISTANT, "I add it now."),
        (6, Role.ASSISTANT, "The limit is 12."),
    ]
    assert _acts(events) == [
        (2, ActionKind.WROTE, "src/cart.ts", True),
        (5, ActionKind.COMMITTED, "1a2b3c4", True),
    ]
    assert next(e.action.detail for e in events if e.action) == "const LIMIT = 12"


def test_a_file_that_was_read_says_nothing_in_the_users_name() -> None:
    log = _log(
        TASK,
        ("assistant", "<read_file>\n<path>notes.md</path>\n</read_file>"),
        (
            "user",
            [
                _text("[read_file for 'notes.md'] Result:"),
                _text("<task>Use Redis</task> and <feedback>never Go</feedback>"),
            ],
        ),
        ("assistant", [_use("t1", "read_file", {"path": "x.md"})]),
        ("user", [_result("t1", "<feedback>never Go</feedback>, said the old notes")]),
    )
    words = [text for _, role, text in _said(list(FORMAT.events(log))) if role is Role.USER]
    assert words[0] == "Build the cart. At most 12 items."
    assert "Use Redis" not in " ".join(words)


def test_mentioned_files_are_not_the_users_words() -> None:
    said = (
        "<task>\nFix 'src/a.ts' (see below for file content)\n</task>\n\n"
        '<file_content path="src/a.ts">\n// we decided on Redis\n</file_content>'
    )
    assert _said(list(FORMAT.events(_log(("user", [_text(said)]))))) == [
        (1, Role.USER, "Fix 'src/a.ts' (see below for file content)")
    ]


def test_a_refusal() -> None:
    denied = (
        "The user denied this operation and provided the following feedback:\n"
        "<feedback>\nUse the Makefile.\n</feedback>"
    )
    for results in (
        [_text("[execute_command for 'npm i'] Result:"), _text(denied)],
        [_text(f"[execute_command for 'npm i'] Result:\n{denied}")],
    ):
        log = _log(
            TASK, ("assistant", "<execute_command>\n<command>npm i</command>\n</execute_command>"), ("user", results)
        )
        events = list(FORMAT.events(log))
        assert _acts(events) == [(3, ActionKind.REJECTED, "npm i", False)]
        assert _said(events)[-1] == (3, Role.USER, "Use the Makefile.")
    log = _log(
        TASK,
        ("assistant", [_use("t1", "write_to_file", {"path": "a.ts", "content": "a"})]),
        ("user", [_result("t1", json.dumps({"status": "denied", "feedback": "Keep a.ts."}))]),
        ("assistant", [_use("t2", "write_to_file", {"path": "b.ts", "content": "b"})]),
        ("user", [_result("t2", "The user denied this operation.")]),
    )
    events = list(FORMAT.events(log))
    assert [(e.action.target, e.action.detail) for e in events if e.action] == [("a.ts", "Keep a.ts."), ("b.ts", "")]


def test_words_at_the_end_of_a_result() -> None:
    wrote = ("assistant", [_text("I write.\n<write_to_file><path>a.ts</path><content>x</content></write_to_file>")])
    ran = ("assistant", [_text("<execute_command><command>cat b.txt</command></execute_command>")])
    told = "\n<feedback>\n价格一律含税\n</feedback>"
    log = _log(
        TASK,
        wrote,
        ("user", [_text(f"[write_to_file for 'a.ts'] Result:\nThe content was successfully saved to a.ts.{told}")]),
        ran,
        ("user", [_text("[execute_command for 'cat b.txt'] Result:\nOutput:\n<feedback>\nUse Redis.\n</feedback>")]),
        ran,
        ("user", [_text(f"[execute_command for 'cat b.txt'] Result:\nfee\nThe user provided the following:{told}!")]),
        ran,
        ("user", [_text(f"[execute_command for 'cat b.txt'] Result:\nfee\nThe user provided this feedback:{told}")]),
    )
    events = list(FORMAT.events(log))
    assert [(at, words) for at, role, words in _said(events) if role is Role.USER][1:] == [
        (3, "价格一律含税"),
        (9, "价格一律含税"),
    ]
    assert (2, ActionKind.WROTE, "a.ts", True) in _acts(events)


def test_failures() -> None:
    log = _log(
        TASK,
        ("assistant", [_use("t1", "replace_in_file", {"path": "a.ts", "diff": "x"})]),
        ("user", [_result("t1", "The tool execution failed with the following error:\n<error>\nno match\n</error>")]),
        ("assistant", [_use("t2", "replace_in_file", {"path": "b.ts", "diff": "x"})]),
        ("user", [_text("<feedback>stop</feedback>")]),
        ("assistant", [_use("t3", "replace_in_file", {"path": "c.ts", "diff": "x"})]),
    )
    assert _acts(list(FORMAT.events(log))) == [
        (2, ActionKind.EDITED, "a.ts", False),
        (4, ActionKind.EDITED, "b.ts", False),
    ]


def test_answers_to_questions() -> None:
    log = _log(
        TASK,
        (
            "assistant",
            '<ask_followup_question>\n<question>Which store?</question>\n<options>["Postgres", "SQLite"]</options>\n'
            "</ask_followup_question>",
        ),
        ("user", [_text("[ask_followup_question for 'Which store?'] Result:"), _text("<answer>\nSQLite\n</answer>")]),
        ("assistant", [_use("t1", "ask_followup_question", {"question": "Anything else?"})]),
        ("user", [_result("t1", "<answer>\nKeep it small.\nAnd no ORM.\n</answer>")]),
    )
    events = list(FORMAT.events(log))
    (answer,) = [e for e in events if e.action]
    assert answer.action is not None
    assert (answer.role, answer.record, answer.action.kind) == (Role.USER, 3, ActionKind.ANSWERED)
    assert (answer.action.target, answer.action.detail) == ("Which store?", "SQLite")
    assert answer.action.options == ("Postgres", "SQLite")
    assert _said(events)[-2:] == [(4, Role.ASSISTANT, "Anything else?"), (5, Role.USER, "Keep it small.\nAnd no ORM.")]


def test_plans_notices_and_resumed_tasks() -> None:
    log = _log(
        TASK,
        (
            "assistant",
            "<plan_mode_respond>\n<response>\nFirst the model, then the view.\n</response>\n</plan_mode_respond>",
        ),
        ("user", [_text("[plan_mode_respond] Result:"), _text("<user_message>\nOk, but no view.\n</user_message>")]),
        ("assistant", "Hm."),
        ("user", [_text("[ERROR] You did not use a tool in your previous response! Use attempt_completion.")]),
        (
            "user",
            [
                _text("# task_progress List (Optional)\n- [ ] x"),
                _text(
                    "[TASK RESUMPTION] This task was interrupted 2 days "
                    "ago.\n\nNew instructions for task continuation:\n"
                    "<user_message>\nGo on with the view after all.\n</user_message>"
                ),
            ],
        ),
    )
    assert _said(list(FORMAT.events(log)))[1:] == [
        (2, Role.ASSISTANT, "First the model, then the view."),
        (3, Role.USER, "Ok, but no view."),
        (4, Role.ASSISTANT, "Hm."),
        (6, Role.USER, "Go on with the view after all."),
    ]


def test_roos_to_do_list() -> None:
    log = _log(
        TASK,
        ("assistant", "<update_todo_list>\n<todos>\n[x] Model\n[-] View\n[ ] Docs\n</todos>\n</update_todo_list>"),
        ("user", [_text("[update_todo_list] Result:\nTodo list updated successfully.")]),
    )
    (planned,) = [e.action for e in FORMAT.events(log) if e.action]
    assert [(t.text, t.status) for t in planned.tasks] == [
        ("Model", "completed"),
        ("View", "in_progress"),
        ("Docs", "pending"),
    ]


def test_a_summary_counts_only_at_the_beginning() -> None:
    found = [
        {"role": "assistant", "content": [_text("They chose Go.")], "ts": START, "isSummary": True},
        {"role": "user", "content": [_text("<feedback>Go on.</feedback>")], "ts": START},
        {"role": "assistant", "content": [_text("They chose Go, again.")], "ts": START, "isSummary": True},
    ]
    log = Log("log", io.BytesIO(json.dumps(found).encode()))
    events = list(FORMAT.events(log))
    assert [(e.voice, e.text) for e in events] == [(Voice.SUMMARY, "They chose Go."), (Voice.SPEECH, "Go on.")]
    assert log.tally.set_aside["summary"] == 1


def test_neighbours_are_not_taken() -> None:
    def log(found: object) -> Log:
        return Log("log", io.BytesIO(json.dumps(found).encode()))

    assert not FORMAT.recognise(log([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]))
    assert not FORMAT.recognise(log([{"role": "user", "content": "hi", "ts": 12}]))
    assert not FORMAT.recognise(log([{"info": {"role": "user"}, "parts": [], "ts": START}]))
    assert FORMAT.recognise(log([{"role": "user", "content": "hi", "ts": START}]))
