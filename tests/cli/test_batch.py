"""`distill batch`: a state for every log, again and again."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from distill.render.outputs import parse_state
from tests.cli.tool import NOW, Ran, Tool, jsonl, record, said

STATES = "out/states"
PACK = """\
rules:
  decision/ruling:
    why: House words.
    weight: 3
    cues:
      en: |
        ^ruling:
    match:
      - "Ruling: one queue"
    no_match:
      - We wait for the ruling.
"""


@pytest.fixture
def logs(tool: Tool) -> Tool:
    """Three sessions of two projects, in both languages."""
    tool.write("logs/a/one.jsonl", said(2, "We decided to use PostgreSQL.", "Never push to main."))
    tool.write("logs/a/two.jsonl", said(3, "We decided to keep logs for 30 days.", "TODO: write the deploy notes"))
    third = said(4, "决定：缓存放在内存里，不用 Redis。", "待办：补充部署文档", project="/w/前端")
    tool.write("logs/b/three.jsonl", third)
    return tool


def batch(tool: Tool, *words: str) -> Ran:
    return tool("batch", "logs", "-o", "out", "--now", NOW, *words)


def content(folder: Path) -> dict[str, bytes]:
    """All files below a folder, the manifest aside."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".distill")}


def times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def texts(tool: Tool, name: str) -> list[str]:
    return [item.text for item in parse_state(tool.read(name), name).items if item.status == "live"]


def report(tool: Tool) -> Any:
    return json.loads(tool.read("report.json"))


# -- one state a log --------------------------------------------------------------------------------------------------


def test_every_log_gets_the_state_that_it_gets_alone(logs: Tool) -> None:
    assert batch(logs).code == 0
    assert sorted(content(logs.folder / "out")) == [
        "index.json", "index.md", "states/a/one.jsonl.md", "states/a/two.jsonl.md", "states/b/three.jsonl.md"]
    for name in ("a/one", "a/two", "b/three"):
        alone = logs(f"logs/{name}.jsonl", "--now", NOW, "-q")
        assert logs.read(f"{STATES}/{name}.jsonl.md") == alone.out


@pytest.mark.parametrize("form", ["json", "yaml", "compact"])
def test_other_forms(logs: Tool, form: str) -> None:
    assert batch(logs, "-f", form, "--budget", "40").code == 0
    suffix = {"compact": "txt"}.get(form, form)
    alone = logs("logs/a/one.jsonl", "--now", NOW, "-q", "-f", form, "--budget", "40")
    assert logs.read(f"{STATES}/a/one.jsonl.{suffix}") == alone.out


def test_the_index_lists_projects_newest_first(logs: Tool) -> None:
    batch(logs)
    index = json.loads(logs.read("out/index.json"))
    assert [one["project"] for one in index["projects"]] == ["/w/前端", "/w/app"]
    assert [one["state"] for one in index["projects"][1]["states"]] == [
        "states/a/two.jsonl.md", "states/a/one.jsonl.md"]
    assert index["counts"]["open"] == 2
    assert index["projects"][0]["states"][0]["open"] == ["待办：补充部署文档"]
    page = logs.read("out/index.md")
    assert page.index("## /w/前端") < page.index("## /w/app")
    assert "](states/b/three.jsonl.md) | 2026-03-04 | 1 | 0 | 0 | 1 |" in page


def test_a_second_run_touches_nothing(logs: Tool) -> None:
    batch(logs)
    before = times(logs.folder)
    again = logs("batch", "logs", "-o", "out")
    assert (again.code, times(logs.folder)) == (0, before)
    assert "unchanged" in again.err


def test_a_log_that_was_only_touched_is_not_read_into_its_state_again(logs: Tool) -> None:
    batch(logs)
    before = times(logs.folder / STATES)
    os.utime(logs.folder / "logs/a/one.jsonl", (1, 1))
    assert logs("batch", "logs", "-o", "out", "--report", "report.json").code == 0
    assert report(logs)["counts"]["unchanged"] == 3
    assert times(logs.folder / STATES) == before


