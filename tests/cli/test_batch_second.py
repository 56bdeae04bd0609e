"""The second pass of `distill batch`: one budget for all logs, some calls at a time, nothing asked twice."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.test_batch import batch, content, project_states, report, times
from tests.cli.test_second import TALK, own_cache
from tests.cli.tool import NOW, Tool, environment, jsonl, record
from tests.refine.server import Behaviour, answer, dropping, endless, events, hanging_up, serving, silent, status

posix = pytest.mark.skipif(os.name == "nt", reason="needs signals")
# A model that repeats the entry it is asked about as a decision, and notes who asked, when it began and when it ended.
MODEL = """\
import json, os, re, sys, time
prompt = sys.stdin.buffer.read().decode()
began = time.monotonic()
time.sleep({pause})
entries = re.findall(r"^> \\[(\\d+)\\] user: (.*)$", prompt.rpartition("Transcript:")[2] or prompt, re.M)
entries = entries or re.findall(r"^> \\[(\\d+)\\] user: (.*)$", prompt, re.M)
record, quote = entries[-1]
with open("calls.jsonl", "a") as file:
    file.write(json.dumps([hash(prompt), began, time.monotonic(), quote]) + "\\n")
print(json.dumps({{"items": [{{"kind": "decision", "text": quote, "record": int(record), "quote": quote, "id": ""}}],
                  "drop": []}}))
