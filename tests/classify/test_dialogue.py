"""Approvals, picks, refusals, holds and amendments are bound to what they answer."""

from __future__ import annotations

import pytest

from distill.classify.cues import CueJudge
from distill.classify.proposals import as_decision
from distill.classify.replies import Answer, amended_value, read_reply, refuses, without_numbers
from distill.model import Action, ActionKind, Kind, Role, Statement
from tests.classify.talk import LATE, book, decisions, found, live, wrote

CUES = CueJudge(book())


@pytest.mark.parametrize(
    ("text", "answer", "keys"),
    [
        ("yes", Answer.YES, ()),
        ("OK, do it", Answer.YES, ()),
        ("sounds good", Answer.YES, ()),
        ("好的", Answer.YES, ()),
        ("可以，就这样", Answer.YES, ()),
        ("沒問題", Answer.YES, ()),
        ("没错，就是照着讨论的结果来做", Answer.YES, ()),
        ("no", Answer.NO, ()),
        ("不用", Answer.NO, ()),
        ("算了", Answer.NO, ()),
        ("never mind", Answer.NO, ()),
        ("2", Answer.PICK, ("2",)),
        ("option b", Answer.PICK, ("b",)),
        ("方案1，放在 skill 目录里", Answer.PICK, ("1",)),
        ("1 and 3", Answer.PICK, ("1", "3")),
        ("实现方案二", Answer.PICK, ("2",)),
        ("let's go with option 2", Answer.PICK, ("2",)),
        ("both!", Answer.BOTH, ()),
        ("都要", Answer.BOTH, ()),
        ("先别实现，再讨论一下", Answer.HOLD, ()),
        ("don't code yet", Answer.HOLD, ()),
        ("Add a dark mode", Answer.NONE, ()),
        ("3 files are missing", Answer.NONE, ()),
        ("可以吗", Answer.NONE, ()),
        ("a better way would be nice", Answer.NONE, ()),
        ("好像不对", Answer.NONE, ()),
        ("行为要一致", Answer.NONE, ()),
    ],
)
def test_replies_are_read(text: str, answer: Answer, keys: tuple[str, ...]) -> None:
    reply = read_reply(text, CUES)
    assert (reply.answer, reply.keys) == (answer, keys)


@pytest.mark.parametrize(
    ("proposal", "decision"),
    [
        ("Shall I delete the legacy exporter?", "Delete the legacy exporter"),
        ("Or shall I just go with Vite?", "Go with Vite"),
        ("要不要把日志级别改成 warn？", "把日志级别改成 warn"),
        ("I'd suggest we go with uv.", "Go with uv"),
        ("建议用 PostgreSQL 16", "PostgreSQL 16"),
    ],
)
def test_a_proposal_is_said_as_a_decision(proposal: str, decision: str) -> None:
    one = Statement(text=proposal, quote=proposal, record=1, role=Role.ASSISTANT)
    assert as_decision(one, CUES) == decision


def test_a_short_yes_carries_what_it_answers() -> None:
    said = decisions(
        "u: What is left?", "a: Shall I delete the legacy exporter?", "u: 好的", "a: Deleted.", f"u: {LATE}", "a: Here."
    )
    assert "elete the legacy exporter" in said
    assert "好的" not in said


def test_a_refused_proposal_is_no_decision() -> None:
    said = decisions(
        "u: Anything else?", "a: 要不要把日志级别改成 warn？", "u: 不用", "a: 好。", f"u: {LATE}", "a: Here."
    )
    assert "warn" not in said
    assert "不用" not in said


def test_a_pick_takes_the_option_it_names_and_keeps_the_users_words() -> None:
    said = decisions(
        "u: Where should the cache live?",
        "a: Two ways:\n\n1. Keep it in memory and lose it on restart\n2. Write it to an SQLite file beside the log",
        "u: 2, but in the home folder",
        "a: Done.",
        f"u: {LATE}",
        "a: Here.",
    )
    assert "SQLite file" in said
    assert "in the home folder" in said
    assert "lose it on restart" not in said


def test_several_options_can_be_picked() -> None:
    said = decisions(
        "u: 怎么改？",
        "a: 方案：\n\n1. 给 orders 表加索引\n2. 换成物化视图\n3. 查询结果缓存 30 秒",
        "u: 1 和 3",
        "a: 好。",
        f"u: {LATE}",
        "a: Here.",
    )
    assert "加索引" in said
    assert "缓存 30 秒" in said
    assert "物化视图" not in said


def test_a_proposal_nobody_answers_stays_one() -> None:
    assert (
        decisions(
            "u: The build is slow.",
            "a: I suggest we switch to gRPC. We should also adopt Bazel for the build.",
            "u: Hmm, let me think about it. How large is the build folder?",
            "a: I've decided to go with Bazel.",
            "u: Print the folder size please.",
        )
        == ""
    )


def test_an_amendment_takes_the_old_value_back() -> None:
    said = decisions(
        "u: set the page size to 20", "a: OK.", "u: actually make that 50", "a: OK.", f"u: {LATE}", "a: Here."
    )
    assert "50" in said
    assert "page size" in said
    assert "20" not in said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("actually make that 50", "50"),
        ("No, make it 3 seconds.", "3 seconds"),
        ("改成 30 秒", "30 秒"),
        ("make that work", ""),
        ("Change the colour to red", ""),
        ("把超时改成 30 秒", ""),
    ],
)
def test_amended_values(text: str, value: str) -> None:
    assert amended_value(text, CUES) == value


