"""What users and agents say in passing takes its own kind: reports are facts, chatter is nothing, doubt is open."""

from __future__ import annotations

import pytest

from distill.model import Action, ActionKind, Kind
from tests.classify.talk import LATE, live, wrote

ENDS = (f"u: {LATE}", "a: Here.")
KINDS = (Kind.DECISION, Kind.FACT, Kind.ARTIFACT, Kind.OPEN)


def _kinds(said: str, *more: str | Action) -> list[Kind]:
    """The kinds in which a statement of the user is found."""
    lines = ("a: Hello.", f"u: {said}", "a: Noted.", *more)
    return [kind for kind in KINDS if any(said[:10] in text for text in live(kind, *lines, *ENDS))]


@pytest.mark.parametrize(
    "said",
    [
        "The spare server is in Bergen.",
        "Our accountant works with Excel.",
        "The certificate ran out, that is why the shop was closed.",
        "The staging box has only 2 cores.",
        "The old site was written in PHP.",
        "备份服务器在法兰克福",
        "域名上周过期了",
        "导入脚本是去年写的",
        "生产环境是两台机器",
        "会计用的是 Excel",
    ],
)
def test_what_the_user_reports_is_a_fact(said: str) -> None:
    assert _kinds(said) == [Kind.FACT]


@pytest.mark.parametrize(
    "said",
    [
        "The spare server goes to Bergen.",
        "The importer must skip empty rows on the server.",
        "Use the Oslo server for backups.",
        "The old site stays up until June.",
        "备份服务器放在法兰克福",
        "备份存到备用机房",
    ],
)
def test_what_the_user_lays_down_about_the_same_things_is_a_decision(said: str) -> None:
    assert _kinds(said) == [Kind.DECISION]


@pytest.mark.parametrize(
    "said",
    [
        "must be magic, haha",
        "done for today, good night",
        "let's call it a day",
        "You're the best, always a pleasure",
        "We should have coffee sometime",
        "辛苦了，一定要休息一下哈",
        "哈哈，必须的",
        "晚安，明天继续",
        "你太厉害了，以后都找你",
    ],
)
def test_chatter_is_nothing(said: str) -> None:
    assert _kinds(said) == []


def test_a_decision_survives_a_laugh() -> None:
    assert _kinds("Use port 8080 for the kiosk, haha") == [Kind.DECISION]
    assert _kinds("端口统一用 8080，哈哈") == [Kind.DECISION]


@pytest.mark.parametrize(
    "said",
    [
        "Nothing is decided about the logo yet.",
        "No decision yet on the hosting.",
        "The colour is still up in the air.",
        "Known bug: the clock is off by an hour.",
        "用哪家云还在纠结",
        "价格还没谈拢",
        "已知问题：苹果手机上登录不了",
    ],
)
def test_what_nobody_has_settled_or_mended_is_open(said: str) -> None:
    assert _kinds(said) == [Kind.OPEN]


def test_a_known_issue_is_open_also_where_it_is_left_on_purpose() -> None:
    said = "已知问题：长时间运行有内存泄漏，这次不处理"
    assert live(Kind.OPEN, "u: 现在怎么样？", f"a: {said}") == [said]


def test_a_ticked_deed_is_no_decision_and_an_offer_is_nothing() -> None:
    deeds = "✅ Added cart totals\n✅ 新增购物车页面"
    closing = f"a: ## Summary\n\n{deeds}\n\n### Next steps\n1. Deploy\n\nWant me to go on?"
    lines = ("u: Build the cart.", wrote("cart.py", "def totals(): ..."), closing)
    assert live(Kind.DECISION, *lines) == []
    assert any("cart totals" in text for text in live(Kind.ARTIFACT, *lines))
    assert not any("Want me" in text for kind in KINDS for text in live(kind, *lines))


def test_what_is_noted_as_open_on_the_way_stays_open_where_nothing_is_done() -> None:
    noted = ("u: What is left?", "a: Known issue: the importer crashes on negative amounts.", "a: That is all.")
    assert live(Kind.OPEN, *noted, *ENDS) == ["Known issue: the importer crashes on negative amounts."]
    ran = Action(kind=ActionKind.RAN, target="make")
    assert live(Kind.OPEN, noted[0], noted[1], ran, noted[2], *ENDS) == []
