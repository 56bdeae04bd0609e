"""One line a section."""

from __future__ import annotations

from distill.model import Item, Kind, State, Status
from distill.render import compact
from distill.render.compact import section_line


def item(kind: Kind, text: str, status: Status = Status.LIVE) -> Item:
    return Item(id=text, kind=kind, text=text, at="2026-03-02T09:00:00Z", tags=("proposal", "pinned"), status=status)


STATE = State(
    items=(
        item(Kind.DECISION, "前端用 Vue 3。"),
        item(Kind.DECISION, "缓存 30 秒"),
        item(Kind.FACT, "服务器在上海区"),
        item(Kind.ARTIFACT, "migrate.md"),
        item(Kind.OPEN, "补幂等校验"),
        item(Kind.DECISION, "用 React", Status.SUPERSEDED),
    ),
    omitted=(3, 0, 0, 0),
)


def test_four_lines_in_chinese() -> None:
    assert compact.render(STATE, "zh") == (
        "【已确认事实】服务器在上海区\n"
        "【已定决策】前端用 Vue 3；缓存 30 秒（另有 3 条未列出）\n"
        "【已有产物】migrate.md\n"
        "【待办】补幂等校验\n"
    )


def test_four_lines_in_english() -> None:
    assert compact.render(STATE, "en") == (
        "[Facts] 服务器在上海区\n"
        "[Decisions] 前端用 Vue 3; 缓存 30 秒 (+3 left out)\n"
        "[Artifacts] migrate.md\n"
        "[Open] 补幂等校验\n"
    )


def test_empty_sections_are_left_out_but_not_what_was_cut() -> None:
    assert compact.render(State(), "en") == ""
    assert compact.render(State(omitted=(0, 0, 0, 2)), "en") == "[Open] (+2 left out)\n"
    assert compact.render(State(omitted=(0, 0, 0, 2)), "zh") == "【待办】（另有 2 条未列出）\n"


def test_a_text_stays_on_its_line() -> None:
    assert section_line(Kind.FACT, ["a\n[Decisions] b", "c ..."], 0, "en") == "[Facts] a [Decisions] b; c ..."


def test_its_own_output_is_recognised() -> None:
    assert compact.recognise(compact.render(STATE, "zh"))
    assert compact.recognise(compact.render(STATE, "en"))
    assert not compact.recognise("")
    assert not compact.recognise("[Facts] a\nand more\n")


def test_four_lines_in_traditional_chinese() -> None:
    assert compact.render(STATE, "zh-Hant").startswith("【已確認事實】服务器在上海区\n【已定決策】")
    assert "（另有 3 條未列出）" in compact.render(STATE, "zh-Hant")
    assert compact.recognise(compact.render(STATE, "zh-Hant"))