@pytest.mark.parametrize("words", [["--lang", "zh"], ["--rules", "house.yaml"], ["--no-redact"]])
def test_options_and_rules_decide_whether_a_state_is_made_anew(logs: Tool, words: list[str]) -> None:
    logs.write("house.yaml", PACK)
    batch(logs)
    batch(logs, *words, "--report", "report.json")
    assert report(logs)["counts"]["changed"] == 3
    batch(logs, *words, "--report", "report.json")
    assert report(logs)["counts"]["unchanged"] == 3


def test_a_log_that_grew_is_read_on(logs: Tool) -> None:
    one = logs.folder / "logs/a/one.jsonl"
    batch(logs)
    with one.open("a") as stream:
        stream.write(said(5, "We decided to drop the export button.", session="s2"))
    batch(logs, "--report", "report.json")
    assert (report(logs)["counts"]["grown"], report(logs)["counts"]["unchanged"]) == (1, 2)
    whole = logs("logs/a/one.jsonl", "--now", NOW, "-q")
    assert logs.read(f"{STATES}/a/one.jsonl.md") == whole.out


def test_a_log_that_grew_is_read_on_under_a_budget(logs: Tool) -> None:
    batch(logs, "--budget", "40")
    with (logs.folder / "logs/a/one.jsonl").open("a") as stream:
        stream.write(said(5, "We decided to drop the export button.", session="s2"))
    batch(logs, "--budget", "40", "--report", "report.json")
    assert report(logs)["counts"]["grown"] == 1
    whole = logs("logs/a/one.jsonl", "--now", NOW, "-q", "--budget", "40")
    assert logs.read(f"{STATES}/a/one.jsonl.md") == whole.out


def test_a_log_that_was_written_anew_is_read_anew(logs: Tool) -> None:
    batch(logs)
    logs.write("logs/a/one.jsonl", said(2, "We decided to use SQLite after all, since it is enough for one host."))
    batch(logs, "--report", "report.json")
    assert report(logs)["counts"]["changed"] == 1
    assert not [text for text in texts(logs, f"{STATES}/a/one.jsonl.md") if "PostgreSQL" in text]


def test_a_state_that_was_taken_away_is_made_again(logs: Tool) -> None:
    batch(logs)
    before = content(logs.folder / "out")
    (logs.folder / STATES / "a/one.jsonl.md").unlink()
    batch(logs)
    assert content(logs.folder / "out") == before


def test_edits_by_hand_outlive_a_log_that_grows(logs: Tool) -> None:
    batch(logs)
    path = logs.folder / STATES / "a/one.jsonl.md"
    path.write_text(path.read_text().replace("## Decisions\n", "## Decisions\n- Ship on Fridays only\n"))
    batch(logs)
    assert "- Ship on Fridays only" in path.read_text()
    with (logs.folder / "logs/a/one.jsonl").open("a") as stream:
        stream.write(said(5, "We decided to drop the export button.", session="s2"))
    batch(logs)
    found = texts(logs, f"{STATES}/a/one.jsonl.md")
    assert {"Ship on Fridays only", "We decided to drop the export button."} <= set(found)


def test_edits_by_hand_outlive_other_rules_and_options(logs: Tool) -> None:
    batch(logs)
    path = logs.folder / STATES / "a/one.jsonl.md"
    path.write_text(path.read_text().replace("## Decisions\n", "## Decisions\n- Ship on Fridays only\n"))
    with (logs.folder / "logs/a/one.jsonl").open("a") as stream:
        stream.write(said(5, "We decided to drop the export button.", session="s2"))
    for words in ([], ["--lang", "zh"], [], ["--no-redact"]):
        batch(logs, *words)
        assert "- Ship on Fridays only" in path.read_text()


def test_edits_by_hand_count_in_the_index_and_the_checks(logs: Tool) -> None:
    batch(logs)
    for name in ("a/two", "b/three"):
        path = logs.folder / STATES / f"{name}.jsonl.md"
        path.write_text(path.read_text().replace("- TODO:", "- [x] TODO:").replace("- 待办", "- [x] 待办"))
    assert batch(logs, "--fail-on", "open").code == 0
    assert json.loads(logs.read("out/index.json"))["counts"]["open"] == 0
    before = times(logs.folder)
    assert batch(logs, "--fail-on", "open").code == 0
    assert times(logs.folder) == before


