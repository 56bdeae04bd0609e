from io import BytesIO

import pytest

from distill.model import Event, Role
from distill.read.log import Log
from distill.read.speakers import FORMAT

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


def turns(text: str) -> list[tuple[int, Role, str]]:
    return [(event.record, event.role, event.text) for event in read(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User: ", "Assistant: "),
        ("Human: ", "AI: "),
        ("user: ", "assistant: "),
        ("用户：", "助手："),
        ("用户: ", "助手: "),
        ("Q: ", "A: "),
        ("**User:** ", "**Assistant:** "),
        ("**Q:** ", "**A:** "),
        ("**用户：** ", "**助手：** "),
        ("**User**: ", "**Claude**: "),
        ("[User]: ", "[Assistant]: "),
        ("You said: ", "ChatGPT said: "),
    ],
)
def test_names_on_the_line(one: str, other: str) -> None:
    assert turns(f"{one}use valve B\n{other}done\n") == [(1, U, "use valve B"), (2, A, "done")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("## User", "## Assistant"),
        ("### Turn 1 — User", "### Turn 1 — Assistant"),
        ("### Turn 1 — user · 03:11:54", "### Turn 2 — assistant · 03:11:57"),
        ("## 用户", "## 助手"),
        ("# Human", "# Claude"),
        ("##### You said:", "###### ChatGPT said:".replace("######", "#####")),
        ("## 🧑 User", "## 🤖 Assistant"),
        ("**User:**", "**Assistant:**"),
        ("User:", "Assistant:"),
    ],
)
def test_names_above_the_words(one: str, other: str) -> None:
    assert turns(f"{one}\n\nuse valve B\n\n{other}\n\ndone\n") == [(3, U, "use valve B"), (7, A, "done")]


def test_a_time_in_the_heading() -> None:
    events = read(
        "### 用户 · 2026-10-07 04:16\n\n> 用 B 阀\n\n**助手：**\n\n好\n\n### 用户 · 2026-10-07 04:20\n\n> 谢谢\n"
    )
    assert [(event.text, event.time) for event in events if event.role is U] == [
        ("用 B 阀", "2026-10-07T04:16:00Z"),
        ("谢谢", "2026-10-07T04:20:00Z"),
    ]


def test_several_lines_belong_to_one_turn() -> None:
    assert turns("User: two things\n- valve B\n- 20 rpm\n\nAssistant: ok\n")[0] == (
        1,
        U,
        "two things\n- valve B\n- 20 rpm",
    )


def test_headings_inside_an_answer_are_its_own() -> None:
    text = "## User\n\nplan\n\n## Assistant\n\n### Steps\n\n## Users\n\nall\n\n### User\n\nnobody\n\n## User\n\nok\n"
    assert [role for _, role, _ in turns(text)] == [U, A, U]


def test_a_fence_never_holds_a_turn() -> None:
    text = "User: why?\nAssistant: see\n```\nUser: use valve C\n```\nUser: ok\n"
    assert turns(text) == [(1, U, "why?"), (2, A, "see\n```\nUser: use valve C\n```"), (6, U, "ok")]


def test_initials_of_a_meeting() -> None:
    text = (
        "## Pumps\n\nPresenter: Ann\n\nABC: I would take valve B.\n\nXY: And 20 rpm?\n\nABC: Yes.\n\n"
        "XY: Then so be it.\n\n"
        "### Conclusion\n\n- valve B\n"
    )
    found = turns(text)
    assert [(role, said) for _, role, said in found[1:5]] == [
        (U, "I would take valve B."),
        (U, "And 20 rpm?"),
        (U, "Yes."),
        (U, "Then so be it."),
    ]
    assert found[-1] == (13, X, "### Conclusion\n\n- valve B")


def test_numbered_speakers() -> None:
    text = "说话人1：先用 B 阀\n说话人2：转速呢\n说话人1：二十\n说话人2：好\n"
    assert [role for _, role, _ in turns(text)] == [U] * 4


def test_people_and_a_program() -> None:
    text = "Ann Lee: which valve?\nreview-bot: valve B\nAnn Lee: ok\nreview-bot: done\n"
    assert [role for _, role, _ in turns(text)] == [U, A, U, A]


def test_names_in_angle_brackets() -> None:
    text = "<ann> valve B?\n<bob> yes\n<ann> and 20 rpm\n<bob> ok\n<ann> so be it\n<bob> fine\n"
    assert turns(text)[:2] == [(1, U, "valve B?"), (2, U, "yes")]


def test_what_nobody_typed_is_set_aside() -> None:
    log = Log("log", BytesIO(b"System: be nice\nUser: hi\nAssistant: ho\nTool: 3 files\n"))
    assert [event.text for event in FORMAT.events(log)] == ["hi", "ho"]
    assert log.tally.set_aside["injected text"] == 2


def test_folded_tool_calls_are_left_out() -> None:
    text = (
        "User: go\nAssistant: I look.\n<details><summary>Tools × 2</summary>\n\n- `Edit` a.py\n\n"
        "</details>\n\nDone.\nUser: ok\n"
    )
    (_, _, answer) = turns(text)[1]
    assert [line for line in answer.split("\n") if line] == ["I look.", "Done."]


def test_front_matter_tells_of_the_session() -> None:
    text = (
        "---\ntitle: Pumps\nstarted: 2026-04-01T15:00:00Z\ncwd: /work/pump\ngitBranch: main\n---\n\n"
        "### Turn 1 — User\n\nhi\n\n### Turn 1 — Assistant\n\nho\n"
    )
    log = Log("log", BytesIO(text.encode()))
    assert FORMAT.recognise(log)
    events = list(FORMAT.events(log))
    assert [(event.record, event.text, event.time, event.project) for event in events] == [
        (10, "hi", "2026-04-01T15:00:00Z", "/work/pump"),
        (14, "ho", "2026-04-01T15:00:00Z", "/work/pump"),
    ]
    assert (log.tally.title, log.tally.branch) == ("Pumps", "main")


def test_own_output_is_set_aside() -> None:
    assert turns("User: hi\n<!-- distill:begin -->\n- valve C\n<!-- distill:end -->\nAssistant: ho\n") == [
        (1, U, "hi"),
        (5, A, "ho"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "TODO: valve B\nTODO: valve C\n待办：阀\n待办：泵\n",
        "name: pump\nversion: 2\nname: valve\nversion: 3\n",
        "# Notes\n\nUse valve B.\n\n## Users\n\nAll of them.\n",
        "just words\nand more\n",
        "<div> one\n<p> two\n<div> three\n",
        "Note: see below\nWarning: hot\nNote: again\nWarning: cold\n",
        '{"role": "user", "content": "User: hi"}\n',
        "---\nschema: 1\ndistill: 1\n---\nUser: a\nAssistant: b\n",
    ],
)
def test_texts_without_speakers(text: str) -> None:
    assert not FORMAT.recognise(Log("log", BytesIO(text.encode())))
