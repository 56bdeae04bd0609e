"""Settings: flags over environment over distill.yaml over defaults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from distill import FoldNumbers
from distill.config import KNOWN, Settings, settle
from distill.model import DistillError
from tests.cli.tool import Tool

TALK = "User: We decided to store sessions in Redis.\nAssistant: OK.\n"
RULE = "why: House.\ncues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: [Tabs.]\n"


def test_defaults(tmp_path: Path) -> None:
    found = settle({}, tmp_path)
    assert found == Settings(now=found.now)
    assert len(found.now) == len("2026-03-05T00:00:00Z")


def test_the_nearest_file_counts_from_any_folder_below(tool: Tool) -> None:
    tool.write("distill.yaml", "format: compact\n")
    tool.write("sub/deep/log.txt", TALK)
    inside = Tool(tool.folder / "sub" / "deep")
    assert inside("log.txt").out.startswith("[Decisions]")
    tool.write("sub/distill.yaml", "format: json\n")
    assert inside("log.txt").data["schema"] == 1


def test_what_wins(tool: Tool) -> None:
    tool.write("distill.yaml", "format: compact\nlang: zh\n")
    tool.write("log.txt", TALK)
    assert tool("log.txt").out.startswith("【已定决策】")
    assert tool("log.txt", env={"DISTILL_LANG": "en"}).out.startswith("[Decisions]")
    assert tool("log.txt", "--lang", "zh", env={"DISTILL_LANG": "en"}).out.startswith("【已定决策】")
    assert tool("log.txt", "-f", "md", env={"DISTILL_FORMAT": "json"}).out.startswith("---")


def test_every_option_may_stand_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("rules: {}\n", encoding="utf-8")
    (tmp_path / "distill.yaml").write_text(
        "format: json\nfrom: claude-code\nbudget: 800\nrules: [pack.yaml]\nlang: zh\ntokenizer: gpt-4o\ntask: Boats\n"
        "since: 2026-03-01\nuntil: 2026-03-02\nnow: 2026-03-05T00:00:00Z\nfail-on: [open, skipped]\nconversation: 2\n"
        "builtin-rules: false\nredact: false\nstrict: true\nquiet: true\nverbose: true\n"
        "old-after: {facts: 10, open: never}\nfold: {delay: 3, card-tokens: 90}\n", encoding="utf-8")
    assert settle({}, tmp_path) == Settings(
        form="json", source="claude-code", budget=800, packs=(tmp_path / "pack.yaml",), builtin_rules=False, lang="zh",
        tokenizer="gpt-4o", task="Boats", since="2026-03-01T00:00:00Z", until="2026-03-02T23:59:59Z",
        now="2026-03-05T00:00:00Z", fail_on=("open", "skipped"), conversation="2", redact=False, strict=True,
        quiet=True, verbose=True, old_after=(180, 10, 60, None), fold=FoldNumbers(delay=3, card_tokens=90))


def test_every_option_may_stand_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "format": "json", "from": "codex", "budget": "800", "rules": os.pathsep.join("ab"), "lang": "zh",
        "tokenizer": "chars4", "task": "Boats", "since": "2026-03-01", "until": "2026-03-02", "now": "2026-03-05",
        "fail_on": "open, omitted", "conversation": "x", "builtin_rules": "no", "redact": "0", "strict": "1",
        "quiet": "true", "verbose": "YES", "old_after": "decisions=6w, open=2 years", "fold": "delay=3, drift=0.3",
    }
    assert values.keys() == {name for name, kind in KNOWN.items() if kind is not object}  # profiles stand in a file
    for name, value in values.items():
        monkeypatch.setenv(f"DISTILL_{name.upper()}", value)
    found = settle({}, tmp_path)
    assert found == Settings(
        form="json", source="codex", budget=800, packs=(Path("a"), Path("b")), builtin_rules=False, lang="zh",
        tokenizer="chars4", task="Boats", since="2026-03-01T00:00:00Z", until="2026-03-02T23:59:59Z",
        now="2026-03-05T00:00:00Z", fail_on=("open", "omitted"), conversation="x", redact=False, strict=True,
        quiet=True, verbose=True, old_after=(42, 30, 60, 730), fold=FoldNumbers(delay=3, drift=0.3))


def test_packs_add_up_and_are_relative_to_the_file(tool: Tool) -> None:
    tool.write("house.yaml", f"rules:\n  decision/house:\n    {RULE.strip().replace(chr(10), chr(10) + '    ')}\n")
    tool.write("mine.yaml", f"rules:\n  decision/mine:\n    "
                            f"{RULE.strip().replace('lessed', 'ursed').replace(chr(10), chr(10) + '    ')}\n")
    tool.write("distill.yaml", "rules: house.yaml\n")
    tool.write("sub/log.txt", "User: Blessed be tabs. Bursed be spaces.\nAssistant: OK.\n")
    inside = Tool(tool.folder / "sub")
    assert inside("log.txt", "-f", "json").texts("decisions") == ["Blessed be tabs."]
    both = inside("log.txt", "-f", "json", "--rules", "../mine.yaml")
    assert sorted(both.texts("decisions")) == ["Blessed be tabs.", "Bursed be spaces."]


@pytest.mark.parametrize(("text", "what"), [
    ("formt: json\n", "distill.yaml:1: formt: there is no such option; did you mean format?"),
    ("xyz: 1\n", "distill.yaml:1: xyz: there is no such option; known are budget, "),
    ("# note\n\nformat: xml\n", "distill.yaml:3: format: 'xml' is none of md, json, yaml, compact"),
    ("format: [json]\n", "distill.yaml:1: format: ['json'] is not a text"),
    ("lang: en\nstrict: 3\n", "distill.yaml:2: strict: 3 is not true or false"),
    ("rules: {a: b}\n", "distill.yaml:1: rules: {'a': 'b'} is not a list of texts"),
    ("lang: en\nold-after: {facts: soon}\n", "distill.yaml:2: old-after: 'soon' is no age; write it as facts=30d"),
    ("old-after: {boats: 3d}\n", "distill.yaml:1: old-after: 'boats' is none of decisions, facts, artifacts, open"),
    ("old-after: true\n", "distill.yaml:1: old-after: True is not a mapping of names to values"),
    ("budget: -3\n", "distill.yaml:1: budget: '-3' is neither a number of tokens above 0 nor none"),
    ("since: soon\n", "distill.yaml:1: since: 'soon' is no time"),
    ("tokenizer: gtp-4\n", "distill.yaml:1: tokenizer: unknown tokenizer 'gtp-4': did you mean gpt-4?"),
    ("builtin-rules: false\n", "distill.yaml:1: builtin-rules: this leaves no rules at all"),
    ("- format\n", "distill.yaml:1: options must be written as 'name: value'"),
    ("a: b: c\n", "distill.yaml:1:5: not valid YAML"),
    ("format: json\nformat: md\n", "distill.yaml:2:1: the key 'format' stands here twice"),
])
def test_faults_of_the_file_name_file_line_and_field(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "distill.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DistillError) as caught:
        settle({}, tmp_path)
    assert caught.value.code == 2
    assert what in str(caught.value)


def test_an_empty_file_and_one_of_comments_say_nothing(tmp_path: Path) -> None:
    for text in ("", "# budget: 100\n", "\ufeff"):
        (tmp_path / "distill.yaml").write_text(text, encoding="utf-8")
        assert settle({}, tmp_path).budget is None


def test_a_file_that_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "distill.yaml").write_bytes(b"task: \xff\n")
    with pytest.raises(DistillError, match="not valid UTF-8"):
        settle({}, tmp_path)


@pytest.mark.parametrize(("name", "value", "what"), [
    ("DISTILL_QUIET", "maybe", "DISTILL_QUIET: 'maybe' is none of"),
    ("DISTILL_BUDGET", "lots", "DISTILL_BUDGET: 'lots' is neither"),
    ("DISTILL_LANG", "fr", "DISTILL_LANG: 'fr' is none of auto, en, zh, zh-Hant"),
])
def test_faults_of_the_environment_name_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, what: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(DistillError, match=what):
        settle({}, tmp_path)


def test_a_command_may_have_defaults_of_its_own(tmp_path: Path) -> None:
    own = {"budget": "1500"}
    assert settle({"budget": None}, tmp_path, own).budget == 1500
    assert settle({"budget": "none"}, tmp_path, own).budget is None
    (tmp_path / "distill.yaml").write_text("budget: 800\n", encoding="utf-8")
    assert settle({}, tmp_path, own).budget == 800