def test_what_is_no_state_is_left_as_it_is(logs: Tool) -> None:
    batch(logs)
    logs.write(f"{STATES}/a/one.jsonl.md", "my own notes\n")
    logs.write("logs/a/one.jsonl", said(2, "We decided to use SQLite."))
    ran = batch(logs)
    assert ran.code == 4
    assert "states/a/one.jsonl.md" in ran.err
    assert logs.read(f"{STATES}/a/one.jsonl.md") == "my own notes\n"


# -- logs that cannot be read -----------------------------------------------------------------------------------------


def test_a_bad_log_stops_nothing_and_is_named_every_time(logs: Tool) -> None:
    logs.write("logs/a/bad.traj", '{"trajectory": [{"action": "ls", "observation":')
    logs.write("logs/空.jsonl", "")
    for _ in range(2):
        ran = batch(logs)
        assert ran.code == 4
        assert "failed a/bad.traj: " in ran.err
        assert "failed 空.jsonl: the file is empty" in ran.err
        assert len(texts(logs, f"{STATES}/b/three.jsonl.md")) == 2
    assert {one["log"] for one in json.loads(logs.read("out/index.json"))["failed"]} == {"a/bad.traj", "空.jsonl"}


def test_skipped_records_are_told_every_time(logs: Tool) -> None:
    logs.write("logs/a/one.jsonl", said(2, "We decided to use PostgreSQL.") + '{"type": "user", "mess\n')
    for _ in range(2):
        ran = batch(logs)
        assert (ran.code, "logs/a/one.jsonl: 1 x invalid JSON at 3" in ran.err) == (4, True)
    assert batch(logs, "--fail-on", "skipped").code == 1


def test_strict_writes_no_state_of_a_damaged_log(logs: Tool) -> None:
    logs.write("logs/a/one.jsonl", said(2, "We decided to use PostgreSQL.") + '{"type": "user", "mess\n')
    assert batch(logs, "--strict").code == 4
    assert not (logs.folder / STATES / "a/one.jsonl.md").exists()
    assert (logs.folder / STATES / "a/two.jsonl.md").exists()


def test_a_rule_pack_with_a_fault_is_one_error_and_not_one_a_log(logs: Tool) -> None:
    logs.write("house.yaml", PACK.replace("^ruling:", "("))
    ran = batch(logs, "--rules", "house.yaml")
    assert (ran.code, ran.err.count("house.yaml:")) == (2, 1)


def test_only_bad_logs(tool: Tool) -> None:
    tool.write("logs/a.jsonl", "")
    assert batch(tool).code == 3


def test_a_log_in_which_nothing_was_said_is_no_fault(logs: Tool) -> None:
    logs.write("logs/a/title.jsonl", '{"type":"summary","summary":"Ferry work","leafUuid":"1"}\n')
    for _ in range(2):
        ran = batch(logs, "--report", "report.json")
        assert (ran.code, report(logs)["counts"]["silent"]) == (0, 1)


def test_a_log_that_became_unreadable_keeps_its_state(logs: Tool) -> None:
    batch(logs)
    before = logs.read(f"{STATES}/a/one.jsonl.md")
    logs.write("logs/a/one.jsonl", "")
    ran = batch(logs)
    assert (ran.code, logs.read(f"{STATES}/a/one.jsonl.md")) == (4, before)
    assert batch(logs, "--fail-on", "stale").code == 1


@pytest.mark.parametrize(("words", "code", "said"), [
    (["nowhere"], 3, "nowhere: no such file or folder"),
    (["logs/*.txt"], 3, "matches nothing"),
    (["empty"], 3, "no logs there"),
    (["out"], 2, "lies in the folder that is written to"),
    (["logs", "--engine", "spark"], 2, "none of local, dask"),
    (["logs", "--fail-on", "green"], 2, "none of open, stale"),
    (["logs", "--agent", "nobody"], 2, "no agent"),
])
def test_wrong_usage_is_one_line(logs: Tool, words: list[str], code: int, said: str) -> None:
    (logs.folder / "empty").mkdir()
    ran = logs("batch", *words, "-o", "out")
    assert (ran.code, len(ran.err.strip().split("\n"))) == (code, 1)
    assert said in ran.err
    assert not (logs.folder / "out").exists()


