"""Meetings as JSON."""

from __future__ import annotations

import io
import json

import pytest

from distill.model import Event
from distill.read.log import Log
from distill.read.meeting_json import FORMAT


def _log(data: object) -> Log:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Log("log", io.BytesIO(text.encode()))


def _read(log: Log) -> list[tuple[int, str]]:
    assert FORMAT.recognise(log)
    events: list[Event] = list(FORMAT.events(log))
    assert {event.role for event in events} == {"user"}
    return [(event.record, event.text) for event in events]


QMSUM = {
    "topic_list": [{"topic": "Case", "relevant_text_span": [["0", "2"]]}],
    "general_query_list": [{"query": "Summarise.", "answer": "They decided on a steel case."}],
    "specific_query_list": [{"query": "Why?", "answer": "Rubber is cheap.", "relevant_text_span": [["0", "1"]]}],
    "meeting_transcripts": [
        {"speaker": "Project Manager", "content": "{vocalsound} So we take the rubber case {disfmarker} ."},
        {"speaker": "Marketing", "content": "{vocalsound}"},
        {"speaker": "Industrial Designer", "content": "Fine {gap} by me ."},
    ],
}
VCSUM = {
    "id": "v1",
    "context": [["我们先定预算。", "预算不超过五万。"], ["同意。"]],
    "speaker": [1, 2],
    "highlights": ["预算"],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_turns_are_numbered_and_freed_of_fillers_and_answers_are_nobodys_words(indent: int | None) -> None:
    log = _log(json.dumps(QMSUM, indent=indent))
    assert _read(log) == [(1, "So we take the rubber case ."), (3, "Fine by me .")]
    assert log.tally.records == 3
    assert log.tally.set_aside == {"filler": 1}
    assert log.tally.understood == 2


def test_meetings_one_a_line_cite_their_line() -> None:
    log = _log("".join(json.dumps(m, ensure_ascii=False) + "\n" for m in (VCSUM, QMSUM)))
    assert _read(log) == [
        (1, "我们先定预算。\n预算不超过五万。"),
        (1, "同意。"),
        (2, "So we take the rubber case ."),
        (2, "Fine by me ."),
    ]
    assert log.tally.records == 2
    assert log.tally.types["meeting"] == 2


def test_odd_field_types_are_survived() -> None:
    log = _log(
        {
            "title": 5,
            "meeting_transcripts": [
                {"speaker": "A", "content": "Keep it."},
                {"speaker": 3, "content": None},
                {"speaker": "B"},
                "x",
                {"speaker": {}, "content": "Yes, keep it."},
            ],
        }
    )
    assert _read(log) == [(1, "Keep it."), (5, "Yes, keep it.")]
    log = _log({"context": [["先定预算。", 3], "同意。", None], "speaker": [1, "2", 3]})
    assert _read(log) == [(1, "先定预算。"), (2, "同意。")]


@pytest.mark.parametrize(
    "data",
    [
        {"context": "a text", "speaker": "Ann"},
        {"context": ["a"], "speaker": []},
        {"context": [{"a": 1}], "speaker": [1]},
        {"meeting_transcripts": []},
        {"messages": [{"role": "user", "content": "x"}]},
        '{"speaker":"human","msg":"x"}\n{"speaker":"bot","msg":"y"}\n',
    ],
)
def test_neighbours_are_not_taken(data: object) -> None:
    assert not FORMAT.recognise(_log(data))
