"""Lines that were broken at a margin stay together, statements of one line each do not."""

from __future__ import annotations

import pytest

from distill.text.wrapping import may_go_on, paragraphs


@pytest.mark.parametrize(
    "lines",
    [
        [
            "the pump house was measured again after the storm, and the level of the",
            "basin is back where it was in May",
        ],
        [
            "We asked the harbour office for the tide tables of the last nine years and",
            "they sent most of them as scans. Only the tables of the two winters with ice",
            "came as numbers, so that is what the first chart can be built from today",
        ],
    ],
)
def test_a_line_that_breaks_off_goes_on(lines: list[str]) -> None:
    assert paragraphs(lines) == [lines]


@pytest.mark.parametrize(
    "lines",
    [
        [
            "read through the notes of the harbour office and compared them with the tables",
            "agreed to store every level in millimetres",
        ],
        [
            "moved the two sensors to the north side since the ferry throws waves at the old place",
            "agreed to read both of them each minute and to keep the mean of the last five readings",
            "the battery of the second one lasts eleven weeks",
        ],
    ],
)
def test_statements_of_a_line_each_stay_apart(lines: list[str]) -> None:
    assert paragraphs(lines) == [[line] for line in lines]


def test_a_small_letter_after_a_capital_counts_in_prose_only() -> None:
    lines = ["The gauge now reads its limits from the settings that the harbour office keeps", "itself."]
    assert paragraphs(lines, loose=True) == [lines]
    assert paragraphs(lines) == [[line] for line in lines]


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("Short line", "and another"),
        ("This line is long enough to have met a margin, and it ends with a full stop.", "and another"),
        ("This line is long enough to have met a margin and it is in English all through", "约定水位一律用毫米"),
        (
            "这一行写得很长，足以碰到页边，而且没有用句号结尾，讲的是潮位表从哪里来，还有冬天结冰时怎么补数",
            "then",
        ),
        ("This line is long enough to have met a margin and it is in English all through", "  indented"),
    ],
)
def test_what_cannot_go_on(before: str, line: str) -> None:
    assert not may_go_on(before, line)
