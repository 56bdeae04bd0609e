"""Sentences end where a reader would say they do."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.segment.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 and a. the pi keeps its python", ["1 and a.", "the pi keeps its python"]),
        ("1, 3. no map", ["1, 3.", "no map"]),
        ("ask Mr. J. Smith and a. b.", ["ask Mr. J. Smith and a. b."]),
        ("We use uv. It is fast.", ["We use uv.", "It is fast."]),
        ("See e.g. the docs, i.e. page 3. Done.", ["See e.g. the docs, i.e. page 3.", "Done."]),
        ("Version 3.11 is out. Use 3.12.1 now.", ["Version 3.11 is out.", "Use 3.12.1 now."]),
        ("Run `a. B` first. Then stop.", ["Run `a. B` first.", "Then stop."]),
        ("Call f(a. B). Then g.", ["Call f(a. B).", "Then g."]),
        ("决定用 Redis。缓存先不做！好吗？", ["决定用 Redis。", "缓存先不做！", "好吗？"]),
        ("超时 30 秒；重试 3 次", ["超时 30 秒；", "重试 3 次"]),
        ("他说“先停。再来”，然后走了。好。", ["他说“先停。再来”，然后走了。", "好。"]),
        ("if (!a && b != c) stop! Now go.", ["if (!a && b != c) stop!", "Now go."]),
        ("https://a.example/x?y=1 is up. Good.", ["https://a.example/x?y=1 is up.", "Good."]),
        (
            "An open ( that never closes. " + "word " * 30 + "end. Next one.",
            ["An open ( that never closes. " + "word " * 30 + "end.", "Next one."],
        ),
        ("1. First", ["1. First"]),
        ("Is it done?!", ["Is it done?!"]),
        ("好了，另外端口改了……", ["好了，", "另外端口改了……"]),
        ("端口，见 a.b，是 8080。”", ["端口，见 a.b，是 8080。”"]),
        ("", []),
    ],
)
def test_ends(text: str, wanted: list[str]) -> None:
    assert cut(text) == wanted


@given(st.text(alphabet="ab .。!?？；\"'(（)）`「」\n中文1", max_size=200))
def test_nothing_is_lost_or_doubled(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert "".join("".join(cut(text)).split()) == "".join(text.split())