# -- logs that are gone -----------------------------------------------------------------------------------------------


def test_a_state_whose_log_is_gone_is_kept_until_it_is_pruned(logs: Tool) -> None:
    batch(logs)
    (logs.folder / "logs/b/three.jsonl").unlink()
    ran = batch(logs)
    assert (ran.code, "states/b/three.jsonl.md: its log is gone" in ran.err) == (0, True)
    assert (logs.folder / STATES / "b/three.jsonl.md").exists()
    assert "(log gone)" in logs.read("out/index.md")
    assert batch(logs, "--fail-on", "stale").code == 1
    assert batch(logs, "--prune").code == 0
    assert not (logs.folder / STATES / "b").exists()
    assert "three" not in logs.read("out/index.md")
    assert "gone" not in batch(logs).err


def test_what_is_gone_is_named_by_what_becomes_of_it(logs: Tool) -> None:
    batch(logs)
    (logs.folder / "logs/b/three.jsonl").unlink()
    state = "states/b/three.jsonl.md"
    assert batch(logs, "--dry-run").out == f"log gone\t{state}\n"
    assert batch(logs, "--dry-run", "--prune").out == f"removed\t{state}\n"
    assert (batch(logs, "--check").code, batch(logs, "--check", "--prune").code) == (0, 1)
    ran = batch(logs, "--report", "report.json", "--fail-on", "stale")
    assert re.search(r"log gone\.+1\n", ran.err)
    assert ran.closing == "distill: --fail-on: 1 state whose logs are gone or cannot be read"
    assert (report(logs)["pruned"], report(logs)["logs_gone"]) == (False, ["b/three.jsonl"])
    assert re.search(r"removed\.+1\n", batch(logs, "--prune").err)


def test_a_budget_below_the_frame_names_the_state(logs: Tool) -> None:
    ran = batch(logs, "--budget", "3")
    assert ran.code == 3
    assert "failed states/a/one.jsonl.md: a budget of 3 tokens is smaller than the frame" in ran.err


# -- checks -----------------------------------------------------------------------------------------------------------


def test_check_and_dry_run_write_nothing(logs: Tool) -> None:
    ran = batch(logs, "--dry-run")
    assert (ran.code, ran.out.split("\n")[0]) == (0, "new\tstates/a/one.jsonl.md")
    assert batch(logs, "--check").code == 1
    assert not (logs.folder / "out").exists()
    batch(logs)
    before = times(logs.folder)
    assert (batch(logs, "--check").code, batch(logs, "--check").out) == (0, "")
    os.utime(logs.folder / "logs/a/one.jsonl", (1, 1))
    assert batch(logs, "--check").code == 0
    logs.write("logs/a/two.jsonl", said(3, "We decided to keep logs for 60 days."))
    ran = batch(logs, "--check")
    assert (ran.code, ran.out) == (1, "changed\tstates/a/two.jsonl.md\n")
    del before[str(logs.folder / "logs/a/one.jsonl")], before[str(logs.folder / "logs/a/two.jsonl")]
    assert before.items() <= times(logs.folder).items()


def test_fail_on_open_items(logs: Tool) -> None:
    ran = batch(logs, "--fail-on", "open,stale")
    assert (ran.code, ran.closing) == (1, "distill: --fail-on: 2 open items")


def test_quiet_says_only_what_failed(logs: Tool) -> None:
    assert batch(logs, "-q").err == ""
    logs.write("logs/a/bad.jsonl", "")
    assert batch(logs, "-q").err == "distill: failed a/bad.jsonl: the file is empty\n"


