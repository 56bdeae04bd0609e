"""What tools printed and somebody pasted without a fence or a prompt is no statement; the words around it are."""

from __future__ import annotations

import pytest

from distill.model import Event, Role
from distill.segment.statements import statements


def texts(text: str) -> list[str]:
    return [one.text for one in statements(Event(record=1, role=Role.USER, text=text))]


PRINTED = [
    "flushJobs @ scheduler.js:427\nPromise.then\nqueueFlush @ scheduler.js:322\nShow 37 more frames\nShow less",
    "Uncaught (in promise) TypeError: tide is null\nload @ gauge.ts:12\n(anonymous) @ gauge.ts:40\nShow 4 more frames",
    "error: failed to push some refs to 'harbour:tide.git'\nhint: Updates were rejected\n"
    "Always pull before you push.\nhint: See the 'Note about fast-forwards'",
    "src/gauge.ts:3:5 - error TS2322: Type 'string' is not assignable\nDo not mix text and numbers here.\n"
    "src/gauge.ts:9:1 - error TS2304: Cannot find name 'Tide'",
    "npm WARN deprecated tide@1.0.0: use @harbour/tide instead\nnpm WARN deprecated glob@7.2.3: no longer supported\n"
    "Run `npm audit fix` to fix them, or `npm audit` for details.",
    "10:01:02 WARN must not exceed 3\nRetry at most 3 times\n10:01:09 WARN must not exceed 3",
    "[vite] Internal server error: no such file\n  Plugin: vite:import\nUse --host to expose it\n[vite] page reload",
    "Step 3/9 : RUN make\n ---> Running in 9f1c\nNever run this as root\nStep 4/9 : COPY . .",
    "gauge/views.py:12: error: Incompatible types\ngauge/views.py:14: note: Use \"-> None\" if it returns nothing\n"
    "Found 2 errors in 1 file (checked 3 source files)",
]


@pytest.mark.parametrize("printed", PRINTED)
def test_what_was_printed_is_left_out(printed: str) -> None:
    assert texts(f"{printed}\n\nUse the mean of the last three.") == ["Use the mean of the last three."]
    assert texts(f"点了就报这个\n\n{printed}\n\n取最近三次的平均值") == ["点了就报这个", "取最近三次的平均值"]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("error: bad gauge\nhint: check the gauge\nplease use port 8080 instead", ["please use port 8080 instead"]),
        ("load @ gauge.ts:12\ndraw @ gauge.ts:40\n别再弹这个窗了", ["别再弹这个窗了"]),
        ("the gauge shows this:\nWARN: slow\nWARN: slower", ["the gauge shows this:"]),
        ("Show more frames in the trace view\nKeep the last ten", ["Show more frames in the trace view",
                                                                    "Keep the last ten"]),
        ("Show less on the start page", ["Show less on the start page"]),
        ("hint: the key is under the mat", ["hint: the key is under the mat"]),
        ("Step 3/9 takes too long\nSkip it on weekends", ["Step 3/9 takes too long", "Skip it on weekends"]),
        ("gauge.ts:12 must not return null\nuse 0 instead", ["gauge.ts:12 must not return null", "use 0 instead"]),
        ("10:00 open the gate\nNever ring before ten\n11:00 close it",
         ["10:00 open the gate", "Never ring before ten", "11:00 close it"]),
        ("改两处：\n首页只留三个按钮\n详情页去掉分享", ["改两处：", "首页只留三个按钮", "详情页去掉分享"]),
    ],
)
def test_what_was_said_stays(said: str, wanted: list[str]) -> None:
    assert texts(said) == wanted
