import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.rulebook.build import Builder
from distill.rulebook.machine import MARK
from distill.rulebook.phrase import parse
from distill.rulebook.rule import Cue
from distill.rulebook.scan import Scanner
from distill.rulebook.text import Text


def scanner(*cues: str, openers: Sequence[str] = ()) -> Scanner:
    builder = Builder()
    builder.add([Cue(cue, "any", tuple(parse(cue))) for cue in cues], MARK, 0)
    return Scanner(builder.machine(), list(openers))


def found(cue: str, text: str, openers: Sequence[str] = ()) -> list[str]:
    line = Text(text)
    return [line.text[match.start : match.end] for match in scanner(cue, openers=openers).find(line)]


@pytest.mark.parametrize(
    ("cue", "text", "hit"),
    [
        ("decided", "We decided.", True),
        ("decided", "undecided", False),
        ("decided", "我们decided用SQLite", True),
        ("it", "his favorite editor", False),
        ("use", "re-use it", False),
        ("todo", "see src/todo/list", False),
        ("done", "it is done.", True),
        ("done", "foo.done", False),
        ("replace~", "replaces it", True),
        ("replace", "replaces it", False),
        ("决定", "我们決定用它", True),
        ("decided to", "decided   to", True),
        ("decided to", "decided\tto", True),
        ("decision:", "**Decision:** use it", True),
        ("decision", "**Decision**: use it", True),
    ],
)
def test_latin_words_end_at_boundaries_and_chinese_ones_need_none(cue: str, text: str, hit: bool) -> None:
    assert bool(found(cue, text)) is hit


@pytest.mark.parametrize(
    ("cue", "text", "hit"),
    [
        ("把*改成", "把超时从 10 秒改成 30 秒", True),
        ("把*改成", "把它打开，再改成别的", False),
        ("set * to", "set " + "x" * 38 + " to", True),
        ("set * to", "set " + "x" * 60 + " to", False),
        ("set * to", "set it. Then go to bed", False),
        ("set * to", "to set", False),
    ],
)
def test_a_gap_spans_forty_characters_of_one_clause(cue: str, text: str, hit: bool) -> None:
    assert bool(found(cue, text)) is hit


@pytest.mark.parametrize(
    ("cue", "text", "hit"),
    [
        ("降到 <num>", "降到50", True),
        ("降到 <num>", "降到 50 毫秒", True),
        ("is <num>", "it is `30`", True),
        ("is <num>", "it is thirty", False),
        ("is <num>", "it is v3.12", True),
        ("created <path>", "created src/app.py", True),
        ("created <path>", "created **docs/**", True),
        ("created <path>", "created and/or moved", False),
        ("created <path>", "created a file", False),
        ("在 <path>", "在 docs/api.md 里", True),
        ("commit <code>", "commit 3f9c2a1", True),
        ("commit <code>", "commit `x`", True),
        ("commit <code>", "commit parse_line", True),
        ("commit <code>", "commit later", False),
        ("at <url>", "at https://a.example/b", True),
        ("<num> passed", "42 passed", True),
        ("<num> passed", "they passed", False),
    ],
)
def test_typed_tokens(cue: str, text: str, hit: bool) -> None:
    assert bool(found(cue, text)) is hit


@pytest.mark.parametrize(
    ("cue", "text", "hit"),
    [
        ("^use", "Use it", True),
        ("^use", "- Use it", True),
        ("^use", "1. Use it", True),
        ("^use", "Please use it", True),
        ("^use", "Fine. Use it", True),
        ("^use", "We use it", False),
        ("吗$", "可以吗？", True),
        ("吗$", "吗啡很贵", False),
        ("yet$", "not yet.", True),
        ("yet$", "yet another", False),
        ("^用", "請用它", True),
    ],
)
def test_anchors_hold_at_the_ends_of_a_sentence(cue: str, text: str, hit: bool) -> None:
    assert bool(found(cue, text, openers=["please", "请"])) is hit


