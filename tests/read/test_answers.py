from collections.abc import Mapping

import pytest

from distill.model import Action, ActionKind
from distill.read.answers import answer_actions, plan_actions

K = ActionKind
TWO = {
    "questions": [
        {
            "question": "Which store?",
            "header": "Store",
            "options": [{"label": "Disk", "description": "cheap"}, {"label": "Cloud"}],
        },
        {"question": 'Call it "core"?', "options": ["Yes", "No"]},
    ]
}
ONE = {"question": "Which store?", "follow_up": '["Disk", "Cloud"]'}


def pairs(output: str, given: object = None, asked: Mapping[str, object] | None = None) -> list[tuple[str, str]]:
    return [(act.target, act.detail) for act in answer_actions(asked or TWO, output, given)]


@pytest.mark.parametrize(
    "output",
    [
        "User has answered your questions: {}. You can now continue with the answers in mind.",
        "The user answered: {}.",
        "Your questions have been answered: {}",
    ],
)
def test_pairs_in_several_wordings(output: str) -> None:
    answers = '"Which store?"="Cloud", "Call it "core"?"="No, "hub", please"'
    assert pairs(output.format(answers)) == [("Which store?", "Cloud"), ('Call it "core"?', 'No, "hub", please')]


def test_the_options_that_were_offered() -> None:
    first, second = answer_actions(TWO, "", {"Which store?": "Cloud", 'Call it "core"?': ["Yes", "No"]})
    assert first == Action(kind=K.ANSWERED, target="Which store?", detail="Cloud", options=("Disk", "Cloud"))
    assert (second.detail, second.options) == ("Yes, No", ("Yes", "No"))


def test_answers_as_json() -> None:
    asked = {"questions": [{"id": "store", "question": "Which store?"}]}
    assert pairs('{"answers": {"store": {"answers": ["Cloud"]}}}', asked=asked) == [("Which store?", "Cloud")]
    assert pairs('{"answers": ["Cloud", "No"]}') == [("Which store?", "Cloud"), ('Call it "core"?', "No")]


def test_a_plain_answer_to_one_question() -> None:
    (act,) = answer_actions(ONE, "<answer>\nCloud, in Europe\n</answer>")
    assert act == Action(kind=K.ANSWERED, target="Which store?", detail="Cloud, in Europe", options=("Disk", "Cloud"))


@pytest.mark.parametrize(
    "output",
    [
        "",
        "User dismissed the question",
        "The user declined",
        "Error: no such tool",
        "The user wants to clarify these questions.",
    ],
)
def test_no_answer(output: str) -> None:
    assert answer_actions(ONE, output) == ()
    assert answer_actions(TWO, output) == ()


def test_notes_beside_an_answer() -> None:
    output = 'User has answered your questions: "Which store?"="Cloud" user notes: in Europe. You can now continue.'
    assert pairs(output, asked={"questions": [{"question": "Which store?"}]}) == [("Which store?", "Cloud (in Europe)")]


def test_plans() -> None:
    (act,) = plan_actions({"plan": "1. Dig"}, "User has approved your plan.", failed=False)
    assert (act.kind, act.detail, act.done) == (K.APPROVED, "1. Dig", True)
    output = "User has approved your plan. Saved to: x.md\n\n## Approved Plan:\n1. Dig\n2. Fill"
    assert plan_actions({}, output, failed=False)[0].detail == "1. Dig\n2. Fill"
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\nsmaller"
    (act,) = plan_actions({"plan": "1. Dig"}, refused, failed=True)
    assert (act.kind, act.target, act.detail) == (K.REJECTED, "plan", "smaller")
    assert plan_actions({"plan": "1. Dig"}, "You are not in plan mode.", failed=True) == ()


@pytest.mark.parametrize(
    "asked", [{}, {"questions": None}, {"questions": "["}, {"questions": [[], {"question": 3}]}, {"question": ""}]
)
def test_odd_questions(asked: dict[str, object]) -> None:
    assert answer_actions(asked, "hm") == ()
