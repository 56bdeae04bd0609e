"""Every rule file of the package, tested by its own examples, the way `rules test` and loading do it."""

import pytest

from distill.model import Kind, Role
from distill.rulebook import Rulebook, dialogues, load, read, uncovered
from distill.rulebook.dialogue import Dialogue
from distill.rulebook.files import builtin_folder
from distill.rulebook.machine import GAP
from distill.rulebook.rule import MARKERS, Rule
from distill.rulebook.runner import failures, role_of
from distill.rulebook.signal_examples import SignalExamples, signal_examples, signal_failures
from distill.rulebook.text import has_han
from tests.classify.talk import live

READ = read()
RULES = list(READ.rules.values())
FILLED = {"<num>": "7", "<path>": "src/app.py", "<code>": "`name`", "<url>": "https://a.example/b"}


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISTILL_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        return load()


@pytest.fixture(params=RULES, ids=lambda rule: str(rule.id))
def rule(request: pytest.FixtureRequest) -> Rule:
    found: Rule = request.param
    return found


def test_its_examples_hold(book: Rulebook, rule: Rule) -> None:
    assert [str(failure) for failure in failures(book, [rule])] == []


def test_it_says_why_and_shows_both_sorts_in_each_of_its_languages(rule: Rule) -> None:
    assert rule.why
    for language in rule.languages:
        for examples in (rule.match, rule.no_match):
            assert any(has_han(one.text) == (language == "zh") for one in examples), (language, examples)


def test_what_it_must_not_find_is_of_its_kind_by_no_other_rule_either(book: Rulebook, rule: Rule) -> None:
    if rule.group not in MARKERS:
        return
    for example in rule.no_match:
        assert str(book.judge(example.text, role_of(rule)).kind) != rule.group, example.text


def test_no_cue_is_dead(book: Rulebook, rule: Rule) -> None:
    """Every cue is found in the plainest text that holds it, so none is killed by the antipatterns beside it."""
    if rule.group not in MARKERS:
        return
    role = Role(rule.roles[0]) if rule.roles else Role.UNKNOWN
    for cue in rule.cues:
        found = False
        for sequence in cue.sequences:
            text = ""
            for part in sequence:
                words = FILLED.get(part.text, part.text)
                chinese = has_han(text[-1:]) or has_han(words)
                joint = ("甲" if chinese else " zz ") if part.link == GAP else ("" if chinese else " ")
                text += (joint if text else "") + words
            for tail in ("", "乙" if has_han(text) else " it"):
                marks = book.explain(text + tail, role).marks
                found = found or any(one.rule == rule.id and one.cue == cue.text and not one.lost for one in marks)
        assert found, cue.text


@pytest.mark.parametrize("signal", signal_examples(READ.signals), ids=lambda one: str(one.name))
def test_signals_show_both_sorts_in_each_of_their_languages(book: Rulebook, signal: SignalExamples) -> None:
    assert [str(failure) for failure in signal_failures(book.signals, [signal])] == []
    for chinese in {has_han(cue) for cue in signal.cues}:
        for examples in (signal.match, signal.no_match):
            assert any(has_han(text) == chinese for text in examples), examples


def test_every_cue_is_shown_by_an_example_of_its_own() -> None:
    assert uncovered() == []


def test_every_rule_stands_in_a_folder_of_its_group() -> None:
    paths = [path.relative_to(builtin_folder()) for path in builtin_folder().glob("*/*.yaml")]
    names = {path.with_suffix("").as_posix() for path in paths if path.parts[0] != "dialogue"}
    assert {rule.id for rule in RULES} == names


@pytest.mark.parametrize("talk", dialogues(), ids=lambda talk: str(talk.name))
def test_dialogues_are_judged_as_they_say(talk: Dialogue) -> None:
    lines = [f"{'a' if role is Role.ASSISTANT else 'u'}: {text}" for role, text in talk.turns]
    said = {kind: " | ".join(live(kind, *lines)).casefold() for kind in Kind}
    assert [text for kind, texts in talk.keep.items() for text in texts if text.casefold() not in said[kind]] == []
    assert [text for text in talk.drop if any(text.casefold() in one for one in said.values())] == []


def test_the_dialogues_are_well_formed() -> None:
    found = dialogues()
    assert len(found) >= 8
    assert len({one.name for one in found}) == len(found)
    said = [text for one in found for _, text in one.turns]
    assert any(has_han(text) for text in said)
    assert not all(has_han(text) for text in said)
