"""A question that names two ways settles nothing; a statement on two ways does."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live

ENDS = (f"u: {LATE}", "a: Here.")


def _decisions(said: str, answer: str) -> list[str]:
    return live(Kind.DECISION, "a: Hello.", f"u: {said}", f"a: {answer}", *ENDS)


@pytest.mark.parametrize(
    "said",
    [
        "是先清缓存，还是直接重启就行",
        "要两台一组，还是三台一组也可以",
        "是得把旧模板删掉，还是留着不用就行",
        "导出要带时间戳，还是只带日期就够了",
        "值班表是按周排的，还是按月排的",
        "能不能只留一把钥匙，还是必须两把",
        "是必須今天發，還是下週發也行",
        "Do we need two keys, or is one enough",
        "is it the small box we use, or would the big one do as well",
        "so we keep both tables, or only the new one?",
        "does the bell have to ring twice or will once do",
        "must it be steel, or can we use oak",
    ],
)
def test_a_question_between_two_ways_is_no_decision(said: str) -> None:
    assert not any(said[:8] in text for text in _decisions(said, "Both would work."))


@pytest.mark.parametrize(
    "said",
    [
        "不管是旧的还是新的，都用同一个模板",
        "钥匙还是只留一把",
        "两台还是三台都行，但不能混着编",
        "是周一还是周二发都可以，别拖到周三",
        "门铃要换，还是用原来那种铜的",
        "先别重启，还是走清缓存这条路",
        "模板還是用舊的",
        "Whether it's one key or two, never leave them in the door.",
        "Use the old box or make a new one, but never both.",
        "Use oak, or steel where it gets wet.",
        "Do the north gate first, or the bell won't ring in time.",
        "Keep both tables, and only write to the new one.",
    ],
)
def test_a_statement_on_two_ways_stays(said: str) -> None:
    assert any(said[:6] in text for text in _decisions(said, "Noted."))


def test_what_answers_the_question_is_shown() -> None:
    talk = ("a: Hello.", "u: 是先清缓存，还是直接重启就行", "a: 直接重启就行，缓存只在内存里，不用清。")
    shown = [text for kind in (Kind.DECISION, Kind.FACT) for text in live(kind, *talk)]
    assert any("缓存只在内存里" in text for text in shown)
