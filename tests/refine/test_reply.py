"""Replies that are JSON, nearly JSON, and none."""

from __future__ import annotations

import json
import time

import pytest

from distill.model import Kind
from distill.refine.claims import Claim, Reply, ReplyError
from distill.refine.reply import parse

ONE = {"kind": "decision", "text": "Only CSV", "record": 3, "quote": "the exporter writes CSV only", "id": ""}
WHOLE = json.dumps({"items": [ONE], "drop": ["f-123abc"]})
CLAIM = Claim(kind=Kind.DECISION, text="Only CSV", quote="the exporter writes CSV only", record=3)


@pytest.mark.parametrize("text", [
    WHOLE,
    f"```json\n{WHOLE}\n```",
    f"```\n{WHOLE}```",
    f"\ufeff  {WHOLE}\n\n",
    f"Based on the talk {{about exports}}, here you go: {WHOLE} Hope that helps {{really}}.",
    f"<think>Perhaps {{\"items\": []}}? No: [3] says more.</think>\n{WHOLE}",
    f"\x1b[32m{WHOLE}\x1b[0m",
    WHOLE.replace("}]", "},]").replace('"]}', '",]}'),
    WHOLE.replace(": ", ":\n"),
    WHOLE.replace('"record": 3', '"record": "[3]"'),
    WHOLE.replace('"decision"', '"Decision"'),
    WHOLE.replace('"decision"', '"decisions"'),
])
def test_what_is_nearly_json_is_read(text: str) -> None:
    assert parse(text) == Reply(claims=(CLAIM,), drops=("f-123abc",))


def test_sections_and_bare_lists_are_read() -> None:
    bare = {"text": "Only CSV", "quote": "the exporter writes CSV only"}
    wanted = Claim(kind=Kind.DECISION, text="Only CSV", quote="the exporter writes CSV only")
    assert parse(json.dumps({"decisions": [bare], "open": []})).claims == (wanted,)
    assert parse(json.dumps([{**bare, "kind": "decision"}])).claims == (wanted,)


def test_escapes_that_json_does_not_know_are_taken_as_written() -> None:
    text = WHOLE.replace("Only CSV", r"Only C:\data\new \d \'")
    assert parse(text).claims[0].text == r"Only C:\data" + "\n".join(["", ""]).strip() + r" ew \d \'"
    broken = WHOLE.replace("Only CSV", r"只用 CSV \ud83d\uzzzz")
    assert parse(broken).claims[0].text == "只用 CSV \ufffd\\uzzzz"


@pytest.mark.parametrize("text", ['{"items": []}', '{"items": [], "drop": []}', '```json\n{"drop": []}\n```'])
def test_an_empty_list_is_an_answer(text: str) -> None:
    assert parse(text) == Reply()


@pytest.mark.parametrize("text", [
    "", "   \n", "I'm sorry, I can't help with that.", "```json\n", '{"items": "none"}', '{"decisions": "CSV only"}',
    '"items"', "[]", "[1, 2]", "null", '{"answer": {"kind": "x"}}', "{" * 5000, "[" * 100_000,
    '{"items": [{"kind": "dec',
    "<think>and so on and so on {\"items\": []}", '{"items": [' + '{"kind":' * 3000,
])
def test_what_holds_nothing_of_the_form_is_told(text: str) -> None:
    with pytest.raises(ReplyError):
        parse(text)


def test_entries_that_are_wrong_are_counted_and_the_others_kept() -> None:
    wrong: list[object] = [{**ONE, "kind": "wish"}, {**ONE, "text": ""}, {**ONE, "quote": 7}, {**ONE, "record": 1.5},
             {**ONE, "record": True}, {**ONE, "record": "third"}, "Only CSV", None, []]
    found = parse(json.dumps({"items": [*wrong, ONE], "drop": ["a", 3]}))
    assert (found.claims, found.drops, found.malformed) == ((CLAIM,), ("a",), len(wrong) + 1)


@pytest.mark.parametrize("lost", [2, 5, 20, 60])
def test_of_a_reply_without_its_end_the_whole_entries_are_kept(lost: int) -> None:
    whole = json.dumps({"items": [ONE, {**ONE, "text": "Only CSV, never XLSX, never anything else at all"}]})
    found = parse(whole[:-lost])
    assert found.cut
    assert found.claims[0] == CLAIM
    assert len(parse(whole[:-1]).claims) == 2  # the list is whole, only the last brace is missing


def test_no_reply_takes_long() -> None:
    started = time.perf_counter()
    endless = '{"items": [' + "{}," * 300_000
    for text in ("{" * 10**6, "[{" * 500_000, endless, '{"a":"' + "\\" * 10**6, "<think>" * 10**5):
        with pytest.raises(ReplyError):
            parse(text)
    assert time.perf_counter() - started < 5