"""
IMPLIED = ["where the probe gave nothing the line stops", "where the pump gave nothing the dial stops",
           "where the clock gave nothing the tape stops", "where the valve gave nothing the lamp stops"]


def talk(day: int, words: str, project: str = "/w/app") -> str:
    """A session in which something is only implied."""
    return jsonl(
        record("user", "Decision: the exporter writes CSV only. Look at the gaps in the plot.",
               f"2026-03-{day:02}T09:00:00Z", session=f"s{day}", project=project),
        record("assistant", "I looked at it.", f"2026-03-{day:02}T09:01:00Z", session=f"s{day}", project=project),
        record("user", words, f"2026-03-{day:02}T09:02:00Z", session=f"s{day}", project=project),
        record("assistant", "Fine.", f"2026-03-{day:02}T09:03:00Z", session=f"s{day}", project=project),
    )


@pytest.fixture
def logs(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    """Four sessions of two projects, the first of which is the newest."""
    own_cache(tmp_path, monkeypatch)
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.delenv("DISTILL_LLM_KEY", raising=False)
    for number, words in enumerate(IMPLIED):
        tool.write(f"logs/{number}.jsonl", talk(9 - number, words, f"/w/项目{number % 2}"))
    return tool


def model(tool: Tool, pause: float = 0.0) -> tuple[str, str]:
    tool.write("model.py", MODEL.format(pause=pause))
    return "--llm-cmd", f'"{sys.executable}" model.py'


def calls(tool: Tool) -> list[tuple[int, float, float, str]]:
    path = tool.folder / "calls.jsonl"
    return [tuple(json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


def implied(tool: Tool, out: str = "out") -> list[bool]:
    """For each log whether what is implied in it stands in its state."""
    return [f"- {words} (" in tool.read(f"{out}/states/{number}.jsonl.md") for number, words in enumerate(IMPLIED)]


def at_once(tool: Tool) -> int:
    """The most calls that were under way together."""
    times_of = [(began, 1) for _, began, _, _ in calls(tool)] + [(ended, -1) for _, _, ended, _ in calls(tool)]
    now = most = 0
    for _, change in sorted(times_of):
        now += change
        most = max(most, now)
    return most


# -- one pass for all -------------------------------------------------------------------------------------------------


def test_every_log_gets_the_state_that_it_gets_alone(logs: Tool) -> None:
    words = model(logs)
    ran = batch(logs, *words, "--report", "report.json")
    assert ran.code == 0
    assert "second pass: 4 calls, 4 added" in ran.err
    assert implied(logs) == [True] * 4
    for number in range(4):
        alone = logs(f"logs/{number}.jsonl", "--now", NOW, "-q", *words)
        assert logs.read(f"out/states/{number}.jsonl.md") == alone.out
    assert len(calls(logs)) == 4  # alone, the answers were known
    told = report(logs)["second_pass"]
    assert (told["calls"], told["parts"], told["changes"], told["failed"]) == (4, 4, {"added": 4}, {})


def test_a_second_run_asks_nobody_and_touches_nothing(logs: Tool) -> None:
    words = model(logs)
    batch(logs, *words)
    before = times(logs.folder / "out")
    assert batch(logs, *words, "--check").code == 0
    again = logs("batch", "logs", "-o", "out", *words)
    assert (again.code, len(calls(logs)), times(logs.folder / "out")) == (0, 4, before)
    batch(logs, *words, "--llm-fresh")
    assert len(calls(logs)) == 8


def test_without_the_model_the_states_are_those_of_the_rules(logs: Tool) -> None:
    batch(logs)
    plain = content(logs.folder / "out")
    words = model(logs)
    batch(logs, *words)
    assert content(logs.folder / "out") != plain
    batch(logs)
    assert content(logs.folder / "out") == plain


@pytest.mark.parametrize("more", [["-j", "2"], ["-f", "json"], ["--budget", "60"], ["-f", "compact"], ["--chain"]])
def test_the_same_bytes_however_it_is_done(logs: Tool, more: list[str]) -> None:
    words = model(logs)
    ran = logs.process("batch", "logs", "-o", "out", "--now", NOW, *words, *more)
    assert ran.code == 0, ran.err
    assert len(calls(logs)) == 4
    fresh = logs("batch", "logs", "-o", "fresh", "--now", NOW, *words, *more)
    assert (fresh.code, len(calls(logs))) == (0, 4)
    assert content(logs.folder / "out") == content(logs.folder / "fresh")
    assert "4 kept answers" in fresh.err


@pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra dask")
def test_a_cluster_asks_nobody_itself(logs: Tool) -> None:
    words = model(logs)
    assert logs.process("batch", "logs", "-o", "out", "--now", NOW, *words, "--engine", "dask", "-j", "1").code == 0
    assert (len(calls(logs)), implied(logs)) == (4, [True] * 4)


def test_a_part_that_stands_in_two_logs_is_asked_about_once(logs: Tool) -> None:
    for name in ("copy", "另一份"):
        logs.write(f"logs/{name}.jsonl", talk(9, IMPLIED[0]))
    batch(logs, *model(logs))
    assert len(calls(logs)) == 4
    assert f"- {IMPLIED[0]} (" in logs.read("out/states/另一份.jsonl.md")


def test_a_log_that_grew_is_asked_about_what_is_new(logs: Tool) -> None:
    words = model(logs)
    batch(logs, *words, "--exclude", "[123].jsonl")
    with (logs.folder / "logs/0.jsonl").open("a") as stream:
        stream.write(talk(20, "where the meter gave nothing the needle stops"))
    batch(logs, *words, "--exclude", "[123].jsonl")
    alone = logs("logs/0.jsonl", "--now", NOW, "-q", *words)
    assert logs.read("out/states/0.jsonl.md") == alone.out
    assert len(calls(logs)) == 2


def test_a_chain_is_asked_about_each_of_its_logs(logs: Tool) -> None:
    words = model(logs)
    batch(logs, *words, "--chain")
    found = project_states(logs)
    assert set(IMPLIED[::2]) <= set(found["/w/项目0"])
    assert set(IMPLIED[1::2]) <= set(found["/w/项目1"])
    logs.write("logs/9.jsonl", talk(20, "where the meter gave nothing the needle stops", "/w/项目0"))
    batch(logs, *words, "--chain")
    assert len(calls(logs)) == 5
    assert {*IMPLIED[::2], "where the meter gave nothing the needle stops"} <= set(project_states(logs)["/w/项目0"])


def test_edits_by_hand_outlive_the_pass(logs: Tool) -> None:
    words = model(logs)
    batch(logs, *words, "--llm-max-calls", "1")
    path = logs.folder / "out/states/2.jsonl.md"
    path.write_text(path.read_text().replace("## Decisions\n", "## Decisions\n- 只在周五发布\n"))
    batch(logs, *words)
    assert implied(logs) == [True] * 4
    assert "- 只在周五发布" in path.read_text()
    batch(logs, *words, "--lang", "zh")
    assert "- 只在周五发布" in path.read_text()


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [["-j", "1"], ["-j", "2"]])
def test_what_the_budget_leaves_unasked_is_asked_the_next_time(logs: Tool, more: list[str]) -> None:
    words = model(logs)
    ran = logs.process("batch", "logs", "-o", "out", "--now", NOW, *words, *more, "--llm-max-calls", "1")
    assert ran.code == 0
    assert "3 parts of the log not asked about" in ran.err
    assert implied(logs) == [True, False, False, False]  # the newest comes first
    assert batch(logs, *words, "--check").code == 1
    required = batch(logs, *words, "--llm-max-calls", "2", "--llm-required")
    assert (required.code, implied(logs), len(calls(logs))) == (4, [True, True, True, False], 3)
    assert batch(logs, *words).code == 0
    assert (implied(logs), len(calls(logs))) == ([True] * 4, 4)
    batch(logs, *words)
    assert len(calls(logs)) == 4
    logs("batch", "logs", "-o", "fresh", "--now", NOW, *words)
    assert content(logs.folder / "out") == content(logs.folder / "fresh")


def test_what_was_asked_in_vain_changes_nothing(logs: Tool) -> None:
    batch(logs, *model(logs), "--llm-max-calls", "1")
    logs.write("model.py", "raise SystemExit(3)")
    before = times(logs.folder / "out/states")
    ran = logs("batch", "logs", "-o", "out", "--llm-cmd", f'"{sys.executable}" model.py', "--llm-max-calls", "3",
               "--report", "report.json")
    assert (ran.code, report(logs)["counts"]["unchanged"]) == (0, 4)
    assert times(logs.folder / "out/states") == before


@pytest.mark.parametrize("number", [1, 2, 4])
def test_so_many_calls_at_a_time(logs: Tool, number: int) -> None:
    words = model(logs, pause=0.4)
    assert logs.process("batch", "logs", "-o", "out", "-j", "2", *words, "--llm-jobs", str(number)).code == 0
    assert len(calls(logs)) == 4
    assert at_once(logs) <= number
    assert (at_once(logs) > 1) is (number > 1)


def test_time_and_tokens_are_for_the_whole_run(logs: Tool) -> None:
    words = model(logs, pause=1)
    began = time.monotonic()
    ran = batch(logs, *words, "--llm-timeout", "3", "--llm-jobs", "1")
    assert (ran.code, len(calls(logs)) in (1, 2)) == (0, True)
    assert time.monotonic() - began < 10
    priced = re.search(r"=== prompt 1 of 4, ~(\d+) tokens", batch(logs, *words, "--llm-dry-run", "--llm-fresh").out)
    assert priced
    before = len(calls(logs))
    most = str(int(priced[1]) + 1500)
    ran = logs("batch", "logs", "-o", "tokens", *words, "--llm-max-tokens", most, "--llm-jobs", "4", "--llm-fresh")
    assert len(calls(logs)) == before + 1
    assert "to keep to --llm-max-calls, --llm-max-tokens" in ran.err


def test_a_dry_run_shows_what_would_be_asked_and_asks_nobody(logs: Tool) -> None:
    words = model(logs)
    ran = batch(logs, *words, "--llm-dry-run")
    assert (ran.code, ran.out.count("=== prompt ")) == (0, 4)
    assert all(f"user: {words}" in ran.out for words in IMPLIED)
    assert "4 parts of the log" in ran.out
    assert not calls(logs)
    assert not (logs.folder / "out").exists()
    batch(logs, *words)
    assert "0 parts of the log" in batch(logs, *words, "--llm-dry-run").out


# -- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("behaviour", "why"), [
    (status(401, "no such key"), "does not take the key (401)"),
    (status(429, "", Retry_After="9999"), "is busy or failing (429)"),
    (silent, "took too long"), (endless, "sent more than 4 MB"), (dropping, "broke"), (hanging_up, "broke"),
    (answer(None, refusal="No."), "refused to answer"), (events("The user", hold=8), "nothing whole in"),
    (answer("Sorry."), "unreadable reply"),
], ids=["key", "busy", "silent", "endless", "dropping", "hanging up", "refusal", "slow", "prose"])
def test_a_hostile_endpoint_costs_nothing(logs: Tool, behaviour: Behaviour, why: str) -> None:
    pytest.importorskip("httpx")
    batch(logs)
    plain = content(logs.folder / "out")
    with serving(behaviour) as server:
        ran = batch(logs, "--llm", server.url, "--llm-model", "small", "--llm-timeout", "3", "--llm-max-calls", "6",
                    "--llm-required")
        assert len(server.requests) <= 6
    assert (ran.code, content(logs.folder / "out")) == (4, plain)
    assert why in ran.err
    assert "Traceback" not in ran.err


def test_a_model_that_answers_some_of_the_time_is_asked_for_the_rest(logs: Tool) -> None:
    pytest.importorskip("httpx")
    words = ("--llm-model", "small", "--llm-jobs", "1", "--llm-timeout", "20")
    good = answer(json.dumps({"items": [], "drop": []}))
    with serving(good, answer(None, refusal="No."), good, good, good) as server:
        url = ("--llm", server.url)
        batch(logs, *url, *words)
        assert len(server.requests) == 4
        batch(logs, *url, *words)
        assert len(server.requests) == 5
        batch(logs, *url, *words)
        assert len(server.requests) == 5


def test_nobody_to_ask_is_told_before_any_work(logs: Tool) -> None:
    for words in (["--llm-jobs", "2"], ["--llm", "none"], ["--llm-cmd", "x", "--llm-jobs", "0"]):
        ran = batch(logs, *words)
        assert (ran.code, len(ran.err.strip().split("\n"))) == (2, 1)
    assert not (logs.folder / "out").exists()


# -- runs that are cut off --------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_run_that_is_cut_off_asks_nothing_twice(logs: Tool, how: int, code: int) -> None:
    words = model(logs, pause=0.5)
    child = subprocess.Popen(
        [sys.executable, "-m", "distill", "batch", "logs", "-o", "out", "--now", NOW, *words, "--llm-jobs", "1"],
        cwd=logs.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(400):
        if len(calls(logs)) >= 2:
            break
        time.sleep(0.05)
    began = time.monotonic()
    child.send_signal(how)
    assert child.wait(timeout=20) == code
    assert time.monotonic() - began < 5
    assert len(list((logs.folder / "out/states").iterdir())) == 4  # by the rules
    time.sleep(1)  # a command that a killed run has left
    before = len(calls(logs))
    assert 2 <= before < 4
    logs.write("model.py", MODEL.format(pause=0))
    assert batch(logs, *words).code == 0
    assert implied(logs) == [True] * 4
    # What was under way when it was cut off may have been answered to nobody.
    assert len({quote for *_, quote in calls(logs)}) == 4
    assert len(calls(logs)) <= 5
    logs("batch", "logs", "-o", "fresh", "--now", NOW, *words)
    assert content(logs.folder / "out") == content(logs.folder / "fresh")


def test_a_log_without_anything_to_ask(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_cache(tmp_path, monkeypatch)
    tool.write("logs/empty.jsonl", "")
    tool.write("logs/a.jsonl", TALK[: TALK.index("\n") + 1])
    ran = batch(tool, *model(tool))
    assert ran.code == 4
    assert "failed empty.jsonl" in ran.err


def test_a_folder_of_any_size_fits_into_memory(logs: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Far more prompts than may be asked are not held: the oldest logs are left for another run."""
    monkeypatch.setattr("distill.commands.batch_second.SLACK", 0)
    words = model(logs)
    for number in range(4, 10):
        logs.write(f"logs/{number}.jsonl", talk(1, f"where wire {number} gave nothing the lamp stops"))
    ran = batch(logs, *words, "--llm-max-calls", "1", "--report", "report.json")
    told = report(logs)["second_pass"]
    assert (ran.code, told["calls"], told["unasked"], told["parts"]) == (0, 1, 9, 10)
    assert implied(logs) == [True, False, False, False]
    batch(logs, *words)
    assert len(calls(logs)) == 10
