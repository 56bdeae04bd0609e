"""Cline and Roo: what the screen showed."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role
from distill.read.cline_ui import FORMAT
from distill.read.log import Log

Json = dict[str, Any]
START = 1772442000000  # 2026-03-02T09:00:00Z


class Screen:
    """Builds a log message by message, a minute apart."""

    def __init__(self) -> None:
        self.shown: list[Json] = []

    def say(self, kind: str, text: object = "", **more: object) -> Screen:
        return self._add("say", kind, text, **more)

    def ask(self, kind: str, text: object = "", **more: object) -> Screen:
        return self._add("ask", kind, text, **more)

    def _add(self, way: str, kind: str, text: object, **more: object) -> Screen:
        words = text if isinstance(text, str) else json.dumps(text)
        at = START + 60_000 * len(self.shown)
        self.shown.append({"ts": at, "type": way, way: kind, "text": words, **more})
        return self

    def request(self, text: str = "") -> Screen:
        return self.say("api_req_started", {"request": text, "tokensIn": 1})

    def log(self) -> Log:
        return Log("log", io.BytesIO(json.dumps(self.shown).encode()))

    def events(self) -> list[Event]:
        return list(FORMAT.events(self.log()))


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_task() -> None:
    screen = (
        Screen()
        .say("task", "Build the cart. At most 12 items.")
        .request("<task>Build the cart.</task>\n# Current Working Directory (/w/shop) Files\nNever use Redis.")
        .say("reasoning", "Perhaps Redis?")
        .say("text", "I write the cart fi", partial=True)
        .say("text", "I write the cart first.")
        .say("tool", {"tool": "newFileCreated", "path": "src/cart.ts", "content": "const LIMIT = 12"})
        .say("checkpoint_created", lastCheckpointHash="abc")
        .request("[write_to_file for 'src/cart.ts'] Result:\nThe content was successfully saved to src/cart.ts.")
        .say("tool", {"tool": "readFile", "path": "src/app.ts", "content": "/w/shop/src/app.ts"})
        .ask("command", "npm testREQ_APP")
        .say("command_output", "Tests:       5 passed, 5 total")
        .request("[execute_command for 'npm test'] Result:\nCommand executed.")
        .say("completion_result", "The cart takes at most 12 items.HAS_CHANGES")
        .ask("completion_result", "")
    )
    log = screen.log()
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (1, Role.USER, "Build the cart. At most 12 items."),
        (5, Role.ASSISTANT, "I write the cart first."),
        (13, Role.ASSISTANT, "The cart takes at most 12 items."),
    ]
    wrote, tested = [e for e in events if e.action]
    assert wrote.action is not None
    assert tested.action is not None
    assert (wrote.record, wrote.action.kind, wrote.action.target) == (6, ActionKind.WROTE, "src/cart.ts")
    assert wrote.action.detail == "const LIMIT = 12"
    assert (tested.action.kind, tested.action.target, tested.action.done) == (ActionKind.TESTED, "npm test", True)
    assert tested.record == 11  # the totals stand in the output
    assert events[0].time == "2026-03-02T09:00:00Z"
    assert log.tally.project == "/w/shop"
    assert log.tally.set_aside["streaming copy"] == 1
    assert log.tally.set_aside["thinking"] == 1
    assert log.tally.records == 14


def test_older_tasks_begin_with_a_text() -> None:
    events = Screen().say("text", "Build the cart.").say("text", "Gladly.").events()
    assert _said(events) == [(1, Role.USER, "Build the cart."), (2, Role.ASSISTANT, "Gladly.")]


def test_a_request_that_repeats_the_prompt_says_nothing() -> None:
    events = Screen().say("task", "Go.").request("<feedback>Use Redis.</feedback>").events()
    assert _said(events) == [(1, Role.USER, "Go.")]


def test_a_picked_option_is_an_answer() -> None:
    question = {"question": "Which store?", "options": ["Postgres", "SQLite"], "selected": "SQLite"}
    (answer,) = [e for e in Screen().say("task", "Go.").ask("followup", question).events() if e.action]
    assert answer.action is not None
    assert (answer.role, answer.record, answer.action.kind) == (Role.USER, 2, ActionKind.ANSWERED)
    assert (answer.action.target, answer.action.detail) == ("Which store?", "SQLite")
    assert answer.action.options == ("Postgres", "SQLite")


def test_an_answer_that_arrives_as_feedback() -> None:
    question = {"question": "Which port?", "options": []}
    events = Screen().say("task", "Go.").ask("followup", question).say("user_feedback", "8081").events()
    assert [(e.record, e.action.target, e.action.detail) for e in events if e.action] == [(3, "Which port?", "8081")]
    assert [role for _, role, _ in _said(events)] == [Role.USER]  # the task alone


def test_roos_suggestions() -> None:
    question = {"question": "Which port?", "suggest": [{"answer": "8080"}, {"answer": "8081", "mode": "code"}]}
    events = Screen().say("task", "Go.").ask("followup", question).say("user_feedback", "8081").events()
    assert [e.action.options for e in events if e.action] == [("8080", "8081")]


def test_a_long_reply_to_a_question_is_a_speech() -> None:
    reply = "Neither.\nKeep the file store.\nAnd never touch the schema."
    events = Screen().say("task", "Go.").ask("followup", {"question": "Which?"}).say("user_feedback", reply).events()
    assert _acts(events) == []
    assert _said(events)[1:] == [(2, Role.ASSISTANT, "Which?"), (3, Role.USER, reply)]


def test_a_question_that_nobody_answered() -> None:
    events = Screen().say("task", "Go.").ask("followup", {"question": "Which port?"}).events()
    assert _said(events)[1:] == [(2, Role.ASSISTANT, "Which port?")]


def test_a_plan_and_what_the_user_says_to_it() -> None:
    plan = {"response": "1. Store in SQLite\n2. Add a cache", "options": []}
    events = Screen().say("task", "Plan.").ask("plan_mode_respond", plan).say("user_feedback", "ok, no cache").events()
    assert _said(events)[1:] == [
        (2, Role.ASSISTANT, "1. Store in SQLite\n2. Add a cache"),
        (3, Role.USER, "ok, no cache"),
    ]
    plan = {"response": "I can go on.\nShall I start?", "options": ["Yes", "No"], "selected": "Yes"}
    events = Screen().say("task", "Plan.").ask("plan_mode_respond", plan).events()
    assert [(e.action.target, e.action.detail) for e in events if e.action] == [("Shall I start?", "Yes")]


def test_a_refused_tool() -> None:
    edit = {"tool": "editedExistingFile", "path": "src/db.ts", "diff": "x"}
    events = (
        Screen()
        .say("task", "Go.")
        .ask("tool", edit)
        .say("user_feedback", "Leave the database alone.")
        .request("[replace_in_file for 'src/db.ts'] Result:\n\nThe user denied this operation.\n<feedback>Leave…")
        .events()
    )
    assert _acts(events) == [(2, ActionKind.REJECTED, "src/db.ts", False)]
    assert [e.action.detail for e in events if e.action] == ["Leave the database alone."]
    assert _said(events)[-1] == (3, Role.USER, "Leave the database alone.")


def test_an_approved_tool_with_a_word_of_the_user() -> None:
    edit = {"tool": "editedExistingFile", "path": "src/db.ts", "diff": "x"}
    events = (
        Screen()
        .say("task", "Go.")
        .ask("tool", edit)
        .say("checkpoint_created")
        .say("user_feedback", "Good, now the tests.")
        .request("[replace_in_file for 'src/db.ts'] Result:\n\nThe content was successfully saved")
        .events()
    )
    assert _acts(events) == [(2, ActionKind.EDITED, "src/db.ts", True)]


def test_a_failed_tool_and_one_at_the_very_end() -> None:
    edit = {"tool": "editedExistingFile", "path": "src/db.ts", "diff": "x"}
    screen = Screen().say("task", "Go.").say("tool", edit).say("diff_error", "src/db.ts").request()
    assert _acts(screen.events()) == [(2, ActionKind.EDITED, "src/db.ts", False)]
    assert _acts(Screen().say("task", "Go.").say("tool", edit).events()) == []


def test_a_command_that_failed() -> None:
    events = (
        Screen()
        .say("task", "Go.")
        .say("command", "touch /etc/x")
        .say("command_output", "touch: cannot touch '/etc/x': Permission denied")
        .request("[execute_command for 'touch /etc/x'] Result:\nCommand executed. Exit code: 1")
        .events()
    )
    assert all(not done for _, _, _, done in _acts(events))


def test_the_edit_of_a_search_and_replace_diff() -> None:
    diff = "<<<<<<< SEARCH\nlimit = 5\n=======\nlimit = 12\n>>>>>>> REPLACE\n"
    edit = {"tool": "editedExistingFile", "path": "a.ts", "diff": diff}
    (act,) = [e.action for e in Screen().say("task", "Go.").say("tool", edit).request().events() if e.action]
    assert act.detail.strip() == "limit = 12"


def test_files_that_the_user_changed_by_hand() -> None:
    found = {"tool": "editedExistingFile", "path": "src/a.ts", "diff": "@@ -1 +1 @@\n-a\n+b"}
    events = Screen().say("task", "Go.").say("user_feedback_diff", found).events()
    assert [(e.role, e.action.target) for e in events if e.action] == [(Role.USER, "src/a.ts")]


def test_the_checklist_is_replaced_each_time() -> None:
    events = (
        Screen()
        .say("task", "Go.")
        .say("task_progress", "- [x] Set up\n- [ ] Write the docs")
        .say("task_progress", "- [x] Set up\n- [ ] Write the docs")
        .say("task_progress", "- [x] Set up\n- [x] Write the docs")
        .events()
    )
    plans = [[(t.text, t.status) for t in e.action.tasks] for e in events if e.action]
    assert plans == [
        [("Set up", "completed"), ("Write the docs", "pending")],
        [("Set up", "completed"), ("Write the docs", "completed")],
    ]


def test_roos_to_do_list_and_the_users_changes_to_it() -> None:
    todos = [{"id": "1", "content": "Ship it", "status": "in_progress"}]
    change = {"tool": "updateTodoList", "todos": [{"id": "1", "content": "Ship it", "status": "completed"}]}
    events = (
        Screen()
        .say("task", "Go.")
        .ask("tool", {"tool": "updateTodoList", "todos": todos})
        .request()
        .say("user_edit_todos", change)
        .events()
    )
    assert [(e.role, e.action.tasks[0].status) for e in events if e.action] == [
        (Role.ASSISTANT, "in_progress"),
        (Role.USER, "completed"),
    ]


def test_a_cancelled_request() -> None:
    text = json.dumps({"request": "…", "cancelReason": "user_cancelled"}, separators=(",", ":"))
    events = Screen().say("task", "Go.").say("api_req_started", text).events()
    assert _acts(events) == [(2, ActionKind.INTERRUPTED, "", True)]


def test_noise_is_set_aside() -> None:
    screen = Screen().say("task", "Go.")
    for kind in ("api_req_retried", "error_retry", "deleted_api_reqs", "info", "browser_action", "mcp_notification"):
        screen.say(kind, "We decided on Redis.")
    for kind in ("resume_task", "auto_approval_max_req_reached", "api_req_failed"):
        screen.ask(kind, "We decided on Redis.")
    assert _said(screen.events()) == [(1, Role.USER, "Go.")]


def test_neighbours_are_not_taken() -> None:
    def log(found: object) -> Log:
        return Log("log", io.BytesIO(json.dumps(found).encode()))

    assert not FORMAT.recognise(log([{"ts": START, "role": "user", "content": "x"}]))
    assert not FORMAT.recognise(log([{"say": "text", "text": "x"}]))
    assert not FORMAT.recognise(log({"ts": START, "say": "text"}))
