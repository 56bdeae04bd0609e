import json
from io import BytesIO
from typing import Any

import pytest

from distill.model import Action, ActionKind, Event, Role, Task
from distill.read.formats import recognise
from distill.read.gemini import FORMAT
from distill.read.log import Log

Record = dict[str, Any]


def log_of(document: object) -> Log:
    return Log("log", BytesIO(json.dumps(document).encode()))


def user(content: object, **more: object) -> Record:
    return {"id": "u", "timestamp": "2026-01-07T12:00:00.123Z", "type": "user", "content": content, **more}


def model(content: object, *calls: Record, **more: object) -> Record:
    return {
        "id": "m",
        "timestamp": "2026-01-07T12:01:00Z",
        "type": "gemini",
        "content": content,
        "toolCalls": calls,
        **more,
    }


def call(name: str, args: object, output: str = "ok", status: str = "success", **response: object) -> Record:
    result = [{"functionResponse": {"id": name, "name": name, "response": response or {"output": output}}}]
    return {"id": f"{name}-{args}", "name": name, "args": args, "status": status, "result": result}


def read(*messages: object, **more: object) -> tuple[list[Event], Log]:
    log = log_of({"sessionId": "g-1", "projectHash": "ab12", "startTime": "x", "messages": messages, **more})
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.action is None]


def acts(events: list[Event]) -> list[Action]:
    return [e.action for e in events if e.action is not None]


def test_a_session_and_its_words() -> None:
    events, log = read(
        user("use the long rope"),
        model(
            [{"text": "Hm", "thought": True}, {"text": "The long one "}, {"text": "it is."}],
            thoughts=[{"subject": "x"}],
        ),
        {"id": "i", "type": "info", "content": "Update available"},
        user([{"text": "and tie it twice"}]),
        summary="Ropes",
    )
    assert said(events) == [
        (1, Role.USER, "use the long rope"),
        (2, Role.ASSISTANT, "The long one it is."),
        (4, Role.USER, "and tie it twice"),
    ]
    assert [e.time for e in events] == ["2026-01-07T12:00:00Z", "2026-01-07T12:01:00Z", "2026-01-07T12:00:00Z"]
    assert {e.session for e in events} == {"g-1"}
    assert (log.tally.records, log.tally.understood, log.tally.title) == (4, 3, "Ropes")
    assert log.tally.types == {"user": 2, "gemini": 1, "info": 1}


def test_what_tools_did() -> None:
    events, _ = read(
        user("go"),
        model(
            "",
            call("write_file", {"file_path": "/w/knot.py", "content": "TURNS = 2"}),
            call(
                "replace",
                {"file_path": "/w/rope.py", "old_string": "a", "new_string": "b"},
                status="error",
                error="no match",
            ),
            call("read_file", {"absolute_path": "/w/rope.py"}),
            call("write_todos", {"todos": [{"description": "tie", "status": "in_progress"}]}),
        ),
        model("Tied."),
    )
    assert acts(events) == [
        Action(kind=ActionKind.WROTE, target="/w/knot.py", detail="TURNS = 2"),
        Action(kind=ActionKind.EDITED, target="/w/rope.py", detail="b", done=False),
        Action(kind=ActionKind.PLANNED, tasks=(Task(text="tie", status="in_progress"),)),
    ]
    assert {(e.record, e.role) for e in events if e.action} == {(2, Role.ASSISTANT)}


def test_a_commands_own_lines_and_its_exit_code() -> None:
    printed = (
        "Command: git commit\nDirectory: (root)\nStdout: [main 77aa21b] tie twice\n 1 file changed\n"
        "Stderr: (empty)\nExit Code: 0\n"
    )
    failed = "Output: 1 failed, 2 passed in 0.50s\nExit Code: 1"
    events, _ = read(
        user("go"),
        model(
            "",
            call("run_shell_command", {"command": "git commit -m 'tie twice'"}, printed),
            call("run_shell_command", {"command": "pytest"}, failed),
        ),
    )
    commit, tests = acts(events)
    assert (commit.kind, commit.target, commit.detail) == (ActionKind.COMMITTED, "77aa21b", "tie twice")
    assert (tests.kind, tests.done) == (ActionKind.TESTED, False)
    assert "1 failed, 2 passed" in tests.detail


