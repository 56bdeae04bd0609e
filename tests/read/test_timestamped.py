from io import BytesIO

import pytest

from distill.model import Event, Role
from distill.read.log import Log
from distill.read.timestamped import FORMAT

U, A, X = Role.USER, Role.ASSISTANT, Role.UNKNOWN


def read(text: str) -> list[Event]:
    log = Log("log", BytesIO(text.encode()))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    lines = text.split("\n")
    for event in events:
        assert event.by_line
        for at, line in enumerate(event.text.split("\n")):
            assert line in lines[event.record - 1 + at]
    return events


@pytest.mark.parametrize(
    "stamp",
    [
        "[2026-03-15 10:02] ",
        "2026-03-15 10:02:00 ",
        "2026-03-15T10:02:00Z ",
        "（2026年3月15日 10:02）",
        "2026/03/15 10:02 - ",
        "[15/03/2026, 10:02:00] ",
        "- 2026-03-15 10:02 ",
        "**2026-03-15 10:02** ",
    ],
)
def test_forms_of_a_time(stamp: str) -> None:
    events = read(f"{stamp}user: use valve B\n{stamp}assistant: done\n")
    assert [(event.record, event.role, event.text, event.time) for event in events] == [
        (1, U, "use valve B", "2026-03-15T10:02:00Z"),
        (2, A, "done", "2026-03-15T10:02:00Z"),
    ]


def test_persons_are_users() -> None:
    events = read("[2025-11-20 09:12] dev: runs on the old pump\n[2025-11-20 09:40] dev: decided on valve B\n")
    assert [(event.role, event.text) for event in events] == [(U, "runs on the old pump"), (U, "decided on valve B")]


def test_chinese_dates_and_names() -> None:
    events = read("2026年3月5日 10:02 张三：用 B 阀\n2026年3月5日 下午3:20 助手：好\n2026年3月6日 张三：定了\n")
    assert [(event.role, event.text, event.time) for event in events] == [
        (U, "用 B 阀", "2026-03-05T10:02:00Z"),
        (A, "好", "2026-03-05T15:20:00Z"),
        (U, "定了", "2026-03-06T00:00:00Z"),
    ]


def test_a_journal_without_names() -> None:
    events = read("2026-03-05 决定用 B 阀\n2026-03-06 泵装好了\n")
    assert [(event.role, event.text) for event in events] == [(X, "决定用 B 阀"), (X, "泵装好了")]


def test_a_version_is_no_name() -> None:
    events = read("2026-03-05 - 1.2.0\n- valve B\n2026-03-01 - 1.1.0\n- pump\n")
    assert [(event.role, event.text) for event in events] == [(X, "1.2.0\n- valve B"), (X, "1.1.0\n- pump")]


def test_a_label_is_no_name() -> None:
    events = read("2026-03-05 10:00 TODO: valve B\n2026-03-05 10:01 TODO: valve C\n")
    assert [(event.role, event.text) for event in events] == [(X, "TODO: valve B"), (X, "TODO: valve C")]


def test_a_programs_log_keeps_its_lines() -> None:
    events = read("2026-03-05 10:00:00,123 INFO pump: started\n2026-03-05 10:00:01,001 ERROR pump: hot\n")
    assert [(event.role, event.text) for event in events] == [(X, "INFO pump: started"), (X, "ERROR pump: hot")]


def test_lines_without_a_time_go_on() -> None:
    events = read("[2026-03-15 10:02] ann: two things\n- valve B\n- 20 rpm\n\n[2026-03-15 10:03] ann: ok\n")
    assert [(event.record, event.text) for event in events] == [(1, "two things\n- valve B\n- 20 rpm"), (5, "ok")]


def test_a_day_above_the_clock() -> None:
    events = read("—— 2026年3月5日 ——\n[10:02] ann: hi\n[10:03] ann: ho\n# 2026-03-06\n[09:00] ann: again\n")
    assert [(event.text, event.time) for event in events] == [
        ("hi", "2026-03-05T10:02:00Z"),
        ("ho", "2026-03-05T10:03:00Z"),
        ("again", "2026-03-06T09:00:00Z"),
    ]


def test_a_clock_without_a_day_is_no_time() -> None:
    assert [event.time for event in read("[10:02] ann: hi\n[10:03] ann: ho\n")] == [None, None]


def test_name_and_time_above_the_words() -> None:
    events = read("张三 2026-03-15 10:02:11\n用 B 阀\n\n李四(12345) 2026-03-15 10:03:00\n好\n")
    assert [(event.record, event.role, event.text) for event in events] == [(2, U, "用 B 阀"), (5, U, "好")]
    events = read("2026-03-15 10:02:11 张三(12345)\n用 B 阀\n\n2026-03-15 10:03:00 李四(6789)\n好\n")
    assert [(event.record, event.role, event.text) for event in events] == [(2, U, "用 B 阀"), (5, U, "好")]


def test_a_fence_never_holds_an_entry() -> None:
    events = read(
        "[2026-03-15 10:02] ann: see\n```\n[2026-03-15 10:00] bob: valve C\n```\n[2026-03-15 10:03] ann: ok\n"
    )
    assert [event.record for event in events] == [1, 5]


def test_own_output_is_set_aside() -> None:
    text = (
        "[2026-03-15 10:02] ann: hi\n<!-- distill:begin -->\n- valve C\n<!-- distill:end -->\n"
        "[2026-03-15 10:03] ann: ho\n"
    )
    assert [event.text for event in read(text)] == ["hi", "ho"]


@pytest.mark.parametrize(
    "text",
    [
        "User: hi\nAssistant: ho\n",
        "# 2026-03-05 Notes\n\nUse valve B.\nAnd 20 rpm.\n",
        "10:30 is late\n10:40 is later\n",
        "1. valve\n2. pump\n",
        '[{"ts": "2026-03-15 10:02"}]',
        '{"ts": "2026-03-15 10:02"}\n{"ts": "2026-03-15 10:03"}\n',
    ],
)
def test_other_texts(text: str) -> None:
    assert not FORMAT.recognise(Log("log", BytesIO(text.encode())))
