"""Whatever the input is made of: the run ends in one of the exit codes of a run, in the same state every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli.tool import NOW, Ran, Tool
from tests.properties.laws import Folder, law
from tests.properties.logs import FORMATS, TALK

LOGS = {name: build(TALK).encode() for name, (build, _) in FORMATS.items()}
names = st.sampled_from(sorted(LOGS))
junk = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([
        b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\xbd", b"\r\n", b"\r", b"\xe2\x80\xa8", b"\xc2\x85", b"\n\n",
        b"{", b"}", b"[", b"]", b'"', b"\\", b"\\ud83d", b",", b"null", b"NaN", b"1e999", b"-", b"---\n",
        b"```\n", b"~~~\n", b"# Summary\n", b"User: ", b"<!-- distill:begin -->\n", b"<!-- distill:end -->\n",
        b"\x1b[31m", "\u202e".encode(), "用户：".encode(), "长".encode() * 3000, b"[" * 3000, b'{"a":' * 1500,
        b" " * 5000, b"a" * 9000,
    ]))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid log that was cut, overwritten, doubled in parts or spliced with another."""
    data = LOGS[draw(names)]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 300)))
        match draw(st.sampled_from(["cut", "drop", "put", "over", "double", "splice"])):
            case "cut":
                data = data[:start]
            case "drop":
                data = data[:start] + data[end:]
            case "put":
                data = data[:start] + draw(junk) + data[start:]
            case "over":
                data = data[:start] + draw(junk) + data[end:]
            case "double":
                data = data[:end] + data[start:]
            case _:
                other = LOGS[draw(names)]
                data = data[:start] + other[draw(st.integers(0, len(other))):]
    return data


USUAL = ("user", "assistant", "text", "2026-03-02T09:00:00Z", "2026-99-99T99:99:99Z", 10**30, -1, "")
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.sampled_from(USUAL)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=6)


@st.composite
def odd_fields(draw: st.DrawFn) -> bytes:
    """A log in which a few values are of another type, whatever the field is."""
    name = draw(st.sampled_from([name for name in sorted(LOGS) if LOGS[name][:1] in b"{["]))
    text = LOGS[name].decode()
    lines = FORMATS[name][1]
    document: Any = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    for _ in range(draw(st.integers(1, 4))):
        document = _changed(draw, document, draw(values))
    if not lines or not isinstance(document, list):
        return json.dumps(document).encode()
    return "".join(json.dumps(row) + "\n" for row in document).encode()


def _changed(draw: st.DrawFn, value: Any, new: Any) -> Any:
    """`value` with one node replaced, the root seldom."""
    keys = [*range(len(value))] if isinstance(value, list) else [*value] if isinstance(value, dict) else []
    if not keys or draw(st.integers(0, 6)) == 0:
        return new
    key = draw(st.sampled_from(keys))
    changed = _changed(draw, value[key], new)
    if isinstance(value, dict):
        return {**value, key: changed}
    return [*value[:key], changed, *value[key + 1:]]


def survives(tool: Tool, data: bytes) -> Ran:
    """Run over `data` as a log; fails on any end but those of a run."""
    tool.write("log", data)
    ran = tool("log", "-f", "json", "--now", NOW)
    assert ran.code in (0, 3, 4), ran.err
    assert "Traceback" not in ran.err
    assert (ran.out == "") is (ran.code == 3)
    if ran.code == 3:
        assert ran.err.startswith("distill: error: log: ")
        assert ran.err.count("\n") == 1
    else:
        assert ran.data["schema"] == 1
        assert bool(ran.data["sources"][0]["skipped"]) is (ran.code == 4)
        assert tool("log", "-f", "json", "--now", NOW).out == ran.out
    return ran


@law
@given(st.binary(max_size=600))
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe")
@example(b"{}")
@example(b"[]")
@example(b'"a"')
@example(b"{}\n{}\n")
@example(b"[[[[[[")
@example(b"\n\n\n")
@example(b"---\ndistill: state\nschema: 1\n---\n")
@example('{"role": "user", "content": "We decided."}\n'.encode("utf-16"))
def test_any_bytes(folder: Folder, data: bytes) -> None:
    survives(folder(), data)


@law
@given(st.text(max_size=400))
def test_any_text(folder: Folder, text: str) -> None:
    survives(folder(), text.encode("utf-8", "surrogatepass"))


@law
@given(damaged())
def test_a_damaged_log(folder: Folder, data: bytes) -> None:
    survives(folder(), data)


@law
@given(odd_fields())
def test_fields_of_any_type(folder: Folder, data: bytes) -> None:
    survives(folder(), data)


@law
@given(st.lists(st.text(min_size=1, max_size=120), min_size=1, max_size=4), names)
def test_any_words_in_any_format(folder: Folder, words: list[str], name: str) -> None:
    build: Callable[..., str] = FORMATS[name][0]
    talk = [(("user", "assistant")[number % 2], text) for number, text in enumerate(words)]
    survives(folder(), build(talk).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", sorted(LOGS))
def test_each_log_is_what_it_is_meant_to_be(folder: Folder, name: str) -> None:
    ran = survives(folder(), LOGS[name])
    assert ran.code == 0
    assert ran.data["sources"][0]["format"] == name
    assert any("Postgres" in text for text in ran.texts("decisions"))
    assert any("Redis" in text for text in ran.texts("superseded"))


@law
@given(st.sampled_from(["md", "json", "yaml"]), damaged())
def test_a_damaged_state(folder: Folder, form: str, log: bytes) -> None:
    """A state that was cut or overwritten is refused in one line, or read."""
    tool = folder()
    tool.write("good.txt", LOGS["speakers"])
    state = tool("good.txt", "-f", form, "--now", NOW).out.encode()
    tool.write("state", state[: len(log) % len(state)] + log[:30] + state[len(log) % len(state):])
    for words in (("good.txt", "-p", "state"), ("show", "state")):
        ran = tool(*words)
        assert ran.code in (0, 2), ran.err
        assert "Traceback" not in ran.err