OPENERS = ["please", "can you", "let's", "请", "麻烦你"]
TALK = [*OPENERS, "use", "用", "we", "我们", "3", "é", " ", " ", ".", "。", "!", "? ", "- ", "\"", "「", ")", "…", "\n"]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(TALK), max_size=12).map("".join))
def test_a_quick_no_at_the_ends_of_a_sentence_is_never_wrong(source: str) -> None:
    text = Text(source)
    line, either = text.text, scanner("{use,用}", openers=OPENERS)
    opens = text.openings(re.compile(r"(?:(?:can you|please|let's)(?![a-z0-9'-])|麻烦你|请)[\s,:]*"))
    stops = [*text.sentences[1:], len(line)]
    plain = {(match.start, match.end) for match in either.find(Text(source))}
    first = {match.start for match in scanner("^{use,用}", openers=OPENERS).find(Text(source))}
    last = {match.end for match in scanner("{use,用}$", openers=OPENERS).find(Text(source))}
    assert first == {start for start, _ in plain if start in opens}
    assert last == {
        end for _, end in plain
        if not line[end : next(stop for stop in stops if stop >= end)].strip(" .。!?~\"'」』)]*`;…,、")
    }


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*TALK, "--", " - ", "-", ";", "(", "x", "\n-\n"]), max_size=14).map("".join))
def test_clauses_and_sentences_begin_behind_what_ends_them(source: str) -> None:
    text = Text(source)
    han = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    close = rf"[。\n…]|[!?](?=[\s\"')\]」』!?{han}]|$)|\.(?=[\"')\]]{{0,2}}(?:\s|$))"
    part = rf",(?!\d)|[;()]|{close}|\s--?\s|--|(?<=[{han}]) (?=[{han}])"
    for begins, ends in ((text.sentences, close), (text.clauses, part)):
        found = [one.end() for one in re.finditer(f"(?:{ends})+", text.text)]
        assert begins == [0, *[end for end in found if end < len(text.text)]]


def test_places_are_those_of_the_statement() -> None:
    source = "So **we**  decided it"
    text = Text(source)
    (match,) = scanner("decided").find(text)
    assert source[text.origin(match.start) : text.origin(match.end)] == "decided"


PIECES = ["set", "to", "ab", "a", "b", " ", " ", ",", "把", "改", "改成", "成", "7", "x.py"]
CUES = ["set * to", "a * ab", "set to", "把*改成", "把*改*成", "to <num>", "set * to <num>", "a * a", "<num> * to"]
CUES += ["{set,a} * {to,b} ab"]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_machine_finds_what_a_search_of_all_ways_finds(source: str) -> None:
    text = Text(source)
    machine = scanner(*CUES)
    got = {(machine.cues[match.cue], match.end) for match in machine.find(text)}
    assert got == {(cue, end) for cue in CUES for end in _all_ends(cue, text)}


def _all_ends(cue: str, text: Text) -> set[int]:
    """Where the sequences of a cue can end, by trying every way."""
    line = text.text
    tokens = {"<num>": 0, "<path>": 1, "<code>": 2, "<url>": 3}
    result = set()
    for sequence in parse(cue):
        reached: set[int] | None = None
        for part in sequence:
            if part.is_token:
                spans = [(start, end) for end, start, token in text.tokens() if token == tokens[part.text]]
            else:
                spans = [
                    (start, start + len(part.text))
                    for start in range(len(line))
                    if line.startswith(part.text, start) and _stands_alone(line, start, start + len(part.text))
                ]
            ends = set()
            for start, end in spans:
                if reached is None or any(_hangs(line, before, start, part.link) for before in reached):
                    ends.add(end)
            reached = ends
        result |= reached or set()
    return result


def _stands_alone(line: str, start: int, end: int) -> bool:
    def latin(char: str) -> bool:
        return char.isascii() and char.isalnum()

    def joins(at: int, step: int) -> bool:
        if not 0 <= at < len(line):
            return False
        if line[at] in "-./\\@":
            return 0 <= at + step < len(line) and latin(line[at + step])
        return latin(line[at]) or line[at] == "_"

    left = latin(line[start]) and joins(start - 1, -1)
    return not left and not (latin(line[end - 1]) and joins(end, 1))


def _hangs(line: str, before: int, start: int, link: int) -> bool:
    between = line[before:start]
    if before > start:
        return False
    if link == 2:
        ends = (found.end() for found in re.finditer(r",(?!\d)|(?<=[一-鿿]) (?=[一-鿿])", line))
        return len(between) <= 40 and not any(before < end <= start for end in ends)
    return len(between) <= 3 and not between.strip(" `*\"'_(「『")


HOSTILE = ["set ", "set to ", "to ", "set a to 7 ", "改成", "把改成", "x.py ", "`", '"', ".", "- ", "a, ", "把，", "1."]
HOSTILE += ["7", "a/b ", "(", "https://", "** ", "  ", "? ", "。", "no ", "a.b", "_"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_work_grows_with_the_text_alone(piece: str) -> None:
    def work(times: int) -> int:
        machine = scanner(*CUES, "^set", "to$", "created <path>", "7 <code>")
        machine.find(Text(piece * times, 10**7))
        return machine.work

    small, large = work(2_000), work(4_000)
    assert large <= 2.1 * small + 100
