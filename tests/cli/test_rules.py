"""`distill rules`: list, show, test, explain."""

from __future__ import annotations

import pytest

from tests.cli.tool import Tool, jsonl, record

RULE = "why: House.\ncues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: [Tabs.]\n"
ONLY = ("--no-builtin-rules", "--rules", "pack")


@pytest.fixture
def house(tool: Tool) -> Tool:
    """A pack of one rule and a log that shows it."""
    tool.write("pack/decision/house.yaml", RULE)
    tool.write("log.txt", "User: Blessed be the boats. We decided to paint them red.\nAssistant: OK.\n")
    return tool


def test_list(house: Tool) -> None:
    ran = house("rules", "list")
    assert ran.code == 0
    names = [line.split()[0] for line in ran.out.splitlines()]
    assert "decision/explicit" in names
    assert names == sorted(names)
    assert [row["id"] for row in house("rules", "list", "--json").data] == names
    assert [row["id"] for row in house("rules", "list", "--json", *ONLY).data] == ["decision/house"]
    assert len(house("rules", "list", "--json", "--rules", "pack").data) == len(names) + 1


def test_show(house: Tool) -> None:
    ran = house("rules", "show", "decision/house", "--rules", "pack")
    assert ran.code == 0
    assert ran.out.startswith("# decision/house (")
    assert ran.out.endswith(RULE)


def test_show_what_there_is_not(house: Tool) -> None:
    ran = house("rules", "show", "house", "--rules", "pack")
    assert ran.code == 2
    assert "did you mean decision/house?" in ran.err
    assert "see distill rules list" in house("rules", "show", "nonesuch").err


def test_the_examples_hold(house: Tool) -> None:
    ran = house("rules", "test", *ONLY)
    assert (ran.code, ran.out) == (0, "1 rules, 2 examples, 0 failures\n")
    assert house("rules", "test", "-q", *ONLY).out == ""


def test_examples_that_do_not_hold_are_named(house: Tool) -> None:
    house.write("pack/decision/house.yaml", RULE.replace("[Tabs.]", "[Blessed be spaces.]"))
    ran = house("rules", "test", *ONLY)
    assert ran.code == 1
    assert "decision/house" in ran.out
    assert "'Blessed be spaces.'" in ran.out
    assert "noisy" in ran.out


def test_packs_with_faults(house: Tool) -> None:
    house.write("pack/decision/house.yaml", RULE + "weigth: 3\n")
    for words in (("list",), ("show", "decision/house"), ("test",), ("explain", "Blessed be.")):
        ran = house("rules", *words, "--rules", "pack")
        assert (ran.code, ran.out) == (2, "")
        assert "house.yaml:5: weigth: unknown field" in ran.err


def test_explain_a_sentence(house: Tool) -> None:
    ran = house("rules", "explain", "Blessed be the boats.", *ONLY)
    assert ran.code == 0
    assert ran.out.startswith("user: Blessed be the boats.\n")
    assert "  cue      'blessed be' of decision/house (weight 2): counts\n" in ran.out
    assert ran.out.endswith("  => decision\n")
    assert house("rules", "explain", "The boats.", *ONLY).out.endswith("  => no conclusion\n")


def test_explain_what_lost(house: Tool) -> None:
    ran = house("rules", "explain", "Should we decide this today?", "--role", "assistant")
    assert ran.code == 0
    assert ran.out.startswith("assistant: ")
    assert "  modifier question: " in ran.out


def test_explain_a_record(house: Tool) -> None:
    ran = house("rules", "explain", "log.txt:1")
    assert ran.code == 0
    assert ran.out.count("\nuser: ") + ran.out.startswith("user: ") == 2
    assert "decision/explicit" in ran.out


def test_explain_only_what_is_there(house: Tool) -> None:
    for what, code, why in (("log.txt:77", 2, "record 77 holds no statement"), ("missing.txt:1", 3, "no such file"),
                            ("logs/run.jsonl:12", 3, "no such file")):
        ran = house("rules", "explain", what)
        assert (ran.code, ran.out) == (code, "")
        assert why in ran.err
    assert house("rules", "explain", "We meet at 10:30").code == 0


def test_explain_what_nobody_said(house: Tool) -> None:
    house.write("log.jsonl", jsonl(
        record("user", "Go.", "2026-03-01T09:00:00Z"),
        {**record("user", "", "2026-03-01T09:01:00Z"), "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "We decided to drop it."}]}}))
    ran = house("rules", "explain", "log.jsonl:2")
    assert ran.code == 2
    assert "record 2 holds no statement (tool output, injected text or none)" in ran.err


@pytest.mark.parametrize(("words", "what"), [
    (("explain", "x", "--role", "bot"), "--role: 'bot' is none of user, assistant, unknown"),
    (("explain",), "Missing argument"),
    (("lits",), "Did you mean 'list'?"),
    (("list", "--no-builtin-rules"), "--no-builtin-rules: this leaves no rules at all"),
])
def test_wrong_usage(tool: Tool, words: tuple[str, ...], what: str) -> None:
    ran = tool("rules", *words)
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err


def test_the_bare_group_shows_its_help(tool: Tool) -> None:
    ran = tool("rules")
    assert ran.code == 2
    assert ran.err.startswith("Usage: distill rules")


def test_only_the_named_packs_decide(house: Tool) -> None:
    assert house("log.txt", "-f", "json", *ONLY).texts("decisions") == ["Blessed be the boats."]
    both = house("log.txt", "-f", "json", "--rules", "pack").texts("decisions")
    assert sorted(both) == ["Blessed be the boats.", "We decided to paint them red."]
