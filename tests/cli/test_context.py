"""`distill context` as it is typed: answers as lines and as JSON, words on standard error, exit codes."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.tool import Ran, Tool, said

DAY = {"DISTILL_NOW": "2026-03-02T09:00:00Z"}


class Desk:
    """Calls `distill context` on a day of its own."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        assert self("init").code == 0

    def __call__(self, *words: str, now: str = "", stdin: bytes | None = None, terminal: bool = False) -> Ran:
        env = {"DISTILL_NOW": now} if now else DAY
        return self.tool("context", *words, env=env, stdin=stdin, terminal=terminal)


@pytest.fixture
def desk(tool: Tool) -> Desk:
    return Desk(tool)


def test_without_a_store_it_says_how_to_make_one(tool: Tool) -> None:
    ran = tool("context", "start", "x")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("make one with distill context init\n")


def test_a_task_from_beginning_to_end(desk: Desk) -> None:
    assert desk("global", "add", "currency", "EUR").out == "g1 default: currency = EUR\n"
    assert desk("global", "add", "--hard", "Never quote purchase prices").out.startswith("g2 hard: ")
    assert desk("start", "Stock of MX-200").out == "t1 Stock of MX-200\n"
    desk("set", "region", "North")
    desk("set", "currency", "USD", "--pending")
    desk("result", "stock", "214")
    desk("step", "Counted Kiel")
    desk("ask", "Reserved ones too?")
    *lines, tokens, _ = desk("show").out.split("\n")
    assert re.fullmatch(r"  ~\d+ of 8000 tokens", tokens)
    assert lines == [
        "t1 Stock of MX-200 (active)",
        "  region = North (task)",
        "  currency = USD (task, pending; overrides EUR (preference))",
        "  result: stock: 214",
        "  step: Counted Kiel",
        "  open [8]: Reserved ones too?",
    ]
    assert desk("answer", "reserved").out == "answered: Reserved ones too?\n"
    data = desk("show", "--json").data
    assert data["values"][1]["overrides"] == [
        {"name": "currency", "value": "EUR", "layer": "default", "standing": "confirmed", "of": "g1"}]
    ran = desk("finish")
    assert (ran.code, ran.out) == (0, "")
    assert "remembered: Stock of MX-200" in ran.err
    (hit,) = desk("recall", "stock MX-200", "--json").data
    assert hit["task"] == "t1"
    assert desk("recall", "弦乐四重奏").out == ""
    assert desk("undo").out.startswith("undone: finish of 2026-03-02")
    assert desk("list").out == "t1  active  Stock of MX-200      2026-03-02\n"


def test_rules_and_domains_are_listed_and_dropped(desk: Desk) -> None:
    desk("global", "add", "语气", "简短", "--hard")
    desk("global", "add", "Answer in the user's language")
    assert desk("global", "list").out == ("g1  hard     语气  简短\n"
                                          "g2  default        Answer in the user's language\n")
    assert desk("global", "drop", "语气").out == "g1 dropped: 简短\n"
    assert [one["id"] for one in desk("global", "list", "--json").data] == [2]
    assert desk("global", "drop", "g9").code == 2
    desk.tool.write("sales.md", "周一是一周的开始。\n")
    assert desk("domain", "add", "sales", "sales.md").code == 0
    assert desk("domain", "list").out == "sales  10  周一是一周的开始。\n"
    assert desk("start", "Report", "--domain", "seles").code == 2
    desk("start", "Report", "--domain", "sales")
    assert "周一" in desk("prompt").out


def test_children_suspension_and_switching(desk: Desk) -> None:
    desk("start", "Offer")
    desk("start", "Price", "--child")
    desk("result", "price", "118 EUR")
    ran = desk("suspend")
    assert (ran.out, ran.err) == ("t1 Offer\n", "distill: 1 result went to the parent\n")
    assert desk("start", "Other").out == "t3 Other\n"
    assert desk("switch", "price", "--json").data["task"]["id"] == 2
    assert desk("switch", "t3", "-q").err == ""
    assert [row["id"] for row in desk("list", "--json").data] == [3, 2, 1]
    ran = desk("resume", "nothing")
    assert (ran.code, ran.out) == (2, "")
    for number in range(4):
        ran = desk("start", f"More {number}")
    assert "t2 Price was folded" in ran.err
    assert "folded" in desk("list").err
    assert "compressed" in desk("list", "--all").out


