"""ShareGPT conversations."""

from __future__ import annotations

import io
import json

import pytest

from distill.model import ActionKind, Event, InputError
from distill.read.log import Log
from distill.read.sharegpt import FORMAT


def _log(data: object) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Log("log", io.BytesIO(text.encode()))


def _read(log: Log) -> list[Event]:
    assert FORMAT.recognise(log)
    return list(FORMAT.events(log))


def _said(events: list[Event]) -> list[tuple[int, str, str]]:
    return [(e.record, e.role.value, e.text) for e in events if e.text]


ONE = {
    "id": "c1",
    "system": "You help.",
    "tools": "[]",
    "conversations": [
        {"from": "system", "value": "Be brief."},
        {"from": "human", "value": "数据库用 PostgreSQL 16。"},
        {"from": "gpt", "value": "<think>Hm.</think>好的。"},
        {"from": "function_call", "value": '{"name": "Write", "arguments": {"file_path": "a.sql", "content": "x"}}'},
        {"from": "observation", "value": "File created successfully at: a.sql"},
        {"from": "chatgpt", "value": "写好了。"},
    ],
}
TWO = {"id": "c2", "conversations": [{"from": "user", "value": "Use pnpm."}, {"from": "bing", "value": "Yes."}]}


def test_a_conversation_with_aliases_tools_and_a_system_text() -> None:
    log = _log(ONE)
    events = _read(log)
    assert _said(events) == [
        (2, "user", "数据库用 PostgreSQL 16。"),
        (3, "assistant", "好的。"),
        (6, "assistant", "写好了。"),
    ]
    acts = [(e.record, e.action.kind, e.action.target, e.action.done) for e in events if e.action]
    assert acts == [(4, ActionKind.WROTE, "a.sql", True)]
    assert log.tally.set_aside["system prompt"] == 2
    assert log.tally.records == 6
    assert {e.session for e in events} == {"c1"}


def test_one_conversation_a_line() -> None:
    events = _read(_log("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in (ONE, TWO))))
    assert (1, "user", "数据库用 PostgreSQL 16。") in _said(events)
    assert _said(events)[-2:] == [(2, "user", "Use pnpm."), (2, "assistant", "Yes.")]


def test_of_a_list_the_last_is_read_unless_another_is_named() -> None:
    log = _log([ONE, TWO])
    assert _said(_read(log)) == [(1, "user", "Use pnpm."), (2, "assistant", "Yes.")]
    assert log.tally.set_aside["other conversation"] == 1
    log = _log([ONE, TWO])
    log.conversation = "c1"
    assert _said(_read(log))[0] == (2, "user", "数据库用 PostgreSQL 16。")
    log = _log([ONE, TWO])
    log.conversation = "c9"
    with pytest.raises(InputError, match=r"c9.*c2.*c1"):
        _read(log)


def test_odd_field_types_are_survived() -> None:
    log = _log(
        {
            "conversations": [
                {"from": "human", "value": "Use pnpm."},
                {"from": "gpt", "value": None},
                {"from": "gpt", "value": ["Yes.", 3]},
                {"from": "function_call", "value": "no json"},
                {"from": "function_call", "value": 4},
                {"from": "observation", "value": {"a": 1}},
                {"from": "gpt", "value": "Done."},
                {"from": 3, "value": "x"},
                7,
            ]
        }
    )
    assert _said(_read(log)) == [(1, "user", "Use pnpm."), (3, "assistant", "Yes."), (7, "assistant", "Done.")]
    assert log.tally.skipped == {"not a message": [9]}


@pytest.mark.parametrize(
    "data",
    [
        {"conversations": []},
        {"conversations": [{"id": 1}]},
        {"messages": [{"role": "user", "content": "x"}]},
        [{"mapping": {}, "current_node": "x"}],
        [{"uuid": "u", "chat_messages": []}],
        '{"from": "Ann", "text": "x"}\n{"from": "Bob", "text": "y"}\n',
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
