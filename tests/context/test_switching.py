"""Turns stay, are asked about or switch: by what is said, by likeness over several turns, never without reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from distill.context.model import Numbers
from distill.context.switching import Decision, Verdict
from distill.layered import Context
from distill.model import DistillError
from tests.context.scenario import NOW


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Two open tasks; the seating plan is active."""
    context = Context.init(tmp_path, now=NOW)
    context.start("Invoice for the caterer")
    context.set("caterer", "Lindqvist")
    context.set("courses", "three courses")
    context.result("sum", "2,400 EUR for 60 guests")
    context.start("Seating plan for the wedding")
    context.set("tables", "round tables")
    return context


def decision(context: Context, text: str, **more: str) -> Decision:
    found = context.turn(text, **more).decision  # type: ignore[arg-type]
    assert found.reasons
    return found


@pytest.mark.parametrize(("text", "verdict", "target"), [
    ("Put the grandparents at the round tables near the door.", Verdict.STAY, None),
    ("Only six at each of them.", Verdict.STAY, None),
    ("Back to the invoice of the caterer, is the wine on it?", Verdict.SWITCH, 1),
    ("Next topic: write the speech.", Verdict.SWITCH, 0),
    ("What was the sum on the caterer's invoice?", Verdict.STAY, None),
    ("By the way, has the caterer sent the invoice?", Verdict.STAY, None),
    ("Rent three heaters for the terrace.", Verdict.ASK, 0),
    ("Check the sum on the invoice of the caterer.", Verdict.ASK, 1),
    ("回到 Lindqvist 的 invoice", Verdict.SWITCH, 1),
    ("换个话题，写致辞", Verdict.SWITCH, 0),
    ("对了，round tables 够坐吗？", Verdict.STAY, None),
    # what no open task knows may be another task, also where it is asked in passing
    ("对了，致辞写好了吗？", Verdict.ASK, 0),
    ("Is the menu card for the wedding ready?", Verdict.ASK, 0),
    ("By the way, who feeds the cat while we are in Norway?", Verdict.ASK, 0),
    # a new piece of work is new although it shares a name with the task in hand
    ("Now draft the thank-you cards for the wedding guests.", Verdict.ASK, 0),
    ("The photo book for the wedding needs a cover", Verdict.ASK, 0),
    ("Also a letter to the neighbours about the wedding, they should know how late it gets", Verdict.ASK, 0),
    ("Move the children's seating plan to page two.", Verdict.STAY, None),
    ("写一份给 wedding 客人的请柬", Verdict.ASK, 0),
    # an order that is put as a question is an order
    ("Could you add the wine to the caterer's invoice?", Verdict.ASK, 1),
    # what is left is not what comes next
    ("Let's leave that. The band wants to know when it can set up.", Verdict.SWITCH, 0),
    ("Leave the tables for now, thanks.", Verdict.STAY, None),
    ("先不管座位，乐队问几点可以进场布置", Verdict.SWITCH, 0),
    # a pronoun that points into the turn itself leans on nothing before it, one at its beginning does
    ("The projector in the lobby is broken, have it repaired by Monday.", Verdict.ASK, 0),
    ("It needs a longer cable and an adapter.", Verdict.STAY, None),
    ("大堂的投影仪坏了，周一之前把它修好", Verdict.ASK, 0),
    ("它还缺一根长一点的线", Verdict.STAY, None),
    # words that only tie a turn on do not hold it where it says much that is new
    ("Okay, order the flowers, candles and napkins from the market hall.", Verdict.ASK, 0),
    ("Okay, order flowers.", Verdict.STAY, None),
    # named as one names what was left
    ("As for Lindqvist, he wants the sum by Friday.", Verdict.SWITCH, 1),
    ("Then the invoice again: add the courses.", Verdict.SWITCH, 1),
    ("至于 Lindqvist，他周五要 sum", Verdict.SWITCH, 1),
    # no turning to anything else
    ("Turn to page two.", Verdict.STAY, None),
    ("下一个谁坐门口？", Verdict.STAY, None),
])  # fmt: skip
def test_a_turn_is_told(context: Context, text: str, verdict: Verdict, target: int | None) -> None:
    found = decision(context, text)
    assert (found.verdict, found.target) == (verdict, target)