def test_resuming_after_two_days_has_its_own_exit_code(desk: Desk) -> None:
    desk("start", "Invoice run")
    desk("suspend")
    late = "2026-03-06T09:00:00Z"
    ran = desk("resume", now=late)
    assert (ran.code, ran.out) == (5, "")
    assert "4 days ago" in ran.err
    ran = desk("resume", now=late, terminal=True, stdin=b"n\n")
    assert (ran.code, ran.out) == (5, "")
    ran = desk("resume", now=late, terminal=True, stdin=b"y\n")
    assert (ran.code, ran.out) == (0, "t1 Invoice run\n")
    desk("suspend")
    assert desk("resume", "invoice", "--yes", now="2026-05-01").code == 0


def test_a_turn_is_told_and_applied(desk: Desk) -> None:
    desk("start", "库存查询")
    desk("set", "型号", "KT-90")
    desk("set", "区域", "华东")
    words = ("turn", "接下来写周报，需要这个型号的销售趋势")
    told = desk(*words)
    assert told.out.split("\n")[0] == "switch a new task, with 型号 (0.90)"
    data = desk(*words, "--apply", "--title", "销售周报", "--json").data
    assert (data["verdict"], data["target"], data["carry"], data["active"]) == ("switch", "new", ["型号"], "t2")
    prompt = desk("prompt", "按渠道拆开").out
    assert "KT-90" in prompt
    assert "华东" not in prompt
    assert prompt.rstrip().endswith("按渠道拆开")
    system, user = desk("prompt", "--messages").data
    assert (system["role"], user["role"]) == ("system", "user")
    assert "CTX-TASK-2" in system["content"]
    assert "CTX-" not in user["content"]


def test_an_answer_is_checked(desk: Desk) -> None:
    ran = desk("lint", "According to CTX-TASK-2 there are 214.")
    assert (ran.code, ran.out) == (1, "line 1: ctx-task-2\n")
    ran = desk("lint", "-", stdin="库存 214 台。\n另见 CTX-MEM-3".encode())
    assert (ran.code, ran.out) == (1, "line 2: ctx-mem-3\n")
    assert desk("lint", "There are 214.").code == 0


def test_a_log_is_fed_into_the_active_task(desk: Desk) -> None:
    desk.tool.write("run.jsonl", said(2, "We decided to use PostgreSQL 16.", "决定不改动现有的 user 表"))
    assert desk("feed", "run.jsonl").code == 2
    desk("start", "Migration")
    assert desk("feed", "run.jsonl", "--json").data["items"] >= 2
    shown = desk("show").out
    assert "PostgreSQL 16" in shown
    assert "user 表" in shown
    before = desk("export").out
    desk("feed", "run.jsonl")
    assert desk("export").out == before, "the same log again changes nothing"
    desk.tool.write("run.jsonl", said(2, "We decided to use PostgreSQL 16.", "OK."))
    desk("feed", "run.jsonl")
    assert "user 表" not in desk("show").out
    assert desk("feed", "missing.jsonl").code == 3


def test_an_export_makes_the_same_store(desk: Desk) -> None:
    desk("start", "One")
    desk("set", "型号", "KT-90")
    desk("finish")
    desk("start", "Two")
    exported = desk("export").out
    desk.tool.write("backup.json", exported)
    ran = desk("import", "backup.json")
    assert ran.code == 2
    assert "--replace" in ran.err
    desk("start", "Three")
    assert desk("import", "backup.json", "--replace").out == "2 tasks, 1 memories\n"
    assert desk("export").out == exported
    assert desk("recall", "KT-90").out.startswith("t1 One")
    assert desk("undo").out.startswith("undone: start")
    for damaged in ("", "[]", "{}", exported.replace('"suspended"', '"asleep"').replace('"active"', '"awake"'),
                    exported[:-40], json.dumps({**json.loads(exported), "task": [[1, 2]]}),
                    json.dumps({**json.loads(exported), "distill-context": 9})):
        before = desk("export").out
        ran = desk("import", "-", "--replace", stdin=damaged.encode())
        assert (ran.code, ran.out) == (2, ""), damaged[:60]
        assert desk("export").out == before


def test_the_numbers_are_set_and_checked(desk: Desk) -> None:
    assert desk("init", "--window", "32000", "--depth", "3", "--json").data["numbers"]["window"] == 32000
    ran = desk("init", "--depth", "0")
    assert (ran.code, ran.out) == (2, "")
    assert "depth" in ran.err
    assert desk("init", "--json").data["numbers"]["depth"] == 3
