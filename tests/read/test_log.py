"""Lines and records of a log: line ends, damage, and the same records whichever decoder reads them."""

from __future__ import annotations

import io
import json
import tarfile

import pytest

from distill.model import InputError
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


@pytest.mark.parametrize("before", [0, 60, 5000])
def test_a_block_of_nuls_costs_itself_alone(before: int) -> None:
    data = b'{"n": 1}\n' * (before > 0) + b"\0" * before + b'{"n": 2}\n' + b"\0" * 700 + b'\n{"n": 3, "t": "a\0b"}\n'
    found, _ = read(data, SMALL)
    assert [record["n"] for _, record in found] == ([1, 2, 3] if before else [2, 3])
    assert found[-1][1]["t"] == "ab"


def test_a_block_of_nuls_in_a_text_costs_itself_alone() -> None:
    log = Log("a.txt", io.BytesIO("水位用毫米\n".encode() + b"\0" * 3000 + b"\nthe gauge stands north\n"))
    assert [line for _, line in log.text_lines() if line] == ["水位用毫米", "the gauge stands north"]


def archive() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        entry = tarfile.TarInfo("notes.txt")
        entry.size = 40
        tar.addfile(entry, io.BytesIO(b"the gauge stands on the north side, yes\n"))
    return held.getvalue()


@pytest.mark.parametrize(
    "data", [archive(), bytes(range(32)) * 40, b"\0" * 9000, b"\x7fELF\2\1\1\0" + b"\3\0\0>\5\0\0\0" * 90]
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="binary file"):
        Log("a.log", io.BytesIO(data))
