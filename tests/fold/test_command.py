"""`distill fold` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distill.store.contextdb import ContextDB
from tests.cli.tool import Tool
from tests.fold.logs import SESSIONS

SEEDS = "seedlib-en.jsonl"
CLINIC = "clinic-zh.jsonl"


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    """The command line in a folder with two sessions."""
    made = Tool(tmp_path)
    for name in (SEEDS, CLINIC):
        made.write(name, (SESSIONS / name).read_bytes())
    return made


def test_the_context_goes_to_standard_output_and_the_account_elsewhere(tool: Tool) -> None:
    ran = tool("fold", SEEDS)
    assert ran.code == 0
    assert ran.out.startswith("<!-- distill:begin -->\n")
    assert "[t13] The reminder mails (code, unfinished, " in ran.out
    assert ran.out.rstrip().endswith("Pushed as well.")
    assert "42 turns, 8 tasks, 7 folded" in ran.closing
    assert tool("fold", SEEDS, "-q").err == ""


def test_a_pipe_is_read_and_the_same_bytes_come_out(tool: Tool) -> None:
    text = (SESSIONS / CLINIC).read_bytes()
    assert tool("fold", "-", "-q", stdin=text).out == tool("fold", CLINIC, "-q").out
    assert "以下卡片是本次会话中较早的任务" in tool("fold", CLINIC, "-q").out


def test_messages_are_those_of_a_chat(tool: Tool) -> None:
    rows = tool("fold", CLINIC, "--messages").data
    assert [row["role"] for row in rows[:3]] == ["system", "user", "user"] or rows[2]["role"] == "assistant"
    assert {row["role"] for row in rows} == {"system", "user", "assistant"}
    assert "t11" not in rows[0]["content"]
    assert "[t11]" in rows[1]["content"]


def test_every_boundary_explains_itself(tool: Tool) -> None:
    out = tool("fold", CLINIC, "--why").out
    assert "turn 16, record 31: a task begins" in out
    assert "  for      switch: 换个问题" in out
    assert "  against  faint: " in out


def test_a_card_expands_to_its_turns(tool: Tool) -> None:
    out = tool("fold", SEEDS, "--expand", "t33").out
    assert out.startswith("33 user: Unrelated question: ")
    assert "\n40 assistant: That is the safe way" in out
    assert "41 user" not in out
    ran = tool("fold", SEEDS, "--expand", "t34")
    assert ran.code == 2
    assert "there is no card 't34'; there are t1, t13" in ran.err


def test_corrections_are_kept_beside_the_log_and_hold_on_every_run(tool: Tool) -> None:
    def tasks(*words: str) -> list[str]:
        return [task["id"] for task in tool("fold", SEEDS, *words, "--report", "json", "-q").data["tasks"]]

    before = tasks("--split", "28")
    assert "t27" in before
    assert (tool.folder / f"{SEEDS}.folds.yaml").is_file()
    assert tasks("--join", "t41", "t55") == [one for one in before if one != "t55"]
    assert tasks("--join", "t27", "t23") == [one for one in before if one not in ("t27", "t55")]
    assert tasks("--split", "55") == [one for one in before if one != "t27"]


@pytest.mark.parametrize(("words", "told"), [
    (["--split", "999"], "no turn of seedlib-en.jsonl holds the record 999"),
    (["--join", "t1", "t2"], "there is no card 't2'"),
    (["--join", "t1", "t1"], "'t1' stands twice"),
    (["--drift", "7"], "--drift: 7.0 is not between 0 and 1"),
    (["--report", "pdf"], "'pdf' is none of table, json, html"),
    (["--expand", "x"], "there is no card 'x'"),
])  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(tool: Tool, words: list[str], told: str) -> None:
    ran = tool("fold", SEEDS, *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert told in ran.err
    assert not (tool.folder / f"{SEEDS}.folds.yaml").exists()


@pytest.mark.parametrize(("text", "told"), [
    ("split: 4", "split: must be a list"),
    ("split: [x]", "'x' is not a record number"),
    ("join: [[t1]]", "is not a pair of tasks"),
    ("splits: [4]", "must hold split (records) and join (pairs of tasks)"),
    ("split: [", "not valid YAML"),
])  # fmt: skip
def test_a_file_of_corrections_that_cannot_be_read_is_named(tool: Tool, text: str, told: str) -> None:
    tool.write(f"{SEEDS}.folds.yaml", text)
    ran = tool("fold", SEEDS)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"{SEEDS}.folds.yaml" in ran.err
    assert told in ran.err


def test_numbers_stand_in_the_settings_file_and_options_go_over_them(tool: Tool) -> None:
    def card_at(*words: str) -> int:
        turns = tool("fold", SEEDS, "--report", "json", "-q", *words).data["turns"]
        return int(next(turn["turn"] for turn in turns if turn["cards"]))

    assert card_at() == 9
    tool.write("distill.yaml", "fold: {delay: 4, card-tokens: 100}\n")
    assert card_at() == 11
    assert card_at("--delay", "1") == 8
    tool.write("distill.yaml", "fold: {dealy: 4}\n")
    assert "did you mean delay?" in tool("fold", SEEDS).err


def test_the_ledger_as_a_table_and_as_data(tool: Tool) -> None:
    table = tool("fold", SEEDS, "--report", "table").out.splitlines()
    assert table[0].split() == ["turn", "record", "task", "whole", "window", "folded", "saved"]
    assert len(table) == 44
    data = tool("fold", SEEDS, "--report", "json").data
    assert data["sums"]["whole"] == sum(turn["whole"] for turn in data["turns"])
    assert data["sums"]["saved"] == round(1 - data["sums"]["folded"] / data["sums"]["whole"], 4)
    assert [turn["turn"] for turn in data["turns"]] == list(range(1, 43))
    assert {task["kind"] for task in data["tasks"]} == {"code", "consulting", "debugging"}
    assert [one["record"] for one in data["boundaries"] if one["boundary"]] == [13, 23, 33, 41, 55, 63, 73]


def test_kept_cards_are_offered_to_a_later_session(tool: Tool) -> None:
    tool("fold", SEEDS, "--keep", "-q")
    tool("fold", CLINIC, "--keep", "-q")
    tool("fold", CLINIC, "--keep", "-q")
    library = tool.folder / ".distill" / "context.db"
    assert len(ContextDB(library).cards()) == 15
    assert (library.parent / ".gitignore").read_text(encoding="utf-8") == "*\n"
    found = tool("fold", "--recall", "短信提醒每天几点发？")
    assert "测试环境一律不许真发" in found.out
    assert "仅供参考" in found.out
    assert "Never more than 50 mails an hour" in tool("fold", "--recall", "reminder mails through the relay").out
    both = tool("fold", SEEDS, "--recall", "短信提醒").out
    assert both.index("## From earlier sessions, for reference") < both.index("## Finished tasks")
    assert tool("fold", "--recall", "zebra crossings").out == ""


def test_cards_and_the_layered_context_share_a_store(tool: Tool) -> None:
    tool("context", "init")
    tool("context", "start", "Seed packets")
    (tool.folder / "deeper").mkdir()
    assert tool("fold", SEEDS, "--keep", "-q").code == 0
    store = ContextDB(tool.folder / ".distill" / "context.db")
    count = len(store.cards())
    tool("context", "set", "filter", "shade")
    tool("context", "undo")
    assert len(store.cards()) == count > 0
    (tool.folder / "all.json").write_text(tool("context", "export").out, encoding="utf-8")
    tool("context", "import", "all.json", "--replace")
    assert len(store.cards()) == count
    assert "Seed packets" in tool("context", "list").out


def test_a_damaged_card_is_named(tool: Tool) -> None:
    tool("fold", SEEDS, "--keep", "-q")
    store = ContextDB(tool.folder / ".distill" / "context.db")
    store.keep_cards([("elsewhere", "t1", json.dumps({"id": "t1"}))])
    ran = tool("fold", "--recall", "mails")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"card {len(store.cards())} is damaged" in ran.err



def test_logs_of_agents_are_folded_with_their_acts(tool: Tool) -> None:
    sample = Path(__file__).parents[2] / "samples" / "claude-code-en" / "log.jsonl"
    tool.write("log.jsonl", sample.read_bytes())
    ran = tool("fold", "log.jsonl")
    assert ran.code == 0
    assert "[wrote] " in ran.out or "[edited] " in ran.out
    assert "4 turns, 1 tasks, 0 folded" in ran.closing


def test_what_is_no_log_ends_as_it_does_elsewhere(tool: Tool) -> None:
    assert tool("fold", "missing.jsonl").code == 3
    assert tool("fold").code == 3
    tool.write("bad.jsonl", (SESSIONS / SEEDS).read_bytes() + b'{"role": "us\n')
    assert tool("fold", "bad.jsonl").code == 4
    ran = tool("fold", "bad.jsonl", "--strict")
    assert (ran.code, ran.out) == (4, "")
