"""A turn that was taken back has done nothing to what was said and made before it."""

from __future__ import annotations

import pytest

from distill.classify.acts import Acts
from distill.model import Action, ActionKind, Event, Kind, Role
from tests.classify.talk import LATE, decisions, judged, live, wrote

ENDS = (f"u: {LATE}", "a: Here.")


def back(to: int) -> Action:
    return Action(kind=ActionKind.REWOUND, back_to=to)


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("Decided: rents are billed in kroner.", "Scratch that."),
        ("Decided: rents are billed in kroner.", "Actually, switch to francs."),
        ("决定：租金按克朗结算", "改用法郎"),
        ("决定：租金按克朗结算", "算了，当我没说"),
        ("the waiting list holds 40 names", "40 is too short, make it 70"),
        ("等候名单上限 40 人", "40 人太少，改成 70 人"),
    ],
)
def test_rewound_words_overtake_nothing(kept: str, words: str) -> None:
    talk = (f"u: {kept}", "a: Fine.", f"u: {words}", "a: Done.")
    assert kept.rstrip(".") not in decisions(*talk, *ENDS)
    assert kept.rstrip(".") in decisions(*talk, back(2), *ENDS)


def test_words_before_the_rewind_still_overtake() -> None:
    talk = ("u: Decided: rents are billed in kroner.", "a: Fine.", "u: Scratch that.", "a: Sure.", "u: Again: drop it.")
    assert "kroner" not in decisions(*talk, "a: Yes.", back(4), *ENDS)


def test_a_proposal_can_be_answered_anew() -> None:
    offer = "a: How shall we send the tickets? Option A: email them. Option B: print them. Which one?"
    first = ("u: How could we send the tickets?", offer, "u: Option A", "a: Right.")
    assert "Email" in decisions(*first, *ENDS)
    anew = decisions(*first, back(2), "u: Option B", "a: Right.", *ENDS)
    assert "Print" in anew
    assert "Email" not in anew


def test_a_rewind_into_a_turn_leaves_nothing_to_be_answered() -> None:
    offer = "a: Shall I store the tickets in SQLite?"
    talk = ("u: Where do the tickets go?", offer, "u: Tell me.", "a: I look.", wrote("notes.md"), "a: It is small.")
    assert "SQLite" not in decisions(*talk, back(4), "u: yes", "a: Well.", *ENDS)


def test_a_refusal_that_was_rewound_refuses_nothing() -> None:
    claim = "The ferry timetable is read from harbour.csv at every start."
    talk = ("u: What is read when?", f"a: {claim}", "u: no, that's wrong", "a: Sorry.")
    judge, _ = judged(*talk, back(2), *ENDS)
    assert [one for one in judge.pool if claim in one.text]
    assert not any("refused" in one.signals for one in judge.pool)


def test_a_hold_outlives_a_change_that_was_rewound() -> None:
    talk = ("u: don't change anything yet", "a: I look.", "u: ok go on", wrote("app/lock.py"), "a: Done.")
    assert "change anything" not in decisions(*talk, *ENDS)
    assert "change anything" in decisions(*talk, back(2), *ENDS)


def test_words_on_tests_outlive_a_run_that_was_rewound() -> None:
    run = Action(kind=ActionKind.TESTED, target="pytest -q", detail="9 passed")
    failed = Action(kind=ActionKind.TESTED, target="pytest -q", detail="1 failed, 8 passed")
    said = "a: One of the 9 tests still fails, the one for the tides."
    talk = ("u: Run them.", failed, said, "u: Again.", run, "a: All 9 tests pass.")
    assert "still fails" in " ".join(live(Kind.FACT, *talk, back(3), *ENDS))
    assert "still fails" not in " ".join(live(Kind.FACT, *talk, *ENDS))


def test_the_words_of_a_rewound_edit_are_forgotten() -> None:
    acts = Acts("log")
    one = Event(record=1, role=Role.ASSISTANT, action=wrote("a.py", "anchor lantern"))
    other = Event(record=2, role=Role.ASSISTANT, action=wrote("b.py", "lantern mooring"))
    acts.take([one, other])
    assert acts.edit_words == {"anchor", "lantern", "moor"}
    acts.take([Event(record=3, role=Role.ASSISTANT, action=back(1))])
    assert acts.edit_words == {"anchor", "lantern"}
    assert acts.last_change == 1
