import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.model import Action, ActionKind, Event, Role, Task, Voice
from distill.read.claude_code import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log

K = ActionKind
Record = dict[str, Any]
CWD = "/srv/kiln"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."


class Session:
    """Writes the records of a session; every record follows the one before it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.last: str | None = None

    def add(self, kind: str, /, **more: object) -> str:
        number = len(self.lines) + 1
        uuid = str(more.get("uuid", f"u{number}"))
        entry: Record = {
            "parentUuid": self.last,
            "isSidechain": False,
            "cwd": CWD,
            "sessionId": "s-1",
            "gitBranch": "glaze",
            "type": kind,
            "uuid": uuid,
            "timestamp": f"2026-03-02T09:{number % 60:02}:00.123Z",
            **more,
        }
        self.last = uuid
        self.raw(entry)
        return uuid

    def raw(self, entry: object) -> None:
        self.lines.append(json.dumps(entry, ensure_ascii=False))

    def user(self, content: object, **more: object) -> str:
        return self.add("user", message={"role": "user", "content": content}, **more)

    def says(self, *texts: str, name: str | None = None, **more: object) -> str:
        content = [{"type": "text", "text": text} for text in texts]
        return self.add(
            "assistant", message={"id": name or f"m{len(self.lines)}", "role": "assistant", "content": content}, **more
        )

    def call(self, tool: str, key: str = "t", name: str | None = None, /, **given: object) -> str:
        block = {"type": "tool_use", "id": key, "name": tool, "input": given}
        return self.add(
            "assistant", message={"id": name or f"m{len(self.lines)}", "role": "assistant", "content": [block]}
        )

    def result(
        self, content: object, key: str = "t", *, error: bool | None = None, extra: object = None, **more: object
    ) -> str:
        block: Record = {"type": "tool_result", "tool_use_id": key, "content": content}
        if error is not None:
            block["is_error"] = error
        if extra is not None:
            more["toolUseResult"] = extra
        return self.user([block], **more)

    def log(self) -> Log:
        data = "\n".join(self.lines).encode("utf-8", "surrogatepass")
        return Log("log.jsonl", BytesIO(data), len(data))

    def events(self) -> list[Event]:
        return list(FORMAT.events(self.log()))

    def told(self) -> list[tuple[int, str, str]]:
        """Record, speaker and words of what was said."""
        return [(event.record, str(event.role), event.text) for event in self.events() if event.action is None]

    def acts(self) -> list[Action]:
        return [event.action for event in self.events() if event.action is not None]


@pytest.fixture
def session() -> Session:
    return Session()


def test_an_ordinary_session(session: Session) -> None:
    session.user("Write the glaze guide.")
    session.says("I will write it.")
    session.call("Write", file_path=f"{CWD}/docs/glaze.md", content="# Glaze")
    session.result("File created successfully", extra={"type": "create"})
    session.says("Done.")
    log = session.log()
    assert recognise(log) is FORMAT
    first, second, third, fourth = FORMAT.events(log)
    assert (first.record, first.role, first.text) == (1, Role.USER, "Write the glaze guide.")
    assert (first.time, first.session, first.project) == ("2026-03-02T09:01:00Z", "s-1", CWD)
    assert (second.record, second.role, second.text) == (2, Role.ASSISTANT, "I will write it.")
    assert (third.record, third.role) == (3, Role.ASSISTANT)
    assert third.action == Action(kind=K.WROTE, target="docs/glaze.md", detail="# Glaze")
    assert fourth.text == "Done."
    tally = log.tally
    assert (tally.project, tally.session, tally.branch) == (CWD, "s-1", "glaze")
    assert dict(tally.types) == {"user": 2, "assistant": 3}
    assert (tally.records, tally.understood, tally.skipped) == (5, 4, {})


def test_content_as_text_or_blocks(session: Session) -> None:
    session.user(
        [{"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"}, {"type": "text", "text": "Fix it."}]
    )
    session.user([{"type": "image", "source": {}}])
    session.says("One.", "Two.")
    assert session.told() == [(1, "user", "Fix it."), (3, "assistant", "One."), (3, "assistant", "Two.")]


def test_thinking_is_never_told(session: Session) -> None:
    session.user("Go.")
    session.add("assistant", message={"id": "m", "content": [{"type": "thinking", "thinking": "Secretly."}]})
    assert session.told() == [(1, "user", "Go.")]


# -- copies ----------------------------------------------------------------------------------------------------------


def test_the_last_of_the_growing_copies_holds(session: Session) -> None:
    session.user("Go.")
    session.says("I will", name="m")
    session.says("I will write it.", name="m")
    session.says("I will write it.", name="m")
    session.says("And test it.", name="m")
    session.call("Write", "t", "m", file_path="a.md")
    session.call("Write", "t", "m", file_path="a.md", content="x")
    session.result("ok")
    session.says("And test it.", name="m")
    session.says("I will", name="m2")
    log = session.log()
    told = [(event.record, event.text) for event in FORMAT.events(log) if event.role is Role.ASSISTANT]
    assert told == [(4, "I will write it."), (5, "And test it."), (7, ""), (10, "I will")]
    assert log.tally.set_aside["streaming copy"] == 4


def test_records_that_a_resumed_session_repeats(session: Session) -> None:
    session.user("Use gas.", uuid="a")
    session.says("Gas.", uuid="b")
    session.user("Use gas.", uuid="a", sessionId="s-2")
    session.says("Gas.", uuid="b", sessionId="s-2")
    session.user("Fire at 1200.", sessionId="s-2")
    log = session.log()
    assert [(event.text, event.session) for event in FORMAT.events(log)] == [
        ("Use gas.", "s-1"),
        ("Gas.", "s-1"),
        ("Fire at 1200.", "s-2"),
    ]
    assert log.tally.set_aside["resumed copy"] == 2


def test_the_same_words_twice_without_an_answer(session: Session) -> None:
    session.user("Go on.")
    session.user("Go on.")
    session.says("Yes.")
    session.user("Go on.")
    assert session.told() == [(1, "user", "Go on."), (3, "assistant", "Yes."), (4, "user", "Go on.")]


# -- what nobody said ------------------------------------------------------------------------------------------------


def test_injected_and_synthetic_messages(session: Session) -> None:
    session.user("Base directory for this skill: x", isMeta=True)
    session.user("Caveat: The messages below were generated by the user while running local commands.")
    session.user("<task-notification>\n<status>completed</status>\n</task-notification>")
    session.user("Done in the background", origin={"kind": "task-notification"})
    session.add(
        "assistant", message={"id": "m", "model": "<synthetic>", "content": [{"type": "text", "text": "limit"}]}
    )
    session.says("API Error", isApiErrorMessage=True)
    session.add("progress", data={"type": "bash_progress"})
    session.add("attachment", attachment={"type": "hook_success", "content": "x"})
    session.add("system", subtype="api_error", content="x")
    session.raw({"type": "file-history-snapshot", "messageId": "x", "snapshot": {"trackedFileBackups": {}}})
    session.raw({"type": "permission-mode", "permissionMode": "plan", "sessionId": "s-1"})
    session.raw({"type": "brand-new-type", "sessionId": "s-1"})
    session.user("Real.")
    log = session.log()
    assert [event.text for event in FORMAT.events(log)] == ["Real."]
    assert log.tally.types["brand-new-type"] == 1
    assert log.tally.skipped == {}


def test_reminders_inside_the_users_words(session: Session) -> None:
    session.user("<system-reminder>\nTelemetry is on.\n</system-reminder>\nKeep telemetry off.")
    session.user("Why does the page show <system-reminder>? Hide that tag.")
    assert [text for _, _, text in session.told()] == [
        "Keep telemetry off.",
        "Why does the page show <system-reminder>? Hide that tag.",
    ]


def test_a_summary_in_the_middle_is_set_aside(session: Session) -> None:
    session.user("Stay single-threaded.")
    session.says("Yes.")
    session.add("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid="u2")
    session.user("Summary: use a pool.", isCompactSummary=True)
    session.user("Go on.")
    log = session.log()
    assert [event.text for event in FORMAT.events(log)] == ["Stay single-threaded.", "Yes.", "Go on."]
    assert log.tally.set_aside["summary"] == 1


def test_a_summary_that_comes_first_is_told_as_one(session: Session) -> None:
    lead = "This session is being continued from a previous conversation that ran out of context.\n"
    session.user(f"{lead}Analysis:\nx\n\nSummary:\nThe kiln is gas.")
    session.user("Go on.")
    first, second = session.events()
    assert (first.voice, first.text) == (Voice.SUMMARY, "The kiln is gas.")
    assert first.role is not Role.USER
    assert second.voice is Voice.SPEECH


def test_a_summary_that_failed_is_none(session: Session) -> None:
    session.user("You've hit your limit · resets 8pm", isCompactSummary=True)
    assert session.events() == []


def test_side_chains_speak_to_nobody_but_their_files_stand(session: Session) -> None:
    session.user("Go.")
    session.user("Look around, decide on X.", isSidechain=True)
    session.says("I decided on X.", isSidechain=True)
    block = {"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": "a.md", "content": "x"}}
    session.add("assistant", isSidechain=True, message={"id": "m", "content": [block]})
    session.result("ok", "w", isSidechain=True)
    todo = {"type": "tool_use", "id": "d", "name": "TodoWrite", "input": {"todos": [{"content": "x"}]}}
    session.add("assistant", isSidechain=True, message={"id": "m", "content": [todo]})
    session.result("ok", "d", isSidechain=True)
    session.call("Task", "k", prompt="Look around")
    session.result("I decided on Y.", "k")
    assert session.told() == [(1, "user", "Go.")]
    assert session.acts() == [Action(kind=K.WROTE, target="a.md", detail="x")]


def test_the_log_of_a_sub_agent_is_read_without_its_prompt(session: Session) -> None:
    session.user("Find the kiln's config.", isSidechain=True)
    session.says("It stands in kiln.toml.", isSidechain=True)
    assert session.told() == [(2, "assistant", "It stands in kiln.toml.")]


def test_our_own_output_is_not_eaten(session: Session) -> None:
    session.user("<!-- distill:begin -->\n- Use gas.\n<!-- distill:end -->\nFire at 1200.")
    log = session.log()
    assert [event.text for event in FORMAT.events(log)] == ["Fire at 1200."]
    assert log.tally.set_aside["own output"] == 1


# -- commands, interruptions, refusals -------------------------------------------------------------------------------


def test_slash_commands(session: Session) -> None:
    session.user("<command-message>plan</command-message>\n<command-args>the vent</command-args>")
    session.user("## Context\nbody of the command", isMeta=True)
    session.user(
        "<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>"
    )
    session.user("<local-command-stdout>cleared</local-command-stdout>")
    assert session.told() == [(1, "user", "the vent")]


def test_a_command_the_user_ran(session: Session) -> None:
    session.user("<bash-input>git commit -am vent</bash-input>")
    session.user("<bash-stdout>[glaze 4f2a9c1] vent\n 1 file changed</bash-stdout><bash-stderr></bash-stderr>")
    (event,) = session.events()
    assert (event.record, event.role) == (2, Role.USER)
    assert event.action == Action(kind=K.COMMITTED, target="4f2a9c1", detail="vent")


def test_an_interruption(session: Session) -> None:
    session.user("Go.")
    session.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    session.user("No, stop.")
    assert [event.action.kind if event.action else event.text for event in session.events()] == [
        "Go.",
        K.INTERRUPTED,
        "No, stop.",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "To tell you how to proceed, the user said:\nuse pnpm",
        "The user provided the following reason for the rejection:  use pnpm",
    ],
)
def test_a_refusal_with_a_reason(session: Session, words: str) -> None:
    session.user("Install it.")
    session.call("Bash", command="npm install")
    session.result(f"{REFUSED} {words}", error=True, extra=f"Error: {REFUSED}")
    session.says("With pnpm, then.")
    _, refusal, reason, _ = session.events()
    assert refusal.action == Action(kind=K.REJECTED, target="npm install", detail="use pnpm", done=False)
    assert (refusal.role, refusal.record) == (Role.USER, 3)
    assert (reason.role, reason.record, reason.text) == (Role.USER, 3, "use pnpm")


def test_a_refusal_without_a_reason(session: Session) -> None:
    session.call("Write", file_path=f"{CWD}/a.md", content="x")
    session.result(f"{REFUSED} STOP what you are doing and wait for the user to tell you how to proceed.", error=True)
    session.call("Read", "r", file_path="b.md")
    session.result(f"{REFUSED} To tell you how to proceed, the user said:\nnot that one", "r", error=True)
    assert [(act.kind, act.target, act.detail) for act in session.acts()] == [
        (K.REJECTED, "a.md", ""),
        (K.REJECTED, "", "not that one"),
    ]


# -- questions and plans ---------------------------------------------------------------------------------------------

QUESTION = {
    "question": "Which fuel?",
    "header": "Fuel",
    "options": [{"label": "Gas"}, {"label": "Wood"}],
    "multiSelect": False,
}
ANSWER = Action(kind=K.ANSWERED, target="Which fuel?", detail="Gas", options=("Gas", "Wood"))


@pytest.mark.parametrize(
    ("content", "extra"),
    [
        ("whatever", {"questions": [QUESTION], "answers": {"Which fuel?": "Gas"}}),
        ('User has answered your questions: "Which fuel?"="Gas". You can now continue.', None),
        ([{"type": "text", "text": 'The user answered: "Which fuel?"="Gas".'}], "text"),
    ],
)
def test_a_question_that_was_answered(session: Session, content: object, extra: object) -> None:
    session.call("AskUserQuestion", questions=[QUESTION])
    session.result(content, extra=extra)
    (event,) = session.events()
    assert (event.action, event.role, event.record) == (ANSWER, Role.USER, 2)


def test_notes_beside_an_answer(session: Session) -> None:
    session.call("AskUserQuestion", questions=[QUESTION])
    extra = {"answers": {"Which fuel?": "Gas"}, "annotations": {"Which fuel?": {"notes": "bottled"}}}
    session.result("x", extra=extra)
    assert session.acts()[0].detail == "Gas (bottled)"


def test_a_question_that_failed(session: Session) -> None:
    session.call("AskUserQuestion", questions=[QUESTION])
    session.result("<tool_use_error>No such tool</tool_use_error>", error=True)
    assert session.events() == []


def test_plans(session: Session) -> None:
    session.call("ExitPlanMode", "a", plan="1. Dig")
    session.result(f"{REFUSED} the user said:\nsmaller", "a", error=True)
    session.call("ExitPlanMode", "b", plan="1. Dig less")
    session.result("User has approved your plan. You can now start coding.", "b", extra={"plan": "1. Dig less"})
    session.call("ExitPlanMode", "c")
    session.result("User has approved your plan.\n\n## Approved Plan:\n1. Fill", "c")
    found = [
        (e.record, e.role, e.action.kind if e.action else None, e.action.detail if e.action else e.text)
        for e in session.events()
    ]
    assert found == [
        (2, Role.USER, K.REJECTED, "smaller"),
        (2, Role.USER, None, "smaller"),
        (3, Role.USER, K.APPROVED, "1. Dig less"),
        (6, Role.USER, K.APPROVED, "1. Fill"),
    ]


# -- tools -----------------------------------------------------------------------------------------------------------


def test_a_commit_and_a_push_that_failed(session: Session) -> None:
    session.call("Bash", "a", command="git commit -am 'fix vent'")
    session.result("[glaze 4f2a9c1] fix vent\n 1 file changed", "a")
    session.call("Bash", "b", command="git push")
    session.result("error: failed to push some refs to 'origin'", "b", error=True)
    commit, push = session.events()
    assert commit.action == Action(kind=K.COMMITTED, target="4f2a9c1", detail="fix vent")
    assert commit.record == 2  # the id stands in the result
    assert push.action is not None
    assert (push.action.kind, push.action.done, push.record) == (K.PUSHED, False, 3)


def test_an_act_without_a_result_is_not_done_once_the_log_goes_on(session: Session) -> None:
    session.call("Write", "a", file_path="a.md", content="x")
    session.user("One.")
    session.user("Two.")
    session.call("Write", "b", file_path="b.md", content="x")
    assert [(act.target, act.done) for act in session.acts()] == [("a.md", False)]


def test_a_failed_edit_and_an_interrupted_command(session: Session) -> None:
    session.call("Edit", "a", file_path="a.md", old_string="x", new_string="y")
    session.result("<tool_use_error>String to replace not found in file.</tool_use_error>", "a", error=True)
    session.call("Bash", "b", command="touch b.md")
    session.result("", "b", extra={"stdout": "", "interrupted": True})
    assert [(act.target, act.done) for act in session.acts()] == [("a.md", False), ("b.md", False)]


def test_paths_are_shown_from_where_the_session_began(session: Session) -> None:
    session.user("Go.")
    session.call("Write", "a", file_path=f"{CWD}/web/a.ts", content="x")
    session.result("ok", "a")
    block = {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "touch b.ts"}}
    session.add("assistant", cwd=f"{CWD}/web", message={"id": "m", "content": [block]})
    session.result("", "b", cwd=f"{CWD}/web")
    block = {
        "type": "tool_use",
        "id": "c",
        "name": "Edit",
        "input": {"file_path": "/srv/other/c.ts", "new_string": "x"},
    }
    session.add("assistant", cwd="/srv/other", message={"id": "m", "content": [block]})
    session.result("", "c", cwd="/srv/other")
    assert [act.target for act in session.acts()] == ["web/a.ts", "web/b.ts", "c.ts"]


def test_a_command_in_the_background(session: Session) -> None:
    session.call("Bash", "a", command="npm test", run_in_background=True)
    session.result("Command running in background with ID: k7", "a")
    session.call("BashOutput", "b", bash_id="k7")
    session.result("<status>running</status>\n\n<stdout>\n> test\n</stdout>", "b")
    session.call("BashOutput", "c", bash_id="k7")
    session.result("<status>completed</status>\n<exit_code>1</exit_code>\n<stdout>\n1 failed, 2 passed\n</stdout>", "c")
    (event,) = session.events()
    assert event.action == Action(kind=K.TESTED, target="npm test", detail="1 failed, 2 passed", done=False)
    assert event.record == 6


def test_to_do_lists(session: Session) -> None:
    todos = [
        {"content": "Dig", "status": "completed", "activeForm": "Digging"},
        {"content": "Fill", "status": "pending"},
    ]
    session.call("TodoWrite", todos=todos)
    session.result("Todos have been modified successfully.")
    (event,) = session.events()
    assert event.action == Action(kind=K.PLANNED, tasks=(Task(text="Dig", status="completed"), Task(text="Fill")))
    assert event.record == 1


def test_tasks_that_are_made_and_changed_one_by_one(session: Session) -> None:
    session.call("TaskCreate", "a", subject="Dig", description="d")
    session.result("Task #1 created successfully: Dig", "a", extra={"task": {"id": "1", "subject": "Dig"}})
    session.call("TaskCreate", "b", subject="Fill")
    session.result("Task #2 created successfully: Fill", "b")
    session.call("TaskUpdate", "c", taskId="1", status="completed")
    session.result("Updated task #1 status", "c")
    session.call("TaskUpdate", "d", taskId="2", status="deleted")
    session.result("Updated task #2 deleted", "d")
    session.call("TaskUpdate", "e", taskId="9", status="completed")
    session.result("Task not found", "e")
    assert [act.tasks for act in session.acts()] == [
        (Task(text="Dig"),),
        (Task(text="Dig"), Task(text="Fill")),
        (Task(text="Dig", status="completed"), Task(text="Fill")),
        (Task(text="Dig", status="completed"),),
    ]


def test_a_reminder_of_the_list(session: Session) -> None:
    content = [{"id": "1", "subject": "Dig", "status": "in_progress"}]
    session.add("attachment", attachment={"type": "task_reminder", "content": content, "itemCount": 1})
    session.add("attachment", attachment={"type": "task_reminder", "content": content, "itemCount": 1})
    session.add("attachment", attachment={"type": "task_reminder", "content": [], "itemCount": 0})
    assert session.acts() == [Action(kind=K.PLANNED, tasks=(Task(text="Dig", status="in_progress"),))]


# -- prompts that were typed while the assistant was busy --------------------------------------------------------------


def queued(session: Session, content: object, operation: str = "enqueue") -> None:
    entry = {"type": "queue-operation", "operation": operation, "timestamp": "2026-03-02T09:30:00Z", "sessionId": "s-1"}
    session.raw({**entry, "content": content} if content is not None else entry)


def test_a_queued_prompt_that_a_record_repeats(session: Session) -> None:
    session.user("Go.")
    queued(session, [{"type": "text", "text": "Use gas."}])
    queued(session, None, "dequeue")
    session.user("Use gas.")
    assert session.told() == [(1, "user", "Go."), (4, "user", "Use gas.")]


def test_queued_prompts_that_a_record_joins(session: Session) -> None:
    queued(session, "Use gas.")
    queued(session, "Fire at 1200.")
    session.user("Use gas.\nFire at 1200.")
    assert session.told() == [(3, "user", "Use gas.\nFire at 1200.")]


def test_a_queued_prompt_that_nothing_repeats(session: Session) -> None:
    session.user("Go.")
    queued(session, "Use gas.")
    queued(session, "<task-notification>x</task-notification>")
    session.user("Fire at 1200.")
    queued(session, "And slowly.")
    assert session.told() == [
        (1, "user", "Go."),
        (2, "user", "Use gas."),
        (4, "user", "Fire at 1200."),
        (5, "user", "And slowly."),
    ]


def test_a_queued_prompt_that_was_withdrawn(session: Session) -> None:
    session.user("Go.")
    queued(session, "Use gas.")
    queued(session, None, "remove")
    queued(session, "Use wood.")
    queued(session, None, "popAll")
    assert session.told() == [(1, "user", "Go.")]


def test_a_queued_prompt_handed_over_in_the_middle_of_a_turn(session: Session) -> None:
    session.user("Go.")
    queued(session, "Use gas.")
    session.add("attachment", attachment={"type": "queued_command", "prompt": "Use gas.", "commandMode": "prompt"})
    session.add(
        "attachment", attachment={"type": "queued_command", "prompt": "done", "commandMode": "task-notification"}
    )
    session.says("Gas it is.")
    assert session.told() == [(1, "user", "Go."), (3, "user", "Use gas."), (5, "assistant", "Gas it is.")]


# -- what stands beside the talk -------------------------------------------------------------------------------------


def test_pull_requests_are_linked_once(session: Session) -> None:
    for _ in range(2):
        session.raw({"type": "pr-link", "sessionId": "s-1", "prNumber": 7, "prUrl": "https://example.org/a/b/pull/7"})
    assert session.acts() == [Action(kind=K.OPENED, target="https://example.org/a/b/pull/7")]


@pytest.mark.parametrize(
    ("entries", "title"),
    [
        ([{"type": "summary", "summary": "Kiln", "leafUuid": "zz"}], "Kiln"),
        ([{"type": "summary", "summary": f"S{i}", "leafUuid": f"z{i}"} for i in range(3)], ""),
        (
            [
                {"type": "summary", "summary": "A", "leafUuid": "z"},
                {"type": "summary", "summary": "B", "leafUuid": "u1"},
            ],
            "B",
        ),
        ([{"type": "ai-title", "aiTitle": "One"}, {"type": "ai-title", "aiTitle": "Two"}], "Two"),
        ([{"type": "custom-title", "customTitle": "Mine"}, {"type": "ai-title", "aiTitle": "Two"}], "Mine"),
    ],
)
def test_titles(session: Session, entries: list[Record], title: str) -> None:
    session.user("Go.")
    for entry in entries:
        session.raw({"sessionId": "s-1", **entry})
    log = session.log()
    assert [event.text for event in FORMAT.events(log)] == ["Go."]
    assert log.tally.title == title


def test_recaps_and_edits_by_hand(session: Session) -> None:
    session.add("system", subtype="away_summary", content="Vent built. Next: test it.")
    session.add(
        "attachment", attachment={"type": "edited_text_file", "filename": f"{CWD}/a.py", "snippet": "1\tx = 1\n2\ty"}
    )
    recap, edit = session.events()
    assert (recap.voice, recap.role) == (Voice.NARRATION, Role.ASSISTANT)
    assert edit.role is Role.USER
    assert edit.action == Action(kind=K.EDITED, target="a.py", detail="x = 1\ny")


# -- rewinds ---------------------------------------------------------------------------------------------------------


def rewinds(session: Session) -> list[tuple[int, int]]:
    return [
        (event.record, event.action.back_to)
        for event in session.events()
        if event.action and event.action.kind is K.REWOUND
    ]


def test_a_prompt_that_was_asked_again(session: Session) -> None:
    session.user("Plan the kiln.")
    options = session.says("Gas or wood.")
    session.user("Wood.")
    session.says("Wood it is.")
    session.user("Gas.", parentUuid=options)
    session.says("Gas it is.")
    session.user("And a chimney.")
    assert rewinds(session) == [(5, 2)]
    kinds = [event.action.kind if event.action else event.text for event in session.events()]
    assert kinds.index(K.REWOUND) == kinds.index("Gas.") - 1


def test_the_same_words_after_a_rewind_are_kept(session: Session) -> None:
    start = session.says("Hello.")
    session.user("Wood.")
    session.user("Wood.", parentUuid=start)
    assert rewinds(session) == [(3, 1)]
    assert session.told()[-1] == (3, "user", "Wood.")


def test_parallel_results_and_attachments_are_no_rewind(session: Session) -> None:
    session.user("Go.")
    first = session.call("Write", "a", file_path="a.md", content="x")
    second = session.call("Write", "b", file_path="b.md", content="x")
    session.result("ok", "a", parentUuid=first)
    session.result("ok", "b", parentUuid=second)
    end = session.says("Done.")
    session.add("attachment", attachment={"type": "hook_success"}, parentUuid=end)
    session.user("Next.", parentUuid=end)
    assert rewinds(session) == []


def test_a_parent_that_is_lost_or_missing_is_no_rewind(session: Session) -> None:
    session.user("One.")
    session.says("Yes.")
    session.user("Two.", parentUuid="never seen")
    session.user("Three.", parentUuid=None)
    session.user("Four.", parentUuid=["odd"])
    assert rewinds(session) == []


def test_sessions_in_one_file_do_not_rewind_each_other(session: Session) -> None:
    session.user("One.")
    answer = session.says("Yes.")
    session.user("Two.", sessionId="s-2", parentUuid=None)
    session.user("Three.", parentUuid=answer)
    assert rewinds(session) == []


# -- recognition and odd input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "known"),
    [
        ({"type": "user", "sessionId": "s", "parentUuid": None, "message": {}}, True),
        ({"type": "summary", "summary": "x", "leafUuid": "y"}, True),
        ({"type": "file-history-snapshot", "messageId": "x", "snapshot": {}}, True),
        ({"type": "queue-operation", "operation": "enqueue", "sessionId": "s"}, True),
        ({"type": "permission-mode", "permissionMode": "plan", "sessionId": "s"}, True),
        ({"type": "session_meta", "payload": {"id": "x"}}, False),
        ({"type": "session", "id": "x", "cwd": "/srv", "timestamp": "2026-01-01T00:00:00Z"}, False),
        ({"type": "user", "timestamp": "x", "content": "hi"}, False),
        ({"type": "system", "subtype": "init", "session_id": "x"}, False),
        ({"sessionId": "x", "projectHash": "y", "messages": []}, False),
        ({"role": "user", "content": "hi"}, False),
    ],
)
def test_recognition(entry: Record, known: bool) -> None:
    data = (json.dumps(entry) + "\n" + json.dumps(entry) + "\n").encode()
    assert FORMAT.recognise(Log("x", BytesIO(data), len(data))) is known


def test_broken_lines_cost_only_themselves(session: Session) -> None:
    session.user("One.")
    session.lines.append('{"type":"attachment","uuid":"x1","attach')
    session.user("Two.", parentUuid="x1")
    log = session.log()
    assert [event.text for event in FORMAT.events(log)] == ["One.", "Two."]
    assert log.tally.skipped == {"invalid JSON": [2]}


TOOLS = ["Bash", "Write", "TodoWrite", "AskUserQuestion", "ExitPlanMode", "TaskUpdate", "TaskCreate", "BashOutput"]
TYPES = ["user", "assistant", "attachment", "system", "queue-operation", "summary", "ai-title", "pr-link"]
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6))
ODD: st.SearchStrategy[Any] = st.one_of(PLAIN, st.lists(st.integers(), max_size=2), st.just({}), st.just({"type": 3}))


def objects(fixed: dict[str, st.SearchStrategy[Any]], optional: str) -> st.SearchStrategy[Any]:
    return st.one_of(ODD, st.fixed_dictionaries(fixed, optional=dict.fromkeys(optional.split(), ODD)))


KEY = st.one_of(ODD, st.just("t"))
BLOCKS = objects(
    {
        "type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "new"]),
        "name": st.one_of(ODD, st.sampled_from(TOOLS)),
        "id": KEY,
        "tool_use_id": KEY,
    },
    "text content input is_error",
)
MESSAGES = objects({"content": st.one_of(ODD, st.lists(BLOCKS, max_size=3))}, "id model role")
ATTACHMENTS = objects(
    {"type": st.sampled_from(["queued_command", "task_reminder", "edited_text_file"])},
    "prompt content filename snippet commandMode",
)
RECORDS = objects(
    {
        "type": st.one_of(ODD, st.sampled_from(TYPES)),
        "message": MESSAGES,
        "attachment": ATTACHMENTS,
        "operation": st.sampled_from(["enqueue", "dequeue", "remove", "popAll", 3]),
        "subtype": st.sampled_from(["away_summary", "compact_boundary"]),
    },
    "uuid parentUuid sessionId cwd timestamp isSidechain isMeta isCompactSummary toolUseResult content summary "
    "leafUuid aiTitle prUrl gitBranch origin",
)


@settings(max_examples=300, deadline=None)
@given(st.lists(RECORDS, max_size=6))
def test_no_field_of_an_odd_type_raises(records: list[Record]) -> None:
    session = Session()
    session.user("Go.")
    for record in records:
        session.raw(record)
    events = session.events()
    assert events[0].text == "Go."
