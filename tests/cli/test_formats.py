"""`distill formats`: what is read, and what a log is."""

from __future__ import annotations

import json

import pytest

from distill.read.formats import all_formats
from tests.cli.tool import Tool, jsonl, record


def test_the_list(tool: Tool) -> None:
    ran = tool("formats")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == [form.name for form in all_formats()]
    assert [row["name"] for row in tool("formats", "--json").data] == [form.name for form in all_formats()]


@pytest.fixture
def session(tool: Tool) -> Tool:
    """A session with two turns, a side chain and a broken line."""
    rows = [record("user", "Hello.", "2026-03-01T09:00:00Z"), record("assistant", "Hello.", "2026-03-01T09:01:00Z"),
            {**record("assistant", "Looking.", "2026-03-01T09:02:00Z"), "isSidechain": True},
            record("user", "Bye.", "2026-03-01T09:03:00Z")]
    tool.write("log.jsonl", jsonl(*rows) + "{broken\n")
    return tool


def test_a_log(session: Tool) -> None:
    ran = session("formats", "log.jsonl")
    assert ran.code == 4
    assert ran.out.splitlines()[0].startswith("log.jsonl: claude-code (")
    for line in ("project: /w/app", "session: s1", "records: 5, turns: 2, acts: 0", "messages: user 2, assistant 1",
                 "record types: user 2, assistant 2", "set aside: side chain 1", "skipped: 1 x invalid JSON at 5"):
        assert f"  {line}\n" in ran.out


def test_a_log_as_json(session: Tool) -> None:
    data = session("formats", "log.jsonl", "--json").data
    assert (data["format"], data["records"], data["turns"]) == ("claude-code", 5, 2)
    assert data["messages"] == {"user": 2, "assistant": 1}
    assert data["skipped"] == {"invalid JSON": [5]}


def test_from_the_pipe(session: Tool) -> None:
    log = session.read("log.jsonl").encode()
    assert session("formats", "-", stdin=log).out.startswith("stdin: claude-code (")


def test_another_format(session: Tool) -> None:
    assert session("formats", "log.jsonl", "--from", "text").out.startswith("log.jsonl: text (")


@pytest.mark.parametrize(("words", "code", "what"), [
    (("missing.txt",), 3, "missing.txt: no such file"),
    (("empty.txt",), 3, "empty.txt: the file is empty"),
    (("log.txt", "--from", "nonesuch"), 2, "unknown format 'nonesuch'"),
    (("log.txt", "--from", "claude-code"), 3, "no message of this log was understood"),
])
def test_what_is_no_log(tool: Tool, words: tuple[str, ...], code: int, what: str) -> None:
    tool.write("empty.txt", "")
    tool.write("log.txt", "User: Hello.\nAssistant: Hello.\n")
    ran = tool("formats", *words)
    assert ran.code == code
    assert ran.err.startswith("distill: error: ")
    assert what in ran.err


def test_nothing_of_a_log_reaches_the_terminal_raw(tool: Tool) -> None:
    rows = [record("user", "Hello.", "2026-03-01T09:00:00Z", project="/w/\x1b[31mred", session="s\n# forged"),
            {"type": "odd\x1b[2J", "timestamp": "2026-03-01T09:01:00Z"}]
    tool.write("log.jsonl", jsonl(*rows))
    for words in (("formats", "log.jsonl"), ("log.jsonl", "-v")):
        ran = tool(*words)
        assert "\x1b" not in ran.out + ran.err
        assert "\n# forged" not in ran.out
    assert "\x1b" not in json.dumps(tool("formats", "log.jsonl", "--json").data, ensure_ascii=False)
