import pytest

from distill.rulebook.machine import GAP, GLUE
from distill.rulebook.phrase import Part, PhraseError, literals, parse, split_cues


def words(cue: str) -> set[str]:
    return {" ".join(part.text for part in sequence) for sequence in parse(cue)}


def test_cues_are_parted_by_bars_and_line_ends() -> None:
    assert split_cues("decided to | agreed on\n  locked in |\n\n") == ["decided to", "agreed on", "locked in"]


def test_inline_alternatives_are_spread_and_may_be_empty() -> None:
    assert words("decided {to,on,}") == {"decided to", "decided on", "decided"}
    assert words("favo{u,}r") == {"favour", "favor"}
    assert words("follow{ ,-}up") == {"follow up", "follow-up"}


def test_a_cue_is_folded_and_its_blanks_are_one() -> None:
    assert words("  DECIDED   to ") == {"decided to"}
    assert words("決定採用") == {"决定采用"}
    assert words("吗？") == {"吗?"}


def test_a_gap_and_a_token_link_the_parts() -> None:
    assert parse("把*改成") == [(Part("把"), Part("改成", GAP))]
    assert parse("降到 <num>") == [(Part("降到"), Part("<num>", GLUE))]
    assert parse("set * to <num>") == [(Part("set"), Part("to", GAP), Part("<num>", GLUE))]


def test_a_gap_at_either_end_says_nothing() -> None:
    assert parse("keep *") == parse("keep")


def test_anchors_stand_at_the_first_and_last_part() -> None:
    ((first, last),) = parse("^leave * alone$")
    assert (first.first, first.last, last.first, last.last) == (True, False, False, True)


def test_a_prefix_has_no_boundary_on_the_right() -> None:
    ((part,),) = parse("brainstorm~")
    assert (part.text, part.prefix) == ("brainstorm", True)


def test_a_blank_between_chinese_and_latin_makes_no_difference() -> None:
    assert words("打了 tag") == words("打了tag") == {"打了 tag", "打了tag"}


def test_the_apostrophe_of_a_negation_may_be_missing() -> None:
    assert words("don't use") == {"don't use", "dont use"}


def test_the_longest_literal_stands_for_a_sequence() -> None:
    assert literals(parse("set * to <num>")) == ["set"]


@pytest.mark.parametrize(
    ("cue", "reason"),
    [
        ("use {a,b", "braces"),
        ("use {a,{b,c}}", "braces"),
        ("from <number>", "no token"),
        ("<num> * <path>", "needs a word"),
        ("^$", "empty"),
        ("!~ x", ""),
        ("{a,b,c,d,e,f,g,h,i} {a,b,c,d,e,f,g,h,i} {a,b,c,d,e,f,g,h,i} x", "512"),
    ],
)
def test_a_malformed_cue_is_refused(cue: str, reason: str) -> None:
    if cue == "!~ x":
        assert words(cue) == {"!~ x"}
        return
    with pytest.raises(PhraseError, match=reason):
        parse(cue)
