"""Where tasks end: signs, what speaks against them, and what is heard of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from distill import Folder, FoldNumbers
from distill.fold.verdict import Doubt, Sign, Veto
from distill.model import Action, ActionKind, Event, Role
from tests.fold.logs import starts, talk

LIMITER = (
    "u: Please write a rate limiter for the alert sender, with its counters in SQLite.",
    "a: Done: `limiter.py` counts alerts per phone number in SQLite. All 12 tests pass.",
    "u: Does it count failed alerts as well?",
    "a: No, only alerts that the gateway has accepted are counted.",
)
导出 = (
    "u: 给预约后台写一个导出接口，按日期导出 CSV，编码用带 BOM 的 UTF-8。",
    "a: 导出接口已完成，文件是 `export.py`，26 个测试全部通过。",
    "u: 导出的列按什么顺序？",
    "a: 按学号、座位、开始时间、结束时间的顺序。",
)


def last(folder: Folder) -> tuple[set[Sign], set[Veto], bool]:
    """Signs and vetoes of the last message, and whether it begins a task."""
    folder.say("assistant", "Good.")
    folder.finish()
    seen = folder.boundaries
    if not seen or seen[-1].record != 5:
        return set(), set(), False
    return {name for name, _ in seen[-1].signs}, {name for name, _ in seen[-1].vetoes}, seen[-1].boundary


@pytest.mark.parametrize(("before", "ask"), [
    (LIMITER, "New task: draw the logo of the harbour as an SVG file for the letterhead."),
    (LIMITER, "Different question. Which days of the week is the harbour office open in winter?"),
    (LIMITER, "Now for something different, the letterhead needs a logo as an SVG file."),
    (导出, "换个问题，实验室的门禁卡丢了应该找谁补办？"),
    (导出, "新任务：给食堂做一张每周菜单的海报，竖版，要能打印。"),
    (导出, "接下来做登录页的验证码，四位数字，五分钟过期。"),
])  # fmt: skip
def test_words_that_turn_to_something_else_begin_a_task(before: Sequence[str], ask: str) -> None:
    signs, vetoes, boundary = last(talk(*before, f"u: {ask}"))
    assert Sign.SWITCH in signs
    assert vetoes == set()
    assert boundary


@pytest.mark.parametrize(("before", "ask"), [
    (LIMITER, "Thanks, that's it. Draw the logo of the harbour as an SVG file for our letterhead, please."),
    (导出, "谢谢，搞定了。帮我给食堂做一张每周菜单的海报，竖版，要能打印出来贴在门口。"),
])  # fmt: skip
def test_a_task_that_is_closed_may_be_followed_by_any_other(before: Sequence[str], ask: str) -> None:
    signs, _, boundary = last(talk(*before, f"u: {ask}"))
    assert Sign.COMPLETION in signs
    assert boundary


@pytest.mark.parametrize(("before", "ask"), [
    (LIMITER, "The letterhead needs a new logo of the harbour, drawn as an SVG file."),
    (导出, "食堂想要一张每周菜单的海报，竖版，要能打印出来。"),
])  # fmt: skip
def test_after_a_pause_other_words_are_another_task(before: Sequence[str], ask: str) -> None:
    signs, _, boundary = last(talk(*before, "+45", f"u: {ask}"))
    assert {Sign.DRIFT, Sign.IDLE} <= signs
    assert boundary
    assert last(talk(*before, f"u: {ask}"))[1:] == ({Veto.FAINT}, False)


@pytest.mark.parametrize(("before", "ask", "why"), [
    (LIMITER, "It should also count those that time out.", Veto.FOLLOW_UP),
    (LIMITER, "And what about landlines in other countries, satellite phones and pagers?", Veto.FOLLOW_UP),
    (LIMITER, "You just said twelve tests pass, but on the harbour laptop three are red.", Veto.FOLLOW_UP),
    (LIMITER, "Thanks, that's it.", Veto.CLOSES),
    (LIMITER, "Raise the ceiling.", Veto.BRIEF),
    (LIMITER, "Count SQLite alerts per phone number and gateway.", Veto.FAINT),
    (导出, "它能不能也支持 Excel，还有压缩包？", Veto.FOLLOW_UP),
    (导出, "刚才那个接口再加一个参数，可以只要某一栋楼的。", Veto.FOLLOW_UP),
    (导出, "谢谢，搞定了", Veto.CLOSES),
])  # fmt: skip
def test_what_goes_on_with_a_task_begins_none(before: Sequence[str], ask: str, why: Veto) -> None:
    signs, vetoes, boundary = last(talk(*before, "+6", f"u: {ask}"))
    assert signs
    assert why in vetoes
    assert not boundary


@pytest.mark.parametrize(("asked", "answer"), [
    ("Where shall the counters live, in SQLite or in memory?", "The harbour office keeps its machines for ten years."),
    ("计数器放在 SQLite 还是内存里？", "港口办公室的机器一般用十年才换一次。"),
])  # fmt: skip
def test_an_answer_to_a_question_begins_no_task(asked: str, answer: str) -> None:
    folder = talk("u: Write a rate limiter for the alert sender.", "a: It stands.", "u: Go on.", f"a: {asked}",
                  f"u: {answer}")
    assert last(folder)[1] >= {Veto.ANSWER}


@pytest.mark.parametrize(("ask", "begins"), [
    ("The letterhead of the harbour office needs a logo as an SVG file by Ida. Whats left from your side?", False),
    ("Commit: one for the limiter, one for the letterhead, with the harbour logo as an SVG file by Ida.", False),
    ("Then: the letterhead needs a blue logo as an SVG file.", True),
    ("另外，食堂要一张每周菜单的海报，竖版。剩哪些没弄？", True),
    ("剩哪些没弄？食堂那张每周菜单的海报，竖版，门口要贴的。", False),
])  # fmt: skip
def test_winding_up_and_landing_the_work_begin_nothing(ask: str, begins: bool) -> None:
    _, vetoes, boundary = last(talk(*LIMITER, f"u: {ask}"))
    assert boundary is begins
    assert (Veto.WINDS_UP in vetoes) is not begins


def test_an_offer_of_further_work_that_is_taken_begins_a_task() -> None:
    """Where something was made before; an offer to go on is none."""
    made = Action(kind=ActionKind.WROTE, target="limiter.py")

    def begins(offer: str, reply: str) -> bool:
        folder = talk("u: Write a rate limiter for the alert sender.")
        folder.feed([Event(record=2, role=Role.ASSISTANT, text="", action=made)])
        folder.say("assistant", offer)
        folder.say("user", reply)
        folder.say("assistant", "Good.")
        folder.finish()
        return len(starts(folder)) == 1

    assert begins("It counts in SQLite. Would you like to tackle the docs of the sender next?", "yes please")
    assert not begins("It counts in SQLite. Would you like to tackle the docs of the sender next?", "no")
    assert not begins("It counts in SQLite. Would you like it in memory?", "yes please")
    assert begins("计数放在 SQLite。接下来要不要我写发送器的文档？", "要")
    assert not begins("计数放在 SQLite。要我继续吗？", "要")


def test_a_pause_begins_when_the_answer_can_have_been_read() -> None:
    ask = "u: The letterhead needs a new logo of the harbour, drawn as an SVG file."
    long = (*LIMITER[:3], LIMITER[3] + " Landlines count as well, pagers do not." * 60)
    assert Sign.IDLE in last(talk(*LIMITER, "+6", ask))[0]
    assert Sign.IDLE not in last(talk(*long, "+6", ask))[0]


def test_what_is_turned_down_or_put_off_speaks_against_a_boundary() -> None:
    rest = "the letterhead of the harbour office needs a logo as an SVG file, in blue and white, for Ida's printer"
    doubts = {}
    for head in ("Well, ", "No, ", "Maps tomorrow: I do it later, "):
        folder = talk(*LIMITER, f"u: {head}{rest}.", "a: Good.")
        folder.finish()
        doubts[head] = {name for name, _ in folder.boundaries[-1].doubts}
    assert doubts == {"Well, ": set(), "No, ": {Doubt.TURNED_DOWN}, "Maps tomorrow: I do it later, ": {Doubt.PUT_OFF}}


def test_nothing_ends_before_it_has_come_to_anything() -> None:
    folder = talk("u: Write a rate limiter for the alert sender.", "a: With SQLite, or in memory?",
                  "u: New task: draw the logo of the harbour as an SVG file.", "a: Drawn.")
    folder.finish()
    assert [name for name, _ in folder.boundaries[0].vetoes] == [Veto.NOTHING_YET]
    assert starts(folder) == []


def test_the_answer_tells_that_a_turn_goes_on_with_the_task() -> None:
    ask = "u: Landlines, satellite phones, pagers, buoys, lighthouses, foghorns, sirens, radios, beacons, ferries, tugs"
    apart = talk(*LIMITER, ask, "a: Sirens and foghorns sound along every pier of the old town.")
    near = talk(*LIMITER, ask, "a: The rate limiter counts alerts of them per phone number in SQLite, as `limiter.py` "
                "did; failed alerts that the gateway has not accepted are not counted. All tests pass.")
    apart.finish()
    near.finish()
    assert starts(apart) == [5]
    assert starts(near) == []
    assert [name for name, _ in near.boundaries[-1].vetoes] == [Veto.PULLED_BACK]


def test_the_numbers_decide() -> None:
    ask = "u: The letterhead needs a new logo of the harbour, drawn as an SVG file."
    lines = (*LIMITER, "+6", ask, "a: Drawn.")
    found = {idle: starts(_finished(talk(*lines, numbers=FoldNumbers(idle=idle)))) for idle in (300, 3600)}
    assert found == {300: [5], 3600: []}
    assert starts(_finished(talk(*lines, numbers=FoldNumbers(confirm=9)))) == []


def _finished(folder: Folder) -> Folder:
    folder.finish()
    return folder
