"""`distill run`: inputs, outputs, exit codes and the account on standard error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from distill.read.formats import all_formats
from tests.cli.tool import NOW, Tool, jsonl, record

TALK = "User: We decided to store sessions in Redis. Never touch the legacy/ folder.\nAssistant: OK.\n"
DAMAGED = jsonl(record("user", "We decided to use port 8080.", "2026-03-01T09:00:00Z")) + "{broken\n"
NOT_ROOT = pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")


# -- what is read -----------------------------------------------------------------------------------------------------


def test_a_log_alone_is_the_main_job(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    plain, named = tool("log.txt", "--now", NOW), tool("run", "log.txt", "--now", NOW)
    assert plain.code == named.code == 0
    assert plain.out == named.out
    assert {item.text for item in plain.state.items} == {
        "We decided to store sessions in Redis.", "Never touch the legacy/ folder."}


def test_options_may_come_first(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert tool("--now", NOW, "log.txt").out == tool("log.txt", "--now", NOW).out
    assert tool("-q", "log.txt").code == 0


@pytest.mark.parametrize("words", [("-",), (), ("run",), ("run", "-")])
def test_a_pipe_is_read(tool: Tool, words: tuple[str, ...]) -> None:
    ran = tool(*words, "--format", "json", stdin=TALK.encode()) if words else tool(stdin=TALK.encode())
    assert ran.code == 0
    assert [source.path for source in ran.state.sources] == ["stdin"]
    assert len(ran.state.items) == 2


def test_on_a_terminal_a_bare_call_shows_the_help(tool: Tool) -> None:
    ran = tool(terminal=True, env={"NO_COLOR": "1"})
    assert ran.code == 0
    assert "Usage: distill" in ran.out


def test_on_a_terminal_run_wants_a_log(tool: Tool) -> None:
    ran = tool("run", terminal=True, env={"NO_COLOR": "1"})
    assert (ran.code, ran.out) == (3, "")
    assert "no log named" in ran.err


def test_several_logs_become_one_state(tool: Tool) -> None:
    tool.write("a.txt", TALK)
    tool.write("b.jsonl", jsonl(record("user", "We decided to use port 8080.", "2026-03-01T09:00:00Z")))
    ran = tool("a.txt", "b.jsonl", "-f", "json")
    assert ran.code == 0
    assert [source["path"] for source in ran.data["sources"]] == ["a.txt", "b.jsonl"]
    assert len(ran.data["decisions"]) == 3
    assert "3 records, 0 skipped, 2 turns; 3 found, 3 shown, 0 left out" in ran.err


def test_the_same_log_twice_counts_once(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert tool("log.txt", "log.txt", "--now", NOW).out == tool("log.txt", "--now", NOW).out


def test_lost_logs_among_several_do_not_stop_the_rest(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool.write("odd.json", '{"what": [1, 2, 3]}')
    tool.write("empty.txt", "")
    ran = tool("missing.txt", "log.txt", "odd.json", "empty.txt", "-f", "json")
    assert ran.code == 4
    assert len(ran.data["decisions"]) == 2
    for why in ("missing.txt: no such file", "odd.json: of no known format", "empty.txt: the file is empty"):
        assert f"distill: skipped {why}" in ran.err


@pytest.mark.parametrize(("name", "data", "what"), [
    ("missing.txt", None, "missing.txt: no such file"),
    (".", None, ".: this is a folder"),
    ("empty.txt", b"", "empty.txt: the file is empty"),
    ("blank.txt", b" \n\n", "blank.txt: "),
    ("odd.json", b'{"what": [1, 2, 3]}', "odd.json: "),
    ("noise.bin", bytes(range(256)) * 40, "noise.bin: "),
    ("unknown.jsonl", b'{"type": "blob_v9", "payload": 1}\n' * 3, "blob_v9 (3)"),
])
def test_what_cannot_be_read_at_all(tool: Tool, name: str, data: bytes | None, what: str) -> None:
    if data is not None:
        tool.write(name, data)
    ran = tool(name, "-o", "state.md")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("distill: error: ")
    assert ran.err.count("\n") == 1
    assert what in ran.err
    assert not (tool.folder / "state.md").exists()


@NOT_ROOT
def test_a_log_without_permission(tool: Tool) -> None:
    tool.write("log.txt", TALK).chmod(0)
    ran = tool("log.txt")
    assert ran.code == 3
    assert "Permission denied" in ran.err


def test_a_state_is_no_log(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool("log.txt", "-o", "state.md")
    ran = tool("state.md")
    assert (ran.code, ran.out) == (3, "")
    assert "own output" in ran.err


# -- wrong usage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "what"), [
    (("--from", "nonesuch"), "unknown format 'nonesuch'; known: "),
    (("--format", "xml"), "--format: 'xml' is none of md, json, yaml, compact"),
    (("--format", "jsn"), "did you mean json?"),
    (("--lang", "fr"), "--lang: 'fr' is none of auto, en, zh, zh-Hant"),
    (("--tokenizer", "gtp-4"), "--tokenizer: unknown tokenizer 'gtp-4': did you mean gpt-4?"),
    (("--budget", "x"), "--budget: 'x' is neither a number of tokens above 0 nor none"),
    (("--budget", "0"), "--budget: '0' is neither"),
    (("--budget", "-5"), "--budget: '-5' is neither"),
    (("--since", "yesterday"), "--since: 'yesterday' is no time; write it as 2026-03-05"),
    (("--now", "soon"), "--now: 'soon' is no time"),
    (("--since", "2026-03-05", "--until", "2026-03-04"), "--since: 2026-03-05T00:00:00Z is later than --until"),
    (("--fail-on", "bogus"), "--fail-on: 'bogus' is none of open, skipped, omitted"),
    (("--rules", "nonesuch"), "nonesuch: there is no such rule pack"),
    (("--no-builtin-rules",), "--no-builtin-rules: this leaves no rules at all"),
    (("--nonsense",), "No such option: --nonsense"),
    (("-p", "missing.md"), "missing.md: no such file"),
    (("-p", "log.txt"), "log.txt: not a state of distill"),
    (("-o", "nowhere/state.md"), "nowhere/state.md: the folder nowhere does not exist"),
    (("-o", "."), ".: is a folder"),
    (("--budget", "3"), "a budget of 3 tokens is smaller than the frame alone, which needs "),
])
def test_wrong_usage_is_one_line_and_exit_2(tool: Tool, words: tuple[str, ...], what: str) -> None:
    tool.write("log.txt", TALK)
    ran = tool("log.txt", *words)
    errors = [line for line in ran.err.split("\n") if line.startswith("distill: error: ")]
    assert (ran.code, ran.out, len(errors)) == (2, "", 1)
    assert what in errors[0]
    assert sorted(path.name for path in tool.folder.iterdir()) == ["log.txt"]


def test_an_unknown_format_names_every_format(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    err = tool("log.txt", "--from", "nonesuch").err
    assert all(form.name in err for form in all_formats())


def test_standard_input_cannot_be_log_and_state(tool: Tool) -> None:
    ran = tool("-p", "-", stdin=TALK.encode())
    assert ran.code == 2
    assert "cannot be both" in ran.err


def test_all_faults_of_a_rule_pack_come_at_once_with_file_line_and_field(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool.write("pack/decision/house.yaml",
               "why: House.\nweigth: 3\ncues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: 3\n")
    ran = tool("log.txt", "--rules", "pack")
    assert (ran.code, ran.out) == (2, "")
    assert "house.yaml:2: weigth: unknown field" in ran.err
    assert "house.yaml:5: no_match: must be a list" in ran.err


def test_a_pack_that_breaks_its_own_examples_does_not_load(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool.write("pack/decision/house.yaml",
               "why: House.\ncues: {en: blessed be}\nmatch: [Cursed be tabs.]\nno_match: [Tabs.]\n")
    ran = tool("log.txt", "--rules", "pack")
    assert ran.code == 2
    assert "house.yaml:3: match: missing: 'Cursed be tabs.'" in ran.err


# -- what is written --------------------------------------------------------------------------------------------------


def test_forms(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    whole = tool("log.txt", "--now", NOW)
    assert whole.out.startswith("---\n")
    for form in ("json", "yaml"):
        assert tool("log.txt", "-f", form, "--now", NOW).state == whole.state
    compact = tool("log.txt", "-f", "compact", "--lang", "zh").out
    assert "【已定决策】" in compact
    assert "---" not in compact


def test_the_language_of_the_headings(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert "## Decisions" in tool("log.txt").out
    assert "## 决策" in tool("log.txt", "--lang", "zh").out


def test_the_title_of_the_task(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    data = tool("log.txt", "-f", "json", "--task", "Sessions\n## Facts \x1b[31m").data
    assert data["task"]["title"] == "Sessions ## Facts"


def test_the_clock_can_be_fixed(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert tool("log.txt", "-f", "json", "--now", "2026-03-05T08:00:00+08:00").data["written_at"] == NOW


def test_a_budget_bounds_and_says_what_it_left_out(tool: Tool) -> None:
    tool.write("log.txt", TALK + "User: We decided that the port is 8080. The team agreed on a monorepo.\n")
    everything = tool("log.txt", "-f", "json")
    some = tool("log.txt", "-f", "json", "--budget", "30")
    none = tool("log.txt", "-f", "json", "--budget", "none")
    assert sum(everything.data["omitted"].values()) == sum(none.data["omitted"].values()) == 0
    assert len(some.data["decisions"]) + some.data["omitted"]["decisions"] == len(everything.data["decisions"])
    assert some.data["omitted"]["decisions"] > 0
    assert some.data["tokens"]["state"] <= 30
    assert some.data["tokens"]["exact"] is True
    shown, left = len(some.data["decisions"]), some.data["omitted"]["decisions"]
    assert f"; {shown + left} found, {shown} shown, {left} left out; " in some.err


def test_estimates_say_so(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    rough, exact = tool("log.txt", "-f", "json"), tool("log.txt", "-f", "json", "--tokenizer", "gpt-4o")
    assert (rough.data["tokens"]["exact"], exact.data["tokens"]["exact"]) == (False, True)
    assert rough.closing.endswith(f" tokens to ~{rough.data['tokens']['state']}")
    assert exact.closing.endswith(f" tokens to {exact.data['tokens']['state']}")
    assert "exact: false" in tool("log.txt", "-f", "yaml").out
    assert '"exact": false' in tool("log.txt").out


def test_a_window_of_time(tool: Tool) -> None:
    said = ["We decided to paint the boat red.", "The team agreed on oak for the mast.", "Never sand the keel."]
    tool.write("log.jsonl", jsonl(*(
        record("user", text, f"2026-03-{day:02}T23:00:00Z") for day, text in enumerate(said, 1))))

    def found(*words: str) -> list[str]:
        ran = tool("log.jsonl", "-f", "json", *words)
        assert ran.code == 0
        return sorted(ran.texts("decisions"), key=said.index)

    assert found() == said
    assert found("--since", "2026-03-02") == said[1:]
    assert found("--until", "2026-03-02") == said[:2]  # a day is meant whole
    assert found("--until", "2026-03-02T12:00:00Z") == said[:1]
    assert found("--since", "2026-03-02", "--until", "2026-03-02") == [said[1]]
    assert found("--since", "2027-01-01") == []


def test_a_named_format_goes_over_what_the_content_says(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert tool("log.txt", "-f", "json", "--from", "text").data["sources"][0]["format"] == "text"
    ran = tool("log.txt", "--from", "claude-code")
    assert ran.code == 3
    assert "read as claude-code, but no message was understood" in ran.err


# -- the file it is written to ----------------------------------------------------------------------------------------


def test_output_to_a_file(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    ran = tool("log.txt", "-o", "state.md", "--now", NOW)
    assert (ran.code, ran.out) == (0, "")
    assert tool.read("state.md") == tool("log.txt", "--now", NOW).out
    assert tool("log.txt", "-o", "-", "--now", NOW).out == tool.read("state.md")


@pytest.mark.parametrize("text", ["# My notes\n", TALK, '{"a": 1}\n', "\x00\x01"])
def test_what_is_no_state_is_not_written_over(tool: Tool, text: str) -> None:
    tool.write("log.txt", TALK)
    tool.write("notes.md", text)
    ran = tool("log.txt", "-o", "notes.md")
    assert ran.code == 2
    assert "notes.md: is left as it is" in ran.err
    assert tool.read("notes.md") == text


@pytest.mark.parametrize("form", ["md", "json", "yaml", "compact"])
def test_a_state_of_any_form_is_written_over(tool: Tool, form: str) -> None:
    tool.write("log.txt", TALK)
    tool("log.txt", "-o", "out", "-f", form)
    assert tool("log.txt", "-o", "out").code == 0
    assert tool.read("out").startswith("---\n")


def test_permissions_and_links_are_kept(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    tool("log.txt", "-o", "state.md")
    (tool.folder / "state.md").chmod(0o640)
    (tool.folder / "link.md").symlink_to("state.md")
    assert tool("log.txt", "-o", "link.md", "-f", "json").code == 0
    assert (tool.folder / "link.md").readlink() == Path("state.md")
    assert (tool.folder / "state.md").stat().st_mode & 0o777 == 0o640
    assert json.loads(tool.read("state.md"))["schema"] == 1


# -- the account ------------------------------------------------------------------------------------------------------


def test_damage_is_named_and_ends_in_exit_4(tool: Tool) -> None:
    tool.write("log.jsonl", DAMAGED)
    ran = tool("log.jsonl", "-f", "json")
    assert ran.code == 4
    assert ran.texts("decisions") == ["We decided to use port 8080."]
    assert ran.data["sources"][0]["skipped"] == 1
    assert "distill: log.jsonl: 1 x invalid JSON at 2\n" in ran.err
    assert ran.closing.startswith("distill: claude-code: 2 records, 1 skipped, 1 turn; 1 found, 1 shown, 0 left out; ")


def test_strict_writes_nothing_when_parts_were_skipped(tool: Tool) -> None:
    tool.write("log.jsonl", DAMAGED)
    for words in ((), ("-q",)):
        ran = tool("log.jsonl", "--strict", "-o", "state.md", *words)
        assert ran.code == 4
        assert "nothing written, since 1 part of the input could not be read (--strict)" in ran.err
        assert not (tool.folder / "state.md").exists()
    assert tool("log.jsonl", "--strict").out == ""


def test_strict_changes_nothing_else(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    assert tool("log.txt", "--strict", "--now", NOW).out == tool("log.txt", "--now", NOW).out


def test_quiet(tool: Tool) -> None:
    tool.write("log.txt", TALK)
    ran = tool("log.txt", "-q")
    assert ran.code == 0
    assert ran.err == ""
    assert tool("missing.txt", "-q").err == "distill: error: missing.txt: no such file\n"


def test_verbose_says_what_was_set_aside_by_log(tool: Tool) -> None:
    rows = [record("user", "We decided to use port 8080.", "2026-03-01T09:00:00Z"),
            {**record("assistant", "Looking.", "2026-03-01T09:01:00Z"), "isSidechain": True}]
    tool.write("log.jsonl", jsonl(*rows))
    assert "set aside" not in tool("log.jsonl").err
    assert "distill: log.jsonl: claude-code, 2 records; set aside: side chain 1\n" in tool("log.jsonl", "-v").err


def test_checks_the_caller_asks_for(tool: Tool) -> None:
    tool.write("open.txt", TALK + "User: TODO: add pagination tests.\n")
    tool.write("closed.txt", TALK)
    tool.write("damaged.jsonl", DAMAGED)
    assert tool("closed.txt", "--fail-on", "open").code == 0
    ran = tool("open.txt", "--fail-on", "open")
    assert ran.code == 1
    assert "add pagination tests" in ran.out  # it is written all the same
    assert ran.closing == "distill: --fail-on: 1 open item"
    assert tool("closed.txt", "--fail-on", "omitted", "--budget", "18").code == 1
    assert tool("closed.txt", "--fail-on", "omitted").code == 0
    assert tool("damaged.jsonl", "--fail-on", "skipped").code == 1
    assert tool("damaged.jsonl", "--fail-on", "open").code == 4
    assert tool("open.txt", "--fail-on", "omitted", "--fail-on", "open").code == 1
    assert tool("open.txt", "--fail-on", "omitted,open").code == 1


# -- credentials ------------------------------------------------------------------------------------------------------

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_credentials_are_masked_and_counted(tool: Tool) -> None:
    tool.write("log.txt", f"User: We decided that the deploy token is {SECRET} until Friday.\nAssistant: OK.\n")
    ran = tool("log.txt", "-v")
    assert SECRET not in ran.out + ran.err
    assert "the deploy token is [redacted: " in ran.out
    assert "1 secret masked (" in ran.closing
    kept = tool("log.txt", "--no-redact")
    assert SECRET in kept.out
    assert "masked" not in kept.err


def test_credentials_in_every_corner_are_masked(tool: Tool) -> None:
    hidden = f"{SECRET[:9]}\u200b{SECRET[9:]}"
    rows = [
        {"type": "summary", "summary": f"Deploy with {SECRET}", "leafUuid": "x"},
        record("user", f"We decided that the deploy token is {hidden}.", "2026-03-01T09:00:00Z"),
        {**record("assistant", "", "2026-03-01T09:01:00Z"), "message": {"role": "assistant", "content": [
            {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": [
                {"content": f"Rotate {SECRET}", "status": "pending", "activeForm": "Rotating"}]}},
            {"type": "tool_use", "id": "t2", "name": "Write", "input": {
                "file_path": f"/w/app/{SECRET}.txt", "content": SECRET}}]}},
        {**record("user", "", "2026-03-01T09:02:00Z"), "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "ok"},
            {"type": "tool_result", "tool_use_id": "t2", "content": f"File created at: /w/app/{SECRET}.txt"}]}},
        {"type": SECRET, "timestamp": "2026-03-01T09:03:00Z"},
    ]
    tool.write("log.jsonl", jsonl(*rows))
    for words in (("log.jsonl", "-v", "--task", f"Ship {SECRET}"), ("log.jsonl", "-f", "json"),
                  ("formats", "log.jsonl"), ("formats", "log.jsonl", "--json"), ("rules", "explain", "log.jsonl:2")):
        ran = tool(*words)
        assert ran.code in (0, 4), ran.err
        assert SECRET not in ran.out + ran.err, words
    tool("log.jsonl", "-o", "state.md")
    for item in tool("log.jsonl").state.items:
        ran = tool("show", "state.md", item.id)
        assert ran.code == 0
        assert SECRET not in ran.out + ran.err
    assert "Rotate [redacted: " in tool.read("state.md")