def test_the_report_accounts_for_every_log(logs: Tool) -> None:
    logs.write("logs/a/bad.jsonl", "")
    batch(logs, "--report", "report.json")
    found = report(logs)
    assert (found["exit_code"], found["counts"]["new"], found["counts"]["failed"]) == (4, 3, 1)
    assert [(one["state"], one["done"]) for one in found["states"]][:2] == [
        ("states/a/bad.jsonl.md", "failed"), ("states/a/one.jsonl.md", "new")]
    assert found["bytes_read"] == sum(path.stat().st_size for path in (logs.folder / "logs").rglob("*.jsonl"))


def test_a_workflow_gets_notes_and_a_summary(logs: Tool) -> None:
    logs.write("logs/a/b,c:d%.jsonl", "")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(logs.folder / "summary.md")}
    ran = logs("batch", "logs", "-o", "out", env=env)
    assert ran.out == ("::error file=logs/a/b%2Cc%3Ad%25.jsonl,title=distill::a/b,c:d%25.jsonl: the file is empty\n")
    summary = logs.read("summary.md")
    assert "| new | 3 |" in summary
    assert "| /w/前端 | 1 | 1 |" in summary
    assert "a/b,c:d%.jsonl: the file is empty" in summary


# -- one state a project ----------------------------------------------------------------------------------------------


def project_states(tool: Tool) -> dict[str, list[str]]:
    found = {}
    for path in (tool.folder / "out/projects").rglob("*.md"):
        state = parse_state(path.read_text(), path.name)
        found[state.project] = [item.text for item in state.items if item.status == "live"]
    return found


def test_a_chain_is_one_state_a_project_in_order_of_time(tool: Tool) -> None:
    tool.write("logs/z.jsonl", said(2, "We decided to use Redis for the session cache."))
    tool.write("logs/a.jsonl", said(4, "We decided against Redis for the session cache, use SQLite instead."))
    tool.write("logs/m.jsonl", said(3, "决定：前端用 Vue。", project="/w/前端"))
    assert batch(tool, "--chain").code == 0
    found = project_states(tool)
    assert found.keys() == {"/w/app", "/w/前端"}
    assert found["/w/前端"] == ["决定：前端用 Vue。"]
    together = tool("logs/z.jsonl", "logs/a.jsonl", "--now", NOW, "-q")
    assert tool.read(next(str(path) for path in (tool.folder / "out/projects").glob("app-*"))) == together.out


def test_projects_that_share_a_folder_do_not_mix(tool: Tool) -> None:
    tool.write("logs/-w----app/a.jsonl", said(2, "决定：前端用 Vue。", project="/w/前端/app"))
    tool.write("logs/-w----app/b.jsonl", said(3, "决定：后端用 Go。", project="/w/后端/app"))
    batch(tool, "--chain")
    assert project_states(tool) == {"/w/前端/app": ["决定：前端用 Vue。"], "/w/后端/app": ["决定：后端用 Go。"]}


def test_sessions_in_folders_of_one_repository_are_one_project(tool: Tool) -> None:
    (tool.folder / "repo/.git").mkdir(parents=True)
    (tool.folder / "repo/web").mkdir()
    tool.write("logs/a.jsonl", said(2, "We decided to use Vue.", project=str(tool.folder / "repo/web")))
    tool.write("logs/b.jsonl", said(3, "We decided to use Go.", project=str(tool.folder / "repo")))
    batch(tool, "--chain")
    assert len(list((tool.folder / "out/projects").rglob("*.md"))) == 1


def test_logs_that_name_no_project_stay_apart(tool: Tool) -> None:
    tool.write("logs/one.txt", "We decided to use PostgreSQL.\n")
    tool.write("logs/二.txt", "决定：缓存放在内存里。\n")
    batch(tool, "--chain")
    assert {path.name for path in (tool.folder / "out/projects/unknown").iterdir()} == {"one.txt.md", "二.txt.md"}


