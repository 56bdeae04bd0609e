from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.text.clean import clean, inert


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text stays", "plain text stays"),
        ("中文，也不变。", "中文，也不变。"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[?2026h\x1b[1;38;5;196mbold\x1b[m", "bold"),
        ("\x9b31mred\x9b0m", "red"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1;2|device\x1b\\text", "text"),
        ("\x1b(B\x1b=\x1b7text", "text"),
        ("\x1b]never closed", "never closed"),
        ("cut at the end \x1b[", "cut at the end"),
        ("\x1b\x1b[0m[31m", "[31m"),
        ("bell\x07 null\x00 back\x08 delete\x7f", "bell null back delete"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("\u2066isolate\u2069 \u200fmark", "isolate mark"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("soft\u00adhyphen", "softhyphen"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("filler\u3164", "filler"),
        ("lone\ud800 surrogate\udfff", "lone surrogate"),
        ("a pair \ud83d\ude00", "a pair 😀"),
        ("what was lost \ufffd shows", "what was lost \ufffd shows"),
        ("family 👨‍👩‍👧 stays", "family 👨‍👩‍👧 stays"),
        ("❤️‍🔥 👍🏽 1️⃣", "❤️‍🔥 👍🏽 1️⃣"),
        ("join\u200der between\u200c letters", "joiner between letters"),
        ("hidden ⚡\ufe0f\ufe0e\ufe01\U000e0101 data", "hidden ⚡\ufe0f data"),
        ("葛\U000e0100城", "葛\U000e0100城"),
        ("one\r\ntwo\rthree\nfour", "one two three four"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf", "a b c d e f"),
        ("  many   blanks\t\there  ", "many blanks here"),
        ("no\u00a0break\u3000wide\u2003em", "no break wide em"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        ("a\u2028b\x85c\x0cd", "a\nb\nc\nd"),
        ("def f():\n\treturn  1\n", "def f():\n\treturn  1\n"),
        ("\x1b[1m  indented\x1b[0m\n", "  indented\n"),
        ("\u200bx\n\ud800", "x\n"),
    ],
)
def test_with_its_lines(text: str, shown: str) -> None:
    assert clean(text, one_line=False) == shown


_PARTS = "\x1b\x9b\x9c\x07[]m0;\\P1a中 \r\n\t\u200d\u200b\ufe0f\u20e3\U000e0100\U0001f468\U0001f3fd⚡❤\ud83d\ude00"


@given(st.text() | st.text(_PARTS, max_size=14))
def test_nothing_acts_on_a_terminal(text: str) -> None:
    shown = clean(text)
    assert clean(shown) == shown
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    assert not set(shown) & set("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
    assert shown == shown.strip()
    assert "  " not in shown
    whole = clean(text, one_line=False)
    assert clean(whole, one_line=False) == whole
    assert not [char for char in whole if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t"]


@given(
    st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="\u115f\u1160\u3164\uffa0"), max_size=40)
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("unit", ["\x9d", "\x1b]", "\x1b[0", "\x9b0", "\x1b", "⚡\u200d", "\u200b", "\x1b]x\n"])
def test_clean_takes_linear_time(unit: str) -> None:
    assert isinstance(clean(unit * 100_000), str)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain - text -- here", "plain - text -- here"),
        ("<!-- d-3f9c2a -->", "<! -- d-3f9c2a -- >"),
        ("<!-->", "<! -- >"),
        ("a --> b", "a -- > b"),
        ("--->", "--- >"),
        ("# no heading", "# no heading"),
    ],
)
def test_inert_breaks_comment_marks(text: str, safe: str) -> None:
    assert inert(text) == safe


@given(st.text("<!->[] a", max_size=30))
def test_inert_is_stable(text: str) -> None:
    safe = inert(text)
    assert "<!--" not in safe
    assert "-->" not in safe
    assert inert(safe) == safe
    assert safe.replace(" ", "") == text.replace(" ", "")
