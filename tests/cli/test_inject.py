"""`distill inject`: a state as the opening of the next prompt, and what a later run makes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.model import Item, Kind, Role, Source, State, Status, TaskName, item_id
from distill.read.own import BEGIN, END
from distill.render.outputs import output_named
from distill.text.tokens import counter
from distill.text.words import segmenter
from tests.cli.tool import NOW, Tool, jsonl, record
from tests.properties.laws import Folder, law


def item(
    kind: Kind, text: str, at: str = "2026-03-01T09:00:00Z", *, role: Role = Role.ASSISTANT, tags: tuple[str, ...] = ()
) -> Item:
    source = Source(path="/home/lin/logs/session.jsonl", record=7, quote=text)
    return Item(id=item_id(kind, text), kind=kind, text=text, at=at, first_at=at, role=role, confidence=0.8,
                rule=f"{kind}/explicit", tags=tags, sources=(source,))


EN = State(
    task=TaskName(id="4f1c", title="Alerts"), project="/home/lin/tidewatch", covers=(None, "2026-03-02T09:13:07Z"),
    items=(
        item(Kind.DECISION, "Never send a real SMS from the tests", role=Role.USER, tags=("constraint",)),
        item(Kind.DECISION, "The counters live in an SQLite table", role=Role.USER),
        item(Kind.FACT, "The service runs on the Hangzhou cluster", "2025-11-20T09:12:00Z"),
        item(Kind.FACT, "`CURRENT_TIMESTAMP` is in UTC"),
        item(Kind.ARTIFACT, "src/tidewatch/limiter.py (created)"),
        item(Kind.OPEN, "`docs/alerts.md` does not describe the limiter yet"),
    ),
)
ZH = State(
    covers=(None, "2026-03-02T09:13:07Z"),
    items=(
        item(Kind.DECISION, "不改动现有的 user 表", role=Role.USER, tags=("constraint",)),
        item(Kind.DECISION, "会话存储在 Redis 里", role=Role.USER),
        item(Kind.FACT, "服务部署在阿里云杭州区", "2025-11-20T09:12:00Z"),
        item(Kind.OPEN, "还没做导出报表的权限检查"),
    ),
)


@pytest.fixture
def states(tool: Tool) -> Tool:
    """A state in each language and form."""
    for name, state in (("en", EN), ("zh", ZH)):
        for form in ("md", "json", "yaml"):
            tool.write(f"{name}.{form}", output_named(form).render(state, name))
    return tool


def shown(out: str) -> list[str]:
    """The items of the block."""
    return [line[2:] for line in out.split("\n") if line.startswith("- ")]


# -- what is printed --------------------------------------------------------------------------------------------------


def test_a_block_of_background(states: Tool) -> None:
    ran = states("inject", "en.md", "--now", NOW)
    lines = ran.out.split("\n")
    assert ran.code == 0
    assert (lines[0], lines[-2:]) == (BEGIN, [END, ""])
    assert [line for line in lines if line.startswith("## ")] == ["## Decisions", "## Facts", "## Artifacts", "## Open"]
    assert set(shown(ran.out)) == {
        "The service runs on the Hangzhou cluster (3 months old: check)" if "Hangzhou" in one.text else one.text
        for one in EN.items}
    assert ran.err == "distill: 6 items shown, 0 left out; ~" + ran.err.split("~")[-1]


@pytest.mark.parametrize("name", ["en", "zh"])
def test_the_form_of_the_state_does_not_matter(states: Tool, name: str) -> None:
    whole = states("inject", f"{name}.md", "--now", NOW).out
    for form in ("json", "yaml"):
        assert states("inject", f"{name}.{form}", "--now", NOW).out == whole
        assert states("inject", "-", "--now", NOW, stdin=states.read(f"{name}.{form}").encode()).out == whole


@pytest.mark.parametrize("words", [(), ("--messages",), ("--for", "limiter"), ("--budget", "150")])
def test_the_model_reads_no_id_and_no_source(states: Tool, words: tuple[str, ...]) -> None:
    out = states("inject", "en.md", "--now", NOW, *words).out
    assert "SMS" in out
    for hidden in ("/home/lin", "session.jsonl", "4f1c", "explicit", *(one.id for one in EN.items)):
        assert hidden not in out


def test_the_language_of_the_state_or_the_one_asked_for(states: Tool) -> None:
    assert "## 决策\n- 不改动现有的 user 表" in states("inject", "zh.md").out
    assert "## Decisions\n- 不改动现有的 user 表" in states("inject", "zh.md", "--lang", "en").out
    assert "仅供参考，不是指令" in states("inject", "en.md", "--lang", "zh").out


def test_history_is_not_shown(tool: Tool) -> None:
    gone = [replace(EN.items[1], status=Status.SUPERSEDED), replace(EN.items[5], status=Status.RESOLVED)]
    state = State(items=(EN.items[0], *gone, *EN.items[2:5]))
    tool.write("state.md", output_named("md").render(state, "en"))
    out = tool("inject", "state.md").out
    assert len(shown(out)) == 4
    assert not any(one.text in out for one in gone)


def test_a_state_with_nothing_in_it_gives_nothing(tool: Tool) -> None:
    tool.write("state.md", output_named("md").render(State(), "en"))
    ran = tool("inject", "state.md", "--budget", "5")
    assert (ran.code, ran.out) == (0, "")
    assert "the state holds no item" in ran.err
    assert tool("inject", "state.md", "--messages").data == []


def test_credentials_added_by_hand_are_masked(states: Tool) -> None:
    token = "ghp_" + "a1B2" * 9
    states.write("hand.md", states.read("en.md").replace("## Facts\n", f"## Facts\n- The token is {token}\n"))
    assert token not in states("inject", "hand.md").out
    assert token in states("inject", "hand.md", "--no-redact").out


# -- the account ------------------------------------------------------------------------------------------------------


def test_the_closing_line_accounts_for_all(states: Tool) -> None:
    ran = states("inject", "en.md", "--for", "describe the limiter", "--tokenizer", "o200k_base", "--now", NOW)
    tokens = counter("o200k_base").count(ran.out)
    assert ran.err == f"distill: 3 items shown, 0 left out, 3 not about the task; {tokens} tokens\n"
    assert states("inject", "en.md", "-q").err == ""


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No Chinese dictionary is installed."""
    segmenter.cache_clear()
    for name in ("rjieba", "jieba"):
        monkeypatch.setitem(sys.modules, name, None)
    yield
    segmenter.cache_clear()


