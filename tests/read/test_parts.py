"""The parts of a message's content."""

from __future__ import annotations

import pytest

from distill.read.parts import looks_failed, output_text, parsed_arguments, unpack, without_thoughts


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<thinking>Why?</thinking>\n\nUse it.", "\n\nUse it."),
        ("<think>a</think>One.<think>b</think> Two.", "One. Two."),
        ("the prompt opened it</think>Use it.", "Use it."),
        ("<think>cut off while", ""),
        ("<thinking>a <think>b</think> c</thinking>Use it.", "Use it."),
        ("Put `<think>` before it and `</think>` behind.", "Put `<think>` before it and `</think>` behind."),
        ("An open <think> in the middle stays.", "An open <think> in the middle stays."),
        ("No mark at all: a < b.", "No mark at all: a < b."),
        ("", ""),
    ],
)
def test_thinking_is_taken_out(text: str, plain: str) -> None:
    assert without_thoughts(text) == (plain, plain != text)


def test_many_open_marks_take_no_time() -> None:
    text = "x <think> " * 200_000
    assert without_thoughts(text) == (text, False)


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("a", ["a"]),
        ("  ", []),
        (["a", {"type": "text", "text": "b"}, {"type": "input_text", "text": "c"}], ["a", "b", "c"]),
        ([{"type": "text", "value": "a"}, {"type": "text", "text": {"value": "b"}}], ["a", "b"]),
        ([{"type": "output_text", "text": "a"}, {"text": "b"}, {"type": "Text", "text": "c"}], ["a", "b", "c"]),
        ({"type": "text", "text": "a"}, ["a"]),
        ([{"type": "thinking", "thinking": "a"}, {"type": "image_url", "image_url": {"url": "b"}}], []),
        (None, []),
        (5, []),
    ],
)
def test_prose_of_every_dialect(content: object, texts: list[str]) -> None:
    assert unpack(content).texts == texts


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool_use", "id": "k", "name": "Write", "input": {"a": 1}},
        {"type": "tool_call", "id": "k", "name": "Write", "arguments": '{"a": 1}'},
        {"type": "tool-call", "toolCallId": "k", "toolName": "Write", "args": {"a": 1}},
        {"type": "function_call", "call_id": "k", "name": "Write", "arguments": '{"a": 1}'},
        {"type": "toolCall", "id": "k", "name": "Write", "arguments": {"a": 1}},
        {"toolUse": {"toolUseId": "k", "name": "Write", "input": {"a": 1}}},
        {"type": "tool_call", "id": "k", "function": {"name": "Write", "arguments": '{"a": 1}'}},
    ],
)
def test_calls_of_every_dialect(part: dict[str, object]) -> None:
    (call,) = unpack([part]).calls
    assert (call.id, call.name, call.arguments) == ("k", "Write", {"a": 1})


@pytest.mark.parametrize(
    ("part", "failed"),
    [
        ({"type": "tool_result", "tool_use_id": "k", "content": [{"type": "text", "text": "ok"}]}, None),
        ({"type": "tool_result", "tool_use_id": "k", "content": "ok", "is_error": True}, True),
        ({"type": "function_call_output", "call_id": "k", "output": "ok"}, None),
        ({"toolResult": {"toolUseId": "k", "content": [{"text": "ok"}], "status": "error"}}, True),
        ({"type": "tool-result", "toolCallId": "k", "result": {"output": "ok"}, "isError": False}, False),
    ],
)
def test_results_of_every_dialect(part: dict[str, object], failed: bool | None) -> None:
    (result,) = unpack([part]).results
    assert (result.id, result.output, result.failed) == ("k", "ok", failed)


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("", False),
        ("All good.\nNo error here.", False),
        ("Exit code: 0\nWall time: 1 s\nOutput:\n", False),
        ("Exit code: 2\nWall time: 1 s\nOutput:\n", True),
        ("Chunk ID: 3\nWall time: 1\nProcess exited with code 1\nOutput:\n", True),
        ("Error: no such file", True),
        ("Errors fixed: 3", False),
        ("fatal: not a git repository", True),
        ('{"output": "x", "metadata": {"exit_code": 1}}', True),
        ('{"output": "Error: x", "metadata": {"exit_code": 0}}', False),
        ('{"error": "no"}', True),
        ('{"error": null, "success": true}', False),
        ('{"success": false}', True),
        ("{broken", False),
    ],
)
def test_failure_is_told_by_the_first_words(output: str, failed: bool) -> None:
    assert looks_failed(output) is failed


def test_arguments_and_outputs_of_odd_types() -> None:
    assert parsed_arguments('{"a": 1}') == {"a": 1}
    assert parsed_arguments("*** Begin Patch") == "*** Begin Patch"
    assert parsed_arguments("[1]") == "[1]"
    assert parsed_arguments("{broken") == "{broken"
    assert parsed_arguments(None) == {}
    assert output_text(["a", {"text": "b"}, 3, None]) == "a\nb"
    assert output_text({"stdout": "a"}) == "a"
    assert output_text({"rows": 2}) == '{"rows": 2}'
    assert output_text(7) == ""
