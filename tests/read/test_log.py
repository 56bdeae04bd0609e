"""Lines and records of a log: line ends, damage, and the same records whichever decoder reads them."""

from __future__ import annotations

import io
import json

import pytest

from distill.read.decoding import decoded
from distill.read.log import CHUNK, HEAD, Log, Record

SMALL, LARGE = 1000, 1 << 30  # sizes that choose the decoder
LINES = [
    b'{"n": 1, "text": "caf\xc3\xa9 \xe4\xb8\xad\xe6\x96\x87"}\r\n',
    b"\n",
    b"   \r\n",
    b'{"n": 2, "lone": "\\ud83d"}\n',
    b'{"n": 3, "bad": "\xff"}\n',
    b'{"n": 4}{"n": 5}\n',
    b'[{"n": 6}]\n',
    b"x\n",
    b'{"n": 7, "cut": "abc\n',
    b'{"n": 8, "much": 1' + b"0" * 30 + b"}\n",
    b'{"n": 9}',
]


def read(data: bytes, size: int) -> tuple[list[tuple[int, Record]], Log]:
    log = Log("a.jsonl", io.BytesIO(data), size)
    return list(log.records()), log


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_damage_costs_only_what_is_damaged(size: int) -> None:
    found, log = read(b"\xef\xbb\xbf" + b"".join(LINES), size)
    assert [(line, record["n"]) for line, record in found] == [
        (1, 1), (4, 2), (5, 3), (6, 4), (6, 5), (10, 8), (11, 9),
    ]  # fmt: skip
    assert found[0][1]["text"] == "café 中文"
    assert log.tally.records == 11
    assert log.tally.skipped == {"invalid UTF-8": [5], "not a JSON object": [7, 8], "invalid JSON": [9]}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"", b'{"n": -1}'])
def test_no_line_is_lost_where_the_head_or_a_chunk_ends(end: bytes, last: bytes) -> None:
    lines = [json.dumps({"n": n, "text": "词" * (n % 977)}, ensure_ascii=False).encode() for n in range(2000)]
    data = end.join([*lines, last])
    assert len(data) > HEAD + CHUNK
    found, log = read(data, LARGE)
    assert [record["n"] for _, record in found] == [*range(2000)] + ([-1] if last else [])
    assert list(Log("a", io.BytesIO(data)).byte_lines()) == [*lines] + ([last] if last else [])
    assert len(log.sha256) == 64


def test_lines_that_are_idle_are_counted_and_not_decoded() -> None:
    log = Log("a.jsonl", io.BytesIO(b'{"n": 1}\nskip {{\n{"n": 2}\n'), SMALL)
    assert [number for number, _ in log.records(lambda line: line.startswith(b"skip"))] == [1, 3]
    assert (log.tally.records, log.tally.skipped) == (3, {})


def test_a_value_in_a_text_is_decoded_tolerantly() -> None:
    assert decoded('{"a": "\\ud83d", "b": "\t"}') == {"a": "\ud83d", "b": "\t"}
    with pytest.raises(ValueError, match="Expecting"):
        decoded("{a")