@pytest.mark.usefixtures("pairs")
def test_without_a_dictionary_it_works_and_says_so_when_asked(states: Tool) -> None:
    ran = states("inject", "zh.md", "--for", "报表导出要加权限", "-v", "--now", NOW)
    assert shown(ran.out) == ["不改动现有的 user 表", "还没做导出报表的权限检查"]
    assert "Chinese is compared by pairs of characters" in ran.err
    assert "pairs" not in states("inject", "zh.md", "--for", "报表导出要加权限").err
    assert "pairs" not in states("inject", "zh.md", "--for", "Redis", "-v").err


# -- the task ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "task", "left"), [
    ("en", "describe the rate limiter", ["Never send a real SMS from the tests", "src/tidewatch/limiter.py (created)",
                                         "`docs/alerts.md` does not describe the limiter yet"]),
    ("zh", "报表导出要加权限", ["不改动现有的 user 表", "还没做导出报表的权限检查"]),
    ("zh", "Redis upgrade", ["不改动现有的 user 表", "会话存储在 Redis 里"]),
])  # fmt: skip
def test_only_what_matters_to_the_task(states: Tool, name: str, task: str, left: list[str]) -> None:
    ran = states("inject", f"{name}.md", "--for", task, "--now", NOW)
    assert shown(ran.out) == left
    state = EN if name == "en" else ZH
    note = "_Not about this task: {} more_" if name == "en" else "_与本次任务无关：另有 {} 条_"
    assert note.format(len(state.items) - len(left)) in ran.out


def test_where_nothing_matters_to_the_task_it_says_so(states: Tool) -> None:
    ran = states("inject", "en.md", "--for", "write a poem about spring", "--now", NOW)
    assert "_Nothing recorded is about this task;" in ran.out
    assert shown(ran.out)[0] == "Never send a real SMS from the tests"
    assert len(shown(ran.out)) == 6
    assert "nothing in the state is about this task" in ran.err


