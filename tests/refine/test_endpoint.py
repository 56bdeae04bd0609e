"""Endpoints over HTTP: forms of reply, keys, and everything that goes wrong; the rules' result stands in any case."""

from __future__ import annotations

import gzip
import json
import time
from email.utils import formatdate
from pathlib import Path

import pytest

from distill.model import DistillError
from distill.refine.asking import Answer
from distill.refine.claims import AskError
from distill.refine.endpoint import EndpointModel
from distill.refine.prompt import Prompt
from tests.cli.test_second import ADDED, NOW, TALK, own_cache
from tests.cli.tool import Ran, Tool
from tests.refine.server import (
    Behaviour,
    answer,
    dropping,
    endless,
    events,
    hanging_up,
    raw,
    serving,
    silent,
    status,
    stream,
    trickling,
)

pytest.importorskip("httpx")
WHOLE = json.dumps({"items": [ADDED], "drop": []}, ensure_ascii=False)
CUT = json.dumps({"items": [ADDED, ADDED], "drop": []})[:-40]
GOOD = answer(WHOLE)
PROMPT = Prompt("What was decided?", "Transcript:\n[1] user: only CSV")


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    own_cache(tmp_path, monkeypatch)
    monkeypatch.delenv("DISTILL_LLM_KEY", raising=False)
    made = Tool(tmp_path)
    made.write("talk.jsonl", TALK)
    return made


def run(tool: Tool, url: str, *words: str) -> Ran:
    return tool("talk.jsonl", "-f", "json", *NOW, "--llm", url, "--llm-model", "small", *words)


def test_an_endpoint_is_asked_in_the_strictest_form_and_believed_as_far_as_the_log_goes(tool: Tool) -> None:
    with serving(GOOD) as server:
        ran = run(tool, server.url)
    assert ADDED["text"] in ran.texts("decisions")
    (asked,) = server.requests
    assert (asked["path"], asked["model"], asked["temperature"]) == ("/v1/chat/completions", "small", 0)
    assert asked["response_format"]["type"] == "json_schema"
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]
    assert server.keys == [None]


@pytest.mark.parametrize("code", [400, 422, 500])
def test_forms_of_reply_that_a_server_does_not_know_are_given_up_one_by_one(tool: Tool, code: int) -> None:
    with serving(status(code, "response_format?"), status(code, "response_format?"), GOOD) as server:
        ran = run(tool, server.url)
    assert ADDED["text"] in ran.texts("decisions")
    forms = [one.get("response_format", {}).get("type") for one in server.requests]
    assert forms == ["json_schema", "json_object", None]
    assert "3 calls" in ran.closing


