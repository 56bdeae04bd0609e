"""`distill merge`: older states and then newer ones, to one."""

from __future__ import annotations

import pytest

from tests.cli.tool import NOW, Tool, said

LOGS = {
    "a": said(1, "Decided: sessions are stored in Redis.", "Open: pick a licence.", "待办：导出报表的权限检查"),
    "b": said(2, "Change of plan: store sessions in Postgres.", "Never touch the legacy/ folder."),
    "c": said(3, "Licence picked: MIT, decided.", "接口一律返回 JSON，时间用 UTC，就这么定"),
}


@pytest.fixture
def made(tool: Tool) -> Tool:
    """Three states of one project, each from its own log."""
    for name, log in LOGS.items():
        tool.write(f"{name}.jsonl", log)
        assert tool(f"{name}.jsonl", "-q", "-o", f"{name}.md", "--now", NOW).code == 0
    return tool


def test_older_states_and_then_newer_ones(made: Tool) -> None:
    ran = made("merge", "a.md", "b.md", "c.md", "-f", "json", "--now", NOW)
    assert ran.code == 0
    decisions = " | ".join(ran.texts("decisions"))
    assert all(word in decisions for word in ("Postgres", "legacy/", "MIT", "JSON"))
    assert "Redis" in ran.texts("superseded")[0]
    assert ran.texts("open") == ["待办：导出报表的权限检查"]
    assert ran.texts("resolved") == ["Open: pick a licence."]
    assert [one["path"] for one in ran.data["sources"]] == ["a.jsonl", "b.jsonl", "c.jsonl"]
    assert ran.data["written_at"] == NOW
    assert ran.closing.startswith("distill: 3 states, ")


@pytest.mark.parametrize("form", ["md", "json", "yaml"])
def test_brackets_do_not_matter(made: Tool, form: str) -> None:
    words = ("-f", form, "--now", NOW, "-q")
    made("merge", "a.md", "b.md", "-o", "ab", *words)
    made("merge", "b.md", "c.md", "-o", "bc", *words)
    whole = made("merge", "a.md", "b.md", "c.md", *words).out
    assert made("merge", "ab", "c.md", *words).out == whole
    assert made("merge", "a.md", "bc", *words).out == whole


def test_one_state_comes_back_as_it_is(made: Tool) -> None:
    assert made("merge", "a.md").out == made.read("a.md")
    assert made("merge", "a.md", "a.md").out == made.read("a.md")
    assert made("merge", "-", stdin=made.read("a.md").encode()).out == made.read("a.md")


def test_in_place_with_a_title_and_a_budget(made: Tool) -> None:
    ran = made("merge", "a.md", "b.md", "c.md", "-o", "a.md", "--task", "Boats 船", "--budget", "40",
               "--tokenizer", "chars4", "--lang", "zh")
    assert (ran.code, ran.out) == (0, "")
    text = made.read("a.md")
    assert '"title": "Boats 船"' in text
    assert "## 决策" in text
    assert "未列出" in text
    assert "left out" in ran.closing
    assert "a.md had left out items" in made("merge", "a.md", "b.md").err


def test_states_of_different_projects_are_told_of(made: Tool) -> None:
    made.write("d.jsonl", said(4, "We settled on port 8080 for the proxy.", project="/w/other"))
    made("d.jsonl", "-q", "-o", "d.md")
    assert "different projects (/w/app, /w/other)" in made("merge", "a.md", "d.md").err
    assert "projects" not in made("merge", "a.md", "b.md").err


def test_what_cannot_be_merged_is_an_error_and_nothing_is_written(made: Tool) -> None:
    made.write("notes.md", "# Notes\n")
    for words in (("notes.md", "a.md"), ("a.md", "none.md"), ("a.md", "b.md", "-o", "notes.md"), ("-", "-")):
        ran = made("merge", *words)
        assert (ran.code, ran.out) == (2, ""), words
    assert made.read("notes.md") == "# Notes\n"
    assert made("merge").code == 2
