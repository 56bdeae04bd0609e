"""The second pass on the command line, with commands that answer."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from distill.rulebook import load
from tests.cli.tool import Ran, Tool, jsonl, record

NOW = ("--now", "2026-03-05")
TALK = jsonl(
    record("user", "Decision: the exporter writes CSV only. Look at the gaps in the plot.", "2026-03-02T09:00:00Z"),
    record("assistant", "I looked at it. The importer tries again after 30 seconds. The probe was "
                        "silent there.", "2026-03-02T09:01:00Z"),
    record("user", "where the probe gave nothing the line stops", "2026-03-02T09:02:00Z"),
    record("assistant", "Fine.", "2026-03-02T09:03:00Z"),
    record("user", "探头没给数的地方，线就断在那里", "2026-03-02T09:04:00Z"),
    record("assistant", "好的。", "2026-03-02T09:05:00Z"),
)
ADDED = {"kind": "decision", "text": "The line stops where the probe gave nothing", "record": 3,
         "quote": "where the probe gave nothing the line stops", "id": ""}


def own_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache in `folder` that has the compiled rules of all tests and no answers."""
    load()
    made = folder / "cache"
    made.mkdir()
    for path in Path(os.environ["DISTILL_CACHE_DIR"]).glob("rules-*.bin"):
        shutil.copyfile(path, made / path.name)
    monkeypatch.setenv("DISTILL_CACHE_DIR", str(made))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_cache(tmp_path, monkeypatch)


def command(tool: Tool, *, items: object = (), drop: object = (), raw: str | None = None, code: int = 0) -> str:
    """A command that notes the prompts it gets and gives an answer."""
    tool.write("answer.txt", raw if raw is not None else json.dumps({"items": items, "drop": drop}, ensure_ascii=False))
    tool.write("model.py", "import sys\nprompt = sys.stdin.buffer.read()\n"
                           "with open('prompts.txt', 'ab') as file: file.write(prompt + b'\\n=====\\n')\n"
                           f"sys.stdout.buffer.write(open('answer.txt', 'rb').read())\nsys.exit({code})\n")
    return f'"{sys.executable}" model.py'


def asked(tool: Tool) -> int:
    path = tool.folder / "prompts.txt"
    return path.read_text(encoding="utf-8").count("=====") if path.exists() else 0


def run(tool: Tool, *words: str) -> Ran:
    tool.write("talk.jsonl", TALK)
    return tool("talk.jsonl", "-f", "json", *NOW, *words)


def test_nobody_is_asked_unless_a_flag_says_so(tool: Tool) -> None:
    tool.write("distill.yaml", f"llm-profiles:\n  mine:\n    cmd: '{command(tool, items=[ADDED])}'\n")
    plain = run(tool)
    assert plain.code == 0
    assert asked(tool) == 0
    assert "second pass" not in plain.err
    assert run(tool, "--llm", "mine").out != plain.out
    assert asked(tool) == 1


def test_what_the_log_carries_is_added_and_says_so(tool: Tool) -> None:
    ran = run(tool, "--llm-cmd", command(tool, items=[ADDED]))
    (item,) = [item for item in ran.data["decisions"] if item["text"] == ADDED["text"]]
    assert item["rule"] == "llm/added"
    assert item["role"] == "user"
    assert item["sources"] == [{"path": "talk.jsonl", "record": 3, "quote": ADDED["quote"]}]
    assert "second pass: 1 call, 1 added" in ran.closing


def test_chinese_is_asked_about_in_chinese(tool: Tool) -> None:
    talk = [record("user" if n % 2 == 0 else "assistant", text, f"2026-03-02T09:0{n}:00Z") for n, text in enumerate(
        ["先看看图上那些空。", "看了。", "那边是怎样，这边也就怎样", "好的。"])]
    tool.write("talk.jsonl", jsonl(*talk))
    claim = {"kind": "decision", "text": "那边怎样，这边也怎样", "record": 3, "quote": "那边是怎样，这边也就怎样"}
    ran = tool("talk.jsonl", "-f", "json", *NOW, "--llm-cmd", command(tool, items=[claim]))
    assert claim["text"] in ran.texts("decisions")
    prompt = tool.read("prompts.txt")
    assert "只回答一个 JSON 对象" in prompt
    assert "> [3] user: 那边是怎样，这边也就怎样" in prompt


