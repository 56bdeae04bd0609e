"""Terminal captures and stack traces pasted without a fence are no statements; the words around them are."""

from __future__ import annotations

import pytest

from distill.model import Event, Role
from distill.segment.captures import captured
from distill.segment.statements import statements


def texts(text: str) -> list[str]:
    return [one.text for one in statements(Event(record=1, role=Role.USER, text=text))]


TRACE = """Traceback (most recent call last):
  File "/opt/tide/run.py", line 12, in main
    check(levels)
  File "/opt/tide/levels.py", line 4, in check
    raise RangeError('levels must not exceed 900')
tide.levels.RangeError: levels must not exceed 900
we decided to stop here"""
NODE = """/opt/tide/server.js:31
    throw new Error('a gauge must have a name')
    ^

Error: a gauge must have a name
    at load (/opt/tide/server.js:31:11)
    at /opt/tide/main.js:4:1"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: never call this twice
\tat org.tide.Gauge.open(Gauge.java:18)
\t... 3 more"""


@pytest.mark.parametrize("trace", [TRACE, NODE, JAVA])
def test_a_trace_is_left_out_whole(trace: str) -> None:
    assert texts(f"It stops at once:\n\n{trace}\n\nNever swallow that error.") == [
        "It stops at once:",
        "Never swallow that error.",
    ]
    assert texts(f"一启动就停了：\n\n{trace}\n\n不要吞掉这个错误。") == ["一启动就停了：", "不要吞掉这个错误。"]


def test_a_chain_of_traces_is_left_out_whole() -> None:
    chain = f"{TRACE}\n\nDuring handling of the above exception, another exception occurred:\n\n{TRACE}"
    assert texts(f"{chain}\n\nUse the mean.") == ["Use the mean."]


def test_a_trace_without_its_indent_is_left_out() -> None:
    flat = "\n".join(line.strip() for line in TRACE.split("\n")[:6])
    assert texts(f"{flat}\n\nWhy is that?") == ["Why is that?"]


@pytest.mark.parametrize(
    "prompt",
    ["mara@quay:~/tide$ ", "root@quay:/srv# ", "[mara@quay tide]$ ", "(venv) mara@quay:~$ ", "mara@quay tide % ",
     "PS C:\\tide> ", "C:\\tide>", "➜  tide git:(main) "],
)  # fmt: skip
def test_a_capture_goes_to_the_empty_line(prompt: str) -> None:
    message = f"See:\n{prompt}cat PLAN\nWe decided to sell the old gauge.\n待办：拆掉旧站\n\nKeep the old gauge."
    assert texts(message) == ["See:", "Keep the old gauge."]


@pytest.mark.parametrize("words", ["Please leave the warnings.", "请不要动这些警告。", "Why does it warn?"])
def test_a_capture_ends_where_the_user_turns_to_the_assistant(words: str) -> None:
    assert texts(f"mara@quay:~/tide$ make\nwarning: never used: level\n{words}") == [words]


def test_a_bare_dollar_takes_its_output_along_and_no_sentence() -> None:
    assert texts("$ make test\nnever used: level\nThe warning must stay visible.") == ["The warning must stay visible."]
    assert texts("$ make test\n警告要保留") == ["警告要保留"]
    assert texts("[run] make test\n-> 3 gauges must be 900\n警告要保留") == ["警告要保留"]
    assert texts("[Bash] make test\n-> 3 gauges must be 900\n\nThe warning stays.") == ["The warning stays."]


BROWSER = """TideMap.vue:12 map mounted
TideMap.vue:14 gauge: {id: 'north', must: 'never'}
gauge-list.ts:91 levels: 18 (18) [{…}, {…}]
load @ TideMap.vue:66
await in load
(anonymous) @ TideMap.vue:41
Promise.then
queueFlush @ core.esm-bundler.js:322
res: {ok: true, data: {…}}data: {rows: Array(0)}[[Prototype]]: Objectconstructor: ƒ Object()"""


def test_the_console_of_a_browser_is_left_out() -> None:
    assert texts(f"{BROWSER}\n\n@c:\\tide\\terminals\\4.txt:118-139\n\nNever hide the map.") == ["Never hide the map."]
    assert texts(f"还是空的\n{BROWSER}\n先别改") == ["还是空的", "先别改"]


@pytest.mark.parametrize("remark", ["levels.ts:14 must use the mean", "TideMap.vue:9 这里不要写死"])
def test_a_remark_on_a_place_in_a_file_stays(remark: str) -> None:
    assert texts(f"{remark}\n\nNever hide the map.") == [remark, "Never hide the map."]


@pytest.mark.parametrize(
    "text",
    [
        "Send it to mara@quay.example and never to the office.",
        "Limit the cost to $ 40 a month.",
        "At most 20% of the levels may be missing.",
        "  at night the gauge must sleep",
        "  at the north side (from 21:30)",
        'The File "levels.csv" must stay.',
        "Never run it at home (or on the ferry).",
    ],
)
def test_words_that_look_alike_stay(text: str) -> None:
    assert captured(text) == frozenset()
