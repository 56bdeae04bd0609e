import json
from typing import Any

import pytest

from distill.model import Action, ActionKind, Task
from distill.read.actions import in_result, tool_actions, tool_kind

K = ActionKind
CWD = "/srv/app"


def acts(name: str, arguments: dict[str, Any] | str, output: str = "ok", *, failed: bool = False) -> tuple[Action, ...]:
    return tool_actions(name, arguments, output, failed=failed, cwd=CWD)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Write", {"file_path": "/srv/app/a.md", "content": "new"}),
        ("write", {"filePath": "/srv/app/a.md", "content": "new"}),
        ("write", {"path": "a.md", "content": "new"}),
        ("write_file", {"file_path": "/srv/app/a.md", "content": "new"}),
        ("write_to_file", {"path": "a.md", "content": "new"}),
        ("newFileCreated", {"path": "./a.md", "content": "new"}),
        ("str_replace_editor", {"command": "create", "path": "/srv/app/a.md", "file_text": "new"}),
        ("file_editor", {"command": "create", "path": "/srv/app/a.md", "file_text": "new"}),
        ("mcp__files__write_file", {"path": "/srv/app/a.md", "content": "new"}),
        ("create_file", json.dumps({"filePath": "/srv/app/a.md", "content": "new"})),
        ("replace", {"file_path": "/srv/app/a.md", "old_string": "", "new_string": "new"}),
    ],
)
def test_files_written(name: str, arguments: dict[str, Any] | str) -> None:
    assert acts(name, arguments) == (Action(kind=K.WROTE, target="a.md", detail="new"),)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Edit", {"file_path": "/srv/app/a.md", "old_string": "old", "new_string": "new"}),
        ("edit", {"filePath": "/srv/app/a.md", "oldString": "old", "newString": "new"}),
        ("edit", {"path": "a.md", "oldText": "old", "newText": "new"}),
        ("MultiEdit", {"file_path": "a.md", "edits": [{"old_string": "old", "new_string": "new"}]}),
        ("NotebookEdit", {"notebook_path": "a.md", "new_source": "new"}),
        ("replace", {"file_path": "a.md", "old_string": "old", "new_string": "new", "instruction": "do"}),
        ("str_replace_editor", {"command": "str_replace", "path": "a.md", "old_str": "old", "new_str": "new"}),
        ("file_editor", {"command": "insert", "path": "a.md", "insert_line": 3, "new_str": "new"}),
        ("editedExistingFile", {"path": "a.md", "diff": "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"}),
        ("replace_in_file", {"path": "a.md", "diff": "------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE"}),
        ("apply_diff", {"path": "a.md", "diff": "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new"}),
        ("edit_file", {"target_file": "a.md", "code_edit": "new", "instructions": "I will"}),
    ],
)
def test_files_edited(name: str, arguments: dict[str, Any]) -> None:
    (act,) = acts(name, arguments)
    assert (act.kind, act.target, act.detail.strip(), act.done) == (K.EDITED, "a.md", "new", True)


def test_several_files_in_one_call() -> None:
    edits = [
        {"filePath": "a.md", "newString": "1"},
        {"filePath": "b.md", "newString": "2"},
        {"filePath": "a.md", "newString": "3"},
    ]
    assert [(act.target, act.detail) for act in acts("multi_replace_string_in_file", {"replacements": edits})] == [
        ("a.md", "1\n3"),
        ("b.md", "2"),
    ]


def test_files_deleted_moved_and_put_back() -> None:
    assert acts("delete_file", {"target_file": "a.md"}) == (Action(kind=K.DELETED, target="a.md"),)
    moved = acts("move_file", {"source": "/srv/app/a.md", "destination": "/srv/app/b.md"})
    assert moved == (Action(kind=K.MOVED, target="b.md", detail="a.md"),)
    undone = acts("str_replace_editor", {"command": "undo_edit", "path": "/srv/app/a.md"})
    assert undone == (Action(kind=K.RESTORED, target="a.md"),)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Read", {"file_path": "a.md"}),
        ("Grep", {"pattern": "x", "path": "a.md"}),
        ("str_replace_editor", {"command": "view", "path": "a.md"}),
        ("list_directory", {"path": "."}),
        ("think", {"thought": "x"}),
        ("", {}),
        ("Write", {}),
        ("Write", {"file_path": 3, "content": ["x"]}),
        ("Edit", {"file_path": None, "edits": "x"}),
        ("Bash", {}),
        ("Bash", {"command": 3}),
        ("TodoWrite", {"todos": "none"}),
        ("TodoWrite", {"todos": [3, None, {"content": 4}]}),
        ("apply_patch", {"input": 4}),
        ("apply_patch", "no patch"),
        ("AskUserQuestion", {"questions": [1, {"question": 2}]}),
        ("update_plan", "not json {"),
    ],
)
def test_what_gives_nothing(name: str, arguments: dict[str, Any] | str) -> None:
    assert acts(name, arguments) == ()


def test_a_failed_act_is_not_done() -> None:
    edit = {"file_path": "a.md", "old_string": "x", "new_string": "y"}
    assert [act.done for act in acts("Edit", edit, "String not found", failed=True)] == [False]
    assert [act.done for act in acts("Edit", edit, "Error: file not found")] == [False]
    assert [act.done for act in acts("Edit", edit, "<tool_use_error>no</tool_use_error>")] == [False]