def test_a_setting_without_its_value() -> None:
    assert without_numbers("set the page size to 20") == "set the page size"
    assert without_numbers("超时：30 秒") == "超时"


@pytest.mark.parametrize("text", ["No, that's not it.", "不对，我要的是两栏", "that's wrong", "你搞错了"])
def test_refusals(text: str) -> None:
    assert refuses(text, CUES)


@pytest.mark.parametrize("text", ["Nothing else", "不对称加密用 RSA 吗", "Noted."])
def test_no_refusals(text: str) -> None:
    assert not refuses(text, CUES)


def test_a_hold_ends_with_the_next_change() -> None:
    hold = "u: Don't code yet, plan only."
    assert "code yet" in decisions(hold, "a: Here is the plan.", "u: And the risks?", "a: None.").lower()
    assert (
        "code yet"
        not in decisions(
            hold, "a: Here is the plan.", "u: go ahead", wrote("src/a.py"), "a: Written.", f"u: {LATE}", "a: Here."
        ).lower()
    )


def test_the_last_question_of_the_user_stays_open() -> None:
    talk = ("u: Cap the cache at 512 MB.", "a: Done.", "u: Does the export also need a cap?")
    assert any("export" in text for text in live(Kind.OPEN, *talk))
    assert not any("export" in text for text in live(Kind.OPEN, *talk, "a: No, it streams.", f"u: {LATE}", "a: Here."))


def test_a_plan_that_nobody_carried_out_is_work_to_do() -> None:
    plan = (
        "- API: `GET /statements/{id}/missing` returning rows and totals\n- Matching module called from the nightly job"
    )
    talk = (
        "u: Bookkeeping needs a list of missing invoices.",
        "a: Let me look.",
        "u: ok, show me the plan",
        f"a: {plan}",
    )
    begins = {text[:8] for text in live(Kind.OPEN, *talk)}
    assert {"API: `GE", "Matching"} <= begins
    built = live(Kind.OPEN, *talk, wrote("api.py"), "a: Both are built.")
    assert not any(text.startswith(("API", "Matching")) for text in built)


def test_a_rewound_answer_takes_its_decision_along() -> None:
    back = Action(kind=ActionKind.REWOUND, back_to=2)
    talk = ("u: Add an export.", "a: Rows have no limit yet. Shall I cap them at 5000 rows?", "u: yes", "a: Done.")
    assert "5000 rows" in decisions(*talk, f"u: {LATE}", "a: Here.")
    assert "5000 rows" not in decisions(*talk, back, "u: Leave that for later.", "a: OK.", f"u: {LATE}", "a: Here.")


def test_an_accepted_proposal_cites_both_sides() -> None:
    found_at = {
        f.source.record
        for f in found(
            "u: Add an export.", "a: Shall I cap it at 5000 rows?", "u: yes", "a: Done.", f"u: {LATE}", "a: Here."
        )
        if f.rule == "decision/accepted"
    }
    assert found_at == {2, 3}


def test_a_question_answered_in_the_users_own_words() -> None:
    said = decisions(
        "u: Store the rings.",
        "a: Which table should hold the ring numbers?",
        "u: ring_log",
        "a: OK.",
        f"u: {LATE}",
        "a: Here.",
    )
    assert "Which table should hold the ring numbers? → ring_log" in said


def test_what_an_approved_plan_says_is_decided() -> None:
    plan = Action(
        kind=ActionKind.APPROVED,
        detail="## Plan\n\n- Use Hatchling as the build backend\n- Keep all existing dependencies\n",
    )
    talk = (
        "u: Make the tool installable.",
        plan,
        wrote("pyproject.toml"),
        "a: Installed and run.",
        f"u: {LATE}",
        "a: Here.",
    )
    said = decisions(*talk)
    assert "Use Hatchling as the build backend" in said
    assert "Keep all existing dependencies" in said


@pytest.mark.parametrize(
    ("turns", "live", "gone"),
    [
        (["the port is 8080", "show at most 20 rows", "make it at most 50 rows"], ["is 8080", "50 rows"], ["20 rows"]),
        (["at most 10 texts an hour", "actually make that 6, ten in a night is a lot"], ["6, ten"], ["10 texts"]),
        (["门票定成 12 元", "改回 8 元"], ["改回 8 元"], ["12 元"]),
        (["use the big hall", "actually the small hall is enough"], ["small hall"], ["big hall"]),
        (["先用 MySQL 吧", "还是换成 PostgreSQL"], ["PostgreSQL"], ["MySQL"]),
        (["never delete the uploads", "actually, use the small queue"], ["never delete", "small queue"], []),
    ],
)
def test_later_choices_take_the_place_of_earlier_ones(turns: list[str], live: list[str], gone: list[str]) -> None:
    talk = [line for said in turns for line in (f"u: {said}", "a: Done.")]
    said = decisions(*talk, f"u: {LATE}", "a: Here.")
    assert [words for words in live if words not in said] == []
    assert [words for words in gone if words in said] == []


@pytest.mark.parametrize("said", ["Hm, interesting.", "Sure.", "哈哈，有意思", "You're welcome!"])
def test_courtesies_are_no_conclusions(said: str) -> None:
    assert found("u: Hello.", "a: Hello.", f"u: {said}", f"a: {said}", f"u: {LATE}", "a: Here.") == []
