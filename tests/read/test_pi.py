import json
from io import BytesIO
from typing import Any

import pytest

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.formats import recognise
from distill.read.log import Log
from distill.read.pi import FORMAT, typed

Record = dict[str, Any]
HEADER: Record = {
    "type": "session",
    "version": 3,
    "id": "p-1",
    "timestamp": "2026-02-03T07:00:00.000Z",
    "cwd": "/w/loom",
}
TIME = "2026-02-03T07:01:00.000Z"


def entry(message: object, **more: object) -> Record:
    return {"type": "message", "timestamp": TIME, "message": message, **more}


def user(*texts: str, **more: object) -> Record:
    return entry({"role": "user", "content": [{"type": "text", "text": text} for text in texts]}, **more)


def assistant(*blocks: object, **more: object) -> Record:
    found = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return entry({"role": "assistant", "content": found, **more})


def call(name: str, key: str = "t1", **arguments: object) -> Record:
    return {"type": "toolCall", "id": key, "name": name, "arguments": arguments}


def result(text: str, key: str = "t1", **more: object) -> Record:
    return entry({"role": "toolResult", "toolCallId": key, "content": [{"type": "text", "text": text}], **more})


def read(*records: object) -> tuple[list[Event], Log]:
    log = Log("log", BytesIO("".join(f"{json.dumps(r)}\n" for r in records).encode()))
    assert recognise(log) is FORMAT
    return list(FORMAT.events(log)), log


def said(events: list[Event]) -> list[tuple[int, Role, str]]:
    return [(e.record, e.role, e.text) for e in events if e.action is None]


def test_words_and_acts() -> None:
    events, log = read(
        HEADER,
        {"type": "model_change", "modelId": "m"},
        user("weave it tighter"),
        assistant(
            {"type": "thinking", "thinking": "hm"},
            "Weaving.",
            call("edit", path="/w/loom/warp.py", oldText="a", newText="b"),
        ),
        result("Edited"),
        assistant(call("write", "t2", path="weft.py", content="w"), call("bash", "t3", command="git commit -m tight")),
        result("Error: disk full", "t2", isError=True),
        result("[main 5be21aa] tight\n 1 file changed", "t3"),
        assistant("Done."),
    )
    assert said(events) == [
        (3, Role.USER, "weave it tighter"),
        (4, Role.ASSISTANT, "Weaving."),
        (9, Role.ASSISTANT, "Done."),
    ]
    assert [(e.record, e.action) for e in events if e.action] == [
        (4, Action(kind=ActionKind.EDITED, target="warp.py", detail="b")),
        (6, Action(kind=ActionKind.WROTE, target="weft.py", detail="w", done=False)),
        (8, Action(kind=ActionKind.COMMITTED, target="5be21aa", detail="tight")),
    ]
    assert {(e.time, e.session, e.project) for e in events} == {("2026-02-03T07:01:00Z", "p-1", "/w/loom")}
    assert log.tally.types["message/toolResult"] == 3


def test_the_export_is_an_array_and_may_be_utf_16() -> None:
    data = json.dumps([HEADER, user("hello"), 3, assistant("hi")], indent=1)
    log = Log("log", BytesIO(data.encode("utf-16")))
    assert recognise(log) is FORMAT
    assert said(list(FORMAT.events(log))) == [(2, Role.USER, "hello"), (4, Role.ASSISTANT, "hi")]
    assert log.tally.records == 4
    assert log.tally.skipped == {"not a JSON object": [3]}


SENDER = 'Sender (untrusted metadata):\n```json\n{"label": "ui", "id": "ui"}\n```\n\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{SENDER}[Fri 2026-03-27 02:33 GMT+8] two looms", "two looms"),
        (f'Conversation info (untrusted metadata):\n```json\n{{"a": 1}}\n```\n\n{SENDER}two looms', "two looms"),
        (f"System: [2026-03-11 16:11:21 UTC] Exec completed (x, code 0) :: ok\n\n{SENDER}two looms", "two looms"),
        ("[Telegram Ann id:42 +21s Wed 2026-03-04 21:58 CST] two looms\n[message_id: 612]", "two looms"),
        ("[14:30] two looms", "[14:30] two looms"),
        ("Read HEARTBEAT.md if it exists. Follow it strictly.", ""),
        ("[cron:12-ab nightly] Check the loom", ""),
        ("A new session was started via /new or /reset. Greet the user.", ""),
        ("System: the loom is a system", "System: the loom is a system"),
    ],
)
def test_what_openclaw_puts_before_a_users_words(text: str, words: str) -> None:
    assert typed(text) == words
    events, log = read(HEADER, user(text), assistant("ok"))
    assert [t for _, role, t in said(events) if role is Role.USER] == ([words] if words else [])
    assert log.tally.set_aside["injected text"] == (0 if words else 1)


def test_silent_replies_and_reply_marks() -> None:
    events, _ = read(HEADER, user("hi"), assistant("NO_REPLY"), assistant("[[reply_to_current]] Two looms."))
    assert said(events)[1:] == [(4, Role.ASSISTANT, "Two looms.")]


