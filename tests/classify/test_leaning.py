"""A sentence of the user that says only how much or which carries what it is about, or is left out."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live

ENDS = (f"u: {LATE}", "a: Here.")


def _decisions(said: str) -> list[str]:
    return live(Kind.DECISION, "a: Hello.", f"u: {said}", "a: Noted.", *ENDS)


@pytest.mark.parametrize(
    ("said", "alone", "about"),
    [
        ("Lay out the folders for the gauge package. Only the files.", "Only the files", "gauge package"),
        ("The viewer page loads as it is.\n(nothing from npm)", "(nothing from npm)", "viewer"),
        ("Write the notes for the spring release.\nkeep it short", "keep it short", "spring release"),
        ("把潮位页面的文件先建出来\n只要文件", "只要文件", "潮位页面"),
        ("写一份春季版本的说明\n短一点就行", "短一点就行", "春季版本"),
    ],
)
def test_what_leans_on_the_sentence_before_carries_it(said: str, alone: str, about: str) -> None:
    found = [text for text in _decisions(said) if alone in text]
    assert found
    assert all(about in text for text in found)


@pytest.mark.parametrize(
    ("said", "alone", "about"),
    [
        ("The harbour list needs new columns: berth and depth.\nBoth, please.", "Both", "berth"),
        ("Rename the station codes in the config.\nJust these two.", "Just these", "station codes"),
        ("船期表加两列：泊位和水深\n都要", "都要", "泊位"),
        ("把站点代码改成大写\n只改这两个", "只改这两个", "站点代码"),
    ],
)
def test_what_only_points_is_left_out_and_the_wish_before_it_stays(said: str, alone: str, about: str) -> None:
    found = _decisions(said)
    assert any(about in text for text in found)
    assert not any(alone in text for text in found)


@pytest.mark.parametrize(
    "said",
    [
        "The list loads slowly. Only the harbour master may edit berths.",
        "Look at the viewer. Nothing from npm in the viewer page.",
        "The notes are long. Keep the release notes under one page.",
        "Two columns are missing. Show both berth and depth in the list.",
        "船期表有点慢。只有港务员可以改泊位",
        "看下潮位页面。潮位页面不要用 npm 的包",
        "说明太长了。版本说明控制在一页以内",
        "缺两列。泊位和水深两列都要显示",
    ],
)
def test_what_stands_alone_stays_as_it_is(said: str) -> None:
    first, last = said.replace("。", ". ").strip(". ").split(". ")
    assert not any(first in text and last in text for text in _decisions(said))


def test_what_has_nothing_to_lean_on_is_left_out() -> None:
    assert _decisions("keep it short") == []
    assert _decisions("which ways are there? keep it short") == []
    assert _decisions("短一点就行") == []
