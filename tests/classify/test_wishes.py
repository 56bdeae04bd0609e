"""Words in which a user says how a thing is to be, or what is to be done whenever something happens."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live, wrote

CARRIED_OUT = [
    ("green buttons", "The buttons are green now."),
    ("grey background", "Set a grey background."),
    ("prices with tax", "Prices are shown with tax."),
    ("背景浅灰", "背景改成浅灰了。"),
    ("价格含税", "价格现在都含税。"),
]
MERE_WORK = [
    ("page is blank", "The page is no longer blank."),
    ("run the tests", "The tests ran, all green."),
    ("page is slow now", "The page is fast now, it was slow because of the map."),
    ("页面空白", "页面空白的问题修好了。"),
    ("跑测试", "测试跑了，全部通过。"),
    ("更新文档", "文档更新好了。"),
]
STANDING = [
    "When you merge, squash.",
    "If stock drops below 10, reorder automatically.",
    "I won't sign before the lawyer has seen it.",
    "Unless I say otherwise, answer in Dutch.",
    "If the build fails, stop and tell me.",
    "如果库存低于 10 就自动下单",
    "每次提交前先跑测试",
    "律师没看过之前我不签",
    "合并的时候用 squash",
    "构建失败就停下来告诉我",
]
IMAGINED = [
    "if we had more time we'd use Kafka",
    "If it were up to me, we'd drop the app.",
    "If only we had a designer.",
    "要是有预算就上 Kafka",
    "如果时间够的话就用 Rust 重写了",
    "早知道就用 Kafka 了",
]


@pytest.mark.parametrize(("wish", "answer"), CARRIED_OUT)
def test_a_word_or_two_that_the_turn_carries_out_is_a_decision(wish: str, answer: str) -> None:
    log = ("u: Here is the draft.", "a: Thanks.", f"u: {wish}", wrote("page.html"), f"a: {answer}")
    assert wish in live(Kind.DECISION, *log, f"u: {LATE}", "a: Here it is.")


@pytest.mark.parametrize(("wish", "answer"), MERE_WORK)
def test_a_complaint_or_a_task_of_a_word_or_two_is_none(wish: str, answer: str) -> None:
    log = ("u: Here is the draft.", "a: Thanks.", f"u: {wish}", wrote("page.html"), f"a: {answer}")
    assert wish not in live(Kind.DECISION, *log, f"u: {LATE}", "a: Here it is.")


def test_what_the_answer_does_not_take_up_is_not_carried_out() -> None:
    log = ("u: Here is the draft.", "a: Thanks.", "u: green buttons", wrote("page.html"), "a: Fixed the broken footer.")
    assert "green buttons" not in live(Kind.DECISION, *log)


@pytest.mark.parametrize("text", STANDING)
def test_a_condition_and_what_it_asks_for_are_one_decision(text: str) -> None:
    assert text in live(Kind.DECISION, f"u: {text}", "a: Understood.", f"u: {LATE}", "a: Here it is.")


@pytest.mark.parametrize("text", IMAGINED)
def test_what_would_be_is_no_decision(text: str) -> None:
    assert live(Kind.DECISION, f"u: {text}", "a: I see.", f"u: {LATE}", "a: Here it is.") == []


POINTERS = ["address 8", "fix #3 and #5", "do 2, 4 and 6", "处理第 5 条", "改 2 和 4", "第 3 条也改"]


@pytest.mark.parametrize("text", POINTERS)
def test_pointing_at_a_point_of_a_list_is_no_decision(text: str) -> None:
    assert live(Kind.DECISION, f"u: {text}", "a: Done.", f"u: {LATE}", "a: Here it is.") == []


PRAISE = ["Everything is working beautifully.", "Now it works like a charm.", "现在可以正常使用了。"]


@pytest.mark.parametrize("text", PRAISE)
def test_praise_of_the_work_is_no_fact(text: str) -> None:
    assert live(Kind.FACT, "u: Mend the gate.", wrote("gate.py"), f"a: {text}") == []


def test_praise_that_tells_more_is_a_fact() -> None:
    said = "`gate.py` works as expected on 3 of 4 boards."
    assert said in live(Kind.FACT, "u: Mend the gate.", wrote("gate.py"), f"a: {said}")


def test_the_points_of_a_users_list_stand_with_what_leads_to_them() -> None:
    said = live(Kind.DECISION, "u: 版式要求：\n1. 两栏\n2. 标题用宋体\n3. 不要动画", "a: 好")
    assert {"版式要求：两栏", "版式要求：标题用宋体", "版式要求：不要动画"} <= set(said)
