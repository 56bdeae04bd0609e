"""`distill show`: a state, and the places an item came from."""

from __future__ import annotations

import pytest

from tests.cli.tool import NOW, Tool, jsonl, record, said

TALK = """User: Hello there.
Assistant: Hello.
User: We decided to store sessions in Redis. Never touch the legacy/ folder.
Assistant: OK.
User: Thanks.
"""


@pytest.fixture
def shown(tool: Tool) -> Tool:
    """A log and its state."""
    tool.write("log.txt", TALK)
    assert tool("log.txt", "-o", "state.md", "--now", NOW).code == 0
    return tool


def test_a_state_is_shown_without_its_ledger(shown: Tool) -> None:
    ran = shown("show", "state.md")
    assert ran.code == 0
    assert "## Decisions" in ran.out
    assert "- Never touch the legacy/ folder." in ran.out
    assert "ledger" not in ran.out
    assert ran.out.rstrip().endswith("log.txt: 2 items, 0 in history")


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_any_form_is_shown(shown: Tool, form: str) -> None:
    shown("log.txt", "-o", "other", "-f", form)
    assert shown("show", "other").out == shown("show", "state.md").out


def test_a_state_from_the_pipe(shown: Tool) -> None:
    assert shown("show", "-", stdin=shown.read("state.md").encode()).out == shown("show", "state.md").out


def test_headings_in_either_language(shown: Tool) -> None:
    assert "## 决策" in shown("show", "state.md", "--lang", "zh").out


def test_on_a_terminal_it_is_rendered(shown: Tool) -> None:
    ran = shown("show", "state.md", terminal=True, env={"TERM": "xterm-256color", "NO_COLOR": ""})
    assert ran.code == 0
    assert "## Decisions" not in ran.out
    assert "Decisions" in ran.out
    plain = shown("show", "state.md", terminal=True, env={"NO_COLOR": "1"})
    assert plain.out == shown("show", "state.md").out


def test_an_item_by_id_number_or_words(shown: Tool) -> None:
    items = {item.text: item.id for item in shown("log.txt").state.items}
    wanted = items["Never touch the legacy/ folder."]
    number = next(str(n) for n in (1, 2) if wanted in shown("show", "state.md", str(n)).out)
    for word in (wanted, number, "LEGACY", "touch the"):
        ran = shown("show", "state.md", word)
        assert ran.code == 0
        assert ran.out.startswith(f"{wanted}  Never touch the legacy/ folder.\n")
        assert "said by user" in ran.out


def test_the_lines_it_came_from_with_context(shown: Tool) -> None:
    lines = shown("show", "state.md", "Redis", "-C", "1").out.split("\nlog.txt:3\n")[1].splitlines()
    assert lines == ["    assistant: Hello.",
                     "  > user: We decided to store sessions in Redis. Never touch the legacy/ folder.",
                     "    assistant: OK."]
    none = shown("show", "state.md", "Redis", "-C", "0").out.split("\nlog.txt:3\n")[1].splitlines()
    assert none == lines[1:2]


def test_each_log_an_item_came_from(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Never touch the legacy/ folder."))
    tool.write("b.jsonl", said(4, "Hello.", "Never touch the legacy/ folder."))
    tool("a.jsonl", "b.jsonl", "-o", "state.md")
    out = tool("show", "state.md", "legacy").out
    assert "\na.jsonl:1\n" in out
    assert "\nb.jsonl:3\n" in out


def test_a_log_beside_the_state_is_found(shown: Tool) -> None:
    folder = shown.folder / "elsewhere"
    folder.mkdir()
    assert "> user: We decided" in Tool(folder)("show", "../state.md", "Redis").out


def test_a_log_that_is_gone(shown: Tool) -> None:
    (shown.folder / "log.txt").unlink()
    ran = shown("show", "state.md", "Redis")
    assert ran.code == 0
    assert "log.txt:3 (the log is not here)\n  > We decided to store sessions in Redis." in ran.out


def test_a_log_that_has_changed(shown: Tool) -> None:
    shown.write("log.txt", TALK + "Assistant: Bye.\n")
    assert "log.txt:3 (the log has changed since)" in shown("show", "state.md", "Redis").out


def test_an_act_is_shown_as_such(tool: Tool) -> None:
    given = {"file_path": "/w/app/boat.py", "content": "x = 1\n"}
    use = {"type": "tool_use", "id": "t1", "name": "Write", "input": given}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": "File created"}
    tool.write("log.jsonl", jsonl(
        record("user", "Write the boat, please.", "2026-03-01T09:00:00Z"),
        {**record("assistant", "", "2026-03-01T09:01:00Z"), "message": {"role": "assistant", "content": [use]}},
        {**record("user", "", "2026-03-01T09:02:00Z"), "message": {"role": "user", "content": [answer]}},
        record("assistant", "That is it.", "2026-03-01T09:03:00Z")))
    tool("log.jsonl", "-o", "state.md")
    assert "[wrote] " in tool("show", "state.md", "boat.py").out


@pytest.mark.parametrize(("words", "what"), [
    (("missing.md",), "missing.md: no such file"),
    (("log.txt",), "log.txt: not a state of distill"),
    (("state.md", "nonesuch"), "no item has the id or number 'nonesuch' or says that"),
    (("state.md", "99"), "no item has the id or number '99'"),
    (("state.md", "e"), "2 items say 'e': d-"),
    (("state.md", "-C", "-1"), "-1 is not in the range"),
    ((), "Missing argument"),
])
def test_what_cannot_be_shown(shown: Tool, words: tuple[str, ...], what: str) -> None:
    ran = shown("show", *words)
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
