"""What the user's words take of the proposals before them, and as what."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, decisions, live

PLAN = (
    "a: Plan:\n\n1. Move the parser to its own module\n2. Add a cache for parsed files\n3. Write tests for both\n\n{}"
)
ASKS = (
    "a: A few questions:\n\n1. Should old rows be deleted or marked?\n2. How long is a draft kept?\n"
    "3. Do you want a log?"
)
FRAGEN = "a: 有三个问题：\n\n1. 旧记录删除还是只做标记？\n2. 草稿保留多久？\n3. 要不要日志页面？"
WAYS = (
    "a: Three ways to keep the drafts:\n\n1. Redis with a limit\n2. A table with a job\n3. Files on disk\n\nWhich one?"
)
ENDS = ("a: Done.", f"u: {LATE}", "a: Here.")


def _said(proposal: str, reply: str) -> str:
    return decisions("u: What now?", proposal, f"u: {reply}", *ENDS)


@pytest.mark.parametrize(
    ("reply", "kept", "dropped"),
    [
        ("yes", ["arser to its own", "cache for parsed", "tests for both"], []),
        ("y", ["arser to its own", "cache for parsed", "tests for both"], []),
        ("好", ["arser to its own", "cache for parsed", "tests for both"], []),
        ("1 and 3 only", ["arser to its own", "tests for both"], ["cache for parsed"]),
        ("ok without 2", ["arser to its own", "tests for both"], ["cache for parsed"]),
        ("只做 1 和 3", ["arser to its own", "tests for both"], ["cache for parsed"]),
        ("除了 2 都做", ["arser to its own", "tests for both"], ["cache for parsed"]),
        ("hold on, don't write any code yet", [], ["arser to its own", "cache for parsed", "tests for both"]),
        ("why a cache?", [], ["arser to its own", "cache for parsed", "tests for both"]),
    ],
)
def test_a_plan_is_approved_whole_or_in_parts(reply: str, kept: list[str], dropped: list[str]) -> None:
    said = _said(PLAN.format("Proceed?"), reply)
    assert [words for words in kept if words not in said] == []
    assert [words for words in dropped if words in said] == []


def test_a_list_that_is_no_plan_is_not_approved() -> None:
    done = "a: What I did:\n\n1. Moved the parser to its own module\n2. Added a cache\n3. Wrote tests\n\nAll green."
    assert "Added a cache" not in _said(done, "ok")


@pytest.mark.parametrize(
    "reply", ["1. deleted 2. 12 days 3. no", "1. deleted\n2. 12 days\n3. no", "deleted, 12 days, no"]
)
def test_questions_are_answered_by_number_or_in_order(reply: str) -> None:
    said = _said(ASKS, reply)
    assert "Should old rows be deleted or marked? → deleted" in said
    assert "How long is a draft kept? → 12 days" in said
    assert "Do you want a log? → no" in said
    assert "| no |" not in f"| {said} |"


def test_questions_are_answered_by_number_in_chinese() -> None:
    said = _said(FRAGEN, "1、只做标记\n2、12 天\n3、先不要")
    assert "旧记录删除还是只做标记？ → 只做标记" in said
    assert "草稿保留多久？ → 12 天" in said
    assert "要不要日志页面？ → 先不要" in said


@pytest.mark.parametrize(
    ("reply", "kept", "dropped"),
    [
        ("2", ["A table with a job"], ["Redis with", "Files on disk"]),
        ("the last one", ["Files on disk"], ["Redis with", "A table"]),
        ("redis please", ["Redis with a limit"], ["A table", "Files on disk"]),
        ("2 is overkill, so 3", ["Files on disk"], ["A table with"]),
        ("not 1", ["not 1 [Redis with a limit]"], ["A table with", "Files on disk"]),
        ("you decide", [], ["Redis with", "A table", "Files on disk"]),
        ("add a search box to the page", [], ["Redis with", "A table", "Files on disk", "Which one? →"]),
    ],
)
def test_one_of_several_ways_is_picked(reply: str, kept: list[str], dropped: list[str]) -> None:
    said = _said(WAYS, reply)
    assert [words for words in kept if words not in said] == []
    assert [words for words in dropped if words in said] == []


@pytest.mark.parametrize(
    ("proposal", "reply", "decision"),
    [
        ("I'd suggest sending the mails in batches of 50. Shall I go ahead?", "yes but 20",
         "Sending the mails in batches of 50 (but 20)"),
        ("I could sort them by surname. OK?", "yes", "Sort them by surname"),
        ("建议每批发 50 封，间隔一分钟。可以吗？", "可以，但每批 20", "每批发 50 封，间隔一分钟 (但每批 20)"),
        ("Shall I also delete the old exporter?", "yes, but keep its tests",
         "Delete the old exporter (but keep its tests)"),
        ("How long should a draft live?", "12 days", "How long should a draft live? → 12 days"),
    ],
)
def test_a_yes_takes_what_leave_was_asked_for(proposal: str, reply: str, decision: str) -> None:
    assert decision in _said(f"a: {proposal}", reply)


def test_a_yes_to_a_question_that_asks_which_settles_nothing() -> None:
    assert live(Kind.DECISION, "u: What now?", "a: Which region should it run in?", "u: ok", *ENDS) == []


@pytest.mark.parametrize(
    ("question", "reply", "decision"),
    [
        ("Should we use Redis or a plain file?", "the file", "plain file"),
        ("缓存用 Redis 还是本地文件？", "前者", "Redis"),
        ("缓存用 Redis 还是本地文件？", "本地文件吧", "本地文件"),
    ],
)
def test_the_choice_between_two_in_a_question(question: str, reply: str, decision: str) -> None:
    said = live(Kind.DECISION, "u: What now?", f"a: {question}", f"u: {reply}", *ENDS)
    assert len(said) == 1
    assert said[0].endswith(decision) or f"{decision} (" in said[0]


@pytest.mark.parametrize("reply", ["everything except 2", "除了 2 都做", "do 1 and 3, skip 2", "1 和 3 先做，2 不做"])
def test_a_list_nobody_asked_about_is_taken_by_number(reply: str) -> None:
    said = _said("a: Ways to speed it up:\n\n1. zip the pages\n2. move the pictures\n3. cache the menu", reply)
    assert "Zip the pages" in said
    assert "Cache the menu" in said
    assert "ove the pictures" not in said


@pytest.mark.parametrize(
    ("put", "said", "taken"),
    [
        ("Either gzip the responses or move the images to a CDN.", "the latter", "images to a CDN"),
        ("We can either keep it in Redis or write it to a file.", "the former", "Keep it in Redis"),
        ("Either keep it in Redis, or write it to a file.", "Redis please", "Keep it in Redis"),
        ("要么放 Redis，要么写文件。", "后者", "写文件"),
        ("可以放 Redis，也可以写文件。", "前者", "放 Redis"),
    ],
)
def test_one_way_or_the_other_is_taken_by_its_place_or_name(put: str, said: str, taken: str) -> None:
    lines = ("u: How shall it be?", f"a: {put}", f"u: {said}", "a: OK.", f"u: {LATE}", "a: Here.")
    assert taken in decisions(*lines)
    assert put not in " | ".join(live(Kind.FACT, *lines))


@pytest.mark.parametrize("said", ["ok thanks, let me think", "That is a lot of work, I'd rather ask the others first."])
def test_one_way_or_the_other_is_left_open_by_other_words(said: str) -> None:
    put = "Either keep it in Redis, or write it to a file."
    assert "Redis" not in decisions("u: Where?", f"a: {put}", f"u: {said}", "a: OK.", f"u: {LATE}", "a: Here.")