def test_the_key_goes_to_the_endpoint_and_nowhere_else(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTILL_LLM_KEY", "k-own-12345")
    monkeypatch.setenv("OPENAI_API_KEY", "k-other-67890")
    with serving(status(401, "wrong key k-own-12345"), GOOD) as other, serving(
            lambda handler: handler.send(307, b"", Location=f"{other.url}/chat/completions")) as server:
        ran = run(tool, server.url)
        assert server.keys == ["Bearer k-own-12345"]
        assert other.requests == []
        assert "points elsewhere (307)" in ran.err
    with pytest.raises(DistillError, match=r"in the clear"):
        EndpointModel("http://models.invalid/v1", "small")
    with pytest.raises(DistillError, match=r"MISSING_KEY.*is empty"):
        EndpointModel("https://models.invalid/v1", "small", "MISSING_KEY")


@pytest.mark.parametrize(("first", "pause"), [
    (status(429, "slow down", Retry_After="0"), 0), (status(503, "", Retry_After=formatdate(usegmt=True)), 0),
    (status(429, ""), 1), (dropping, 1), (hanging_up, 1), (raw(b"<html>busy</html>"), 1), (answer(""), 1),
    (answer("Sorry?"), 1), (answer(None), 1), (raw(b"[]"), 1), (raw(b'{"choices": []}'), 1),
    (raw(gzip.compress(b"{}")[:9], Content_Encoding="gzip"), 1),
])
def test_what_passes_is_tried_again(tool: Tool, first: Behaviour, pause: float) -> None:
    started = time.monotonic()
    with serving(first, GOOD) as server:
        ran = run(tool, server.url)
    assert ADDED["text"] in ran.texts("decisions")
    assert "warning" not in ran.err
    assert len(server.requests) == 2
    assert time.monotonic() - started >= pause


REFUSED = answer(None, refusal="I can't help with that.")
OTHER_LANGUAGE = answer(json.dumps({"items": [{**ADDED, "text": "探头没有数据时线条停止"}], "drop": []}))
INVENTED = answer(json.dumps({"items": [{**ADDED, "quote": "the line goes on"}], "drop": ["d-000000"] * 50}))


@pytest.mark.parametrize(("behaviour", "why"), [
    (status(401, "no such key"), "does not take the key (401): no such key"),
    (status(403), "does not take the key (403)"),
    (status(404, "no model small"), "knows no such endpoint or model (404): no model small"),
    (status(429, "", Retry_After="9999"), "is busy or failing (429), then no time left"),
    (REFUSED, "refused to answer"),
    (answer("", "content_filter"), "refused to answer"),
    (silent, "took too long"),
    (trickling, "took too long"),
    (endless, "sent more than 4 MB"),
    (dropping, "broke"),
    (hanging_up, "broke"),
    (raw(b"\xff\xfe\x00 no text"), "something else than a chat completion"),
    (raw(b'{"choices": 3}'), "something else than a chat completion"),
    (raw(b"[" * 100_000), "something else than a chat completion"),
    (answer([{"type": "text", "text": "I am not sure."}]), "unreadable reply"),
    (answer('{"items": [{"kind": "decis', "length"), "unreadable reply"),
    (answer(" " * 50_000, "length"), "sent an empty answer"),
])
def test_a_hostile_endpoint_costs_nothing(tool: Tool, behaviour: Behaviour, why: str) -> None:
    plain = tool("talk.jsonl", "-f", "json", *NOW)
    with serving(behaviour) as server:
        ran = run(tool, server.url, "--llm-timeout", "3", "--llm-max-calls", "4", "--llm-required")
    assert (ran.code, ran.out) == (4, plain.out)
    assert why in ran.err
    assert "Traceback" not in ran.err
    assert len(server.requests) <= 4


@pytest.mark.parametrize(("behaviour", "why"), [
    (OTHER_LANGUAGE, "another language 1"), (INVENTED, "quote not in its record 1"),
    (answer('{"items": []}'), "nothing new"),
])
def test_answers_that_nothing_carries_change_nothing(tool: Tool, behaviour: Behaviour, why: str) -> None:
    plain = tool("talk.jsonl", "-f", "json", *NOW)
    with serving(behaviour) as server:
        ran = run(tool, server.url, "--llm-required")
    assert (ran.code, ran.out) == (0, plain.out)
    assert why in ran.closing


@pytest.mark.parametrize(("finish", "calls"), [("length", 1), ("stop", 2)])
def test_of_a_cut_answer_what_stands_whole_is_kept_with_a_warning(tool: Tool, finish: str, calls: int) -> None:
    """What our own bound cut would be cut there again; what ended for no reason may be whole next time."""
    with serving(answer(CUT, finish)) as server:
        ran = run(tool, server.url)
        assert ADDED["text"] in ran.texts("decisions")
        assert "ended too soon" in ran.err
        again = run(tool, server.url)
    assert (len(server.requests), again.out) == (calls, ran.out)
    assert "ended too soon" in again.err


@pytest.mark.parametrize("behaviour", [
    events(WHOLE), events(WHOLE, tail=b"data: no JSON\n\n: a comment\n\ndata: [DONE]\n\n"),
    events(WHOLE, size=1), events(f"```json\n{WHOLE}\n```\nHope that helps!"),
    events(WHOLE + "\n" + WHOLE, pause=0.02, hold=8),
], ids=["plain", "noise", "bytes", "fenced", "rambling"])
def test_an_answer_may_come_piece_by_piece(tool: Tool, behaviour: Behaviour) -> None:
    started = time.monotonic()
    with serving(behaviour) as server:
        ran = run(tool, server.url)
    assert ADDED["text"] in ran.texts("decisions")
    assert "warning" not in ran.err
    assert len(server.requests) == 1
    assert time.monotonic() - started < 6  # what comes after the end is not waited for


def test_of_a_slow_answer_what_stands_whole_in_time_counts(tool: Tool) -> None:
    with serving(events(CUT, hold=8)) as server:
        ran = run(tool, server.url, "--llm-timeout", "3")
        assert ADDED["text"] in ran.texts("decisions")
        assert "ended too soon" in ran.err
        assert len(server.requests) == 1  # no second try at the same pace
        run(tool, server.url, "--llm-timeout", "3")
    assert len(server.requests) == 2


@pytest.mark.parametrize(("behaviour", "why", "calls"), [
    (events("The user wants", hold=8), "nothing whole in the time of a call", 1),
    (events('{"items": [{"kind": "decis', finish="length"), "nothing whole in 1360 tokens", 1),
    (events("", hold=8), "took too long", 1),
    (events(""), "sent an empty answer", 2),
    (events(WHOLE, refusal="I can't help with that."), "refused to answer", 1),
    (stream(b'data: {"error": {"message": "out of memory"}}\n\n'), "failed on the way", 2),
    (stream(b"data: {}\n\n"), "something else than a chat completion", 2),
    (stream(b"data: " + b"[" * 5_000_000), "sent more than 4 MB", 1),
    (stream(b""), "something else than a chat completion", 2),
    (status(400, "the request exceeds the available context size"), "takes no prompt of this length", 1),
])
def test_a_hostile_stream_costs_nothing(tool: Tool, behaviour: Behaviour, why: str, calls: int) -> None:
    plain = tool("talk.jsonl", "-f", "json", *NOW)
    with serving(behaviour) as server:
        ran = run(tool, server.url, "--llm-timeout", "3.5", "--llm-max-calls", "2", "--llm-required")
    assert (ran.code, ran.out) == (4, plain.out)
    assert why in ran.err
    assert "Traceback" not in ran.err
    assert len(server.requests) == calls


def test_a_reply_is_bounded_by_what_is_asked(tool: Tool) -> None:
    with serving(GOOD) as server:
        run(tool, server.url)
    (asked,) = server.requests
    entries = asked["response_format"]["json_schema"]["schema"]["properties"]["items"]["maxItems"]
    marked = asked["messages"][1]["content"].count("\n> ")
    assert (entries, asked["max_tokens"]) == (2 * marked, 80 + 160 * 2 * marked)


def test_nobody_there_is_told_in_a_line(tool: Tool) -> None:
    plain = tool("talk.jsonl", "-f", "json", *NOW)
    with serving(GOOD) as server:
        url = server.url
    ran = run(tool, url, "--llm-timeout", "3")
    assert (ran.code, ran.out) == (0, plain.out)
    assert "127.0.0.1 cannot be reached" in ran.err


def test_a_call_ends_in_its_time() -> None:
    with serving(trickling) as server:
        model = EndpointModel(server.url, "small")
        started = time.monotonic()
        with pytest.raises(AskError, match="took too long"):
            model.ask(PROMPT, 100, 0.5)
        assert time.monotonic() - started < 3


def test_a_whole_url_is_taken_as_it_is() -> None:
    with serving(answer("fine", "length")) as server:
        model = EndpointModel(f"{server.url}/chat/completions", "small")
        assert model.ask(PROMPT, 100, 5) == Answer(text="fine", tokens=100, cut=True)
    assert server.requests[0]["path"] == "/v1/chat/completions"