def test_scratch_files_outside_of_the_project_do_not_count() -> None:
    assert acts("Write", {"file_path": "/tmp/x.py", "content": "x"}) == ()
    assert len(tool_actions("Write", {"file_path": "/tmp/x.py", "content": "x"}, "", failed=False, cwd="/tmp")) == 1
    assert len(tool_actions("Write", {"file_path": "/tmp/x.py", "content": "x"}, "", failed=False)) == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Bash", {"command": "touch a.md"}),
        ("bash", {"command": "touch a.md"}),
        ("shell", {"command": ["bash", "-lc", "touch a.md"], "workdir": "/srv/app"}),
        ("shell_command", json.dumps({"command": "touch a.md", "workdir": "."})),
        ("exec_command", {"cmd": "touch a.md"}),
        ("run_shell_command", {"command": "touch a.md", "description": "x"}),
        ("execute_command", {"command": "touch a.md", "requires_approval": False}),
        ("run_terminal_cmd", {"command": "touch a.md", "is_background": False}),
        ("terminal", {"command": "touch a.md"}),
        ("run", "touch a.md"),
        ("functions.exec_command", {"cmd": "touch a.md"}),
    ],
)
def test_commands(name: str, arguments: dict[str, Any] | str) -> None:
    assert acts(name, arguments) == (Action(kind=K.WROTE, target="a.md"),)


def test_the_folder_of_a_command() -> None:
    assert acts("shell_command", {"command": "touch a.md", "workdir": "/srv/app/web"})[0].target == "web/a.md"
    assert acts("exec_command", {"cmd": "touch a.md", "workdir": "web"})[0].target == "web/a.md"
    assert acts("exec_command", {"cmd": "cd .. && touch a.md", "workdir": "web"})[0].target == "a.md"
    assert acts("shell_command", {"command": "touch a.md", "workdir": "/opt/other"})[0].target == "/opt/other/a.md"
    assert tool_actions("shell", {"command": "touch a.md", "workdir": "/srv/app"}, "", failed=False)[0].target == "a.md"
    assert acts("PowerShell", {"command": "Set-Content a.md 'x'"})[0].target == "a.md"


def test_relative_paths_start_in_the_folder_of_the_call() -> None:
    edit = {"file_path": "a.md", "old_string": "x", "new_string": "y"}
    found = tool_actions("Edit", edit, "", failed=False, cwd=CWD, folder="/srv/app/web")
    assert [act.target for act in found] == ["web/a.md"]


def test_patches() -> None:
    patch = "*** Begin Patch\n*** Update File: a.md\n@@\n-x\n+new\n*** End Patch"
    wanted = (Action(kind=K.EDITED, target="a.md", detail="new"),)
    assert acts("apply_patch", patch) == wanted
    assert acts("apply_patch", {"input": patch}) == wanted
    assert acts("patch", {"patchText": patch}) == wanted
    assert acts("apply_patch", {"changes": {"/srv/app/a.md": {"type": "update", "unified_diff": "+new"}}}) == wanted


def entries(key: str, *states: str) -> list[dict[str, str]]:
    states = states or ("completed", "in_progress", "pending")
    return [{key: text, "status": state} for text, state in zip(("one", "two", "three"), states, strict=True)]


TASKS = (Task(text="one", status="completed"), Task(text="two", status="in_progress"), Task(text="three"))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("TodoWrite", {"todos": [*entries("content"), {"content": "four", "status": "cancelled"}]}),
        ("todowrite", {"todos": [{"id": "1", "priority": "high", **entry} for entry in entries("content")]}),
        ("update_plan", {"explanation": "x", "plan": entries("step")}),
        ("update_plan", json.dumps({"plan": entries("step")})),
        ("task_tracker", {"command": "plan", "task_list": entries("title", "done", "in_progress", "todo")}),
        ("write_todos", {"todos": entries("description")}),
        ("update_todo_list", {"todos": "# list\n- [x] one\n- [-] two\n- [ ] three"}),
        ("task_progress", "- [x] one\n- [~] two\n* [ ] three"),
    ],
)
def test_to_do_lists(name: str, arguments: dict[str, Any] | str) -> None:
    assert acts(name, arguments) == (Action(kind=K.PLANNED, tasks=TASKS),)


def test_questions_and_plans() -> None:
    asked = {"questions": [{"question": "Which way?", "options": [{"label": "Left"}, {"label": "Right"}]}]}
    answered = acts(
        "AskUserQuestion", asked, 'User has answered your questions: "Which way?"="Left". You can now go on.'
    )
    assert answered == (Action(kind=K.ANSWERED, target="Which way?", detail="Left", options=("Left", "Right")),)
    (plan,) = acts("ExitPlanMode", {"plan": "1. Dig"}, "User has approved your plan. You can now start coding.")
    assert (plan.kind, plan.detail) == (K.APPROVED, "1. Dig")


def test_pull_requests_opened_by_a_tool() -> None:
    (act,) = acts(
        "mcp__github__create_pull_request", {"title": "Add kiln"}, '{"html_url":"https://example.org/a/b/pull/7"}'
    )
    assert act == Action(kind=K.OPENED, target="https://example.org/a/b/pull/7", detail="Add kiln")


def test_where_the_words_of_an_act_stand() -> None:
    assert in_result(Action(kind=K.COMMITTED, target="abc1234"))
    assert not in_result(Action(kind=K.COMMITTED, detail="subject of the command"))
    assert in_result(Action(kind=K.TESTED, target="pytest", detail="1 passed"))
    assert not in_result(Action(kind=K.WROTE, target="a.md"))


def test_kinds_of_tools() -> None:
    assert tool_kind("Read") == ""
    assert tool_kind("mcp__fs__write_file") == tool_kind("Write") == "write"
    assert tool_kind("default_api:run_shell_command") == "shell"
