from collections.abc import Callable
from pathlib import Path

import pytest

from distill.model import Kind, Role
from distill.rulebook import load
from distill.rulebook.book import Rulebook
from distill.rulebook.weigh import Weigher

EFFECTS = """\
order: [quoted, asked, later, maybe, denied, done]
effects:
  decision: {quoted: none, asked: open, later: open, maybe: proposal, denied: none}
  fact: {asked: none}
  open: {denied: none, done: none}
stops: {en: but}
openers: {en: please}
short: 20
"""


def rule(cues: str, extra: str = "") -> str:
    first = cues.split(" | ")[0]
    return f"{extra}\ncues:\n  en: |\n    {cues}\nmatch: [{first} it all]\nno_match: [zzz]\n"


def modifier(cues: str, extra: str = "") -> str:
    first = cues.split(" | ")[0]
    return f"{extra}\ncues:\n  en: |\n    {cues}\nmatch: [{first}]\nno_match: [zzz]\n"


@pytest.fixture
def book(pack: Callable[[dict[str, str]], Path]) -> Rulebook:
    root = pack(
        {
            "effects": EFFECTS,
            "decision/chose": rule("chose | chose not to", "weight: 2"),
            "decision/firm": rule("settled", "weight: 3\nfirm: true\nimmune: [maybe]"),
            "decision/weak": rule("keep | prefer", "weight: 1"),
            "decision/mine": rule("wish", "weight: 2\nroles: [user]"),
            "fact/seen": rule("seen | chose to see", "weight: 2"),
            "open/left": rule("left | not settled", "weight: 2\nimmune: [asked]"),
            "modifier/asked": modifier("whether | ?$", "direction: both\nreach: sentence"),
            "modifier/later": modifier("later we", "direction: forward\nreach: sentence"),
            "modifier/maybe": modifier("maybe", "direction: both\nreach: clause"),
            "modifier/denied": modifier("not | never", "reach: clause\nwithin: {en: 12}\nswallow: not only"),
            "modifier/done": modifier("done", "direction: backward\nreach: clause"),
        }
    )
    return load([root], builtin=False)


def kind(book: Rulebook, text: str, role: Role = Role.UNKNOWN) -> Kind | None:
    return book.judge(text, role).kind


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("we chose tabs", Kind.DECISION),
        ("we chose tabs?", Kind.OPEN),
        ("maybe we chose tabs", None),
        ("we never chose tabs", None),
        ("we never, as I said, chose tabs", Kind.DECISION),  # the clause has ended
        ("never but we chose tabs", Kind.DECISION),  # a stop word ends it too
        ("not, in the end, chose", Kind.DECISION),
        ("never in all of these years chose", Kind.DECISION),  # out of reach
        ("later we chose tabs", Kind.OPEN),
        ("we chose tabs. Really?", Kind.DECISION),  # another sentence
        ('he said "we chose tabs" and left us', Kind.OPEN),
        ('"we chose tabs"', Kind.DECISION),  # all of it is a quotation
        ("we chose not to go", Kind.DECISION),  # the longer marker swallows the "not"
        ("not only we chose tabs", Kind.DECISION),
        ("not settled at all", Kind.OPEN),  # the longer marker swallows the shorter one
        ("seen it", Kind.FACT),
        ("chose it, seen it", Kind.DECISION),  # by priority
        ("left here done", None),  # backward
        ("done and left here", Kind.OPEN),
        ("nothing of that sort", None),
        ("", None),
    ],
)
def test_modifiers_do_what_the_table_says(book: Rulebook, text: str, wanted: Kind | None) -> None:
    assert kind(book, text) is wanted


def test_a_firm_mark_heeds_modifiers_of_its_own_clause_alone(book: Rulebook) -> None:
    assert kind(book, "we settled on tabs, whether you like it") is Kind.DECISION
    assert kind(book, "we chose tabs, whether you like it") is Kind.OPEN
    assert kind(book, "whether we settled on tabs") is Kind.OPEN
    assert kind(book, "maybe we settled on tabs") is Kind.DECISION  # immune


