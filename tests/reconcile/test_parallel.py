"""The same frame around another thing is another statement; other words for the same thing are not."""

from __future__ import annotations

import pytest

from distill.model import Finding, Kind, Role, Source, Status
from distill.reconcile.merge import merge, settle
from distill.reconcile.parallel import in_order, keyed, listed, parallel

APART = [
    ("check the hull of the red boat", "check the hull of the blue boat"),
    ("write a guide for skippers", "write a guide for harbour masters"),
    ("review hall A", "review hall B"),
    ("Invoices leave through Mailgun.", "Reminders leave through Twilio."),
    ("members may book boats", "guests may book boats"),
    ("The ferry office posts with the key [redacted: aws key]", "The kiosk posts with the key [redacted: aws key]"),
    ("`north.csv` is read at night", "`south.csv` is read at night"),
    ("shelf 11 carries jars of size S3", "shelf 12 carries jars of size M4"),
    ("We decided to call berth number 1 'b1'.", "We decided to call berth number 2 'b2'."),
    ("Phase 1 is done", "Phase 2 is done"),
    ("Phase one is done", "Phase two is done"),
    ("Closed issue #12", "Closed issue #14"),
    ("Migrations 0012 and 0013 are applied", "Migrations 0014 and 0015 are applied"),
    ("第 1 阶段已完成", "第 2 阶段已完成"),
    ("第一阶段已完成", "第二阶段已完成"),
    ("给 A 栋装门禁", "给 B 栋装门禁"),
    ("红色按钮放左边", "蓝色按钮放左边"),
    ("甲班周一值日", "乙班周一值日"),
    ("不要改动 vendor/ 目录。", "不要改动 legacy/ 目录。"),
    ("The timeout of the payment gateway is long", "The timeout of the parcel gateway is long"),
    ("短信走阿里云通道", "短信走腾讯云通道"),
    ("`north.csv` 每晚导入一次", "`south.csv` 每晚导入一次"),
    ("上线前还要做：签名安装包", "上线前还要做：通知客服"),
    ("Before the launch we still have to: sign the installer", "Before the launch we still have to: tell support"),
    ("Open points: legend", "Open points: scale"),
    ("还没弄的：雨篷", "还没弄的：门铃"),
    ("版式要求：标题用宋体", "版式要求：两栏"),
    ("Style, please stick to it: no shadows", "Style, please stick to it: one font"),
    ("Left for the crew of the night ferry: ropes", "Left for the crew of the night ferry: lamps"),
    ("夜班渡轮剩下的：换缆绳", "夜班渡轮剩下的：擦灯"),
]
ONE = [
    ("Left for the crew: coil the ropes", "Left for the crew: the ropes have to be coiled"),
    ("上线前还要做：签名安装包", "上线前还要做：安装包要签名"),
    ("Boats are stored in hall 7", "The boats get stored in hall 7, as agreed"),
    ("The harbour map is drawn with Leaflet", "Draw the harbour map with Leaflet"),
    ("configure the tide table", "configuration of the tide table"),
    ("潮汐表每天凌晨更新", "潮汐表就每天凌晨更新吧"),
    ("重试间隔定在 20 秒", "重试间隔设为 20 秒"),
    ("决定：船票只卖当天的", "船票只卖当天的"),
    ("别动 vendor/ 目录。", "不要改动 vendor/ 目录。"),
    ("vendor/ 目录不能动。", "不要改动 vendor/ 目录。"),
    ("Actually set the payment gateway timeout to 45 seconds.", "The timeout of the payment gateway is 45 seconds."),
    ("The licence is BSD after all, not Apache-2.0.", "We go with the BSD licence, as said."),
    ("短信改成每人每天最多 3 条。", "短信上限改为每人每天 3 条。"),
]


def said(text: str, turn: int, kind: Kind = Kind.DECISION) -> Finding:
    return Finding(
        kind=kind, text=text, rule="decision/explicit", points=8, confidence=0.5, role=Role.USER, turn=turn,
        source=Source(path="log", record=turn, quote=text),
    )


@pytest.mark.parametrize("kind", [Kind.DECISION, Kind.OPEN])
@pytest.mark.parametrize(("one", "other"), APART)
def test_things_of_one_frame_are_all_kept(one: str, other: str, kind: Kind) -> None:
    groups = merge([said(one, 1, kind), said(other, 2, kind)])
    settle(groups)
    assert [(group.best.text, group.status) for group in groups] == [(one, Status.LIVE), (other, Status.LIVE)]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_rewordings_are_one(one: str, other: str) -> None:
    assert not parallel(one, other)
    assert len(merge([said(one, 1), said(other, 2)])) == 1


def test_a_short_statement_is_not_lost_in_one_that_shares_two_of_its_words() -> None:
    texts = ["Old tides are left out when the page is drawn", "The harbour page is drawn by draw.py"]
    assert [group.best.text for group in merge([said(text, n) for n, text in enumerate(texts, 1)])] == texts


@pytest.mark.parametrize(("one", "other", "apart"), [
    ("berth 3 holds the boat K1", "berth 4 holds the boat K2", True),
    ("3 号泊位停 K1 船", "4 号泊位停 K2 船", True),
    ("retries 3, timeout 30", "retries 5, timeout 60", False),
    ("The office closes at 17:00", "The office closes at 18:00", False),
    ("40 boats a day and 3 skippers", "50 boats a day and 4 skippers", False),
    ("Tides come from port 80", "Storm warnings of the coast guard", False),
])
def test_values_of_two_keys(one: str, other: str, apart: bool) -> None:
    assert keyed(one, other) is apart


@pytest.mark.parametrize(("one", "other"), [
    ("The map server runs on Node 18 today", "The map server runs on Node 22 today"),
    ("We meet in room 4", "We meet in room 5"),
    ("Version 1.2 of the chart is in use", "Version 1.3 of the chart is in use"),
    ("上传上限 5 MB", "上传上限 10 MB"),
])
def test_a_number_that_is_a_value_is_replaced(one: str, other: str) -> None:
    groups = merge([said(one, 1), said(other, 2)])
    settle(groups)
    assert [group.status for group in groups] == [Status.SUPERSEDED, Status.LIVE]


def test_values_of_two_things_do_not_replace_each_other() -> None:
    groups = merge([said("the lead time of the GPS is 20 s", 1), said("the lead time of the radar is 50 s", 2)])
    settle(groups)
    assert [group.status for group in groups] == [Status.LIVE, Status.LIVE]


def test_words_in_order_are_those_with_a_meaning() -> None:
    assert [word.stem for word in in_order("TODO: check the hull of boat B, 再看 A 栋")] == [
        "check", "hull", "boat", "B", "看", "A", "栋"]
    assert in_order("") == ()


@pytest.mark.parametrize(("one", "other", "apart"), [
    ("Always check scales before weighing.", "Always check nets before weighing.", True),
    ("Render the chart in the header.", "Draw the chart in the header.", True),
    ("称重前先检查秤。", "称重前先检查网。", True),
    ("Configure the logger first.", "Configuration of the logger first.", False),  # forms of one word
    ("Check the scales before weighing.", "Before weighing, the scales are checked by hand.", False),
])
def test_points_of_one_message_that_differ_in_a_word_are_two(one: str, other: str, apart: bool) -> None:
    assert listed(one, other) is apart
    found = merge([said(one, 3), said(other, 3)])
    assert (len(found) == 2) is apart