def test_rejections_are_counted_by_reason(tool: Tool) -> None:
    invented = [
        {**ADDED, "quote": "where the probe failed"}, {**ADDED,
        "text": "The line stops where the probe 4 gave nothing"},
        {**ADDED, "kind": "decision", "record": 2, "text": "The importer tries again after 30 seconds",
         "quote": "The importer tries again after 30 seconds."},
        {"kind": "wish"},
    ]
    plain = run(tool)
    ran = run(tool, "--llm-cmd", command(tool, items=invented, drop=["d-000000"]))
    assert ran.out == plain.out
    assert ("5 rejected (decision without the user's words 1, drop: no such item 1, malformed 1, "
            "number or name not in its evidence 1, quote not in its record 1)") in ran.closing


def test_a_second_run_asks_nobody_and_gives_the_same_bytes(tool: Tool) -> None:
    line = command(tool, items=[ADDED])
    first = run(tool, "--llm-cmd", line)
    again = run(tool, "--llm-cmd", line)
    assert asked(tool) == 1
    assert again.out == first.out
    assert "0 calls and 1 kept answer" in again.closing
    run(tool, "--llm-cmd", line, "--llm-fresh")
    assert asked(tool) == 2


def test_what_the_user_said_is_never_dropped(tool: Tool) -> None:
    plain = run(tool)
    names = [item["id"] for section in ("decisions", "facts", "open") for item in plain.data[section]
             if item["role"] == "user"]
    assert names
    ran = run(tool, "--llm-cmd", command(tool, drop=names))
    assert ran.out == plain.out
    assert f"{len(names)} rejected (drop: " in ran.closing


def test_a_prohibition_is_not_reworded_away(tool: Tool) -> None:
    tool.write("talk.jsonl", jsonl(
        record("user", "Never push to main. Look at the gaps in the plot.",
               "2026-03-02T09:00:00Z"),
        record("assistant", "The probe was silent there.", "2026-03-02T09:01:00Z"),
        record("user", "where the probe gave nothing the line stops", "2026-03-02T09:02:00Z")))
    plain = tool("talk.jsonl", "-f", "json", *NOW)
    (item,) = [one for one in plain.data["decisions"] if one["text"] == "Never push to main."]
    claims = [{"kind": "decision", "text": text, "record": 1, "quote": quote, "id": item["id"]} for text, quote in [
        ("Push to main", "push to main"), ("Avoid a push to main", "Never push to main."),
        ("Prefer not to push to main", "Never push to main."), ("Never push to develop", "Never push to main.")]]
    ran = tool("talk.jsonl", "-f", "json", *NOW, "--llm-cmd", command(tool, items=claims))
    assert asked(tool) == 1
    assert ran.out == plain.out
    assert "prohibition or limit changed 3" in ran.closing


def test_a_rewording_keeps_the_old_words_in_the_history_and_can_be_taken_back(tool: Tool) -> None:
    plain = run(tool)
    (item,) = [one for one in plain.data["decisions"] if "CSV only" in one["text"]]
    claim = {"kind": "decision", "text": "The exporter writes only CSV", "record": 1,
             "quote": "Decision: the exporter writes CSV only.", "id": item["id"]}
    tool.write("talk.jsonl", TALK)
    line = command(tool, items=[claim, ADDED])
    ran = tool("talk.jsonl", "-f", "json", *NOW, "--llm-cmd", line, "-o", "state.json")
    assert "1 added, 1 reworded" in ran.closing
    state = json.loads(tool.read("state.json"))
    (new,) = [one for one in state["decisions"] if one["rule"] == "llm/reworded"]
    assert new["text"] == claim["text"]
    assert new["supersedes"] == [item["id"]]
    back = tool("merge", "state.json", "-f", "json", "--no-llm", *NOW)
    kinds = ("decisions", "facts", "artifacts", "open")
    assert {kind: sorted(back.texts(kind)) for kind in kinds} == {kind: sorted(plain.texts(kind)) for kind in kinds}
    assert "llm" not in back.out
    chained = tool("talk.jsonl", "-p", "state.json", "-f", "json", *NOW, "--llm-cmd", line)
    assert chained.texts("decisions").count(claim["text"]) == 1


@pytest.mark.parametrize(("raw", "code", "why"), [
    ("Sorry, no.", 0, "unreadable reply"), ("", 0, "unreadable reply: it is empty"), ("boom", 3, "ended with 3"),
])
def test_when_it_fails_the_rules_stand(tool: Tool, raw: str, code: int, why: str) -> None:
    plain = run(tool)
    line = command(tool, raw=raw, code=code)
    ran = run(tool, "--llm-cmd", line, "--llm-max-calls", "1")
    assert (ran.code, ran.out) == (0, plain.out)
    assert "distill: warning: second pass: 1 part of the log without an answer" in ran.err
    assert why in ran.err
    required = run(tool, "--llm-cmd", line, "--llm-max-calls", "1", "--llm-required")
    assert (required.code, required.out) == (4, plain.out)
    strict = run(tool, "--llm-cmd", line, "--llm-max-calls", "1", "--llm-required", "--strict")
    assert (strict.code, strict.out) == (4, "")


