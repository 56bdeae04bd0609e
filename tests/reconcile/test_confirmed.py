"""An answer that only says that the user's wish was carried out is the wish over again."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import LATE, live, wrote

ENDS = (f"u: {LATE}", "a: Here.")
KINDS = (Kind.DECISION, Kind.FACT, Kind.ARTIFACT)


def _items(said: str, answer: str) -> list[str]:
    talk = ("a: Hello.", f"u: {said}", wrote("config/tide.toml"), f"a: {answer}", *ENDS)
    return [text for kind in KINDS for text in live(kind, *talk) if "tide.toml" not in text]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("5 m is too coarse in the harbour, make it 3", "Changed to 3 m."),
        ("the report comes out too early, 8:00 is better", "It runs at 8:00 now."),
        ("set the read timeout to 3s", "Done, the timeout is 3000 ms now."),
        ("cap the export at 500 rows please", "The export is capped at 500 rows."),
        ("6米太粗了 改3", "改成 3 米了。"),
        ("报表6点太早 供应商7点半才推完 改8点吧", "改成 8:00 了。"),
        ("读超时改成3s", "改好了，默认读超时 3000ms。"),
        ("导出最多500行", "导出已限制为最多 500 行。"),
        ("逾時改 30 秒", "已改成 30 秒。"),
    ],
)
def test_a_confirmed_value_is_one_item(said: str, answer: str) -> None:
    assert len(_items(said, answer)) == 1


@pytest.mark.parametrize(
    ("said", "answer", "kept"),
    [
        ("5 m is too coarse in the harbour, make it 3", "Changed to 3 m. The buoy keeps its own 50 m radius.", "50 m"),
        ("set the read timeout to 3s", "The timeout is 3000 ms now, and the gateway cuts off after 5 s.", "gateway"),
        ("cap the export at 500 rows please", "Rows above 500 go to a second file, `tide-2.csv`.", "second file"),
        ("the report comes out too early, 8:00 is better", "It runs at 7:30 now, the feed is there by then.", "7:30"),
        ("6米太粗了 改3", "改成 3 米了，浮标那边单独保留 50 米。", "50 米"),
        ("报表6点太早 改8点吧", "8:00 跑不了，供应商 8:20 才推完。", "8:20"),
        ("读超时改成3s", "读超时 3000ms，网关那层 5 秒就会断开。", "网关"),
        ("导出最多500行", "超过 500 行的写进第二个文件 `tide-2.csv`。", "第二个文件"),
    ],
)
def test_what_the_answer_adds_is_kept(said: str, answer: str, kept: str) -> None:
    assert any(kept in text for text in _items(said, answer))