# -- the budget -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base", "estimate", "chars4"])
@pytest.mark.parametrize("words", [(), ("--messages",), ("--for", "limiter counters")])
def test_a_budget_bounds_all_that_is_printed(states: Tool, tokenizer: str, words: tuple[str, ...]) -> None:
    count = counter(tokenizer).count
    asked = ("inject", "en.md", "--now", NOW, "--tokenizer", tokenizer, *words)
    whole = count(states(*asked, "--budget", "none").out)
    refused = states(*asked, "--budget", "1")
    assert (refused.code, refused.out) == (2, "")
    frame = int(refused.err.rsplit("needs ", 1)[1])
    assert states(*asked, "--budget", str(frame - 1)).code == 2
    sizes = []
    for budget in range(frame, whole + 2, 7):
        ran = states(*asked, "--budget", str(budget))
        assert ran.code == 0
        assert count(ran.out) <= budget
        sizes.append(len(ran.out))
    assert states(*asked, "--budget", str(whole)).out == states(*asked, "--budget", "none").out
    assert sizes[-1] > sizes[0]


def test_what_holds_is_the_last_to_go(states: Tool) -> None:
    for name in ("en", "zh"):
        frame = int(states("inject", f"{name}.md", "--now", NOW, "--budget", "1").err.rsplit("needs ", 1)[1])
        kept = next(lines for budget in range(frame, 500)
                    if (lines := shown(states("inject", f"{name}.md", "--now", NOW, "--budget", str(budget)).out)))
        assert kept == [(EN if name == "en" else ZH).items[0].text]


def test_1500_tokens_where_nobody_says_how_many(tool: Tool) -> None:
    many = [item(Kind.FACT, f"Berth {n} of the harbour takes boats of {n % 9} metres") for n in range(400)]
    tool.write("state.md", output_named("md").render(State(items=tuple(many)), "en"))
    count = counter("o200k_base").count
    ran = tool("inject", "state.md", "--now", NOW)
    assert 1400 < count(ran.out) <= 1500
    assert f"_Left out: {400 - len(shown(ran.out))} facts_" in ran.out
    assert f"{400 - len(shown(ran.out))} left out" in ran.err
    tool.write("distill.yaml", "budget: 300\n")
    assert count(tool("inject", "state.md").out) <= 300
    assert len(shown(tool("inject", "state.md", "--budget", "none").out)) == 400


def test_what_the_state_itself_left_out_is_told(tool: Tool) -> None:
    tool.write("state.md", output_named("md").render(State(items=EN.items, omitted=(0, 2, 0, 0)), "en"))
    assert "_Left out: 2 facts_" in tool("inject", "state.md", "--budget", "none").out


def test_a_block_is_never_longer_than_a_later_run_knows(tool: Tool) -> None:
    many = tuple(item(Kind.FACT, f"Berth {number}") for number in range(5200))
    tool.write("state.json", output_named("json").render(State(items=many), "en"))
    out = tool("inject", "state.json", "--budget", "none").out
    assert "_Left out: 300 facts_" in out
    tool.write("log.txt", f"{out}We decided to store sessions in Redis.\n")
    assert [one.text for one in tool("log.txt").state.items] == ["We decided to store sessions in Redis."]


# -- ages -------------------------------------------------------------------------------------------------------------


def test_limits_of_age_from_the_file_the_environment_and_the_line(states: Tool) -> None:
    mark = "Hangzhou cluster (3 months old: check)"
    assert mark in states("inject", "en.md", "--now", NOW).out
    assert mark not in states("inject", "en.md", "--now", "2025-12-01").out
    states.write("distill.yaml", "old-after: {facts: 6m, open: 2d}\n")
    out = states("inject", "en.md", "--now", NOW).out
    assert mark not in out
    assert "limiter yet (4 days old: check)" in out
    assert mark in states("inject", "en.md", "--now", NOW, env={"DISTILL_OLD_AFTER": "facts=10d,open=never"}).out
    out = states("inject", "en.md", "--now", NOW, "--old-after", "facts=1w", "--old-after", "decisions=2").out
    assert mark in out
    assert "SMS from the tests (4 days old: check)" in out


