from io import BytesIO

from distill.model import Role
from distill.read.cursor import FORMAT
from distill.read.log import Log

EXPORT = (
    "# Pump control\n_Exported on 15/6/2026 at 19:44:57 GMT+8 from Cursor (3.2.21)_\n\n---\n\n**User**\n\n"
    "slow it down\n\n---\n\n"
    "**Cursor**\n\nI look:\n\n---\n\n**User** is a word here\n\nDone.\n"
)


def read(text: str) -> list[tuple[int, Role, str]]:
    log = Log("log", BytesIO(text.encode()))
    assert FORMAT.recognise(log)
    return [(event.record, event.role, event.text) for event in FORMAT.events(log)]


def test_export() -> None:
    assert read(EXPORT) == [
        (8, Role.USER, "slow it down"),
        (14, Role.ASSISTANT, "I look:\n\n---\n\n**User** is a word here\n\nDone."),
    ]


def test_title_and_time() -> None:
    log = Log("log", BytesIO(EXPORT.encode()))
    assert {event.time for event in FORMAT.events(log)} == {"2026-06-15T11:44:57Z"}
    assert log.tally.title == "Pump control"


def test_a_date_that_can_be_read_in_two_ways_is_no_time() -> None:
    log = Log("log", BytesIO(EXPORT.replace("15/6", "5/6").encode()))
    assert {event.time for event in FORMAT.events(log)} == {None}


def test_waylog_may_begin_with_the_assistant_and_has_blank_lines() -> None:
    text = (
        "# 泵\n_Exported on 01/15/2026 at 14:49:25 GMT+8 from Cursor via WayLog_\n\n\n**Cursor**\n\n"
        "查找代码：\n\n\n\n已修复。\n\n---\n\n\n**User**\n\n继续\n"
    )
    assert read(text) == [(7, Role.ASSISTANT, "查找代码：\n\n\n\n已修复。"), (18, Role.USER, "继续")]


def test_a_fence_that_was_left_open_ends_with_the_message() -> None:
    text = EXPORT.replace("slow it down", "this:\n```sql\nSELECT 1")
    assert [role for _, role, _ in read(text)] == [Role.USER, Role.ASSISTANT]


def test_several_exports_in_one_file() -> None:
    both = read(EXPORT + "\n\n" + EXPORT.replace("slow", "turn"))
    assert [text for _, _, text in both][::2] == ["slow it down", "turn it down"]
    assert "# Pump" not in both[1][2]


def test_own_output_is_set_aside() -> None:
    text = EXPORT.replace("slow it", "<!-- distill:begin -->\n- use valve B\n<!-- distill:end -->\nslow it")
    assert read(text)[0][2] == "slow it down"


def test_other_texts_are_not_cursors() -> None:
    for text in ("**User**\n\nhi\n\n---\n\n**Cursor**\n\nho\n", "# x\n_Exported on 1/1/2026 from Notes_\n", "{}"):
        assert not FORMAT.recognise(Log("log", BytesIO(text.encode())))