def test_a_command_that_hangs_prints_without_end_or_is_missing_costs_nothing(tool: Tool) -> None:
    plain = run(tool)
    tool.write("hang.py", "import time\ntime.sleep(60)\n")
    tool.write("flood.py", "import sys\nwhile True: sys.stdout.write('{\"items\": [' * 1000)\n")
    for line, why in [(f'"{sys.executable}" hang.py', "took longer than"),
                      (f'"{sys.executable}" flood.py', "printed more than 1 MB"), ("no-such-command-here x",
                       "cannot be run")]:
        ran = run(tool, "--llm-cmd", line, "--llm-timeout", "3", "--llm-required")
        assert (ran.code, ran.out) == (4, plain.out)
        assert why in ran.err


def test_the_line_is_no_shell(tool: Tool) -> None:
    command(tool, items=[])
    run(tool, "--llm-cmd", f'"{sys.executable}" model.py ; touch pwned $(touch pwned) `touch pwned` > pwned')
    assert asked(tool) == 1
    assert not (tool.folder / "pwned").exists()


def test_credentials_are_neither_sent_nor_kept(tool: Tool) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    talk = TALK.replace("the line stops", f"the line stops {secret}").replace("CSV only", f"CSV only {secret}")
    tool.write("talk.jsonl", talk)
    for words in ((), ("--no-redact",)):
        ran = tool("talk.jsonl", "-f", "json", *NOW, *words, "--llm-cmd", command(tool, items=[ADDED]), "--llm-fresh")
        assert ran.code == 0
    assert asked(tool) == 2
    assert secret not in tool.read("prompts.txt")
    assert not [path for path in (tool.folder / "cache" / "answers").iterdir() if secret.encode() in path.read_bytes()]


def test_a_dry_run_shows_what_would_be_asked_and_asks_nobody(tool: Tool) -> None:
    tool.write("distill.yaml", "llm-profiles:\n  paid:\n    url: https://models.invalid/v1\n    model: big\n"
                               "    price-in: 3\n    price-out: 15\n")
    pytest.importorskip("httpx")
    ran = run(tool, "--llm", "paid", "--llm-dry-run", "-o", "state.json")
    assert ran.code == 0
    assert "> [3] user: where the probe gave nothing the line stops" in ran.out
    assert "at most 3 calls" in ran.out
    assert "at 3 in and 15 out for a million tokens" in ran.out
    assert not (tool.folder / "state.json").exists()


@pytest.mark.parametrize(("words", "why"), [
    (("--llm-required",), "nobody to ask"),
    (("--llm", "http://127.0.0.1:9/v1", "--llm-cmd", "cat"), "name one of them"),
    (("--llm", "mine"), "neither a URL nor a profile"),
    (("--llm-cmd", "cat 'x"), "No closing quotation"),
    (("--llm-cmd", "cat", "--llm-max-calls", "none"), "no number above 0"),
    (("--llm-cmd", "cat", "--llm-max-calls", "1.5"), "no whole number"),
    (("--llm", "ftp://example.com"), "not the URL of an endpoint"),
    (("--llm", "http://127.0.0.1:9/v1"), "name the model"),
    (("--llm", "http://me:secret@127.0.0.1:9/v1", "--llm-model", "m"), "no name or password in the URL"),
])
def test_wrong_usage_is_told(tool: Tool, words: tuple[str, ...], why: str) -> None:
    ran = run(tool, *words)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert "secret" not in ran.err


@pytest.mark.parametrize(("text", "why"), [
    ("llm: https://models.invalid/v1\n", "there is no such option"),
    ("llm-cmd: touch pwned\n", "there is no such option"),
    ("llm-profiles: mine\n", "write profiles as"),
    ("llm-profiles:\n  mine: 3\n", "write it as a mapping"),
    ("llm-profiles:\n  mine:\n    urll: x\n", "urll is none of"),
    ("llm-profiles:\n  mine:\n    model: x\n", "needs url or cmd"),
    ("llm-profiles:\n  mine:\n    url: https://models.invalid/v1\n    price-in: 1\n", "go together"),
])
def test_a_wrong_file_is_told(tool: Tool, text: str, why: str) -> None:
    tool.write("distill.yaml", text)
    ran = run(tool, "--llm", "mine")
    assert (ran.code, ran.out) == (2, "")
    assert "distill.yaml" in ran.err
    assert why in ran.err
