"""What the user saw, tried or measured is no decision; how a thing is to be is one, in much the same words."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live

ENDS = (f"u: {LATE}", "a: Here.")


def _decided(said: str) -> bool:
    return any(said[:12] in text for text in live(Kind.DECISION, "a: Hello.", f"u: {said}", "a: Noted.", *ENDS))


@pytest.mark.parametrize(
    "said",
    [
        "tried the new build for 2 hours on the ferry.",
        "battery fell from 80 to 35 on the way",
        "ran it twice on the quay, 40 min each",
        "sound dropped out after 10 minutes",
        "the tester says the lift stops between 2 floors",
        "row count went from 120 to 118 over night",
        "installed it on 3 tablets, played with it for an hour",
        "map tiles came out grey on 2 of the phones",
        "跑了2小时，没再掉线",
        "内存从80掉到35了",
        "对完了 两边都是120条",
        "难怪上周3号没报警",
        "测试员说电梯会停在2楼半",
        "试了3台手机都能开",
        "華為那台出來是灰的 另外2台沒事",
        "观察了一晚上，只掉了1次",
    ],
)
def test_what_the_user_saw_is_no_decision(said: str) -> None:
    assert not _decided(said)


@pytest.mark.parametrize(
    "said",
    [
        "keep the new build running for 2 hours after each deploy.",
        "lower the brightness from 80 to 35",
        "the job runs twice a day, 40 min apart at least",
        "after 10 minutes the sound must stop",
        "the lift stops only at 2 floors",
        "no more than 118 rows per page",
        "use 3 tablets, one for each hall",
        "map tiles should be grey on the phones",
        "内存上限从80降到35",
        "每天只跑2次，中间隔6小时",
        "对账每批最多120条",
        "以后每月3号都要报警",
        "电梯不许停2楼",
        "3台手机都必须能开",
        "灰色那2台改成白色",
        "掉线1次就重连，最多3次",
    ],
)
def test_what_the_user_lays_down_is_one(said: str) -> None:
    assert _decided(said)


@pytest.mark.parametrize(
    "said",
    [
        "right now every gate has a timer and opens by itself",
        "i test the windows build on mondays with the laptop",
        "also the loop of the fog horn has a gap, the composer sends a new one",
        "the warden says the ten weeks are a problem over the summer",
        "i go back and forth",
        "Wire the gate and the bell.",
        "commit + push the fog horn",
        "tag 3.2.0",
        "last thing for today, the export.",
        "no thanks that's it.",
        "我们现在排班全靠手写，经常撞车。",
        "那台机器暂时换不了。",
        "值班表按人排还是按岗排，你觉得",
        "客人一直选错日期",
    ],
)
def test_what_the_user_tells_of_how_things_are_or_asks_to_be_done_is_no_decision(said: str) -> None:
    assert not _decided(said)


@pytest.mark.parametrize(
    "said",
    [
        "right now every gate should keep its timer",
        "the warden says the lamp must stay on",
        "commit messages never name the ticket",
        "泊位只有港务员能改",
        "只有值班长才能签字放行",
        "退款须经主管批准",
        "只有医生可以点确认",
    ],
)
def test_a_rule_in_much_the_same_words_is_one(said: str) -> None:
    assert _decided(said)


def test_a_user_in_two_minds_tells_nothing() -> None:
    talk = ("a: The bell hangs.", "u: i go back and forth", "a: Noted.", *ENDS)
    assert not any("back and forth" in text for kind in Kind for text in live(kind, *talk))


@pytest.mark.parametrize(
    "told",
    ["Fixed, and there's a regression test for the gate.", "double mails of the gate: cause found, fixed",
     "the gate no longer stops on Android", "修好了，闸门加了回归用例", "闸门在旧手机上不再闪退"],
)
def test_a_fault_reported_as_mended_is_no_decision(told: str) -> None:
    talk = ("u: the gate sticks", f"a: {told}", *ENDS)
    assert not any(told[:14] in text for text in live(Kind.DECISION, *talk))