def test_a_cancelled_call_was_refused_by_the_user() -> None:
    refused = "[Operation Cancelled] Reason: User did not allow tool call"
    events, _ = read(
        user("go"),
        model(
            "",
            call("write_file", {"file_path": "/w/a.py", "content": "x"}, status="cancelled", error=refused),
            call("read_file", {"absolute_path": "/w/b.py"}, status="cancelled", error=refused),
        ),
        user("no, in rope.py"),
    )
    assert acts(events) == [Action(kind=ActionKind.REJECTED, target="/w/a.py", done=False)]
    assert [e.role for e in events if e.action] == [Role.USER]


def test_a_call_that_is_not_over() -> None:
    running = call("write_file", {"file_path": "/w/a.py", "content": "x"}, status="executing")
    events, _ = read(user("go"), model("", running))
    assert acts(events) == []
    events, _ = read(user("go"), model("", running), user("why so long?"))
    assert [(act.kind, act.done) for act in acts(events)] == [(ActionKind.WROTE, False)]


@pytest.mark.parametrize(
    "message",
    [
        user("This is the Gemini CLI. We are setting up the context for our chat.\nToday's date is Monday."),
        user([{"text": "<session_context>\nThis is the Gemini CLI.\n</session_context>"}]),
        user(
            "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{}\n```"
        ),
        user("System: Please continue."),
        user("<state_snapshot>\n<overall_goal>ropes</overall_goal>\n</state_snapshot>"),
        user([{"functionResponse": {"id": "x", "name": "read_file", "response": {"output": "long"}}}]),
        user(""),
    ],
)
def test_texts_nobody_typed(message: Record) -> None:
    events, _ = read(message, user("real"))
    assert said(events) == [(2, Role.USER, "real")]


