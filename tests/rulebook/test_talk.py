from pathlib import Path

import pytest

from distill.model import DistillError
from distill.rulebook import Rulebook, load, uncovered
from distill.rulebook.talk import Heard
from tests.rulebook.conftest import Pack

AGREED = """\
why: A yes.
cues: {en: "^ok | ^ok then", zh: "^好"}
not: 好像
match: [OK by me, ok then, 好的]
no_match: [Look at it, 好像不对]
"""
OFFERED = """\
why: An offer.
cues: {en: "^shall i | want me to"}
match: [Shall I?, Do you want me to?]
no_match: [I shall.]
"""


@pytest.fixture
def house(pack: Pack) -> Path:
    return pack({"reply/agreed": AGREED, "speech/offered": OFFERED})


@pytest.fixture
def book(house: Path) -> Rulebook:
    return load([house], builtin=False)


def test_an_answer_opens_the_message(book: Rulebook) -> None:
    assert book.replies("OK, go on") == [Heard("agreed", 0, 2, "^ok")]
    assert book.replies("OK then, go on") == [Heard("agreed", 0, 7, "^ok then")]
    assert book.replies("Then ok") == book.replies("Fine. OK.") == book.replies("") == []
    assert [one.name for one in book.replies("好，開始")] == ["agreed"]
    assert book.replies("好像不对") == []


def test_what_is_put_up_may_come_after_other_words(book: Rulebook) -> None:
    assert book.speech("And shall I print it?") == [Heard("offered", 4, 11, "^shall i")]
    assert book.speech("Printed. Shall I go on?") == []
    (heard,) = book.speech("If you **really** want me to, I print it")
    assert "If you **really** want me to, I print it"[heard.start : heard.end] == "want me to"


def test_their_examples_are_run_and_their_cues_counted(pack: Pack) -> None:
    plain = pack({"reply/agreed": AGREED.replace(", ok then", "")})
    assert uncovered([plain], builtin=False) == [("reply/agreed", "^ok then")]
    broken = pack({"reply/agreed": AGREED.replace("Look at it", "ok by me")})
    with pytest.raises(DistillError, match="noisy: 'ok by me' is agreed"):
        load([broken], builtin=False)


def test_a_modifier_that_no_example_shows_is_told(pack: Pack) -> None:
    rule = "why: A guess.\ncues: {en: maybe | perhaps so}\nmatch: [Maybe.]\nno_match: [Surely.]\n"
    assert uncovered([pack({"modifier/guess": rule})], builtin=False) == [("modifier/guess", "perhaps so")]
