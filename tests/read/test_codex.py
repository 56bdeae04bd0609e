import json
from io import BytesIO
from typing import Any

import pytest

from distill.model import Action, ActionKind, Event, Role, Task, Voice
from distill.read.codex import FORMAT
from distill.read.formats import recognise
from distill.read.log import Log

Record = dict[str, Any]
CWD = "/work/kiln"


def line(kind: str, payload: object, minute: int = 0) -> Record:
    return {"timestamp": f"2026-04-02T10:{minute:02}:30.250Z", "type": kind, "payload": payload}


def meta(**more: object) -> Record:
    return line("session_meta", {"id": "s-1", "cwd": CWD, "cli_version": "0.140.0", "git": {"branch": "glaze"}, **more})


def event(kind: str, /, **more: object) -> Record:
    return line("event_msg", {"type": kind, **more})


def item(kind: str, /, **more: object) -> Record:
    return line("response_item", {"type": kind, **more})


def prompt(text: str) -> Record:
    return event("user_message", message=text)


def answer(text: str, phase: str | None = None) -> Record:
    return event("agent_message", message=text, **({"phase": phase} if phase else {}))


def history(role: str, *texts: str, **more: object) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text} for text in texts], **more)


def call(name: str, arguments: object, key: str = "c1") -> Record:
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id=key)


def output(text: object, key: str = "c1") -> Record:
    return item("function_call_output", call_id=key, output=text)


def read(*records: object) -> tuple[list[Event], Log]:
    data = "".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in records)
    log = Log("log", BytesIO(data.encode()))
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def said(events: list[Event]) -> list[tuple[Role, str]]:
    return [(e.role, e.text) for e in events if e.action is None]


def acts(events: list[Event]) -> list[Action]:
    return [e.action for e in events if e.action is not None]


def test_a_session_and_its_words() -> None:
    events, log = read(
        meta(),
        history("developer", "<permissions instructions>read only"),
        history("user", "fire the kiln at 1040"),
        prompt("fire the kiln at 1040"),
        item("reasoning", summary=[], encrypted_content="x"),
        answer("Looking at the curve.", "commentary"),
        history("assistant", "Looking at the curve.", phase="commentary"),
        answer("Done: 1040 it is.", "final_answer"),
        event("task_complete", last_agent_message="Done: 1040 it is."),
    )
    assert [(e.record, e.role, e.voice, e.text) for e in events] == [
        (4, Role.USER, Voice.SPEECH, "fire the kiln at 1040"),
        (6, Role.ASSISTANT, Voice.NARRATION, "Looking at the curve."),
        (8, Role.ASSISTANT, Voice.SPEECH, "Done: 1040 it is."),
    ]
    assert {(e.time, e.session, e.project) for e in events} == {("2026-04-02T10:00:30Z", "s-1", CWD)}
    assert (log.tally.session, log.tally.project, log.tally.branch) == ("s-1", CWD, "glaze")
    assert log.tally.types["event_msg/agent_message"] == 2
    assert log.tally.set_aside == {"injected text": 1, "repeated message": 2}
    assert log.tally.understood == 3
    assert log.tally.skipped == {}


def test_the_first_of_repeated_headers_counts() -> None:
    _, log = read(meta(), prompt("hi"), meta(id="s-2", cwd="/elsewhere"))
    assert (log.tally.session, log.tally.project) == ("s-1", CWD)