def test_what_the_assistant_said_is_known_for_some_turns(context: Context) -> None:
    context.turn("Which rooms are free?", reply="Nothing else is planned.", apply=True)
    context.turn("Take the larger one.", reply="The orangery and the barn are free on that day.", apply=True)
    context.turn("What does it cost?", reply="Booked.", apply=True)
    assert decision(context, "How do people get to the orangery in the rain?").verdict is Verdict.STAY
    context.turn("Back to the invoice of the caterer.", apply=True)
    assert decision(context, "Put heaters into the orangery and candles into the barn.").target == 2


def test_an_answer_to_a_question_stays(context: Context) -> None:
    said = "Vegetarians, diabetics, small children."
    assert decision(context, said).verdict is Verdict.ASK
    assert decision(context, said, reply="Who needs something special?").verdict is Verdict.STAY


def test_a_long_reply_does_not_make_everything_alike(context: Context) -> None:
    reply = "I moved them. " + "x y z. " * 200 + "Rent the heaters for the terrace. " + "x y z. " * 200 + "Done."
    assert decision(context, "Rent three heaters for the terrace.", reply=reply).verdict is Verdict.ASK


def test_likeness_alone_switches_after_several_turns_in_a_row(context: Context) -> None:
    text = "Check the sum on the invoice of the caterer Lindqvist for 60 guests."
    first = context.turn(text, apply=True)
    assert (first.decision.verdict, first.moved) == (Verdict.ASK, False)
    second = context.turn("Compare the courses on the invoice with the sum for 60 guests.", apply=True)
    assert (second.decision.verdict, second.decision.target, second.moved) == (Verdict.SWITCH, 1, True)
    assert second.task
    assert second.task.title == "Invoice for the caterer"


def test_a_turn_between_begins_the_count_anew(context: Context) -> None:
    text = "Check the sum on the invoice of the caterer Lindqvist for 60 guests."
    context.turn(text, apply=True)
    context.turn("Put the round tables near the door.", apply=True)
    assert context.turn(text, apply=True).decision.verdict is Verdict.ASK


def test_without_apply_nothing_is_written(context: Context) -> None:
    before = context.store.dump()
    context.turn("Next topic: write the speech.")
    assert context.store.dump() == before


def test_the_thresholds_are_the_users(context: Context) -> None:
    text = "Next topic: write the speech."
    numbers = context.desk().numbers
    context.set_numbers(replace(numbers, switch=0.95))
    assert decision(context, text).verdict is Verdict.ASK
    context.set_numbers(replace(numbers, switch=0.95, ask=0.95))
    assert decision(context, text).verdict is Verdict.STAY
    for wrong in ({"ask": 0.9, "switch": 0.5}, {"depth": 0}, {"window": 1.5}, {"turns": True}):
        with pytest.raises(DistillError):
            Numbers(**wrong)


def test_what_the_assistant_said_last_keeps_a_turn(context: Context) -> None:
    text = "Does the terrace door have a ramp for the neighbour's wheelchair?"
    assert decision(context, text).verdict is Verdict.ASK
    reply = "Tables 4 and 5 stand beside the terrace door and its ramp."
    assert decision(context, text, reply=reply).verdict is Verdict.STAY


def test_a_new_task_takes_on_what_the_turn_points_to(context: Context) -> None:
    context.set("date", "12 June")
    context.set("hall", "Hall 2", pending=True)
    turned = context.turn("New task: order flowers for that date.", apply=True, title="Flowers")
    assert turned.decision.carry == ("date",)
    assert [(one.wins.name, one.wins.text) for one in context.show().values] == [("date", "12 June")]
    context.undo()
    assert context.show().task.title == "Seating plan for the wedding"


def test_a_task_that_has_lain_is_asked_about(context: Context) -> None:
    later = Context(context.store.path.parent, now="2026-03-09T09:00:00Z")
    turned = later.turn("Back to the invoice of the caterer.", apply=True)
    assert (turned.decision.verdict, turned.moved) == (Verdict.ASK, False)
    assert "days ago" in turned.decision.reasons[-1]


def test_with_no_task_in_hand_a_turn_begins_one_or_asks(tmp_path: Path) -> None:
    context = Context.init(tmp_path, now=NOW)
    assert context.turn("Write the speech.", apply=True).moved
    assert context.show().task.title == "Write the speech."
    context.suspend()
    again = decision(context, "Make the speech shorter.")
    assert (again.verdict, again.target) == (Verdict.ASK, 1)
    assert decision(context, "Back to the speech.").verdict is Verdict.SWITCH