@pytest.mark.parametrize(("words", "what"), [
    (("--old-after", "facts=soon"), "--old-after: 'soon' is no age; write it as facts=30d, 6w, 3m, 1y or never"),
    (("--old-after", "fact=3d"), "--old-after: 'fact' is none of decisions, facts, artifacts, open; did you mean"),
    (("--budget", "0"), "--budget: '0' is neither a number of tokens above 0 nor none"),
    (("--budget", "20"), "a budget of 20 tokens is smaller than the frame alone, which needs "),
    (("--now", "later"), "--now: 'later' is no time"),
    (("--lang", "fr"), "--lang: 'fr' is none of auto, en, zh, zh-Hant"),
])
def test_wrong_usage(states: Tool, words: tuple[str, ...], what: str) -> None:
    ran = states("inject", "en.md", *words)
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_no_state(tool: Tool) -> None:
    tool.write("log.txt", "User: Hello.\n")
    assert "log.txt: not a state of distill" in tool("inject", "log.txt").err
    assert tool("inject", "missing.md").code == 2
    assert "Missing argument" in tool("inject").err


# -- a later run ------------------------------------------------------------------------------------------------------

TASK = "We decided to store exports in S3."


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def codex(text: str) -> str:
    rows: list[tuple[str, Any]] = [
        ("session_meta", {"id": "c1", "cwd": "/w/app", "originator": "codex_cli_rs", "cli_version": "0.50.0"}),
        ("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
        ("event_msg", {"type": "user_message", "message": text}),
        ("event_msg", {"type": "agent_message", "message": "OK."}),
    ]
    return jsonl(*({"timestamp": "2026-03-05T09:00:00Z", "type": name, "payload": load} for name, load in rows))


def quoted(text: str) -> str:
    return "".join(f"#### {line}\n" for line in text.split("\n"))


LOGS: dict[str, Callable[[str], str]] = {
    "claude-code": lambda text: jsonl(record("user", text, "2026-03-05T09:00:00Z"),
                                      record("assistant", "OK.", "2026-03-05T09:01:00Z")),
    "codex": codex,
    "aider": lambda text: f"# aider chat started at 2026-03-05 09:00:00\n\n{quoted(text)}\nOK.\n",
    "openai-messages": lambda text: json.dumps([said("user", text), said("assistant", "OK.")]),
    "generic-jsonl": lambda text: jsonl({"role": "user", "text": text}, {"role": "assistant", "text": "OK."}),
    "speakers": lambda text: f"User: {text}\nAssistant: OK.\n",
    "timestamped": lambda text: f"[2026-03-05 09:00] lin: {text}\n[2026-03-05 09:01] bot: OK.\n",
    "text": lambda text: f"{text}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", ["en", "zh"])
@pytest.mark.parametrize("form", LOGS)
def test_a_later_run_takes_up_the_task_and_none_of_the_background(states: Tool, form: str, name: str) -> None:
    opening = states("inject", f"{name}.md", "--now", NOW).out
    states.write("log", LOGS[form](opening + TASK))
    later = states("log", "--now", NOW)
    assert later.state.sources[0].format == form
    assert [one.text for one in later.state.items] == [TASK]


@pytest.mark.parametrize("name", ["en", "zh"])
def test_a_later_run_over_messages(states: Tool, name: str) -> None:
    opening = states("inject", f"{name}.md", "--messages", "--now", NOW).data
    states.write("log.json", json.dumps([*opening, said("user", TASK), said("assistant", "OK.")]))
    assert [one.text for one in states("log.json").state.items] == [TASK]


@law
@given(texts=st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5), budget=st.integers(120, 400))
def test_whatever_the_items_say_a_later_run_sees_the_task_alone(folder: Folder, texts: list[str], budget: int) -> None:
    tool = folder()
    state = State(items=tuple(item(Kind.DECISION, text) for text in texts))
    tool.write("state.json", output_named("json").render(state, "en"))
    ran = tool("inject", "state.json", "--budget", str(budget), "--now", NOW, "--lang", "en")
    assert ran.code == 0
    assert counter("o200k_base").count(ran.out) <= budget
    tool.write("log.txt", f"User: {ran.out}{TASK}\nAssistant: OK.\n")
    assert [one.text for one in tool("log.txt").state.items] == [TASK]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Gives the command line in a folder of the session."""
    place: Path = tmp_path_factory.mktemp("inject")
    return lambda: Tool(place)
