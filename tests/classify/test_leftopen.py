"""A choice that the last message leaves is one open item, which names all its ways."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import live

LEFT = [
    ("The bell rings.\n\nNext you can:\na) wire it to the gate\nb) write the guide\nc) hang it\n\nWhich one first?",
     "Which one first? wire it to the gate / write the guide / hang it"),
    ("The bell rings. Next you can: a) wire it to the gate b) write the guide. Which one do you want?",
     "Which one do you want? wire it to the gate / write the guide"),
    ("The bell rings.\n\nNext steps, pick one:\n- wire it to the gate\n- write the guide",
     "Next steps, pick one: wire it to the gate / write the guide"),
    ("铃会响了。\n\n接下来可以：\n1. 接到大门\n2. 写说明\n3. 挂起来\n\n先做哪个？",
     "先做哪个？接到大门 / 写说明 / 挂起来"),
    ("铃会响了。下一步有三个选择：a) 接到大门 b) 写说明 c) 挂起来。你想先做哪个？",
     "你想先做哪个？接到大门 / 写说明 / 挂起来"),
    ("铃会响了。\n\n下面的任选一个：\n- 接到大门\n- 写说明", "下面的任选一个：接到大门 / 写说明"),
]


@pytest.mark.parametrize(("message", "wanted"), LEFT)
def test_a_choice_left_is_one_item_with_all_its_ways(message: str, wanted: str) -> None:
    talk = ("u: Mend the bell.", f"a: {message}")
    assert live(Kind.OPEN, *talk) == [wanted]
    rest = live(Kind.DECISION, *talk) + live(Kind.FACT, *talk)
    assert not any("guide" in text or "说明" in text for text in rest)


@pytest.mark.parametrize(
    "message",
    ["The bell rings.\n\nNext steps:\n- wire it to the gate\n- write the guide",
     "铃会响了。\n\n待办：\n- 接到大门\n- 写使用说明"],
)
def test_steps_that_are_all_to_be_done_stay_apart(message: str) -> None:
    assert len(live(Kind.OPEN, "u: Mend the bell.", f"a: {message}")) == 2


def test_a_choice_that_was_made_is_not_left() -> None:
    talk = ("u: Mend the bell.", f"a: {LEFT[0][0]}", "u: b", "a: The guide is written.")
    assert not any("hang it" in text for text in live(Kind.OPEN, *talk))


def test_ways_in_one_line_can_be_picked_by_their_letter() -> None:
    talk = ("u: Mend the bell.", f"a: {LEFT[1][0]}", "u: b", "a: The guide is written.")
    assert any("Write the guide" in text for text in live(Kind.DECISION, *talk))
