"""ChatGPT's data export."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from distill.model import Event, InputError
from distill.read.chatgpt import FORMAT
from distill.read.log import Log


def _log(data: object) -> Log:
    return Log("conversations.json", io.BytesIO(json.dumps(data, ensure_ascii=False).encode()))


def _read(log: Log) -> list[Event]:
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log))


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events]


def _message(
    role: str, *parts: object, kind: str = "text", time: float | None = None, **more: object
) -> dict[str, Any]:
    content: dict[str, object] = {"content_type": kind, "parts": list(parts)}
    return {
        "author": {"role": role},
        "content": content,
        "create_time": time,
        "recipient": "all",
        "metadata": {},
        **more,
    }


def _tree(*path: dict[str, Any] | None, title: str = "", updated: float = 0.0, key: str = "c") -> dict[str, Any]:
    mapping: dict[str, Any] = {
        f"n{at}": {"id": f"n{at}", "message": message, "parent": f"n{at - 1}" if at else None, "children": []}
        for at, message in enumerate(path)
    }
    return {
        "title": title,
        "create_time": updated - 60,
        "update_time": updated,
        "mapping": mapping,
        "current_node": f"n{len(path) - 1}",
        "conversation_id": key,
    }


def test_the_path_to_the_current_node_is_read_and_what_nobody_said_is_set_aside() -> None:
    tree = _tree(
        None,
        _message("system", ""),
        _message("user", "profile: likes tea", kind="user_editable_context"),
        _message("user", "Use Rust for the parser.", time=1772442000.5),
        _message("system", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        _message("assistant", "Let me look.", metadata={"is_visually_hidden_from_conversation": True}),
        _message("assistant", 'search("rust")', kind="code", recipient="browser"),
        _message("tool", "result page", kind="execution_output"),
        _message("assistant", "hm", kind="thoughts"),
        _message("assistant", "print(1)", recipient="python"),
        _message("assistant", "print(1)", kind="code"),
        _message("assistant", "Agreed: Rust \ue200cite\ue202turn0search0\ue201.", time=1772442060.0),
        title="Parser",
    )
    log = _log([tree])
    events = _read(log)
    assert _said(events) == [(3, "user", "Use Rust for the parser."), (11, "assistant", "Agreed: Rust.")]
    assert [e.time for e in events] == ["2026-03-02T09:00:00Z", "2026-03-02T09:01:00Z"]
    aside = log.tally.set_aside
    assert (aside["system prompt"], aside["injected text"], aside["hidden message"]) == (2, 1, 1)
    assert (aside["tool call"], aside["tool output"], aside["thinking"], aside["other content"]) == (2, 1, 1, 1)
    assert log.tally.records == 11
    assert log.tally.title == "Parser"
    assert log.tally.types["user/text"] == 1


def test_regenerated_answers_and_edited_prompts_are_other_branches() -> None:
    tree = _tree(None, _message("user", "Which port?"), _message("assistant", "Port 8080."))
    tree["mapping"]["old"] = {
        "id": "old",
        "message": _message("assistant", "Port 9090."),
        "parent": "n1",
        "children": [],
    }
    log = _log(tree)
    assert _said(_read(log)) == [(1, "user", "Which port?"), (2, "assistant", "Port 8080.")]
    assert log.tally.set_aside["other branch"] == 1


@pytest.mark.parametrize("current", [None, "gone", 5])
def test_without_a_current_node_the_newest_leaf_counts(current: object) -> None:
    tree = _tree(
        None, _message("user", "Which port?", time=1772442000), _message("assistant", "8080.", time=1772442010)
    )
    tree["mapping"]["new"] = {"message": _message("assistant", "9090.", time=1772442020), "parent": "n1"}
    tree["current_node"] = current
    assert _said(_read(_log(tree))) == [(1, "user", "Which port?"), (2, "assistant", "9090.")]


def test_pictures_are_set_aside_and_dictated_words_are_words() -> None:
    parts = (
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
        {"content_type": "audio_transcription", "text": "Make it blue."},
        "And round.",
    )
    log = _log(_tree(None, _message("user", *parts, kind="multimodal_text")))
    assert _said(_read(log)) == [(1, "user", "Make it blue.\n\nAnd round.")]
    assert log.tally.set_aside["attachment"] == 1


def _three() -> list[dict[str, Any]]:
    return [
        _tree(None, _message("user", "First."), title="Plan A", updated=1772400000.0, key="id-a"),
        _tree(None, _message("user", "Third."), title="Budget 2", updated=1772600000.0, key="id-c"),
        _tree(None, _message("user", "Second."), title="Plan B", updated=1772500000.0, key="id-b"),
    ]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (None, "Third."),
        ("1", "Third."),
        ("3", "First."),
        ("id-b", "Second."),
        ("plan a", "First."),
        ("plan", "Second."),
        ("Budget", "Third."),
    ],
)
def test_of_many_conversations_the_newest_or_the_one_that_is_named(wanted: str | None, text: str) -> None:
    log = _log(_three())
    log.conversation = wanted
    assert [e.text for e in _read(log)] == [text]
    assert log.tally.set_aside["other conversation"] == 2
    assert log.tally.records == 1


@pytest.mark.parametrize("wanted", ["id-x", "4", "0", "nothing like it"])
def test_an_unknown_conversation_is_an_error_that_names_them(wanted: str) -> None:
    log = _log(_three())
    log.conversation = wanted
    with pytest.raises(InputError, match=r'1 "Budget 2" \(2026-03-04\), 2 "Plan B" .*3 "Plan A"'):
        _read(log)


def test_circles_and_odd_field_types_are_survived() -> None:
    tree = {
        "mapping": {
            "a": {"message": _message("user", "Keep it."), "parent": "b"},
            "b": {"message": {"author": "x", "content": 3, "metadata": []}, "parent": "a"},
            "c": {"message": {"author": {"role": ["user"]}, "content": {"content_type": [], "parts": 4}}, "parent": {}},
            "d": 5,
            "e": {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [None, 3]}}},
        },
        "current_node": "a",
        "title": 3,
    }
    assert [e.text for e in _read(_log(tree))] == ["Keep it."]
    for current in ("b", "c", "d", "e"):
        list(FORMAT.events(_log({**tree, "current_node": current})))


@pytest.mark.parametrize(
    "data",
    [
        [{"uuid": "u", "chat_messages": []}],
        {"mapping": {"a": "b"}},
        {"mapping": {}},
        [{"role": "user", "content": "x"}],
        {"messages": [{"role": "user", "content": "x"}]},
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
