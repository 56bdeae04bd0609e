"""OpenHands since its SDK."""

from __future__ import annotations

import io
import json
from typing import Any

from distill.model import ActionKind, Event, Role, Voice
from distill.read.log import Log
from distill.read.openhands_v1 import FORMAT

Json = dict[str, Any]


def _lines(*events: object) -> Log:
    return Log("log", io.BytesIO("\n".join(json.dumps(e, ensure_ascii=False) for e in events).encode()))


def _document(found: object, indent: int | None = None) -> Log:
    return Log("log", io.BytesIO(json.dumps(found, indent=indent).encode()))


def _event(kind: str, number: int, source: str, **more: object) -> Json:
    return {
        "id": f"e{number}",
        "timestamp": f"2026-04-07T12:{number:02}:20.4834",
        "source": source,
        "kind": kind,
        **more,
    }


def _message(number: int, source: str, said: str) -> Json:
    role = "user" if source == "user" else "assistant"
    content = [{"type": "text", "text": said}]
    return _event("MessageEvent", number, source, llm_message={"role": role, "content": content})


def _act(number: int, tool: str, action: Json | None, thought: str = "") -> Json:
    return _event(
        "ActionEvent",
        number,
        "agent",
        thought=[{"type": "text", "text": thought}] if thought else [],
        reasoning_content="We could also use Redis.",
        action=action,
        tool_name=tool,
        tool_call_id=f"call{number}",
        tool_call={"id": f"call{number}", "name": tool, "arguments": "{}"},
        summary="does something",
        security_risk="LOW",
    )


def _seen(number: int, cause: int, tool: str, said: str, **more: object) -> Json:
    observation = {"content": [{"type": "text", "text": said}], "is_error": False, **more}
    return _event(
        "ObservationEvent",
        number,
        "environment",
        tool_name=tool,
        tool_call_id=f"call{cause}",
        action_id=f"e{cause}",
        observation=observation,
    )


def _said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.text]


def _acts(events: list[Event]) -> list[tuple[int, ActionKind, str, bool]]:
    return [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]


def test_a_session_line_by_line() -> None:
    terminal = {"kind": "TerminalObservation", "exit_code": 0, "metadata": {"exit_code": 0, "working_dir": "/w/app"}}
    log = _lines(
        _event("SystemPromptEvent", 0, "agent", system_prompt={"type": "text", "text": "You are an agent."}),
        {**_message(1, "user", "Cache for 30 seconds."), "extended_content": [{"type": "text", "text": "Use Go."}]},
        _act(2, "terminal", {"kind": "TerminalAction", "command": "ls", "is_input": False}),
        _seen(3, 2, "terminal", "cache.py", **terminal),
        _act(
            4,
            "file_editor",
            {"kind": "FileEditorAction", "command": "create", "path": "/w/app/cache.py", "file_text": "TTL = 30"},
            "Now the cache.",
        ),
        _seen(5, 4, "file_editor", "File created", kind="FileEditorObservation", prev_exist=False),
        _act(6, "think", {"kind": "ThinkAction", "thought": "Perhaps 60?"}),
        _act(7, "finish", {"kind": "FinishAction", "message": "Entries live for 30 seconds."}),
        _event(
            "ConversationStateUpdateEvent", 8, "environment", key="full_state", value={"execution_status": "finished"}
        ),
    )
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert _said(events) == [
        (2, Role.USER, "Cache for 30 seconds."),
        (5, Role.ASSISTANT, "Now the cache."),
        (8, Role.ASSISTANT, "Entries live for 30 seconds."),
    ]
    assert _acts(events)[-1] == (5, ActionKind.WROTE, "cache.py", True)
    assert events[0].time == "2026-04-07T12:01:20Z"
    assert log.tally.project == "/w/app"
    assert log.tally.set_aside["injected text"] == 1
    assert log.tally.set_aside["system prompt"] == 1
    assert log.tally.types["ActionEvent"] == 4


def test_a_refusal_with_the_users_words() -> None:
    def refused(**more: object) -> Log:
        return _lines(
            _message(1, "user", "Clean up."),
            _act(2, "terminal", {"kind": "TerminalAction", "command": "rm -r build"}),
            _event(
                "UserRejectObservation",
                3,
                "environment",
                tool_name="terminal",
                tool_call_id="call2",
                action_id="e2",
                **more,
            ),
        )

    events = list(FORMAT.events(refused(rejection_reason="Keep build, delete dist only.", rejection_source="user")))
    assert _acts(events) == [(3, ActionKind.REJECTED, "rm -r build", False)]
    assert [e.action.detail for e in events if e.action] == ["Keep build, delete dist only."]
    assert _said(events)[-1] == (3, Role.USER, "Keep build, delete dist only.")

    events = list(FORMAT.events(refused(rejection_reason="User rejected the action")))
    assert [e.action.detail for e in events if e.action] == [""]
    assert len(_said(events)) == 1


