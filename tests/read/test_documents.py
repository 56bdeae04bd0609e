"""JSON documents: how one begins, and the whole of one."""

from __future__ import annotations

import io
import json

from distill.read.documents import opening, opening_dict, opening_list, whole
from distill.read.log import HEAD, LONGEST, Log


def _log(text: str) -> Log:
    return Log("log", io.BytesIO(text.encode()))


def test_a_small_document_is_shown_whole() -> None:
    log = _log('\n [{"a": 1}, {"b": [2]}]')
    assert opening(log) == [{"a": 1}, {"b": [2]}]
    assert opening_list(log) == [{"a": 1}, {"b": [2]}]
    assert opening_dict(log) == {}


def test_a_large_document_is_shown_as_far_as_the_head_goes() -> None:
    found = {"id": "x", "steps": [{"n": 1}, {"n": 2, "text": "y" * HEAD}, {"n": 3}], "info": "z" * LONGEST}
    log = _log(json.dumps(found))
    assert not log.whole
    assert opening_dict(log) == {"id": "x", "steps": [{"n": 1}, {"n": 2, "text": None}]}
    assert whole(log) == found


def test_a_large_document_on_the_first_line_is_shown_whole() -> None:
    found = {"config": "y" * HEAD, "steps": [{"n": 1}]}
    assert opening_dict(_log(json.dumps(found))) == found


def test_looking_does_not_use_the_log_up() -> None:
    log = _log("[2026-03-02 10:00] Ann: hello\n[2026-03-02 10:01] Bob: hi\n")
    assert opening(log) is None
    assert [line for _, line in log.text_lines()][1].endswith("Bob: hi")


def test_what_is_no_document() -> None:
    assert opening(_log('{"a": 1}\n{"b": 2}\n')) is None
    assert opening(_log("hello")) is None
    assert opening_list(_log("[1, 2]")) == []
    log = _log("[oops")
    assert whole(log) == []
    assert "damaged JSON document" in log.tally.skipped


def test_data_after_the_end_is_counted() -> None:
    log = _log('[{"a": 1}]\n\n] extra')
    assert whole(log) == [{"a": 1}]
    assert log.tally.skipped == {"data after the end of the JSON document": [1]}


def test_a_document_cut_short_is_kept_as_far_as_it_goes() -> None:
    log = _log('[\n{"a": 1},\n{"b": {"c": [1, 2,')
    assert whole(log) == [{"a": 1}, {"b": {"c": [1, 2]}}]
    assert list(log.tally.skipped) == ["damaged JSON document"]


def test_deep_nesting_is_survived() -> None:
    log = _log("[" * 100_000)
    opening(log)
    assert whole(_log("[" * 100_000)) == []


def test_a_document_that_was_read_before() -> None:
    log = _log('{"a": 1}')
    assert log.document == {"a": 1}
    assert whole(log) == {"a": 1}
