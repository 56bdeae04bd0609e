"""Edits by hand over a chain of further runs, in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from tests.cli.tool import NOW, Tool, said


@dataclass(frozen=True, slots=True)
class Talk:
    """What a first log says, and how later ones say it again."""

    boat: str
    boat_again: str
    port: str
    port_changed: str
    todo: str
    todo_again: str
    other: str


EN = Talk("We decided to paint the boat red.", "Decided: the boat is painted red.",
          "We settled on port 8080 for the proxy.", "We settled on port 9090 for the proxy.",
          "TODO: order the ropes for the mast.", "Still to do: order the ropes for the mast.",
          "Never touch the legacy/ folder.")
ZH = Talk("决定把船漆成红色。", "定了：船漆成红色。",
          "代理的端口定为 8080。", "代理的端口定为 9090。",
          "待办：给桅杆订购绳索。", "还没做：给桅杆订购绳索。",
          "不要改动 legacy/ 目录。")
BOTH = pytest.mark.parametrize("talk", [EN, ZH], ids=["en", "zh"])


def start(tool: Tool, talk: Talk) -> None:
    tool.write("a.jsonl", said(1, talk.boat, talk.port, talk.todo, talk.other))
    assert tool("a.jsonl", "-o", "state.md", "--now", NOW).code == 0
    for text in (talk.boat, talk.port, talk.todo, talk.other):
        assert f"- {text} (2026-03-01)\n" in tool.read("state.md")


def edit(tool: Tool, old: str, new: str) -> None:
    """Change the line that says `old` to `new`; "" takes it out."""
    text, count = re.subn(rf"^- {re.escape(old)} \(2026-03-01\)\n", new, tool.read("state.md"), flags=re.MULTILINE)
    assert count == 1
    tool.write("state.md", text)


def again(tool: Tool, talk: Talk, *texts: str) -> Any:
    """Ten further runs over logs of later days that say `texts`, and over the first log; the state as data."""
    for day in range(6, 16):
        tool.write(f"{day}.jsonl", said(day, *texts, talk.other))
        for log in (f"{day}.jsonl", "a.jsonl"):
            ran = tool(log, "-q", "-p", "state.md", "-o", "state.md", "--now", f"2026-03-{day + 1:02}")
            assert ran.code == 0, ran.err
    return tool("a.jsonl", "-p", "state.md", "-f", "json").data


def live(data: Any) -> list[str]:
    return [item["text"] for name in ("decisions", "facts", "artifacts", "open") for item in data[name]]


@BOTH
@pytest.mark.parametrize("reworded", [False, True])
def test_a_removed_line_stays_removed(tool: Tool, talk: Talk, reworded: bool) -> None:
    start(tool, talk)
    edit(tool, talk.boat, "")
    data = again(tool, talk, talk.boat_again if reworded else talk.boat)
    assert sorted(live(data)) == sorted([talk.port, talk.todo, talk.other])
    (gone,) = data["superseded"]
    assert (gone["text"], "removed" in gone["tags"]) == (talk.boat, True)


@BOTH
def test_a_changed_line_wins_over_what_is_said_again(tool: Tool, talk: Talk) -> None:
    start(tool, talk)
    edit(tool, talk.port, f"- {talk.port_changed} (2026-03-01)\n")
    data = again(tool, talk, talk.port)
    assert sorted(live(data)) == sorted([talk.boat, talk.port_changed, talk.todo, talk.other])


@BOTH
@pytest.mark.parametrize("reworded", [False, True])
def test_a_ticked_line_stays_closed(tool: Tool, talk: Talk, reworded: bool) -> None:
    start(tool, talk)
    edit(tool, talk.todo, f"- [x] {talk.todo} (2026-03-01)\n")
    data = again(tool, talk, talk.todo_again if reworded else talk.todo)
    assert sorted(live(data)) == sorted([talk.boat, talk.port, talk.other])
    assert [item["text"] for item in data["resolved"]] == [talk.todo]


@BOTH
def test_an_added_line_stays(tool: Tool, talk: Talk) -> None:
    start(tool, talk)
    added = "Ship on Fridays only / 只在周五发布"
    edit(tool, talk.other, f"- {talk.other} (2026-03-01)\n1. {added}\n")
    data = again(tool, talk, talk.boat)
    (item,) = [one for one in data["decisions"] if one["text"] == added]
    assert (item["role"], item["tags"]) == ("user", ["hand"])


@BOTH
def test_a_pinned_line_is_never_cut(tool: Tool, talk: Talk) -> None:
    start(tool, talk)
    edit(tool, talk.todo, f"- {talk.todo} (2026-03-01) [pin]\n")
    for budget in (45, 60, 80):
        ran = tool("a.jsonl", "-p", "state.md", "-f", "json", "--budget", str(budget))
        assert ran.code == 0, ran.err
        assert talk.todo in live(ran.data)
    ran = tool("a.jsonl", "-p", "state.md", "--budget", "15")
    assert (ran.code, ran.out) == (2, "")
    assert "smaller than" in ran.err


@BOTH
def test_a_line_moved_to_another_section_stays_there(tool: Tool, talk: Talk) -> None:
    start(tool, talk)
    edit(tool, talk.boat, "")
    heading = "## Open\n" if talk is EN else "## 待办\n"
    text = tool.read("state.md")
    assert heading in text
    tool.write("state.md", text.replace(heading, f"{heading}- {talk.boat} (2026-03-01)\n"))
    data = again(tool, talk)
    assert talk.boat in [item["text"] for item in data["open"]]
    assert talk.boat not in [item["text"] for item in data["decisions"]]


@BOTH
@pytest.mark.parametrize(("old", "new"), [
    (r"^---$", "--"), (r"^## .*$", "## ???"), (r"^- ~~", "- ~"), (r'^\{"id"', '{"id'), (r"^- ", "<<<<<<< HEAD\n- "),
    (r"^schema: 1$", "schema: [1"), (r"^distill: state\n", ""),
])
def test_a_broken_edit_is_one_line_and_loses_nothing(tool: Tool, talk: Talk, old: str, new: str) -> None:
    start(tool, talk)
    edit(tool, talk.boat, "")
    tool("a.jsonl", "-q", "-p", "state.md", "-o", "state.md", "--now", NOW)
    text, count = re.subn(old, new, tool.read("state.md"), count=1, flags=re.MULTILINE)
    assert count == 1
    tool.write("state.md", text)
    for words in (("-p", "state.md", "-o", "state.md"), ("-o", "state.md")):
        ran = tool("a.jsonl", *words)
        assert (ran.code, ran.out) == (2, "")
        assert re.fullmatch(r"distill: error: state\.md:(?:\d+:| is left .*\(line \d+:).+\n", ran.err), ran.err
        assert tool.read("state.md") == text
