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
