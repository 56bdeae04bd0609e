"""Messages to statements: what is kept, what is set aside, and where each statement stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.model import Event, Role, Shape, Statement
from distill.segment.statements import statements


def of(text: str, *, record: int = 7, by_line: bool = False) -> list[Statement]:
    return statements(Event(record=record, role=Role.ASSISTANT, text=text, by_line=by_line))


def texts(text: str) -> list[str]:
    return [one.text for one in of(text)]


def test_list_items_carry_lead_in_heading_and_mark() -> None:
    found = of("## Root cause\n\nTwo things went wrong:\n\n1. The pool leaks.\n2. The timer never fires.\n")
    assert [one.text for one in found] == ["Two things went wrong:", "The pool leaks.", "The timer never fires."]
    assert [one.heading for one in found] == ["Root cause"] * 3
    assert [one.lead for one in found[1:]] == ["Two things went wrong:"] * 2
    assert [one.mark for one in found[1:]] == ["1", "2"]
    assert [one.shape for one in found[1:]] == [Shape.BULLET] * 2


def test_a_nested_item_has_its_parent_as_lead_in() -> None:
    found = of("- capacity:\n  - 16 cars a loop\n- colour: red\n")
    assert [(one.text, one.lead) for one in found] == [
        ("capacity:", ""),
        ("16 cars a loop", "capacity:"),
        ("colour: red", ""),
    ]


def test_table_rows_become_statements_and_the_header_does_not() -> None:
    found = of("| field | value |\n|---|---|\n| port | 8080 |\n| 超时 | 30 秒 |\n")
    assert [one.text for one in found] == ["port: 8080", "超时：30 秒"]
    assert found[0].quote == "| port | 8080 |"


def test_code_quotations_terminals_and_traces_are_no_statements() -> None:
    message = (
        "The fix is in.\n\n```python\nx = decided(1)\n```\n\n> quoted: we decided on X\n\n$ npm test\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: bad\n'
        "2026-03-02 10:00:01 INFO started\n└── src\n"
        '{"a": 1}\nconst x = 1;\n@@ -1,3 +1,4 @@\n-   old line\n+   new line\n\nAll tests pass.'
    )
    assert texts(message) == ["The fix is in.", "All tests pass."]


def test_an_open_fence_swallows_the_rest() -> None:
    assert texts("Before.\n```\nDecided: nothing.\n") == ["Before."]


def test_markup_goes_and_identifiers_stay() -> None:
    assert texts("- ✅ **Use `my__name__` and [the guide](https://a.example/x_(y))**, not ~~old~~ `**kw`") == [
        "Use `my__name__` and the guide, not old `**kw`"
    ]


def test_task_boxes_are_read() -> None:
    assert [(one.text, one.checked) for one in of("- [x] write tests\n- [ ] add docs\n")] == [
        ("write tests", True),
        ("add docs", False),
    ]


def test_hard_wrapped_prose_is_joined_and_short_lines_are_not() -> None:
    wrapped = "The service reads its configuration from the environment first and then\nfrom the file. It stops there."
    assert texts(wrapped) == [
        "The service reads its configuration from the environment first and then from the file.",
        "It stops there.",
    ]
    assert texts("上传的文件最多 20 MB\n日志保留 14 天") == ["上传的文件最多 20 MB", "日志保留 14 天"]


def test_the_lines_of_a_user_are_not_joined() -> None:
    typed = "the second gauge has to be read every minute, and the first one as well as long as the\nferry runs"
    assert len(texts(typed)) == 1
    assert [one.text for one in statements(Event(record=1, role=Role.USER, text=typed))] == typed.split("\n")


def test_long_lines_of_a_list_without_speakers_are_not_joined() -> None:
    typed = "- looked at both gauges and at how the levels are written to the table every minute\nuse millimetres only"
    found = statements(Event(record=5, role=Role.UNKNOWN, text=typed, by_line=True))
    assert [(one.text, one.shape, one.record) for one in found] == [
        ("looked at both gauges and at how the levels are written to the table every minute", Shape.BULLET, 5),
        ("use millimetres only", Shape.SENTENCE, 6),
    ]


def test_lines_of_text_logs_are_counted() -> None:
    found = of("First line.\n\n- second\n- third\n", record=10, by_line=True)
    assert [(one.text, one.record) for one in found] == [("First line.", 10), ("second", 12), ("third", 13)]


def test_chinese_headings_with_numbers() -> None:
    found = of("一、数据库\n用 PostgreSQL 16。\n\n二、缓存\n先不做。")
    assert [(one.text, one.heading) for one in found] == [("用 PostgreSQL 16。", "数据库"), ("先不做。", "缓存")]


@given(st.text(alphabet=st.sampled_from("ab#-*|`>[]x. 12\n：。中文\t\\_~<>"), max_size=300))
def test_every_quote_is_one_line_of_the_message(text: str) -> None:
    lines = text.split("\n")
    for one in of(text, record=1, by_line=True):
        assert one.quote in lines[one.record - 1]
        assert "\n" not in one.quote
        assert one.quote.strip()


def test_an_empty_list_item_ends_before_the_next_line() -> None:
    assert texts("1. \nThe port is 8080.") == ["The port is 8080."]
    assert texts("1. \n端口是 8080。") == ["端口是 8080。"]


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: too many values",
        "app.errors.QuotaError: 已超出配额",
        "dev@host:~/depot$ make all",
        "$ make all",
        "C:\\depot> dir",
        "2026-03-02 09:01:00 WARN pool is empty",
        "[ERROR] pool is empty",
        "    at load (depot.js:12:3)",
        "├── src",
        "│   └── main.py",
        "┌──────┐ 服务 └──────┘",
        "diff --git a/x b/x",
        '  "port": 8080,',
        "return self.port;",
        "self.load(path)",
        "</section>",
        "// read the port",
        '{"port": 8080}',
    ],
)
def test_lines_that_programs_print_are_no_statements(line: str) -> None:
    assert texts(f"Before it.\n\n{line}\n\n之后的话。") == ["Before it.", "之后的话。"]


@pytest.mark.parametrize(
    "line",
    [
        "The error: nobody had set the port",
        "Mail goes to dev@example.org from now on",
        "配置里的键是 port，值是 8080：见下表（默认）",
        "We import the rates from the bank every night (at two).",
        "→ 端口改为 8081",
    ],
)
def test_prose_with_marks_of_code_is_a_statement(line: str) -> None:
    assert len(texts(f"Before it.\n\n{line}\n\n之后的话。")) == 3


def _typed(text: str) -> list[tuple[str, Shape]]:
    return [(one.text, one.shape) for one in statements(Event(record=1, role=Role.USER, text=text))]


def test_a_number_with_which_a_user_picks_makes_no_list_item() -> None:
    assert _typed("2. but in turns. no floats") == [("but in turns.", Shape.SENTENCE), ("no floats", Shape.SENTENCE)]
    assert _typed("2. but in turns\n3. no floats") == [("but in turns", Shape.BULLET), ("no floats", Shape.BULLET)]
    assert of("2. but in turns. no floats")[0].shape is Shape.BULLET  # an assistant's line goes on with its list
