"""Small valid logs in many formats: the same talk as different programs write it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

Talk = Sequence[tuple[str, str]]  # "user" or "assistant", and what was said; the user begins, then they take turns
Build = Callable[[Talk], str]

TALK: Talk = (
    ("user", "We decided to store sessions in Redis. Never touch the legacy/ folder."),
    ("assistant", "Agreed.\n\n## Summary\n- The timeout is 30 seconds.\n- Still to do: update the changelog."),
    ("user", "Change of plan: store sessions in Postgres. 不要改动 user 表，重试次数定在 3 次。"),
    ("assistant", "Done, 12 tests pass. Which licence do we take?"),
)
CWD = "/w/app"


def _stamp(number: int) -> str:
    return f"2026-03-02T09:{number // 60 % 60:02}:{number % 60:02}Z"


def _lines(rows: Sequence[object]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _document(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def claude_code(talk: Talk) -> str:
    """A session with a file written, a command run and a to-do list before the last words."""
    said: list[tuple[str, Any]] = [
        (role, text if role == "user" else [{"type": "text", "text": text}]) for role, text in talk]
    uses = [("Write", {"file_path": f"{CWD}/boat.py", "content": "x = 1\n"}), ("Bash", {"command": "pytest -q"}),
            ("TodoWrite", {"todos": [{"content": "Paint the boat", "status": "pending", "activeForm": "Painting"}]})]
    acts: list[tuple[str, Any]] = []
    for number, (name, given) in enumerate(uses):
        acts.append(("assistant", [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}]))
        acts.append(("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "12 passed in 0.3s"}]))
    return _lines([
        {"type": role, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "s1",
         "cwd": CWD, "timestamp": _stamp(number), "isSidechain": False, "message": {"role": role, "content": content}}
        for number, (role, content) in enumerate([*said[:-1], *acts, *said[-1:]])])


def codex(talk: Talk) -> str:
    """A rollout: response items, and events beside them."""
    rows: list[dict[str, Any]] = [
        {"timestamp": _stamp(0), "type": "session_meta", "payload": {"id": "c1", "cwd": CWD, "cli_version": "0.140.0"}}]
    for number, (role, text) in enumerate(talk, 1):
        kind = "output_text" if role == "assistant" else "input_text"
        rows.append({"timestamp": _stamp(number), "type": "response_item", "payload": {
            "type": "message", "role": role, "content": [{"type": kind, "text": text}]}})
        rows.append({"timestamp": _stamp(number), "type": "event_msg", "payload": {
            "type": "agent_message" if role == "assistant" else "user_message", "message": text}})
    command = {"command": ["bash", "-lc", "rm old.py && git commit -m 'Drop it'"], "workdir": CWD}
    call = {"type": "function_call", "name": "shell", "call_id": "k1", "arguments": json.dumps(command)}
    rows.insert(-2, {"timestamp": _stamp(9), "type": "response_item", "payload": call})
    rows.insert(-2, {"timestamp": _stamp(9), "type": "response_item", "payload": {
        "type": "function_call_output", "call_id": "k1", "output": "[main 1a2b3c4] Drop it\n 1 file changed"}})
    return _lines(rows)


def openai_messages(talk: Talk) -> str:
    """A bare list of chat messages."""
    return _document([{"role": "system", "content": "You are a boat."},
                      *({"role": role, "content": text} for role, text in talk)])


def gemini(talk: Talk) -> str:
    """A saved chat of the Gemini CLI."""
    return _document({"sessionId": "g1", "projectHash": "ab12", "startTime": _stamp(0), "messages": [
        {"id": f"m{number}", "timestamp": _stamp(number), "type": role.replace("assistant", "gemini"), "content": text}
        for number, (role, text) in enumerate(talk)]})


def chatgpt(talk: Talk) -> str:
    """An export of one conversation."""
    mapping: dict[str, Any] = {}
    for number, (role, text) in enumerate(talk):
        message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]},
                   "create_time": 1772442000 + number, "recipient": "all", "metadata": {}}
        mapping[f"n{number}"] = {"id": f"n{number}", "message": message, "children": [f"n{number + 1}"],
                                 "parent": f"n{number - 1}" if number else None}
    mapping[f"n{len(talk) - 1}"]["children"] = []
    return _document([{"title": "Boats", "create_time": 1772442000, "update_time": 1772442100, "mapping": mapping,
                       "current_node": f"n{len(talk) - 1}", "conversation_id": "c1"}])


def sharegpt(talk: Talk) -> str:
    """A training set of one conversation."""
    return _document([{"id": "x1", "conversations": [
        {"from": "human" if role == "user" else "gpt", "value": text} for role, text in talk]}])


def generic_jsonl(talk: Talk) -> str:
    """JSON Lines of nobody's making."""
    return _lines([{"speaker": role, "ts": 1772442000000 + 1000 * number, "message": text}
                   for number, (role, text) in enumerate(talk)])


def speakers(talk: Talk) -> str:
    """Text with speakers."""
    names = {"user": "User", "assistant": "Assistant"}
    return "".join(f"{names[role]}: {text}\n\n" for role, text in talk)


def plain(talk: Talk) -> str:
    """Text without speakers."""
    return "".join(f"{text}\n\n" for _, text in talk)


def aider(talk: Talk) -> str:
    """A chat history of aider."""
    head = "\n# aider chat started at 2026-01-05 09:30:00\n\n> Aider v0.86.1  \n> Git repo: .git with 3 files  \n\n"
    body = "".join(
        "".join(f"#### {line}  \n" for line in text.split("\n")) + "\n" if role == "user" else f"{text}\n\n"
        for role, text in talk)
    return head + body + "> Applied edit to boat.py  \n> Commit 1a2b3c4 feat: paint the boat  \n"


def specstory(talk: Talk) -> str:
    """A history of SpecStory."""
    head = "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-02-09 22:24:05Z\n\n"
    names = {"user": "_**User (2026-02-09 22:24:05Z)**_", "assistant": "_**Agent (boat 2026-02-09 22:24:09Z)**_"}
    return head + "".join(f"{names[role]}\n\n{text}\n\n---\n\n" for role, text in talk)


#: Every builder, and whether its records are lines.
FORMATS: dict[str, tuple[Build, bool]] = {
    "claude-code": (claude_code, True), "codex": (codex, True), "openai-messages": (openai_messages, False),
    "gemini": (gemini, False), "chatgpt": (chatgpt, False), "sharegpt": (sharegpt, False),
    "generic-jsonl": (generic_jsonl, True), "speakers": (speakers, True), "text": (plain, True), "aider": (aider, True),
    "specstory": (specstory, True),
}
