"""Every message-list format takes its own sample and no other format does."""

from __future__ import annotations

import io
import json

import pytest

from distill.read.formats import all_formats, recognise
from distill.read.log import Log

FALLBACK = 90  # the order from which formats take what is left
LANGCHAIN = [{"type": "human", "data": {"content": "x"}}, {"type": "ai", "data": {"content": "y"}}]
CHAT = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
TREE = {
    "title": "t",
    "mapping": {"a": {"id": "a", "message": None, "parent": None, "children": []}},
    "current_node": "a",
}
SAMPLES: list[tuple[str, object]] = [
    ("openai-messages", {"messages": CHAT}),
    ("openai-messages", CHAT),
    ("openai-messages", [{"messages": CHAT}, {"messages": CHAT}]),
    ("openai-messages", json.dumps({"messages": CHAT}) + "\n" + json.dumps({"messages": CHAT}) + "\n"),
    ("openai-messages", "".join(json.dumps(m) + "\n" for m in CHAT)),
    ("sharegpt", {"conversations": [{"from": "human", "value": "x"}, {"from": "gpt", "value": "y"}]}),
    ("sharegpt", [{"id": "1", "conversations": [{"from": "human", "value": "x"}, {"from": "gpt", "value": "y"}]}]),
    ("sharegpt", '{"conversations":[{"from":"human","value":"x"}]}\n{"conversations":[{"from":"gpt","value":"y"}]}\n'),
    ("langchain", LANGCHAIN),
    ("langchain", [{"type": "human", "content": "x"}, {"type": "ai", "content": "y"}]),
    ("langchain", {"messages": [{"type": "human", "content": "x", "id": "1"}]}),
    ("langchain", {"values": {"messages": [{"type": "human", "content": "x", "id": "1"}]}}),
    ("langchain", "".join(json.dumps(m) + "\n" for m in LANGCHAIN)),
    (
        "langchain",
        [{"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "x"}}],
    ),
    ("chatgpt", [TREE]),
    ("chatgpt", TREE),
    ("claude-ai", [{"uuid": "u", "name": "n", "chat_messages": [{"uuid": "m", "sender": "human", "text": "x"}]}]),
    ("claude-ai", {"uuid": "u", "name": "n", "chat_messages": []}),
    ("meeting-json", {"topic_list": [], "meeting_transcripts": [{"speaker": "A", "content": "x"}]}),
    ("meeting-json", '{"context":[["先定预算。"]],"speaker":[1]}\n{"context":[["同意。"]],"speaker":[2]}\n'),
    ("generic-jsonl", '{"speaker":"human","msg":"keep it"}\n{"speaker":"bot","msg":"yes"}\n'),
    ("generic-jsonl", '{"speaker":"human","msg":"keep it"}'),
    ("generic-json", {"turns": [{"speaker": "human", "msg": "keep it"}, {"speaker": "bot", "msg": "yes"}]}),
]


def _log(data: object, indent: int | None = None) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=indent)
    return Log("log", io.BytesIO(text.encode()))


@pytest.mark.parametrize(("name", "sample"), SAMPLES)
@pytest.mark.parametrize("indent", [None, 2])
def test_exactly_the_right_format_takes_a_sample(name: str, sample: object, indent: int | None) -> None:
    log = _log(sample, indent)
    assert recognise(log).name == name
    taken = {one.name for one in all_formats() if one.order < FALLBACK and one.recognise(log)}
    assert taken == ({name} if not name.startswith("generic") else set())


@pytest.mark.parametrize(("name", "sample"), SAMPLES)
def test_detection_does_not_use_the_log_up(name: str, sample: object) -> None:
    log = _log(sample)
    for one in all_formats():
        one.recognise(log)
    chosen = next(one for one in all_formats() if one.name == name)
    texts = [event.text for event in chosen.events(log)]
    assert texts or name in ("chatgpt", "claude-ai")
