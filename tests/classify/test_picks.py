"""Options are meant by place, by name, or by what is left when others are ruled out."""

from __future__ import annotations

import pytest

from distill.classify.numbered import numbered_answers
from distill.classify.picks import asks_which, choose, goes_beyond
from distill.model import Kind, Role, Statement
from tests.classify.talk import LATE, live

ENGLISH = ("Redis with a TTL", "A Postgres table with a cleanup job", "Signed cookies, nothing on the server")
CHINESE = ("Redis，带过期", "Postgres 表，定时清理", "签名 Cookie，服务端不存")


def _options(texts: tuple[str, ...]) -> list[Statement]:
    return [Statement(text=text, quote=text, record=7, role=Role.ASSISTANT, index=i) for i, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("said", "taken", "out"),
    [
        ("the second one", [1], []),
        ("first", [0], []),
        ("the last one", [2], []),
        ("the first two", [0, 1], []),
        ("redis please", [0], []),
        ("go with the cookies", [2], []),
        ("I'd rather have cookies", [2], []),
        ("the postgres table and the cookies", [1, 2], []),
        ("cookies rather than redis", [2], [0]),
        ("postgres over redis", [1], [0]),
        ("2 looks risky, so 3", [2], [1]),
        ("not 1", [], [0]),
        ("anything but redis", [], [0]),
        ("neither", [], [0, 1, 2]),
        ("none of these, keep them in memory", [], [0, 1, 2]),
        ("up to you", [], []),
        ("whichever is simplest", [], []),
        ("what about redis?", [], []),
        ("let me think about it", [], []),
        ("add a logout button", [], []),
        ("5", [], []),
    ],
)
def test_options_are_chosen_in_english(said: str, taken: list[int], out: list[int]) -> None:
    options = _options(ENGLISH)
    choice = choose(said, options)
    assert ([one.index for one in choice.taken], [one.index for one in choice.out]) == (taken, out)


@pytest.mark.parametrize(
    ("said", "taken", "out"),
    [
        ("第二个", [1], []),
        ("最后一个", [2], []),
        ("前两个", [0, 1], []),
        ("1 2做，3先不用", [0, 1], [2]),
        ("选2", [1], []),
        ("做3吧", [2], []),
        ("3天就够了", [], []),
        ("先跑2个月", [], []),
        ("用 Redis 吧", [0], []),
        ("Cookie 那个", [2], []),
        ("不要 1", [], [0]),
        ("前两个都不要", [], [0, 1]),
        ("都不好", [], [0, 1, 2]),
        ("Redis 太重了，用第三个", [2], [0]),
        ("你定", [], []),
        ("哪个简单用哪个", [], []),
        ("再想想", [], []),
        ("帮我收尾，我要另开个对话", [], []),
    ],
)
def test_options_are_chosen_in_chinese(said: str, taken: list[int], out: list[int]) -> None:
    choice = choose(said, _options(CHINESE))
    assert ([one.index for one in choice.taken], [one.index for one in choice.out]) == (taken, out)


def test_a_long_message_names_an_option_by_the_way_only() -> None:
    said = "Please rename the settings page, the redis dashboard and the worker overview, and then update the docs."
    assert choose(said, _options(ENGLISH)).taken == ()


@pytest.mark.parametrize(
    ("question", "which"),
    [
        ("Which one do you want?", True),
        ("Should I use tabs or spaces?", True),
        ("你想用哪个？", True),
        ("用 A 还是用 B？", True),
        ("Shall I start?", False),
        ("可以开始吗？", False),
    ],
)
def test_questions_between_alternatives(question: str, which: bool) -> None:
    assert asks_which(question) is which


@pytest.mark.parametrize(
    ("said", "more"),
    [("the first one, please", False), ("用 Redis 吧", False), ("the first one, but with a 1h limit", True),
     ("用 Redis，过期一小时", True)],
)
def test_words_beyond_the_pick(said: str, more: bool) -> None:
    option = _options(ENGLISH if said.isascii() else CHINESE)[0]
    assert goes_beyond(said, option) is more


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("1. deleted 2. 12 hours 3. no", {"1": "deleted", "2": "12 hours", "3": "no"}),
        ("1) mark only\n3) yes", {"1": "mark only", "3": "yes"}),
        ("1、删除\n2、12 小时\n3、先不要", {"1": "删除", "2": "12 小时", "3": "先不要"}),
        ("ok: 1: yes, 2: no", {"1": "yes", "2": "no"}),
        ("2. yes", {}),  # a single number is a pick
        ("2. yes 1. no", {}),
        ("set it to 1.5 and 2.5", {}),
        ("1. a 2. b 9. c", {"1": "a", "2": "b 9. c"}),
    ],
)
def test_numbered_answers(said: str, answers: dict[str, str]) -> None:
    assert numbered_answers(said, {"1", "2", "3"}) == answers


ENDS = (f"u: {LATE}", "a: Here.")
WATER = "a: Three ways:\n\n1. Every tile by itself\n2. A graph of rooms\n3. All at once\n\nI'd take 2. Ok?"
TWO_LISTS = (
    "a: 时间有两种做法：\n\n1. 统一 30 分钟一格\n2. 15 分钟一格，项目自带时长\n\n"
    "技术：\n- 方案A：Django + SQLite\n- 方案B：FastAPI 加前端框架\n\n您看呢？"
)


def test_what_goes_beyond_a_pick_at_the_start_of_a_turn_is_kept() -> None:
    said = "2. but in turns: one step when the boat has moved, not per frame. integer units, no floats"
    taken = live(Kind.DECISION, "u: How?", WATER, f"u: {said}", "a: Done.", *ENDS)
    assert any("graph of rooms" in one and "one step when the boat has moved" in one for one in taken)
    assert any("integer units, no floats" in one for one in taken)
    assert not any("tile" in one or "at once" in one for one in taken)


def test_words_too_many_to_go_with_a_pick_stand_by_themselves() -> None:
    said = ("2, but every step moves whole units of water from the room with the higher surface to the lower one, the "
            "door with the lowest number first, and undo takes back exactly one of them")
    taken = " / ".join(live(Kind.DECISION, "u: How?", WATER, f"u: {said}", "a: Done.", *ENDS))
    assert "graph of rooms" in taken
    assert "lowest number first" in taken


def test_a_pick_out_of_two_lists_takes_of_both() -> None:
    taken = " / ".join(live(Kind.DECISION, "u: 怎么做？", TWO_LISTS, "u: 2，方案A。时长前台能改", "a: 好。", *ENDS))
    assert "15 分钟一格" in taken
    assert "Django + SQLite" in taken
    assert "FastAPI" not in taken
