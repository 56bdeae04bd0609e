from io import BytesIO

import pytest

from distill.model import Event, Role
from distill.read.log import Log
from distill.read.plain import FORMAT


def read(text: str) -> list[Event]:
    log = Log("log", BytesIO(text.encode()))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    lines = text.split("\n")
    for event in events:
        assert (event.role, event.by_line) == (Role.UNKNOWN, True)
        for at, line in enumerate(event.text.split("\n")):
            assert line in lines[event.record - 1 + at]
    return events


def texts(text: str) -> list[tuple[int, str]]:
    return [(event.record, event.text) for event in read(text)]


def test_a_log_gives_one_event_a_line() -> None:
    assert texts("先看一遍\n\n决定用 B 阀\n待办：泵\n") == [(1, "先看一遍"), (3, "决定用 B 阀"), (4, "待办：泵")]


def test_a_list_stays_with_its_lead_in() -> None:
    assert texts("Open:\n- valve\n- pump\nThat is all.\n") == [(1, "Open:\n- valve\n- pump"), (4, "That is all.")]


def test_wrapped_prose_stays_together() -> None:
    long = "We looked at three valves and after a week of tests we settled on"
    assert texts(f"{long}\nvalve B, the big one.\nIt is quiet.\n") == [
        (1, f"{long}\nvalve B, the big one."),
        (3, "It is quiet."),
    ]


def test_long_lines_that_say_one_thing_each_stay_apart() -> None:
    lines = [
        "compared the three valves over a week, with the pump on and with the pump switched off",
        "chose valve B for the north side, where the water stands higher than in the old basin",
        "订两个 B 阀",
    ]
    assert texts("\n".join(lines)) == list(enumerate(lines, 1))


def test_tables_and_fences_stay_whole() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert texts(f"see\n{table}\n\n```\nx\n\ny\n```\nbye\n") == [
        (1, "see"),
        (2, table),
        (6, "```\nx\n\ny\n```"),
        (11, "bye"),
    ]


def test_a_document_gives_its_sections_with_their_headings() -> None:
    text = (
        "# Report 2026-04-18\n\n## Pumps\n\n### One\n\n- valve B\n\n## Tests\n\n```\n## no heading\n```\n\nAll pass.\n"
    )
    assert texts(text) == [
        (1, "# Report 2026-04-18\n\n## Pumps\n\n### One\n\n- valve B"),
        (9, "## Tests\n\n```\n## no heading\n```\n\nAll pass."),
    ]


def test_a_document_tells_its_own_time() -> None:
    assert {event.time for event in read("# Report 2026-04-18\n\nText.\n\n## More\n\nText.\n")} == {
        "2026-04-18T00:00:00Z"
    }
    assert {event.time for event in read("# 报告\n\n日期：2026年4月18日\n\n## 泵\n\n用 B 阀\n")} == {
        "2026-04-18T00:00:00Z"
    }
    assert {event.time for event in read("# Report\n\nSince 2019-01-01 it runs.\n\n## More\n\nText.\n")} == {None}


def test_a_section_of_one_day_has_that_day() -> None:
    events = read("# Journal\n\n## 2026-03-05\n\n- valve B\n\n## 2026年3月6日 周五\n\n- pump\n\n## Later\n\n- rest\n")
    assert [event.time for event in events] == ["2026-03-05T00:00:00Z", "2026-03-06T00:00:00Z", None]


def test_front_matter_is_no_text() -> None:
    log = Log(
        "log", BytesIO(b"---\ntitle: Pumps\ndate: 2026-04-18\n---\n\n# Pumps\n\nUse valve B.\n\n## Rest\n\nNone.\n")
    )
    events = list(FORMAT.events(log))
    assert [(event.record, event.text) for event in events] == [
        (6, "# Pumps\n\nUse valve B."),
        (10, "## Rest\n\nNone."),
    ]
    assert events[0].time == "2026-04-18T00:00:00Z"
    assert log.tally.title == "Pumps"


def test_a_state_file_of_ours_gives_nothing() -> None:
    log = Log("log", BytesIO(b"---\nschema: 1\ndistill: 0.1.0\n---\n\n## Decisions\n\n- use valve B\n"))
    assert FORMAT.recognise(log)
    assert list(FORMAT.events(log)) == []
    assert log.tally.set_aside["own output"] == 1


def test_own_output_inside_a_log_is_set_aside() -> None:
    assert texts("one\n<!-- distill:begin -->\n- valve C\n<!-- distill:end -->\ntwo\n") == [(1, "one"), (5, "two")]


def test_odd_bytes_are_survived() -> None:
    log = Log("log", BytesIO("use valve\u2028B\n\x85ok\n".encode() + b"bad \xff byte\nnul\x00led\r\n"))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert [event.record for event in events] == [1, 2, 3, 4]
    assert events[0].text == "use valve\u2028B"
    assert events[3].text == "nulled"
    assert log.tally.skipped == {"invalid UTF-8": [3]}


def test_utf16() -> None:
    log = Log("log", BytesIO("决定用 B 阀\r\n泵\r\n".encode("utf-16")))
    assert [event.text for event in FORMAT.events(log)] == ["决定用 B 阀", "泵"]


@pytest.mark.parametrize(
    "text", ['{"trajectory": [', '[{"role": "user", "conte', '{"a": 1}\n{"b": 2}\n', '{"a": 1}', "[]"]
)
def test_json_is_never_plain_text(text: str) -> None:
    assert not FORMAT.recognise(Log("log", BytesIO(text.encode())))


@pytest.mark.parametrize("text", ["[2026-03-15 10:02] x", "[INFO] started", "{pump} on", "- [ ] valve"])
def test_brackets_alone_make_no_json(text: str) -> None:
    assert [found for _, found in texts(text)] == [text]
