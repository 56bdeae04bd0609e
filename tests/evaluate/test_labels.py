from __future__ import annotations

import json

import pytest

from distill.evaluate.labels import Evidence, Label, LabelError, LabelFile, read_labels
from distill.model import Kind, Status


def faults(text: str) -> list[str]:
    with pytest.raises(LabelError) as caught:
        read_labels(text, "x.labels.jsonl")
    assert caught.value.code == 2
    return str(caught.value).split("\n")


def test_a_label_with_everything() -> None:
    row = {
        "kind": "open", "text": "Clean up the crates", "weight": 3, "status": "resolved",
        "evidence": [{"record": 4, "quote": "crates are left"}, {"quote": "the crates again"}],
    }
    assert read_labels(json.dumps(row), "x") == LabelFile(transcript=None, labels=(
        Label(kind=Kind.OPEN, text="Clean up the crates", weight=3, status=Status.RESOLVED,
              evidence=(Evidence(quote="crates are left", record=4), Evidence(quote="the crates again"))),
    ))


def test_what_is_left_out_takes_its_default() -> None:
    (label,) = read_labels('{"kind": "fact", "text": "It rains", "note": "ignored"}', "x").labels
    assert (label.weight, label.status, label.evidence) == (2, Status.LIVE, ())


def test_the_first_line_may_name_the_transcript() -> None:
    found = read_labels('\n{"transcript": "../logs/a.jsonl"}\n\n{"kind": "fact", "text": "It rains"}\n', "x")
    assert found.transcript == "../logs/a.jsonl"
    assert len(found.labels) == 1


def test_a_byte_order_mark_and_windows_line_ends() -> None:
    found = read_labels('\ufeff{"kind": "fact", "text": "a"}\r\n{"kind": "open", "text": "b"}\r\n', "x")
    assert [label.kind for label in found.labels] == [Kind.FACT, Kind.OPEN]


def test_a_line_separator_inside_a_text_ends_no_line() -> None:
    (label,) = read_labels('{"kind": "fact", "text": "a\u2028b"}', "x").labels
    assert label.text == "a\u2028b"


def test_an_empty_file_has_no_labels() -> None:
    assert read_labels("", "x") == LabelFile(transcript=None, labels=())


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "a label must be an object"),
        ('{"text": "a"}', "kind: is missing; one of decision, fact, artifact, open"),
        ('{"kind": "idea", "text": "a"}', 'kind: "idea" is none of decision, fact, artifact, open'),
        ('{"kind": ["fact"], "text": "a"}', 'kind: ["fact"] is none of'),
        ('{"kind": "fact"}', "text: is missing"),
        ('{"kind": "fact", "text": " "}', 'text: " " is no text'),
        ('{"kind": "fact", "text": 4}', "text: 4 is no text"),
        ('{"kind": "fact", "text": "a", "weight": 4}', "weight: 4 is none of 1, 2, 3"),
        ('{"kind": "fact", "text": "a", "weight": true}', "weight: true is none of 1, 2, 3"),
        ('{"kind": "fact", "text": "a", "weight": [1]}', "weight: [1] is none of 1, 2, 3"),
        ('{"kind": "fact", "text": "a", "status": "gone"}', 'status: "gone" is none of live, superseded, resolved'),
        ('{"kind": "fact", "text": "a", "evidence": {}}', "evidence: must be a list"),
        ('{"kind": "fact", "text": "a", "evidence": ["b"]}', "evidence[0]: must be an object"),
        ('{"kind": "fact", "text": "a", "evidence": [{"record": 2}]}', "evidence[0].quote: is missing"),
        ('{"kind": "fact", "text": "a", "evidence": [{"record": 0, "quote": "b"}]}', "evidence[0].record: 0 is no"),
        ('{"kind": "fact", "text": "a", "evidence": [{"record": "2", "quote": "b"}]}', 'evidence[0].record: "2" is no'),
        ('{"transcript": "a.md"}', "kind: is missing"),  # not on the first line
    ],
)
def test_a_fault_is_named_with_file_and_line(line: str, what: str) -> None:
    (fault,) = faults(f'{{"kind": "fact", "text": "good"}}\n\n{line}\n')
    assert fault.startswith(f"x.labels.jsonl:3: {what}")


def test_a_transcript_that_is_no_text() -> None:
    assert faults('{"transcript": 3}') == ["x.labels.jsonl:1: transcript: 3 is no text"]


def test_all_faults_come_at_once() -> None:
    assert [fault.split(" ")[0] for fault in faults("[]\n{}\n{")] == [f"x.labels.jsonl:{line}:" for line in (1, 2, 3)]


def test_very_many_faults_are_counted() -> None:
    found = faults("[]\n" * 500)
    assert len(found) == 21
    assert found[-1] == "x.labels.jsonl: 480 more faults"
