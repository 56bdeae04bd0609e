"""What the README says of the layered context is so."""

from __future__ import annotations

from pathlib import Path

from distill.layered import Context
from tests.context.scenario import load, table
from tests.docs.layers import README, steps


def test_the_recipe_keeps_the_report_clear_of_the_region(tmp_path: Path) -> None:
    printed = {words[1]: out for words, out in steps(tmp_path) if words[1] in ("turn", "prompt")}
    assert "with model" in printed["turn"]
    assert "MX-200" in printed["prompt"]
    assert "Northern" not in printed["prompt"]
    context = Context.find(tmp_path)
    assert context.show().task.title == "Stock of a pump"
    assert "Northern" in context.prompt().user


def test_the_table_of_the_ways_is_what_the_talks_give() -> None:
    text = README.read_text(encoding="utf-8")
    for row in table(load()):
        assert row in text