def test_messages_of_other_sessions_are_not_the_users() -> None:
    other = entry({"role": "user", "content": "do it", "provenance": {"kind": "inter_session"}})
    events, log = read(HEADER, other, assistant("ok"))
    assert said(events) == [(3, Role.ASSISTANT, "ok")]
    assert log.tally.set_aside["injected text"] == 1


def test_a_command_that_the_user_ran() -> None:
    ran = {"role": "bashExecution", "command": "rm -r old", "output": "", "exitCode": 0, "cancelled": False}
    events, _ = read(HEADER, entry(ran), entry({**ran, "exitCode": 1, "output": "rm: old: No such file"}))
    assert [(e.record, e.role, e.action.kind, e.action.done) for e in events if e.action] == [
        (2, Role.USER, ActionKind.DELETED, True),
        (3, Role.USER, ActionKind.DELETED, False),
    ]


def test_a_failing_command_says_so_in_its_last_line() -> None:
    events, _ = read(
        HEADER, user("go"), assistant(call("exec", command="pytest")), result("1 failed\n\nCommand exited with code 1")
    )
    assert [(e.action.kind, e.action.done) for e in events if e.action] == [(ActionKind.TESTED, False)]


def test_an_interruption() -> None:
    events, _ = read(HEADER, user("go"), assistant("I will", stopReason="aborted"))
    assert [(e.record, e.role, e.action) for e in events if e.action] == [
        (3, Role.USER, Action(kind=ActionKind.INTERRUPTED))
    ]


def test_a_branch_that_was_left_never_happened() -> None:
    def at(key: str, parent: object, text: str) -> Record:
        return user(text, id=key, parentId=parent)

    events, _ = read(
        HEADER,
        at("a", None, "one"),  # 2
        at("b", "a", "two"),  # 3
        at("c", "b", "three"),
        at("d", "a", "four"),  # 5, from a
        {"type": "label", "id": "e", "parentId": "d", "timestamp": TIME},
        at("f", "e", "five"),
        at("g", "c", "six"),  # 8, back to the branch that was left: only a still holds
        at("h", None, "seven"),  # 9, from the start
        at("i", "unheard of", "eight"),
    )
    assert [(e.record, e.role, e.action.back_to) for e in events if e.action] == [
        (5, Role.USER, 2),
        (8, Role.USER, 2),
        (9, Role.USER, 1),
    ]
    assert [text for _, _, text in said(events)] == ["one", "two", "three", "four", "five", "six", "seven", "eight"]


def test_summaries() -> None:
    compaction = {"type": "compaction", "summary": "Earlier: looms.", "timestamp": TIME}
    events, log = read(HEADER, user("go"), compaction, {"type": "branch_summary", "summary": "x"})
    assert said(events) == [(2, Role.USER, "go")]
    assert log.tally.set_aside["summary"] == 2
    events, _ = read(HEADER, compaction, user("go"))
    assert [(e.voice, e.text) for e in events] == [(Voice.SUMMARY, "Earlier: looms."), (Voice.SPEECH, "go")]


def test_what_extensions_say_is_set_aside() -> None:
    events, log = read(
        HEADER,
        {"type": "custom_message", "content": "be brief", "timestamp": TIME},
        entry({"role": "custom", "content": "be brief"}),
        {"type": "session_info", "name": "Looms"},
        user("go"),
    )
    assert said(events) == [(5, Role.USER, "go")]
    assert log.tally.set_aside["injected text"] == 2
    assert log.tally.title == "Looms"


def test_neighbours_are_not_taken_for_it() -> None:
    def known(*records: object) -> bool:
        return FORMAT.recognise(Log("log", BytesIO("".join(f"{json.dumps(r)}\n" for r in records).encode())))

    assert known(HEADER)
    assert not known({"type": "session", "id": "x"}, user("hi"))
    assert not known(user("hi"), assistant("hi"))
    assert not known(HEADER, {"role": "user", "content": "hi"})
    assert not FORMAT.recognise(Log("log", BytesIO(json.dumps([{"type": "human", "content": "x"}]).encode())))


@pytest.mark.parametrize("odd", [None, 3, "x", [], [1], {}, [{"type": "text", "text": 4}], True])
def test_odd_field_types_are_survived(odd: Any) -> None:
    records: list[Record] = [{"type": odd}, {"type": "message", "message": odd, "id": odd, "parentId": odd}]
    for role in ("user", "assistant", "toolResult", "bashExecution", odd):
        fields = (
            "content",
            "toolCallId",
            "command",
            "output",
            "exitCode",
            "isError",
            "details",
            "provenance",
            "timestamp",
        )
        records.append(entry({"role": role, **dict.fromkeys(fields, odd)}, id="same", parentId="same"))
    records.append(assistant({"type": "toolCall", "id": odd, "name": odd, "arguments": odd}, odd))
    records += [{"type": "compaction", "summary": odd}, {"type": "session_info", "name": odd}]
    events, _ = read({**HEADER, "id": odd, "cwd": odd}, *records, user("still here"))
    assert events[-1].text == "still here"