def test_a_weak_mark_counts_in_a_short_statement_or_beside_another(book: Rulebook) -> None:
    assert kind(book, "keep tabs") is Kind.DECISION
    assert kind(book, "keep the tabs in all of these many files") is None
    assert kind(book, "keep the tabs and prefer spaces in all of these many files") is Kind.DECISION
    assert kind(book, "keep this and keep that in all of these many files") is None  # the same cue twice


def test_a_strong_mark_goes_before_a_weak_one_of_higher_priority(book: Rulebook) -> None:
    assert kind(book, "keep it, seen it") is Kind.FACT


def test_a_rule_of_a_role_counts_less_for_nobody_and_nothing_for_others(book: Rulebook) -> None:
    text = "i wish for tabs in all of these many files"
    assert kind(book, text, Role.USER) is Kind.DECISION
    assert kind(book, text, Role.UNKNOWN) is None
    assert kind(book, "i wish for tabs", Role.UNKNOWN) is Kind.DECISION
    assert kind(book, "i wish for tabs", Role.ASSISTANT) is None


def test_a_proposal_is_no_decision_but_is_told(book: Rulebook) -> None:
    verdict = book.judge("maybe we chose tabs")
    assert (verdict.kind, verdict.proposal, verdict.weight, verdict.rule) == (None, True, 0, "")
    assert book.judge("we chose tabs").proposal is False
    assert book.judge("maybe we chose tabs, we settled it").proposal is False


def test_a_verdict_tells_rule_weight_marks_and_modifiers(book: Rulebook) -> None:
    verdict = book.judge("we never chose it, but settled and prefer that")
    assert (verdict.kind, verdict.rule, verdict.weight) == (Kind.DECISION, "decision/firm", 4)
    assert verdict.modifiers == {"denied"}
    assert verdict.marks == (
        ("decision/chose", 9, 14, "none"),
        ("decision/firm", 23, 30, "keep"),
        ("decision/weak", 35, 41, "keep"),
    )
    assert verdict.cut is False


def test_modifiers_are_told_also_where_nothing_is_marked(book: Rulebook) -> None:
    assert book.judge("is it done?").modifiers == {"done", "asked"}
    assert book.modifiers("is it done?") == {"done", "asked"}
    assert book.modifiers("nothing of that sort") == frozenset()
    assert book.modifiers("not only that") == frozenset()


def test_a_long_statement_is_judged_by_its_beginning(book: Rulebook) -> None:
    verdict = book.judge("x " * 1000 + "we chose tabs")
    assert (verdict.kind, verdict.cut) == (None, True)
    verdict = book.judge("we chose tabs " + "x " * 1000)
    assert (verdict.kind, verdict.cut) == (Kind.DECISION, True)


def test_an_explanation_shows_what_won_and_what_lost(book: Rulebook) -> None:
    told = book.explain("we chose not to settle **it**, maybe i wish for more of it", Role.ASSISTANT)
    assert [(mark.rule, mark.cue, mark.lost) for mark in told.marks] == [
        ("decision/chose", "chose", "inside a longer cue"),
        ("decision/chose", "chose not to", ""),
        ("decision/mine", "wish", "role"),
    ]
    assert [(one.name, one.start, one.end, one.over) for one in told.modifiers] == [("maybe", 31, 36, (30, 58))]
    assert told.sums == ((Kind.DECISION, 2),)
    assert told.verdict == book.judge("we chose not to settle **it**, maybe i wish for more of it", Role.ASSISTANT)


HOSTILE = ["we chose tabs ", "not chose ", "maybe ", '"chose" ', "chose, but ", "whether? ", "settled. ", "not only "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_grows_with_the_statement_alone(book: Rulebook, piece: str) -> None:
    def work(times: int) -> int:
        weigher = Weigher(book._tables, limit=10**7)
        weigher.judge(piece * times, Role.USER)
        return weigher.work

    small, large = work(500), work(1000)
    assert large <= 2.1 * small + 100