def test_what_a_hook_blocked_is_not_the_users_decision() -> None:
    log = _lines(
        _act(1, "file_editor", {"command": "create", "path": "a.py", "file_text": "a"}),
        _event(
            "UserRejectObservation",
            2,
            "environment",
            tool_name="file_editor",
            tool_call_id="call1",
            action_id="e1",
            rejection_reason="Policy: no Python here",
            rejection_source="hook",
        ),
    )
    events = list(FORMAT.events(log))
    assert _acts(events) == [(1, ActionKind.WROTE, "a.py", False)]
    assert _said(events) == []
    assert log.tally.set_aside["refused by a hook"] == 1


def test_errors() -> None:
    log = _lines(
        _act(1, "file_editor", {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"}),
        _seen(2, 1, "file_editor", "No replacement was performed", is_error=True),
        _act(3, "file_editor", None),
        _event("AgentErrorEvent", 4, "agent", tool_name="file_editor", tool_call_id="call3", error="Tool not found"),
        _act(5, "terminal", {"command": "touch b.py"}),
        _seen(6, 5, "terminal", "touch: b.py: permission denied", exit_code=1),
    )
    assert not any(done for _, _, _, done in _acts(list(FORMAT.events(log))))


def test_the_to_do_list() -> None:
    tasks = [
        {"title": "Add the cache", "notes": "", "status": "done"},
        {"title": "Measure it", "status": "in_progress"},
    ]
    log = _lines(
        _act(1, "task_tracker", {"kind": "TaskTrackerAction", "command": "plan", "task_list": tasks}),
        _seen(2, 1, "task_tracker", "Task list updated"),
    )
    (planned,) = [e.action for e in FORMAT.events(log) if e.action]
    assert [(t.text, t.status) for t in planned.tasks] == [
        ("Add the cache", "completed"),
        ("Measure it", "in_progress"),
    ]


def test_a_summary_counts_only_where_the_earlier_part_is_missing() -> None:
    summary = _event("Condensation", 1, "environment", summary="They chose Go.", forgotten_event_ids=["x"])
    events = list(FORMAT.events(_lines(summary, _message(2, "user", "Go on."))))
    assert next((e.voice, e.text) for e in events) == (Voice.SUMMARY, "They chose Go.")
    log = _lines(_message(1, "user", "Use Go."), {**summary, "id": "e9"})
    assert _said(list(FORMAT.events(log))) == [(1, Role.USER, "Use Go.")]
    assert log.tally.set_aside["summary"] == 1


def test_an_interruption() -> None:
    log = _lines(_message(1, "user", "Start."), _event("PauseEvent", 2, "user"))
    assert _acts(list(FORMAT.events(log)))[0][:2] == (2, ActionKind.INTERRUPTED)


def test_one_event_a_file_and_an_array_of_events() -> None:
    one = _document(_message(1, "user", "Use Go."), indent=2)
    assert FORMAT.recognise(one)
    assert _said(list(FORMAT.events(one))) == [(1, Role.USER, "Use Go.")]
    many = _document([_message(1, "user", "Use Go."), _message(2, "agent", "Go it is.")])
    assert FORMAT.recognise(many)
    assert _said(list(FORMAT.events(many))) == [(1, Role.USER, "Use Go."), (2, Role.ASSISTANT, "Go it is.")]
    assert many.tally.records == 2


def test_a_broken_line_costs_only_itself() -> None:
    good = json.dumps(_message(1, "user", "Use Go."))
    log = Log("log", io.BytesIO(f'{good}\n{{"kind": "Mess\n{json.dumps(_message(2, "agent", "Done."))}\n'.encode()))
    assert [number for number, _, _ in _said(list(FORMAT.events(log)))] == [1, 3]
    assert log.tally.skipped == {"invalid JSON": [2]}


def test_neighbours_are_not_taken() -> None:
    assert not FORMAT.recognise(_lines({"kind": "note", "source": "me"}))
    assert not FORMAT.recognise(_lines({"type": "user", "content": "x"}))
    assert not FORMAT.recognise(_document([{"source": "user", "action": "message", "args": {}}]))
