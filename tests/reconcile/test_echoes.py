"""What an answer says again of the user's words, and a list of leftovers of what was put off, stands once."""

from __future__ import annotations

from pathlib import Path

import pytest

from distill.model import Kind
from distill.pipeline import distil_log
from tests.classify.talk import LATE, live

ENDS = (f"u: {LATE}", "a: Here.")


def _said(wish: str, *answer: str) -> list[str]:
    lines = "\n".join(f"- {one}" for one in answer)
    talk = ("u: The booking desk needs a few rules.", "a: Which ones?", f"u: {wish}", f"a: Done:\n\n{lines}", *ENDS)
    return [*live(Kind.DECISION, *talk), *live(Kind.FACT, *talk)]


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("overdue boats are just bold, never red", "Overdue boats are bold instead of red"),
        ("the kitchen needs the new count at 9:05", "The kitchen push moves from 8:30 to 9:05 and skips the absent"),
        ("integration must not block merges, ever", "Integration reports its outcome but does not block a merge"),
        ("前台可以当场改时长，但不能改到下班以后，中午 12 点到 13 点不排", "12:00 到 13:00 不能排，下班以后也不能"),
        ("历史预约不用导了，从四月一号开始用新的就行", "历史预约不导入，4 月 1 日起启用新系统"),
    ],
)
def test_an_answer_that_carries_out_a_wish_is_no_second_item(wish: str, answer: str) -> None:
    texts = _said(wish, answer)
    assert any(wish[:8] in text for text in texts)
    assert not any(answer[:12] in text for text in texts)


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("the berth list must stay on one page", "The berth list takes 480 ms to load on the old server"),
        ("never mail the berth list to the crews", "`crews.py` mails the berth list to all crews by default"),
        ("泊位表一律放在一页", "泊位表在旧服务器上加载要 480 毫秒"),
    ],
)
def test_an_answer_that_says_more_or_the_contrary_stands_by_itself(wish: str, answer: str) -> None:
    texts = _said(wish, answer)
    assert any(wish[:12] in text for text in texts)
    assert any(answer[:12] in text for text in texts)


def test_what_answers_another_turn_is_no_echo() -> None:
    texts = live(
        Kind.DECISION, "u: overdue boats are just bold, never red", "a: Done: it is bold.",
        "u: now the fees page", "a: Done:\n\n- Overdue fees are kept bold instead of red", *ENDS,
    )
    assert any("fees" in text for text in texts)


@pytest.mark.parametrize(
    ("put_off", "noted", "other"),
    [
        ("死信那块谁来看回头再定", "待定：死信队列谁来值守", "待定：旧表什么时候删"),
        ("短信的账号我还没申请下来，供应商用云通", "云通短信账号未申请，真实发送未验证", "老本子里的预约没有导入"),
    ],
)
def test_what_was_put_off_and_is_noted_as_left_stands_once(put_off: str, noted: str, other: str) -> None:
    left = live(Kind.OPEN, "u: What is left?", "a: A few things.", f"u: {put_off}",
                f"a: Noted.\n\n**Still open**\n\n- {noted}\n- {other}")
    assert sum(noted in text for text in left) == 1
    assert sum(other in text for text in left) == 1
    assert not any(put_off in text for text in left)


def test_an_echo_is_a_further_place_of_the_wish(tmp_path: Path) -> None:
    log = tmp_path / "log.md"
    log.write_text(
        "User: overdue boats are just bold, never red\n\nAssistant: Done:\n\n"
        "- Overdue boats are bold instead of red\n\nUser: thanks\n"
    )
    (item,) = distil_log(log).live(Kind.DECISION)
    assert [source.record for source in item.sources] == [1, 5]


@pytest.mark.parametrize(
    "left",
    [
        ("TODO: test module A", "TODO: test module B"),
        ("TODO: fix the login on iOS", "TODO: fix the login on Android"),
        ("待办：给 A 接口加限流", "待办：给 B 接口加限流"),
    ],
)
def test_what_is_left_of_two_things_stands_twice(left: tuple[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("\n".join(left) + "\n", encoding="utf-8")
    assert {item.text for item in distil_log(log).live(Kind.OPEN)} == set(left)


@pytest.mark.parametrize(
    ("lead", "points"),
    [
        ("Before the release we still have to", ("sign the installer", "call the printer")),
        ("上线前还要做", ("签名安装包", "通知客服")),
    ],
)
def test_the_points_of_a_closing_list_stand_beside_each_other(lead: str, points: tuple[str, str]) -> None:
    texts = live(Kind.OPEN, "u: How far are we?", f"a: {lead}:\n\n" + "\n".join(f"- {one}" for one in points))
    assert [sum(one in text for text in texts) for one in points] == [1, 1]
