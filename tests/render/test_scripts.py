"""The two scripts of Chinese: headings, notes and marks of a state, and reading them back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from distill.model import Item, Kind, Source, State, Status, item_id
from distill.pipeline import heading_language
from distill.render import markdown
from distill.render.inject import Opening, text
from distill.render.wording import HISTORY, section


def item(kind: Kind, said: str, status: Status = Status.LIVE, *, tags: tuple[str, ...] = ()) -> Item:
    source = Source(path="log.txt", record=1, quote=said)
    return Item(id=item_id(kind, said), kind=kind, text=said, status=status, tags=tags, sources=(source,))


STATE = State(
    items=(
        item(Kind.DECISION, "水位一律用毫米記錄", tags=("proposal",)),
        item(Kind.FACT, "測站設在北邊"),
        item(Kind.ARTIFACT, "docs/水位.md"),
        item(Kind.OPEN, "還沒接上第二個閘門"),
        item(Kind.OPEN, "訂購新電池", Status.RESOLVED),
    ),
    omitted=(0, 2, 0, 0),
)


def test_a_traditional_state_has_traditional_headings() -> None:
    assert heading_language(STATE, "auto") == "zh-Hant"
    assert heading_language(STATE, "zh") == "zh"
    shown = markdown.render(STATE, heading_language(STATE, "auto"))
    found = [line for line in shown.split("\n") if line.startswith("## ")]
    assert found == ["## 決策", "## 事實", "## 產物", "## 待辦", "## 歷史"]
    assert "[提議]" in shown
    assert "2 條" in shown


def test_a_simplified_state_keeps_simplified_headings() -> None:
    state = replace(STATE, items=(item(Kind.DECISION, "水位一律用毫米记录"),))
    assert "## 决策" in markdown.render(state, heading_language(state, "auto"))


@pytest.mark.parametrize("lang", ["en", "zh", "zh-Hant"])
def test_any_headings_are_read_back(lang: str) -> None:
    assert markdown.parse(markdown.render(STATE, lang), "state.md") == STATE


def test_headings_of_both_scripts_name_the_same_sections() -> None:
    for old, new in (("決策", "决策"), ("事實", "事实"), ("產物", "产物"), ("待辦", "待办"), ("歷史", "历史")):
        assert section(f"## {old}") == section(f"## {new}") is not None
    assert section("## 歷史") == HISTORY


def test_the_opening_of_a_prompt_is_traditional_throughout() -> None:
    opening = Opening(marker=("<", ">"), lang="zh-Hant", now="2026-03-05T00:00:00Z", as_of="2026-01-05T00:00:00Z")
    shown = text(STATE.items[:4], (0, 0, 0, 0), opening)
    assert "以下是此前工作留下的背景" in shown
    assert "僅供參考" in shown
    assert "## 待辦" in shown
    assert "[提議]" in shown