def test_a_chain_goes_on_with_what_is_new(tool: Tool) -> None:
    tool.write("logs/a.jsonl", said(2, "We decided to use PostgreSQL."))
    tool.write("logs/b.jsonl", said(3, "Never push to main."))
    batch(tool, "--chain")
    tool.write("logs/c.jsonl", said(4, "We decided to keep logs for 30 days."))
    batch(tool, "--chain", "--report", "report.json")
    assert report(tool)["counts"]["grown"] == 1
    assert report(tool)["bytes_read"] == (tool.folder / "logs/c.jsonl").stat().st_size
    together = tool("logs/a.jsonl", "logs/b.jsonl", "logs/c.jsonl", "--now", NOW, "-q")
    (path,) = (tool.folder / "out/projects").iterdir()
    assert path.read_text() == together.out


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_a_session_of_a_chain_that_grew_is_where_it_was_in_time(tool: Tool, name: str) -> None:
    for number, one in enumerate("abc", 2):
        tool.write(f"logs/{one}.jsonl", said(number, f"We decided to keep logs for {number}0 days."))
    batch(tool, "--chain")
    with (tool.folder / f"logs/{name}.jsonl").open("a") as stream:
        stream.write(said(12, "决定：发布前先跑一遍回归测试。"))
    batch(tool, "--chain", "--report", "report.json")
    assert report(tool)["counts"]["grown" if name == "c" else "changed"] == 1
    together = tool(*(f"logs/{one}.jsonl" for one in "abc"), "--now", NOW, "-q")
    (path,) = (tool.folder / "out/projects").iterdir()
    assert parse_state(path.read_text(), path.name).items == together.state.items


def test_a_chain_that_has_not_changed_is_not_looked_into(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.write("logs/a.jsonl", said(2, "We decided to use PostgreSQL."))
    tool.write("logs/notes.txt", "决定：缓存放在内存里。\n")
    batch(tool, "--chain")
    monkeypatch.setattr("distill.read.opening.open_log", None)
    before = times(tool.folder)
    assert batch(tool, "--chain").code == 0
    assert times(tool.folder) == before


def test_a_chain_keeps_what_came_from_logs_that_are_gone(tool: Tool) -> None:
    for number, text in enumerate(["We decided to use PostgreSQL.", "Never push to main.", "Use tabs in Go files."], 2):
        tool.write(f"logs/{number}.jsonl", said(number, text))
    batch(tool, "--chain")
    (tool.folder / "logs/2.jsonl").unlink()
    tool.write("logs/9.jsonl", said(9, "We decided to keep logs for 30 days."))
    batch(tool, "--chain")
    assert {"We decided to use PostgreSQL.", "We decided to keep logs for 30 days."} <= set(
        project_states(tool)["/w/app"])
    ran = batch(tool, "--chain")
    assert "unchanged" in ran.err
    assert "2.jsonl: gone; what came from there is kept" in ran.err
    batch(tool, "--chain", "--lang", "zh")  # made anew, as far as that can be
    assert "We decided to use PostgreSQL." in project_states(tool)["/w/app"]
    batch(tool, "--chain", "--prune")
    assert "We decided to use PostgreSQL." not in project_states(tool)["/w/app"]


# -- where the logs lie -----------------------------------------------------------------------------------------------


def test_the_known_places_of_agents(tool: Tool) -> None:
    tool.write("claude/projects/-w-app/s.jsonl", said(2, "We decided to use PostgreSQL."))
    tool.write("claude/projects/-w-app/agent-1.jsonl", said(2, "We decided to use Redis."))
    env = {"CLAUDE_CONFIG_DIR": str(tool.folder / "claude"), "CODEX_HOME": str(tool.folder / "codex")}
    assert tool("batch", "--agent", "claude-code", "-o", "out", env=env).code == 0
    assert list(content(tool.folder / "out/states")) == ["-w-app/s.jsonl.md"]
    ran = tool("batch", "--agent", "codex", "-o", "out", env=env)
    assert (ran.code, "matches nothing" in ran.err) == (3, True)


def test_secrets_are_masked_in_all_that_is_written(tool: Tool) -> None:
    key = "ghp_" + "A1b2C3d4" * 4
    tool.write("logs/a.jsonl", jsonl(record("user", f"TODO: rotate the token {key}", "2026-03-02T09:00:00Z")))
    ran = batch(tool, "--report", "report.json")
    assert key not in ran.err
    for path in tool.folder.joinpath("out").rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes(), path