def test_files_pulled_into_a_prompt_are_left_out() -> None:
    parts = [
        {"text": "shorten @a.md"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @a.md:\n"},
        {"text": "Decided: never shorten."},
        {"text": "\n--- End of content ---"},
    ]
    events, _ = read(user(parts), user("typed and pasted", displayContent="typed"))
    assert said(events) == [(1, Role.USER, "shorten @a.md"), (2, Role.USER, "typed")]


def test_a_command_that_the_user_ran() -> None:
    text = (
        "I ran the following shell command:\n```sh\nrm old.py\n```\n\nThis produced the following result:\n```\n\n```"
    )
    events, _ = read(user([{"text": text}]))
    assert [(e.role, e.action) for e in events] == [(Role.USER, Action(kind=ActionKind.DELETED, target="old.py"))]


def test_answers_and_plans() -> None:
    asked = {
        "questions": [{"question": "Which rope?", "header": "Rope", "options": [{"label": "long"}, {"label": "short"}]}]
    }
    plan = call("write_file", {"file_path": "/p/plans/rope.md", "content": "# Plan\n1. tie"})
    refused = "Plan rejected. User feedback: use two knots\n\nThe plan is stored at: /p/plans/rope.md\nRevise it."
    events, _ = read(
        user("go"),
        model("", call("ask_user", asked, '{"answers": {"0": "long"}}'), plan),
        model("", call("exit_plan_mode", {"plan_path": "/p/plans/rope.md"}, refused)),
        model(
            "", call("exit_plan_mode", {"plan_path": "/p/plans/rope.md"}, "Plan approved. Switching to Default mode.")
        ),
    )
    found = [(e.record, e.role, e.action.kind, e.action.detail) for e in events if e.action and e.role is Role.USER]
    assert found == [
        (2, Role.USER, ActionKind.ANSWERED, "long"),
        (3, Role.USER, ActionKind.REJECTED, "use two knots"),
        (4, Role.USER, ActionKind.APPROVED, "# Plan\n1. tie"),
    ]
    assert (3, Role.USER, "use two knots") in said(events)


def test_a_subagents_prompts_are_not_the_users() -> None:
    events, log = read(user("Explore the harbour"), model("Found."), kind="subagent")
    assert said(events) == [(2, Role.ASSISTANT, "Found.")]
    assert log.tally.set_aside["side chain"] == 1


def test_an_interruption() -> None:
    events, _ = read(user("go"), {"id": "i", "type": "info", "content": "Request cancelled."})
    assert [(e.record, e.role, e.action) for e in events if e.action] == [
        (2, Role.USER, Action(kind=ActionKind.INTERRUPTED))
    ]


def turns(*parts: tuple[str, list[Record]]) -> list[Record]:
    return [{"role": role, "parts": list(found)} for role, found in parts]


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_checkpoint(wrapped: bool) -> None:
    def asks(name: str, **args: object) -> Record:
        return {"functionCall": {"name": name, "args": args}}

    def gives(name: str, **response: object) -> Record:
        return {"functionResponse": {"name": name, "response": response}}

    context = (
        "This is the Gemini CLI. We are setting up the context for our chat.\n"
        "I'm currently working in the directory: /w\n"
    )
    found = turns(
        ("user", [{"text": context}]),
        ("model", [{"text": "Got it. Thanks for the context!"}]),
        ("user", [{"text": "write both"}]),
        (
            "model",
            [
                {"text": "Writing."},
                asks("write_file", file_path="/w/a.py", content="a"),
                asks("write_file", file_path="/w/b.py", content="b"),
            ],
        ),
        ("user", [gives("write_file", output="ok"), gives("write_file", error="disk full")]),
        ("model", [asks("run_shell_command", command="rm x.py")]),
        ("user", [gives("run_shell_command", error="[Operation Cancelled] Reason: User did not allow tool call")]),
    )
    log = log_of({"history": found, "authType": "oauth"} if wrapped else found)
    assert recognise(log) is FORMAT
    events = list(FORMAT.events(log))
    assert said(events)[1:] == [(3, Role.USER, "write both"), (4, Role.ASSISTANT, "Writing.")]
    assert [(e.record, e.action) for e in events if e.action] == [
        (4, Action(kind=ActionKind.WROTE, target="a.py", detail="a")),
        (4, Action(kind=ActionKind.WROTE, target="b.py", detail="b", done=False)),
        (6, Action(kind=ActionKind.REJECTED, target="rm x.py", done=False)),
    ]
    assert log.tally.project == "/w"
    assert log.tally.records == 7


def test_neighbours_are_not_taken_for_it() -> None:
    assert not FORMAT.recognise(log_of({"sessionId": "x", "messages": []}))
    assert not FORMAT.recognise(log_of([{"role": "user", "content": "parts"}]))
    assert not FORMAT.recognise(log_of([{"role": "assistant", "parts": [{"text": "x"}]}]))
    assert not FORMAT.recognise(
        Log("log", BytesIO(b'{"sessionId": "x", "projectHash": "y"}\n{"id": "1", "type": "user"}\n'))
    )
    assert not FORMAT.recognise(Log("log", BytesIO(b"[2026-01-01] parts of a rope\n")))


@pytest.mark.parametrize("odd", [None, 3, "x", [], [1], {}, {"text": 4}, [{"functionResponse": 3}], True])
def test_odd_field_types_are_survived(odd: Any) -> None:
    messages: list[Any] = [
        odd,
        {"type": odd},
        user(odd),
        user(odd, displayContent=odd),
        model(odd),
        model("", timestamp=odd),
    ]
    messages.append({"type": "gemini", "content": "still here", "toolCalls": odd})
    bad = dict.fromkeys(("id", "name", "args", "status", "result", "resultDisplay"), odd)
    messages.append(model("", bad, {**bad, "name": "write_file", "status": "success"}, {**bad, "status": "cancelled"}))
    events, _ = read(*messages, summary=odd, kind=odd)
    assert "still here" in [e.text for e in events]
    log = log_of(
        [*turns(("user", [{"text": "hi"}])), *[{"role": "model", "parts": odd}] * 19, *turns(("model", [bad]))]
    )
    assert [e.text for e in FORMAT.events(log)][:1] == ["hi"]
