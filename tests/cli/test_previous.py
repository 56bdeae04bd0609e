"""Chains: `distill run2.jsonl -p state.md -o state.md`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from typing import Any

import pytest

from distill.model import SECTIONS
from tests.cli.tool import NOW, Tool, jsonl, record, said


def chain(tool: Tool, *logs: str, words: Sequence[str] = ()) -> Any:
    """Distil logs one after the other into state.md; the state as plain data."""
    for log in logs:
        known = ("-p", "state.md") if (tool.folder / "state.md").exists() else ()
        ran = tool(log, *known, "-o", "state.md", "--now", NOW, *words)
        assert ran.code == 0, ran.err
    return tool(logs[-1], "-p", "state.md", "-f", "json", "--now", NOW, *words).data


def texts(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(row["text"] for row in rows)


def one(rows: list[dict[str, Any]], word: str) -> dict[str, Any]:
    (found,) = [row for row in rows if word in row["text"]]
    return found


# -- a rerun changes nothing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["md", "json", "yaml"])
@pytest.mark.parametrize("budget", ["none", "60"])
def test_a_rerun_over_the_same_log_changes_nothing(tool: Tool, form: str, budget: str) -> None:
    tool.write("a.jsonl", said(1, "We decided to store sessions in Redis. Never touch the legacy/ folder.",
                               "Change of plan: store sessions in Postgres.", "TODO: add pagination tests."))
    words = ("-f", form, "--budget", budget, "--now", NOW)
    tool("a.jsonl", "-o", "state", *words)
    first = tool.read("state")
    for _ in range(3):
        assert tool("a.jsonl", "-p", "state", "-o", "state", *words).code == 0
        assert tool.read("state") == first


def test_a_rerun_over_an_older_log_changes_nothing(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Decided: sessions are stored in Redis.", "Open: pick a licence."))
    tool.write("b.jsonl", said(2, "Change of plan: store sessions in Postgres.", "Licence picked: MIT, decided."))
    chain(tool, "a.jsonl", "b.jsonl")
    before = tool.read("state.md")
    chain(tool, "a.jsonl", "b.jsonl", "a.jsonl")
    assert tool.read("state.md") == before


def test_a_rerun_over_a_log_without_times_changes_nothing(tool: Tool) -> None:
    tool.write("a.txt", "User: Decided: sessions are stored in Redis.\nAssistant: OK.\n")
    tool.write("b.txt", "User: Change of plan: store sessions in Postgres.\nAssistant: OK.\n")
    chain(tool, "a.txt", "b.txt")
    before = tool.read("state.md")
    chain(tool, "a.txt", "b.txt", "a.txt")
    assert tool.read("state.md") == before


def test_logs_in_one_run_are_a_chain(tool: Tool) -> None:
    logs = ("a.jsonl", "b.jsonl", "c.jsonl")
    choices = ("Decided: sessions are stored in Redis.", "Change of plan: store sessions in Postgres.",
               "Back to Redis for sessions, final.")
    for day, (log, choice) in enumerate(zip(logs, choices, strict=True), 1):
        tool.write(log, said(day, choice, f"We decided that team {day} owns the boats of harbour {day}."))
    together = tool(*logs, "--now", NOW, "-f", "json").data
    assert chain(tool, *logs) == together


# -- the same thing once ----------------------------------------------------------------------------------------------


def test_what_is_said_again_is_refreshed(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Never touch the legacy/ folder."))
    tool.write("b.jsonl", said(4, "Never touch the legacy/ folder."))
    first, second = chain(tool, "a.jsonl"), chain(tool, "b.jsonl")
    old, new = one(first["decisions"], "legacy"), one(second["decisions"], "legacy")
    assert new["id"] == old["id"]
    assert (new["first_at"], new["at"]) == ("2026-03-01T09:00:00Z", "2026-03-04T09:00:00Z")
    assert [(source["path"], source["record"]) for source in new["sources"]] == [("a.jsonl", 1), ("b.jsonl", 1)]
    assert new["confidence"] > old["confidence"]


def test_other_words_for_the_same_are_one_item(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to store the user sessions in Redis."))
    tool.write("b.jsonl", said(2, "Decided: the user sessions are stored in Redis."))
    data = chain(tool, "a.jsonl", "b.jsonl")
    (item,) = data["decisions"]
    assert {source["path"] for source in item["sources"]} == {"a.jsonl", "b.jsonl"}
    assert data["superseded"] == []


@pytest.mark.parametrize(("first", "then"), [
    ("We decided to keep prices in cents.", "Prices are kept in tenths of a cent from now on."),
    ("决定日志保留三十天。", "日志保留三十天，审计日志除外。"),
])
def test_later_words_that_say_more_take_the_place_of_the_first(tool: Tool, first: str, then: str) -> None:
    tool.write("a.jsonl", said(1, first))
    tool.write("b.jsonl", said(2, then))
    chain(tool, "a.jsonl", "b.jsonl")
    once = tool.read("state.md")
    assert then in texts(chain(tool, "b.jsonl")["decisions"])
    assert first not in texts(chain(tool, "a.jsonl")["decisions"])  # an old log again changes nothing
    assert tool.read("state.md") == once


def test_what_nobody_speaks_of_is_carried_on_unchanged(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red.", "TODO: order the ropes."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    first, second = chain(tool, "a.jsonl"), chain(tool, "b.jsonl")
    assert one(second["decisions"], "boat") == one(first["decisions"], "boat")
    assert one(second["open"], "ropes") == one(first["open"], "ropes")
    assert len(second["decisions"]) == 2


def test_the_account_says_what_was_carried_on(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red.", "TODO: order the ropes."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    chain(tool, "a.jsonl")
    assert "; 3 found (2 carried on), 3 shown, 0 left out; " in tool("b.jsonl", "-p", "state.md").err


def test_a_chain_does_not_grow_by_retelling(tool: Tool) -> None:
    choices = ["Never touch the legacy/ folder.", "We settled on port 8080 for the proxy."]
    for day in range(1, 11):
        tool.write(f"{day}.jsonl", said(day, *choices))
    data = chain(tool, *(f"{day}.jsonl" for day in range(1, 11)))
    assert texts(data["decisions"]) == choices
    assert len(data["sources"]) == 10


# -- what is said later wins ------------------------------------------------------------------------------------------


def test_another_value_supersedes(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Decided: sessions are stored in Redis."))
    tool.write("b.jsonl", said(2, "Change of plan: store sessions in Postgres."))
    data = chain(tool, "a.jsonl", "b.jsonl")
    (new,), (old,) = data["decisions"], data["superseded"]
    assert "Postgres" in new["text"]
    assert "Redis" in old["text"]
    assert (old["by"], new["supersedes"]) == (new["id"], [old["id"]])


def test_there_and_back_again(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Decided: sessions are stored in Redis."))
    tool.write("b.jsonl", said(2, "Change of plan: store sessions in Postgres."))
    tool.write("c.jsonl", said(3, "Back to Redis for sessions, final."))
    data = chain(tool, "a.jsonl", "b.jsonl", "c.jsonl")
    (item,) = data["decisions"]
    assert "Redis" in item["text"]
    assert item["at"] == "2026-03-03T09:00:00Z"
    assert not [row for name in SECTIONS.values() for row in data[name] if "Postgres" in row["text"]]
    assert one(data["superseded"], "Postgres")["by"] == item["id"]


def test_logs_from_the_pipe_are_different_logs(tool: Tool) -> None:
    first = said(1, "Decided: sessions are stored in Redis.")
    second = said(2, "Change of plan: store sessions in Postgres.")
    tool("-", "-o", "state.md", stdin=first.encode())
    data = tool("-p", "state.md", "-f", "json", stdin=second.encode()).data
    assert [source["path"] for source in data["sources"]] == ["stdin", "stdin"]
    assert (len(data["decisions"]), len(data["superseded"])) == (1, 1)


def test_an_older_log_that_comes_late_does_not_win(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Decided: sessions are stored in Redis."))
    tool.write("b.jsonl", said(2, "Change of plan: store sessions in Postgres."))
    data = chain(tool, "b.jsonl", "a.jsonl")
    assert [row["at"][:10] for row in data["decisions"]] == ["2026-03-02"]
    assert [row["at"][:10] for row in data["superseded"]] == ["2026-03-01"]
    assert data["task"]["id"] == "s2"


def test_an_answer_resolves_the_question(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "Open: pick a licence.", "Never touch the licence header of a file."))
    tool.write("b.jsonl", said(2, "Licence picked: MIT, decided."))
    data = chain(tool, "a.jsonl", "b.jsonl")
    assert data["open"] == []
    resolved = one(data["resolved"], "pick a licence")
    assert resolved["by"] == one(data["decisions"], "MIT")["id"]
    assert len(data["decisions"]) == 2


@pytest.mark.parametrize(("todo", "done"), [
    ("TODO: add pagination tests.", "Added the pagination tests, done."),
    ("待办：补充分页参数校验", "分页参数校验已完成。"),
])
def test_a_completion_resolves_what_was_left(tool: Tool, todo: str, done: str) -> None:
    tool.write("a.jsonl", said(1, todo, "TODO: order new ropes for the boat."))
    tool.write("b.jsonl", jsonl(record("user", "How far are we?", "2026-03-02T09:00:00Z", session="s2"),
                                record("assistant", done, "2026-03-02T09:05:00Z", session="s2")))
    data = chain(tool, "a.jsonl", "b.jsonl")
    assert len(data["open"]) == 1
    assert "ropes" in data["open"][0]["text"]
    (gone,) = data["resolved"]
    assert gone["at"] == "2026-03-02T09:05:00Z"


def test_a_ticked_entry_of_a_to_do_list_resolves(tool: Tool) -> None:
    def listed(day: int, status: str) -> str:
        use = {"type": "tool_use", "id": f"t{day}", "name": "TodoWrite", "input": {"todos": [
            {"content": "Write the migration of the orders table", "status": status, "activeForm": "Writing"}]}}
        result = {"type": "tool_result", "tool_use_id": f"t{day}", "content": "ok"}
        time = f"2026-03-{day:02}T09:0"
        return jsonl(
            record("user", "Go on with the plan.", f"{time}0:00Z"),
            {**record("assistant", "", f"{time}1:00Z"), "message": {"role": "assistant", "content": [use]}},
            {**record("user", "", f"{time}2:00Z"), "message": {"role": "user", "content": [result]}},
            record("assistant", "That is it for today.", f"{time}3:00Z"),
        )

    tool.write("a.jsonl", listed(1, "in_progress"))
    tool.write("b.jsonl", listed(2, "completed"))
    assert texts(chain(tool, "a.jsonl")["open"]) == ["Write the migration of the orders table"]
    data = chain(tool, "b.jsonl")
    assert (data["open"], texts(data["resolved"])) == ([], ["Write the migration of the orders table"])


def test_a_deleted_file_is_no_artifact_any_more(tool: Tool) -> None:
    def did(day: int, name: str, given: dict[str, Any], result: str) -> str:
        time = f"2026-03-{day:02}T09:0"
        use = {"type": "tool_use", "id": f"t{day}", "name": name, "input": given}
        answer = {"type": "tool_result", "tool_use_id": f"t{day}", "content": result}
        return jsonl(
            record("user", "Go on.", f"{time}0:00Z"),
            {**record("assistant", "", f"{time}1:00Z"), "message": {"role": "assistant", "content": [use]}},
            {**record("user", "", f"{time}2:00Z"), "message": {"role": "user", "content": [answer]}},
            record("assistant", "That is it for today.", f"{time}3:00Z"),
        )

    tool.write("a.jsonl", did(1, "Write", {"file_path": "/w/app/src/old.py", "content": "x = 1\n"}, "File created"))
    tool.write("b.jsonl", did(2, "Bash", {"command": "rm src/old.py"}, ""))
    assert "old.py" in one(chain(tool, "a.jsonl")["artifacts"], "old.py")["text"]
    data = chain(tool, "b.jsonl")
    assert data["artifacts"] == []
    assert "old.py" in one(data["superseded"], "old.py")["text"]
    tool.write("c.jsonl", said(3, "I deleted src/old.py, we don't need it."))
    (tool.folder / "state.md").unlink()
    assert chain(tool, "a.jsonl", "c.jsonl")["artifacts"] == []
    tool.write("both.jsonl", tool.read("a.jsonl") + tool.read("c.jsonl"))
    assert tool("both.jsonl", "-f", "json", "--now", NOW).data["artifacts"] == []


@pytest.mark.parametrize(("first", "then", "section", "gone"), [
    ("Don't touch the billing module.", "You may change the billing module now.", "decisions", "superseded"),
    ("Keep the legacy CSV importer for now.", "We can drop the legacy CSV importer now.", "decisions", "superseded"),
    ("旧的短信通道先保留。", "旧的短信通道可以下线了。", "decisions", "superseded"),
    ("TODO: support Internet Explorer in the dashboard.", "Forget Internet Explorer, we no longer need to support it.",
     "open", "superseded"),
    ("待办：报表导出 PDF。", "报表导出 PDF 不做了。", "open", "superseded"),
    ("TODO: test the restore of the backup.", "The restore of the backup was tested and works.", "open", "resolved"),
])
def test_what_is_given_up_allowed_or_done_in_other_words(
    tool: Tool, first: str, then: str, section: str, gone: str
) -> None:
    tool.write("a.jsonl", said(1, first))
    tool.write("b.jsonl", said(2, then))
    assert texts(chain(tool, "a.jsonl")[section]) == [first]
    data = chain(tool, "b.jsonl")
    assert first not in texts(data[section])
    assert first in texts(data[gone])
    tool.write("both.jsonl", said(1, first) + said(2, then))
    assert first not in texts(tool("both.jsonl", "-f", "json", "--now", NOW).data[section])


def test_a_log_that_grew_takes_its_own_place(tool: Tool) -> None:
    start = said(1, "Decided: sessions are stored in Redis.")
    tool.write("a.jsonl", start)
    first = chain(tool, "a.jsonl")
    tool.write("a.jsonl", start + said(2, "Change of plan: store sessions in Postgres.", session="s1"))
    data = chain(tool, "a.jsonl")
    assert [source["records"] for source in data["sources"]] == [4]
    assert "Postgres" in data["decisions"][0]["text"]
    assert len(data["decisions"]) == len(data["superseded"]) == 1
    whole = tool("a.jsonl", "-f", "json", "--now", NOW).data
    assert data["tokens"]["source"] == pytest.approx(whole["tokens"]["source"], abs=8)
    assert first["tokens"]["source"] < data["tokens"]["source"]


# -- edits by hand ----------------------------------------------------------------------------------------------------


@pytest.fixture
def edited(tool: Tool) -> Tool:
    """A state of three decisions and an open item, to be edited by hand; a.jsonl is its log."""
    tool.write("a.jsonl", said(1, "We decided to paint the boat red.", "We settled on port 8080 for the proxy.",
                               "Never touch the legacy/ folder.", "TODO: order the ropes."))
    chain(tool, "a.jsonl")
    return tool


def swap(tool: Tool, old: str, new: str) -> None:
    body, mark, ledger = tool.read("state.md").partition("<!-- distill:ledger")
    assert old in body
    tool.write("state.md", body.replace(old, new) + mark + ledger)


def test_a_removed_line_stays_removed(edited: Tool) -> None:
    swap(edited, "- We decided to paint the boat red. (2026-03-01)\n", "")
    edited.write("b.jsonl", said(4, "We decided to paint the boat red.", "We agreed on oak for the mast."))
    data = chain(edited, "a.jsonl", "b.jsonl")
    assert all("red" not in text for text in texts(data["decisions"]))
    assert any("oak" in text for text in texts(data["decisions"]))
    assert one(data["superseded"], "red")["tags"] == ["removed"]


def test_a_changed_line_wins(edited: Tool) -> None:
    swap(edited, "We settled on port 8080 for the proxy.", "We settled on port 9090 for the proxy.")
    data = chain(edited, "a.jsonl")
    assert "We settled on port 9090 for the proxy." in texts(data["decisions"])
    assert one(data["superseded"], "8080")["tags"] == ["hand"]


def test_a_later_choice_goes_over_a_changed_line(edited: Tool) -> None:
    swap(edited, "We settled on port 8080 for the proxy.", "We settled on port 9090 for the proxy.")
    edited.write("b.jsonl", said(4, "We settled on port 7070 for the proxy."))
    early = chain(edited, "b.jsonl")  # said before the file was written: the edit is the later word
    assert "We settled on port 9090 for the proxy." in texts(early["decisions"])
    edited.write("c.jsonl", said(9, "We settled on port 6060 for the proxy."))
    late = chain(edited, "c.jsonl")
    assert "We settled on port 6060 for the proxy." in texts(late["decisions"])
    assert "We settled on port 9090 for the proxy." in texts(late["superseded"])


def test_an_added_line_becomes_an_item(edited: Tool) -> None:
    swap(edited, "## Decisions\n", "## Decisions\n- Ship on Fridays only\n")
    item = one(chain(edited, "a.jsonl")["decisions"], "Fridays")
    assert (item["role"], item["tags"]) == ("user", ["hand"])


def test_a_ticked_line_is_closed(edited: Tool) -> None:
    swap(edited, "- TODO: order the ropes.", "- [x] TODO: order the ropes.")
    edited.write("b.jsonl", said(4, "TODO: order the ropes."))
    data = chain(edited, "a.jsonl", "b.jsonl")
    assert data["open"] == []
    assert texts(data["resolved"]) == ["TODO: order the ropes."]


def test_a_pinned_line_stays(edited: Tool) -> None:
    swap(edited, "- We settled on port 8080 for the proxy.", "- [pin] We settled on port 8080 for the proxy.")
    swap(edited, "- TODO: order the ropes.", "- [pin] TODO: order the ropes.")
    edited.write("b.jsonl", said(4, "We settled on port 7070 for the proxy.", "We ordered the ropes, done."))
    data = chain(edited, "b.jsonl", words=("--budget", "70"))
    pinned = [item for name in ("decisions", "open") for item in data[name] if "pinned" in item["tags"]]
    assert texts(pinned) == ["TODO: order the ropes.", "We settled on port 8080 for the proxy."]


# -- what the state says of itself ------------------------------------------------------------------------------------


def test_the_head_covers_all_logs(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    chain(tool, "a.jsonl", words=("--task", "The boat"))
    data = chain(tool, "b.jsonl")
    assert data["task"] == {"id": "s2", "title": "The boat"}
    assert data["project"] == "/w/app"
    assert data["covers"] == ["2026-03-01T09:00:00Z", "2026-03-02T09:01:00Z"]
    assert [source["path"] for source in data["sources"]] == ["a.jsonl", "b.jsonl"]
    alone = tool("a.jsonl", "-f", "json").data["tokens"]["source"]
    both = tool("a.jsonl", "b.jsonl", "-f", "json").data["tokens"]["source"]
    assert alone < both == data["tokens"]["source"]


def test_a_chain_across_projects_warns(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy.", project="/w/other"))
    tool.write("c.jsonl", said(3, "We agreed on oak for the mast.", project="/w/app/"))
    chain(tool, "a.jsonl")
    ran = tool("b.jsonl", "-p", "state.md")
    assert ran.code == 0
    assert "distill: warning: b.jsonl belongs to the project /w/other, what came before it to /w/app" in ran.err
    assert "warning" not in tool("c.jsonl", "-p", "state.md").err


def test_what_a_budget_had_left_out_is_told(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red.", "Never touch the legacy/ folder."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    chain(tool, "a.jsonl", words=("--budget", "28"))
    assert "warning: state.md had left out 1 item to keep to its budget" in tool("b.jsonl", "-p", "state.md").err


def test_a_state_can_come_through_the_pipe(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    state = tool("a.jsonl").out.encode()
    assert len(tool("b.jsonl", "-p", "-", "-f", "json", stdin=state).data["decisions"]) == 2


def test_an_emptied_state_is_no_state(tool: Tool) -> None:
    tool.write("a.jsonl", said(1, "We decided to paint the boat red."))
    tool.write("state.md", "")
    ran = tool("a.jsonl", "-p", "state.md")
    assert ran.code == 2
    assert "state.md: the file is empty, not a state; a shell that redirects into it" in ran.err


def test_a_fault_in_a_state_names_file_and_line(edited: Tool) -> None:
    lines = edited.read("state.md").split("\n")
    at = lines.index("## Decisions")
    lines.insert(at + 1, "some words that are no item")
    edited.write("state.md", "\n".join(lines))
    ran = edited("a.jsonl", "-p", "state.md", "-o", "state.md")
    assert ran.code == 2
    assert f"state.md:{at + 2}: this line is neither an item nor a heading" in ran.err
    assert edited.read("state.md") == "\n".join(lines)


def test_nothing_is_written_when_the_next_log_cannot_be_read(edited: Tool) -> None:
    before = edited.read("state.md")
    edited.write("b.jsonl", "")
    assert edited("b.jsonl", "-p", "state.md", "-o", "state.md").code == 3
    assert edited.read("state.md") == before


def test_credentials_left_in_a_state_are_masked(tool: Tool) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tool.write("a.jsonl", said(1, f"We decided that the deploy token is {secret} until Friday."))
    tool.write("b.jsonl", said(2, "We settled on port 8080 for the proxy."))
    chain(tool, "a.jsonl", words=("--no-redact",))
    assert secret in tool.read("state.md")
    ran = tool("b.jsonl", "-p", "state.md", "-f", "json", "--now", NOW)
    assert secret not in ran.out + ran.err
    assert "masked" in ran.err
    shutil.copy(tool.folder / "state.md", tool.folder / "old.md")
    again = json.loads(tool("a.jsonl", "-p", "old.md", "-f", "json", "--now", NOW).out)
    assert len(again["decisions"]) == 1


# -- what the next log tells of the one before ------------------------------------------------------------------------


def wrote(day: int, path: str, closing: str) -> str:
    """A session of 2026-03-`day` that writes a file, and closes with some words."""
    call = {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": path, "content": "x = 1\n"}}
    rows = [record("user", "Go on.", f"2026-03-{day:02}T09:00:00Z")]
    for minute, (role, block) in enumerate((
        ("assistant", call),
        ("user", {"type": "tool_result", "tool_use_id": "t1", "content": f"File created successfully at: {path}"}),
        ("assistant", {"type": "text", "text": closing}),
    ), 1):  # fmt: skip
        row = record(role, "", f"2026-03-{day:02}T09:{minute:02}:00Z")
        row["message"]["content"] = [block]
        rows.append(row)
    return jsonl(*rows)


@pytest.mark.parametrize("wait", [
    "Hold off on any changes until I have read it.", "Don't change any code yet.", "Do not edit the importer for now.",
    "先别动代码，只出方案。", "先查清楚原因，别改代码。",
])  # fmt: skip
def test_a_bid_to_wait_is_over_once_files_change(tool: Tool, wait: str) -> None:
    tool.write("a.jsonl", said(1, wait))
    tool.write("b.jsonl", said(2, "Look around."))
    tool.write("c.jsonl", wrote(3, "/w/app/app.py", "Done."))
    assert texts(chain(tool, "a.jsonl", "b.jsonl")["decisions"]) == [wait]
    assert wait in texts(chain(tool, "c.jsonl")["superseded"])


@pytest.mark.parametrize("ban", ["Don't change the importer.", "别改导入的代码。"])
def test_a_ban_is_not_over_once_files_change(tool: Tool, ban: str) -> None:
    tool.write("a.jsonl", said(1, ban))
    tool.write("b.jsonl", wrote(3, "/w/app/app.py", "Done."))
    assert texts(chain(tool, "a.jsonl", "b.jsonl")["decisions"]) == [ban]


def test_a_bid_to_wait_outlives_changes_that_were_made_before_it(tool: Tool) -> None:
    wait = "Hold off on any changes until I have read it."
    tool.write("a.jsonl", said(5, wait))
    tool.write("b.jsonl", wrote(3, "/w/app/app.py", "Done."))
    assert wait in texts(chain(tool, "a.jsonl", "b.jsonl")["decisions"])


@pytest.mark.parametrize("note", ["reads the tide tables", "读取潮汐表"])
def test_what_a_later_log_says_of_a_file_stands_with_it(tool: Tool, note: str) -> None:
    tool.write("a.jsonl", wrote(1, "/w/app/tides.py", "Done."))
    tool.write("b.jsonl", wrote(2, "/w/app/tides.py", f"What changed:\n\n- `tides.py`: {note}"))
    tool.write("c.jsonl", wrote(3, "/w/app/tides.py", "Done."))
    assert texts(chain(tool, "a.jsonl")["artifacts"]) == ["tides.py (created)"]
    for log in ("b.jsonl", "c.jsonl"):
        assert texts(chain(tool, log)["artifacts"]) == [f"tides.py: {note}"]