def test_history_alone_is_read_where_there_are_no_events() -> None:
    events, log = read(
        meta(),
        history("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
        history("user", "# AGENTS.md instructions for /x\n\nUse tabs", "keep the retries at three"),
        history("assistant", "Checking.", phase="commentary"),
        call("shell_command", {"command": "ls"}),
        output("Exit code: 0\nWall time: 0 seconds\nOutput:\nx\n"),
        history("assistant", "They stay at three."),
    )
    assert said(events) == [
        (Role.USER, "keep the retries at three"),
        (Role.ASSISTANT, "Checking."),
        (Role.ASSISTANT, "They stay at three."),
    ]
    assert [e.voice for e in events] == [Voice.SPEECH, Voice.NARRATION, Voice.SPEECH]
    assert log.tally.set_aside["injected text"] == 1


def test_an_event_that_comes_late_does_not_repeat_history() -> None:
    events, _ = read(
        meta(),
        history("user", "use the small kiln"),
        history("assistant", "Which one?"),
        call("shell_command", {"command": "ls"}),
        prompt("use the small kiln"),
        answer("Which one?"),
    )
    assert said(events) == [(Role.USER, "use the small kiln"), (Role.ASSISTANT, "Which one?")]


def test_items_of_newer_versions() -> None:
    def completed(**it: object) -> Record:
        return event("item_completed", item=it)

    events, log = read(
        meta(),
        history("user", "JSON only"),
        completed(type="UserMessage", content=[{"type": "text", "text": "JSON only"}, {"type": "image", "url": "x"}]),
        completed(type="AgentMessage", phase="commentary", content=[{"type": "Text", "text": "Reading."}]),
        completed(type="Reasoning", summary_text=["secret"]),
        completed(
            type="FileChange",
            id="c9",
            status="completed",
            changes={f"{CWD}/out.py": {"type": "add", "content": "JSON = True\n"}},
        ),
        completed(type="AgentMessage", phase="final_answer", content=[{"type": "Text", "text": "JSON only now."}]),
    )
    assert [(e.record, e.voice, e.text) for e in events if not e.action] == [
        (3, Voice.SPEECH, "JSON only"),
        (4, Voice.NARRATION, "Reading."),
        (7, Voice.SPEECH, "JSON only now."),
    ]
    (act,) = acts(events)
    assert (act.kind, act.target, act.done) == (ActionKind.WROTE, "out.py", True)
    assert log.tally.types["item_completed/AgentMessage"] == 2


def test_the_editors_wrapping_is_taken_off() -> None:
    events, log = read(
        meta(),
        prompt("# Context from my IDE setup:\n\n## Open tabs:\n- a.lua\n\n## My request for Codex:\nraise it to 12\n"),
        answer("ok"),
        prompt("\n# Files mentioned by the user:\n\n## X.lua: c:/X.lua\n\n## My request for Codex:\nand log it"),
        answer("ok"),
        prompt("[$brainstorm](C:\\kit(2)\\SKILL.md) three names please"),
        answer("ok"),
        prompt("# Context from my IDE setup:\n\n## Open tabs:\n- a.lua\n"),
        prompt("<turn_aborted>\nThe user stopped it\n</turn_aborted>"),
    )
    assert [text for role, text in said(events) if role is Role.USER] == [
        "raise it to 12",
        "and log it",
        "three names please",
    ]
    assert log.tally.set_aside["injected text"] == 1


def test_citations_directives_and_plan_tags_are_taken_off() -> None:
    events, _ = read(
        meta(),
        prompt("go"),
        answer(
            'Uses 12 slots【F:kiln/a.py†L3-L4】.\n::git-stage{cwd="/x"}\n'
            "<proposed_plan>\n1. fire\n</proposed_plan>\n<oai-mem-citation>\nMEMORY\n</oai-mem-citation>"
        ),
    )
    assert said(events)[1] == (Role.ASSISTANT, "Uses 12 slots.\n1. fire")


def test_terminal_escapes_and_nuls_are_taken_out_of_prose() -> None:
    events, _ = read(meta(), prompt("\u001b[1mbold\u001b[0m\u0000 move"), answer("ok"))
    assert said(events)[0] == (Role.USER, "bold move")


def test_rolled_back_turns_are_rewound_and_said_again() -> None:
    events, _ = read(
        meta(),
        prompt("one"),  # 2
        answer("a"),
        history("user", "two"),
        prompt("two"),  # 5
        answer("b"),
        prompt("three"),  # 7
        event("turn_aborted", reason="interrupted"),
        event("thread_rolled_back", num_turns=2),  # 9
        prompt("three"),  # 10
        event("thread_rolled_back", num_turns=9),  # 11
        event("thread_rolled_back", num_turns="x"),
    )
    rewinds = [(e.record, e.role, e.action.back_to) for e in events if e.action and e.action.kind is ActionKind.REWOUND]
    assert rewinds == [(9, Role.USER, 4), (11, Role.USER, 1)]
    assert [e.record for e in events if e.text == "three"] == [7, 10]
    assert [(e.record, e.role) for e in events if e.action and e.action.kind is ActionKind.INTERRUPTED] == [
        (8, Role.USER)
    ]


def test_a_prompt_sent_twice_without_an_answer_counts_once() -> None:
    events, log = read(meta(), prompt("go on"), prompt("go on"), answer("ok"), prompt("go on"))
    assert [e.record for e in events if e.role is Role.USER] == [2, 5]
    assert log.tally.set_aside["repeated message"] == 1


def test_a_patch_event_is_preferred_to_the_call() -> None:
    patch = f"*** Begin Patch\n*** Update File: {CWD}/a.py\n@@\n+x = 1\n*** End Patch"
    changes = {
        f"{CWD}/a.py": {"type": "update", "unified_diff": "@@ -1 +1,2 @@\n y\n+x = 1\n", "move_path": None},
        f"{CWD}/old.py": {"type": "delete", "content": "z"},
    }
    events, _ = read(
        meta(),
        prompt("go"),
        item("custom_tool_call", name="apply_patch", call_id="p1", input=patch),
        event("patch_apply_end", call_id="p1", success=True, changes=changes),
        item("custom_tool_call_output", call_id="p1", output="Exit code: 0\nOutput:\nSuccess. Updated"),
        event("patch_apply_end", call_id="p2", success=False, changes={f"{CWD}/b.py": {"type": "add", "content": "q"}}),
    )
    assert [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action] == [
        (4, ActionKind.EDITED, "a.py", True),
        (4, ActionKind.DELETED, "old.py", True),
        (6, ActionKind.WROTE, "b.py", False),
    ]
    assert acts(events)[0].detail == "x = 1"


PATCH = "*** Begin Patch\n*** Add File: glaze/mix.py\n+RATIO = 3\n*** End Patch"


@pytest.mark.parametrize(
    "made",
    [
        item("custom_tool_call", name="apply_patch", call_id="c1", input=PATCH),
        call("apply_patch", {"input": PATCH}),
        call("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]}),
        call("shell", {"command": ["apply_patch", PATCH]}),
        item("custom_tool_call", name="exec", call_id="c1", input=f"const p = `{PATCH}`;\nawait tools.apply_patch(p);"),
        item(
            "custom_tool_call",
            name="exec",
            call_id="c1",
            input=f"text(await tools.apply_patch({json.dumps(PATCH)}));",
        ),
    ],
)
def test_a_patch_without_an_event_is_read_from_the_call(made: Record) -> None:
    result = {**output("Success. Updated the following files:\nA glaze/mix.py\n")}
    events, _ = read(meta(), prompt("go"), made, result, answer("done"))
    assert [(e.record, e.role) for e in events if e.action] == [(3, Role.ASSISTANT)]
    (act,) = acts(events)
    assert (act.kind, act.target, act.detail, act.done) == (ActionKind.WROTE, "glaze/mix.py", "RATIO = 3", True)


@pytest.mark.parametrize(
    "result",
    [
        "apply_patch verification failed: Failed to find expected lines",
        '{"output":"patch: no such file","metadata":{"exit_code":1,"duration_seconds":0.0}}',
        "failed in sandbox MacosSeatbelt with execution error: sandbox denied",
        {"content": "no", "success": False},
    ],
)
def test_a_patch_that_failed_is_not_done(result: object) -> None:
    made = item("custom_tool_call", name="apply_patch", call_id="c1", input=PATCH)
    events, _ = read(meta(), prompt("go"), made, output(result))
    assert [act.done for act in acts(events)] == [False]


def test_a_refused_patch_is_the_users_act() -> None:
    made = item("custom_tool_call", name="apply_patch", call_id="c1", input=PATCH)
    events, _ = read(meta(), prompt("go"), made, output("patch rejected by user"))
    (found,) = [e for e in events if e.action]
    assert found.role is Role.USER
    assert found.action == Action(kind=ActionKind.REJECTED, target="glaze/mix.py", done=False)


COMMIT = "[glaze 3f2a91c] feat: mix at three to one\n 1 file changed, 1 insertion(+)\n"


@pytest.mark.parametrize(
    ("made", "result"),
    [
        (
            call("shell", {"command": ["bash", "-lc", "git commit -am 'feat: mix at three to one'"]}),
            json.dumps({"output": COMMIT, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}),
        ),
        (
            call("shell_command", {"command": "git commit -am 'feat: mix at three to one'"}),
            f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{COMMIT}",
        ),
        (
            call("exec_command", {"cmd": "git commit -am 'feat: mix at three to one'"}),
            f"Chunk ID: 9a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{COMMIT}",
        ),
        (
            item(
                "custom_tool_call",
                name="exec",
                call_id="c1",
                input="const r = await tools.exec_command({cmd: `git commit -am 'feat: mix'`});text(r)",
            ),
            [
                {"type": "input_text", "text": "Script completed\nWall time 0.2 seconds\nOutput:\n"},
                {"type": "input_text", "text": json.dumps({"exit_code": 0, "output": COMMIT})},
            ],
        ),
        (
            item("local_shell_call", call_id="c1", action={"type": "exec", "command": ["git", "commit", "-am", "x"]}),
            COMMIT,
        ),
    ],
)
def test_four_generations_of_commands(made: Record, result: object) -> None:
    events, _ = read(meta(), prompt("go"), made, output(result))
    (found,) = [e for e in events if e.action]
    assert (found.record, found.role) == (4, Role.ASSISTANT)  # the id stands in the result
    assert found.action is not None
    assert (found.action.kind, found.action.target) == (ActionKind.COMMITTED, "3f2a91c")
    assert found.action.detail == "feat: mix at three to one"


def test_paths_are_seen_from_the_session_and_not_from_the_commands_folder() -> None:
    made = call("shell_command", {"command": "echo 3 > ratio.txt", "workdir": f"{CWD}/glaze"})
    events, _ = read(meta(), prompt("go"), made, output("Exit code: 0\nWall time: 0 seconds\nOutput:\n"))
    assert [(act.kind, act.target) for act in acts(events)] == [(ActionKind.WROTE, "glaze/ratio.txt")]


def test_paths_are_seen_from_the_first_folder_of_the_session() -> None:
    events, _ = read(
        meta(),
        line("turn_context", {"cwd": f"{CWD}/glaze"}),
        prompt("go"),
        call("shell_command", {"command": "echo 3 > ratio.txt"}),
        output("Exit code: 0\nWall time: 0 seconds\nOutput:\n"),
        event("patch_apply_end", success=True, changes={f"{CWD}/glaze/mix.py": {"type": "add", "content": "x"}}),
    )
    assert [act.target for act in acts(events)] == ["glaze/ratio.txt", "glaze/mix.py"]


def test_a_command_that_goes_on_running_is_told_when_it_ends() -> None:
    events, _ = read(
        meta(),
        prompt("go"),
        call("exec_command", {"cmd": "pytest"}, "c1"),
        output("Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 77\nOutput:\n......\n", "c1"),
        call("write_stdin", {"session_id": 77, "chars": ""}, "c2"),
        output("Wall time: 5 seconds\nProcess exited with code 1\nOutput:\n1 failed, 6 passed in 12.00s\n", "c2"),
    )
    (act,) = acts(events)
    assert (act.kind, act.target, act.done) == (ActionKind.TESTED, "pytest", False)
    assert "1 failed, 6 passed" in act.detail


def test_the_plan_is_a_list_of_tasks() -> None:
    plan = [{"step": "mix", "status": "completed"}, {"step": "fire", "status": "in_progress"}, {"step": "cool"}]
    events, _ = read(meta(), prompt("go"), call("update_plan", {"plan": plan}), output("Plan updated"))
    (act,) = acts(events)
    assert act.kind is ActionKind.PLANNED
    assert act.tasks == (
        Task(text="mix", status="completed"),
        Task(text="fire", status="in_progress"),
        Task(text="cool", status="pending"),
    )


def test_answers_to_questions_are_the_users() -> None:
    questions = [
        {
            "id": "cone",
            "header": "Cone",
            "question": "Which cone?",
            "options": [{"label": "6", "description": "mid"}, {"label": "10", "description": "high"}],
        }
    ]
    given = json.dumps({"answers": {"cone": {"answers": ["10"]}}})
    events, _ = read(meta(), prompt("go"), call("request_user_input", {"questions": questions}), output(given))
    (found,) = [e for e in events if e.action]
    assert (found.record, found.role) == (4, Role.USER)
    assert found.action == Action(kind=ActionKind.ANSWERED, target="Which cone?", detail="10", options=("6", "10"))


def test_an_approved_plan() -> None:
    plan = "# Firing\n1. bisque\n2. glaze"
    events, _ = read(
        meta(),
        prompt("plan it"),
        event("item_completed", item={"type": "Plan", "id": "p", "text": plan}),  # 3
        prompt("Implement the plan."),
        answer("Done."),
        prompt(f"PLEASE IMPLEMENT THIS PLAN:\n{plan} again"),  # 6
    )
    assert said(events) == [
        (Role.USER, "plan it"),
        (Role.ASSISTANT, plan),
        (Role.ASSISTANT, "Done."),
    ]
    assert [(e.record, e.role, e.action.kind, e.action.detail) for e in events if e.action] == [
        (3, Role.USER, ActionKind.APPROVED, plan),
        (6, Role.USER, ActionKind.APPROVED, f"{plan} again"),
    ]


def test_a_call_without_a_result_is_not_done_once_the_turn_is_over() -> None:
    made = call("shell_command", {"command": "rm -f kiln.db"})
    events, _ = read(meta(), prompt("go"), made, answer("gone"), event("task_complete", last_agent_message="gone"))
    assert [(act.kind, act.target, act.done) for act in acts(events)] == [(ActionKind.DELETED, "kiln.db", False)]
    events, _ = read(meta(), prompt("go"), made)  # the log ends with it
    assert acts(events) == []


def test_a_turn_with_no_answer_but_the_one_in_its_end() -> None:
    events, _ = read(meta(), prompt("go"), event("task_complete", last_agent_message="Fired."))
    assert said(events)[1] == (Role.ASSISTANT, "Fired.")


def test_summaries_are_set_aside_unless_the_log_begins_with_one() -> None:
    events, log = read(meta(), prompt("go"), answer("ok"), line("compacted", {"message": "Earlier: all."}))
    assert len(events) == 2
    assert log.tally.set_aside["summary"] == 1
    events, _ = read(meta(), line("compacted", {"message": "Earlier: all."}), prompt("go on"))
    assert [(e.voice, e.role, e.text) for e in events] == [
        (Voice.SUMMARY, Role.ASSISTANT, "Earlier: all."),
        (Voice.SPEECH, Role.USER, "go on"),
    ]


def test_agents_among_themselves() -> None:
    events, log = read(
        meta(), prompt("go"), item("agent_message", author="/root/x", recipient="/root", content=[{"text": "hi"}])
    )
    assert len(events) == 1
    assert log.tally.set_aside["subagent mail"] == 1
    events, log = read(meta(source={"subagent": {"thread_spawn": {}}}), prompt("Explore the repo"), answer("Found it."))
    assert said(events) == [(Role.ASSISTANT, "Found it.")]
    assert log.tally.set_aside["side chain"] == 1


def test_a_command_that_the_user_ran() -> None:
    text = (
        "<user_shell_command>\n<command>\ngit commit -m x\n</command>\n<result>\nExit code: 0\n"
        f"Duration: 0.1 seconds\nOutput:\n{COMMIT}</result>\n</user_shell_command>"
    )
    events, _ = read(meta(), history("user", text))
    (found,) = events
    assert found.role is Role.USER
    assert found.action is not None
    assert (found.action.kind, found.action.target) == (ActionKind.COMMITTED, "3f2a91c")


def test_a_review_and_a_name() -> None:
    review = {"overall_explanation": "Two leaks.", "findings": [{"title": "Valve", "body": "Never closed."}, 3]}
    events, log = read(
        meta(),
        event("exited_review_mode", review_output=review),
        event("thread_name_updated", thread_name="Leaks"),
    )
    assert said(events) == [(Role.ASSISTANT, "Two leaks.\n\nValve\n\nNever closed.")]
    assert log.tally.title == "Leaks"


def test_own_output_is_not_eaten() -> None:
    events, log = read(
        meta(), prompt("<!-- distill:begin -->\n- Use PostgreSQL\n<!-- distill:end -->\n\nadd a column"), answer("ok")
    )
    assert said(events)[0] == (Role.USER, "add a column")
    assert log.tally.set_aside["own output"] == 1


def test_unknown_record_types_are_counted_and_give_nothing() -> None:
    events, log = read(meta(), line("blob_v9", {"who": "human", "body": "Decided."}), line("blob_v9", "x"))
    assert events == []
    assert log.tally.understood == 0
    assert log.tally.types == {"session_meta": 1, "blob_v9": 2}


@pytest.mark.parametrize("odd", [None, 3, "x", [], [1], {}, {"type": 7}, {"type": ["user_message"]}, True])
def test_odd_field_types_are_survived(odd: Any) -> None:
    kinds = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
    records: list[Record] = [meta(), *(line(kind, odd) for kind in kinds), line(odd, {"type": "message"})]
    names = ("role", "content", "name", "arguments", "input", "call_id", "output", "action")
    for kind in ("message", "function_call", "function_call_output", "custom_tool_call", "local_shell_call"):
        records.append(item(kind, **dict.fromkeys(names, odd)))
        records.append(item(kind, **{**dict.fromkeys(names, odd), "call_id": "k", "name": "exec", "role": "user"}))
    fields = ("message", "item", "changes", "call_id", "num_turns", "phase", "kind", "review_output", "success")
    events_read = (
        "user_message",
        "agent_message",
        "item_completed",
        "patch_apply_end",
        "task_complete",
        "turn_aborted",
        "thread_rolled_back",
        "exited_review_mode",
        "image_generation_end",
    )
    records += [event(kind, **dict.fromkeys(fields, odd)) for kind in events_read]
    items = ("UserMessage", "AgentMessage", "Plan", "FileChange", odd)
    records += [event("item_completed", item={"type": k, "content": odd, "text": odd, "changes": odd}) for k in items]
    records.append({**prompt("still here"), "timestamp": odd})
    events, _ = read(*records)
    assert (Role.USER, "still here") in said(events)


def test_damage_costs_only_what_is_damaged() -> None:
    events, log = read(meta(), prompt("one"), '{"timestamp": "2026', answer("two"))
    assert [text for _, text in said(events)] == ["one", "two"]
    assert log.tally.skipped == {"invalid JSON": [3]}


def compact(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"))


def test_lines_that_nobody_needs_are_counted_without_being_decoded() -> None:
    reasoning = compact(item("reasoning", summary=[], encrypted_content="x"))
    events, log = read(
        compact(meta()),
        compact(prompt("go")),
        reasoning,
        reasoning[:-9],  # cut off
        reasoning + compact(answer("spliced")),
        compact(meta(id="s-2", cwd="/elsewhere")),
        compact(call("shell_command", {"command": "ls"})),
        compact(output("Exit code: 0\nOutput:\nx")),
        compact(call("shell_command", {"command": "rm x"}, "c2")),
        compact(output("Exit code: 0\nOutput:\n", "c2")),
        compact(line("response_item", {"id": "m", "type": "message", "role": "user", "content": "go"})),
        compact(line("event_msg", {"message": "type last", "type": "agent_message"})),
    )
    assert said(events) == [(Role.USER, "go"), (Role.ASSISTANT, "spliced"), (Role.ASSISTANT, "type last")]
    assert [(act.kind, act.target) for act in acts(events)] == [(ActionKind.DELETED, "x")]
    assert log.tally.session == "s-1"
    assert log.tally.records == 12
    assert log.tally.skipped == {"invalid JSON": [4]}
    assert log.tally.types == {
        "session_meta": 2,
        "event_msg/user_message": 1,
        "event_msg/agent_message": 2,
        "response_item/reasoning": 2,
        "response_item/function_call": 2,
        "response_item/function_call_output": 2,
        "response_item/message": 1,
    }


def test_long_outputs_keep_their_end() -> None:
    made = call("shell_command", {"command": "pytest"})
    long = "Exit code: 0\nWall time: 9 seconds\nOutput:\n" + "." * 400_000 + "\n=== 7 passed in 3.00s ===\n"
    events, _ = read(meta(), prompt("go"), made, output(long))
    (act,) = acts(events)
    assert (act.kind, act.done) == (ActionKind.TESTED, True)
    assert "7 passed" in act.detail
