"""What is reported as done is no decision, unless it says what was chosen or which value was set."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live, wrote

ENDS = (f"u: {LATE}", "a: Here.")


def _decisions(request: str, report: str) -> list[str]:
    return live(Kind.DECISION, "a: Hello.", f"u: {request}", wrote("src/booking.py"), f"a: {report}", *ENDS)


@pytest.mark.parametrize(
    ("request_", "report"),
    [
        ("Build the booking backend.", "All done:\n- endpoints for bookings\n- service layer\n- `seats` table"),
        ("Build the login pages.", "**Completed**\n\n- ✅ Login form\n- ✅ Password reset page\n- ✅ Session cookie"),
        ("Build the booking backend.", "The backend part is finished:\n- booking table\n- booking service"),
        ("Wire the gate and the bell.", "Where we are:\n\n- [x] Gate opens by phone\n- [x] Bell rings from the tower"),
        ("Port the reports.", "Done so far:\n1. Monthly report\n2. Yearly report\n3. `export_csv()` helper"),
        ("把订座的后端做掉", "后端部分全部做完：\n- 订座表\n- 订座服务\n- 订座接口"),
        ("把登录页做掉", "**已完成**\n\n- ✅ 登录表单\n- ✅ 找回密码页\n- ✅ `session` 表"),
        ("把登录页做掉", "这一期都做好了：\n- 登录表单\n- 找回密码页\n- 编译通过"),
        ("把报表搬过来", "搬完的有：\n- [x] 月报\n- [x] 年报\n- [x] 导出接口"),
        ("把門鈴接好", "以下都完成了：\n- 門鈴接線\n- 門鈴頁面"),
    ],
)
def test_what_is_done_is_no_decision(request_: str, report: str) -> None:
    assert [text for text in _decisions(request_, report) if text != request_] == []


@pytest.mark.parametrize(
    ("request_", "report", "kept"),
    [
        ("Build the booking backend.", "All done:\n- Seats are held for 10 minutes instead of 5\n- `seats` table",
         "10 minutes"),
        ("Build the login pages.", "**Completed**\n\n- ✅ Sessions use signed cookies instead of the old token table",
         "signed cookies"),
        ("Use one key for both doors.", "Done:\n- One key for both doors, the second lock is gone", "ne key for both"),
        ("Settle the bell.", "**Decisions**\n\n- ✅ The bell rings at nine only\n- ✅ No bell on Sundays", "No bell"),
        ("Port the reports.", "Done so far:\n1. Sums are always rounded to cents, never to euros", "rounded to cents"),
        ("把订座的后端做掉", "后端部分全部做完：\n- 座位保留时间从 5 分钟改成 10 分钟\n- 订座表", "10 分钟"),
        ("把登录页做掉", "**已完成**\n\n- ✅ 登录统一改用签名 cookie，不再查旧的令牌表", "签名 cookie"),
        ("两扇门用一把钥匙", "都做好了：\n- 两扇门改用同一把钥匙", "一把钥匙"),
        ("门铃怎么定", "**已定**\n\n- ✅ 门铃只在九点响\n- ✅ 周日不响铃", "不响铃"),
    ],
)
def test_a_choice_or_a_value_in_a_report_stays(request_: str, report: str, kept: str) -> None:
    assert any(kept in text for text in _decisions(request_, report))


@pytest.mark.parametrize(
    ("plan", "report"),
    [
        ("Plan:\n1. Booking table\n2. Booking service\n3. Page", "All done:\n- booking table\n- booking service"),
        ("Still open:\n- Write the booking service\n- Booking page", "- [x] Write the booking service"),
        ("还没做的：\n- 订座服务接口\n- 订座页面样式", "做完的：\n- ✅ 订座服务接口"),
        ("待办：\n- 补订座服务接口\n- 订座页面样式", "后端全部完成：\n- 订座服务接口"),
    ],
)
def test_what_is_ticked_off_is_no_longer_open(plan: str, report: str) -> None:
    talk = ("u: Build the bookings.", f"a: {plan}", "u: go on", wrote("src/service.py"), f"a: {report}")
    opened = live(Kind.OPEN, *talk, *ENDS)
    assert not any("service" in text or "服务" in text for text in opened)


def test_what_is_not_ticked_off_stays_open() -> None:
    talk = ("u: Build the bookings.", "a: Still open:\n- Write the booking service\n- Style the booking page",
            "u: go on with the service", wrote("src/service.py"), "a: - [x] Write the booking service")
    assert live(Kind.OPEN, *talk, *ENDS) == ["Still open: Style the booking page"]
    talk = ("u: 做订座", "a: 待办：\n- 补订座服务接口\n- 改订座页面样式", "u: 先做服务", wrote("src/service.py"),
            "a: 做完的：\n- ✅ 补订座服务接口")
    assert any("页面样式" in text for text in live(Kind.OPEN, *talk, *ENDS))
