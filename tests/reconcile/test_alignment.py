"""Lines of words are laid side by side as difflib does it, quicker where no word stands twice."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.reconcile.alignment import codes

_SOME = st.lists(st.sampled_from("abcdefghij"), max_size=12)
_ONCE = st.lists(st.sampled_from("abcdefghij"), max_size=10, unique=True)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("fix login on ios", "fix login on android", [("equal", 0, 3, 0, 3), ("replace", 3, 4, 3, 4)]),
        ("日志 保留 14 天", "现在 日志 保留 30 天",
         [("insert", 0, 0, 0, 1), ("equal", 0, 2, 1, 3), ("replace", 2, 3, 3, 4), ("equal", 3, 4, 4, 5)]),
        ("a b c", "b c a", [("delete", 0, 1, 0, 0), ("equal", 1, 3, 0, 2), ("insert", 3, 3, 2, 3)]),
        ("", "a", [("insert", 0, 0, 0, 1)]),
        ("", "", []),
    ],
)
def test_how_one_line_becomes_the_other(one: str, other: str, expected: list[tuple[str, int, int, int, int]]) -> None:
    assert codes(one.split(), other.split()) == expected


@given(_ONCE | _SOME, _ONCE | _SOME)
def test_it_is_what_difflib_says(one: list[str], other: list[str]) -> None:
    assert codes(one, other) == SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
