"""Synthetic logs of any size for the benchmark: the shape of real sessions, invented words, the same bytes every time.

The shape was measured on real Claude Code sessions: two thirds of the bytes are tool results (most of that the
structured copy beside the text), a seventh thinking with its signature, a seventh tool calls; assistant prose is 1 to 2 %
of the bytes, what the user types half of that; 7 to 16 turns a megabyte, half of the lines under 1.4 kB, one of a few
hundred over 100 kB, one in 25 MB a megabyte long. `chatty` is the other end: sessions that mostly talk.
Density does not depend on size, so 20 MB and 200 MB differ in length alone. Every third task is in Chinese.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.bench.words import Writer, code

Record = dict[str, Any]
_ABC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_TURNS = 12  # turns of one task
_TOOLS = ("Bash",) * 27 + ("Read",) * 17 + ("Edit",) * 28 + ("TodoWrite",) * 15 + ("Write",) * 4 + ("Grep",) * 6 + ("Glob",) * 3
_STEPS, _CHATTY = (3, 12), (0, 2)


class _Session:
    """What the formats share: the clock, ids, files and the tasks."""

    def __init__(self, seed: int, chatty: bool) -> None:
        self.random = Random(seed)
        self.chatty = chatty
        self.seconds = 0
        self.files = [code(self.random, size) for size in (700, 1500, 2500, 4000, 6000, 9000, 15000) for _ in range(6)]
        self.long = code(self.random, 1 << 20)
        self.noise = "".join(self.random.choices(_ABC, k=1 << 14))
        self.writer = Writer(self.random, False, 0)
        self.turn = 0
        self.todos: list[tuple[str, str]] = []

    def begin(self) -> None:
        """The next turn; now and then the next task."""
        if self.turn % _TURNS == 0:
            number = self.turn // _TURNS
            self.writer = Writer(self.random, number % 3 == 2, number)
            self.todos = [(self.writer.says(1, 1)[:70], "pending") for _ in range(5)]
        self.turn += 1

    def time(self) -> str:
        """The time of the next record."""
        self.seconds += self.random.randint(1, 9)
        days, rest = divmod(self.seconds, 86_400)
        day, hour, minute = 1 + days % 28, rest // 3600, rest % 3600 // 60
        return f"2026-{1 + days // 28 % 12:02}-{day:02}T{hour:02}:{minute:02}:{rest % 60:02}.{self.random.randint(0, 999):03}Z"

    def id(self, length: int = 24) -> str:
        """An id nobody has had."""
        return "".join(self.random.choices(_ABC[:62], k=length))

    def uuid(self) -> str:
        """An id in the usual form."""
        digits = f"{self.random.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def noisy(self, size: int) -> str:
        """Letters without meaning: signatures, encrypted reasoning."""
        start = self.random.randrange(len(self.noise) - size)
        return self.noise[start : start + size]

    def file(self) -> str:
        """The text of a file: mostly small, rarely very long."""
        luck = self.random.random()
        if luck < 0.002:
            return self.long
        if luck < 0.01:
            start = self.random.randrange(700_000)
            return self.long[start : start + self.random.randint(80_000, 280_000)]
        return self.random.choice(self.files)

    def steps(self) -> int:
        """How many tools this turn uses."""
        return self.random.randint(*(_CHATTY if self.chatty else _STEPS))

    def closing(self) -> str:
        """The message that ends a turn."""
        if self.chatty:
            return self.writer.report(self.random.randint(1, 5))
        return self.writer.report(self.random.choice((1, 2, 3, 5))) if self.random.random() < 0.7 else self.writer.says(1, 3)

    def command(self) -> tuple[str, str]:
        """A shell command and what it printed."""
        what, n = self.random.random(), self.random.randint(2, 300)
        if what < 0.3:
            return "python -m pytest -q", f"{'.' * min(n, 72)} [100%]\n{n} passed in {n / 40:.2f}s"
        if what < 0.4:
            sha = f"{self.random.getrandbits(28):07x}"
            subject = f"Change {self.writer.name()}"
            return f"git commit -am '{subject}'", f"[main {sha}] {subject}\n {n % 5 + 1} files changed, {n} insertions(+)"
        if what < 0.45:
            return "git push origin main", "To git@example.org:team/depot.git\n   1a2b3c4..5d6e7f8  main -> main"
        if what < 0.75:
            return f"ls -la src/{self.writer.part}", "\n".join(f"-rw-r--r-- 1 dev dev {n * 7} {p}" for p in self.writer.paths)
        return f"sed -n '1,{n}p' {self.writer.path()}", self.random.choice(self.files[:18])


def claude_code(size: int, *, seed: int = 1, chatty: bool = False) -> Iterator[bytes]:
    """The lines of a Claude Code session of about `size` bytes."""
    one = _Claude(seed, chatty)
    yield from _filled(one.head, one.talk, size)


def codex(size: int, *, seed: int = 1, chatty: bool = False) -> Iterator[bytes]:
    """The lines of a Codex rollout of about `size` bytes."""
    one = _Codex(seed, chatty)
    yield from _filled(one.head, one.talk, size)


def _filled(head: Callable[[], Iterator[Record]], talk: Callable[[], Iterator[Record]], size: int) -> Iterator[bytes]:
    """Turns until `size` bytes are full; a turn is never cut."""
    written = 0
    part = head
    while written < size:
        for record in part():
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            written += len(line)
            yield line
        part = talk


class _Claude(_Session):
    def __init__(self, seed: int, chatty: bool) -> None:
        super().__init__(seed, chatty)
        self.session = self.uuid()
        self.parent: str | None = None

    def head(self) -> Iterator[Record]:
        yield {"type": "summary", "summary": "Ledger and ferry work", "leafUuid": self.uuid()}

    def record(self, kind: str, message: Record, **more: Any) -> Record:
        """A record with its keys in the order of the real ones: the type of a reply stands behind the message."""
        found: Record = {
            "parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": "/home/dev/depot",
            "sessionId": self.session, "version": "2.1.4", "gitBranch": "main",
        }
        if kind == "user":
            found |= {"type": kind, "message": message}
        else:
            found |= {"message": message, "requestId": f"req_{self.id()}", "type": kind}
        self.parent = self.uuid()
        return {**found, "uuid": self.parent, "timestamp": self.time(), **more}

    def spoken(self, name: str, block: Record) -> Record:
        usage = {
            "input_tokens": 9, "cache_creation_input_tokens": 1503, "cache_read_input_tokens": 17421, "output_tokens": 212,
            "cache_creation": {"ephemeral_5m_input_tokens": 1503, "ephemeral_1h_input_tokens": 0}, "service_tier": "standard",
        }
        message = {
            "model": "claude-sonnet-4-5-20250929", "id": name, "type": "message", "role": "assistant", "content": [block],
            "stop_reason": None, "stop_sequence": None, "usage": usage,
        }
        return self.record("assistant", message)

    def talk(self) -> Iterator[Record]:
        self.begin()
        random = self.random
        if random.random() < 0.3:
            yield {"type": "file-history-snapshot", "messageId": self.uuid(), "isSnapshotUpdate": False,
                   "snapshot": {"messageId": self.uuid(), "trackedFileBackups": {}, "timestamp": self.time()}}
        ask: Any = self.writer.ask()
        yield self.record("user", {"role": "user", "content": ask if random.random() < 0.5 else [{"type": "text", "text": ask}]})
        for _ in range(self.steps()):
            yield from self.step()
        name = f"msg_{self.id()}"
        yield self.spoken(name, {"type": "text", "text": self.closing()})
        yield {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": "/home/dev/depot",
               "sessionId": self.session, "version": "2.1.4", "type": "system", "subtype": "turn_duration",
               "durationMs": random.randint(4000, 90000), "timestamp": self.time(), "uuid": self.uuid()}

    def step(self) -> Iterator[Record]:
        random = self.random
        name = f"msg_{self.id()}"
        if random.random() < 0.75:
            thought = self.writer.says(2, 5)
            yield self.spoken(name, {"type": "thinking", "thinking": thought, "signature": self.noisy(random.randint(300, 1000))})
        if random.random() < 0.4:
            yield self.spoken(name, {"type": "text", "text": self.writer.step()})
        tool = random.choice(_TOOLS)
        given, text, extra = self.use(tool)
        call = f"toolu_{self.id()}"
        yield self.spoken(name, {"type": "tool_use", "id": call, "name": tool, "input": given})
        failed = random.random() < 0.03
        block: Record = {"tool_use_id": call, "type": "tool_result",
                         "content": text if random.random() < 0.8 else [{"type": "text", "text": text}]}
        if failed:
            block["is_error"] = True
            extra = f"Error: {text}"
        yield self.record("user", {"role": "user", "content": [block]}, toolUseResult=extra)

    def use(self, tool: str) -> tuple[Record, str, Any]:
        """The input of a tool call, its result as text and as structure."""
        random, path = self.random, f"/home/dev/depot/{self.writer.path()}"
        if tool == "Bash":
            command, printed = self.command()
            return ({"command": command, "description": "Run it"}, printed,
                    {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False})
        if tool == "Read":
            text = self.file()
            return {"file_path": path}, _numbered(text), {"type": "text", "file": {"filePath": path, "content": text, "startLine": 1}}
        if tool == "Edit":
            before = random.choice(self.files)
            old, new = code(random, random.randint(100, 700)), code(random, random.randint(100, 900))
            patch = [{"oldStart": 40, "oldLines": 9, "newStart": 40, "newLines": 11,
                      "lines": [*(f"-{x}" for x in old.split("\n")), *(f"+{x}" for x in new.split("\n"))]}]
            shown = f"The file {path} has been updated. Here's the result of running `cat -n` on a snippet:\n{_numbered(new)}"
            return ({"file_path": path, "old_string": old, "new_string": new}, shown,
                    {"filePath": path, "oldString": old, "newString": new, "originalFile": before + self.files[30],
                     "structuredPatch": patch, "userModified": False, "replaceAll": False})
        if tool == "Write":
            text = random.choice(self.files[:18])
            return ({"file_path": path, "content": text}, f"File created successfully at: {path}",
                    {"type": "create", "filePath": path, "content": text, "structuredPatch": []})
        if tool == "TodoWrite":
            place = random.randrange(len(self.todos))
            self.todos[place] = self.todos[place][0], random.choice(("in_progress", "completed"))
            todos = [{"content": text, "status": status, "activeForm": text} for text, status in self.todos]
            return {"todos": todos}, "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.", {"oldTodos": todos, "newTodos": todos}
        found = "\n".join(f"{p}:{random.randint(1, 400)}:{self.writer.name()}" for p in self.writer.paths * random.randint(1, 3))
        return {"pattern": self.writer.name(), "output_mode": "content"}, found, {"mode": "content", "content": found, "numFiles": 8}


class _Codex(_Session):
    def head(self) -> Iterator[Record]:
        yield self.record("session_meta", {
            "id": self.uuid(), "timestamp": self.time(), "cwd": "/home/dev/depot", "originator": "codex_cli_rs",
            "cli_version": "0.50.0", "instructions": None, "git": {"branch": "main"},
        })

    def record(self, kind: str, payload: Record) -> Record:
        return {"timestamp": self.time(), "type": kind, "payload": payload}

    def said(self, role: str, text: str) -> Record:
        part = "input_text" if role == "user" else "output_text"
        return self.record("response_item", {"type": "message", "role": role, "content": [{"type": part, "text": text}]})

    def talk(self) -> Iterator[Record]:
        self.begin()
        ask = self.writer.ask()
        yield self.record("turn_context", {"cwd": "/home/dev/depot", "approval_policy": "on-request", "model": "gpt-5-codex",
                                           "sandbox_policy": {"mode": "workspace-write"}, "effort": "high", "summary": "auto"})
        yield self.said("user", ask)
        yield self.record("event_msg", {"type": "user_message", "message": ask, "kind": "plain"})
        for _ in range(self.steps() * 3):
            yield from self.step()
        closing = self.closing()
        yield self.record("event_msg", {"type": "agent_message", "message": closing})
        yield self.said("assistant", closing)

    def step(self) -> Iterator[Record]:
        random = self.random
        title = f"**Checking {self.writer.name()}**"
        yield self.record("event_msg", {"type": "agent_reasoning", "text": title})
        yield self.record("response_item", {
            "type": "reasoning", "summary": [{"type": "summary_text", "text": title}], "content": None,
            "encrypted_content": f"gAAAAAB{self.noisy(random.randint(600, 2200))}",
        })
        if random.random() < 0.15:
            words = self.writer.step()
            yield self.record("event_msg", {"type": "agent_message", "message": words})
            yield self.said("assistant", words)
        name, given, output = self.use()
        call = f"call_{self.id()}"
        yield self.record("response_item", {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": call})
        yield self.record("response_item", {"type": "function_call_output", "call_id": call, "output": json.dumps(
            {"output": output, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}, ensure_ascii=False)})
        usage = {"input_tokens": 12_000, "cached_input_tokens": 9000, "output_tokens": 391, "reasoning_output_tokens": 320,
                 "total_tokens": 12_391}
        yield self.record("event_msg", {"type": "token_count", "info": {
            "total_token_usage": usage, "last_token_usage": usage, "model_context_window": 272_000}, "rate_limits": {
                "primary": {"used_percent": 3.0, "window_minutes": 299, "resets_in_seconds": 9000}}})

    def use(self) -> tuple[str, Record, str]:
        if self.random.random() < 0.2:
            new = code(self.random, self.random.randint(100, 900)).replace("\n", "\n+")
            path = self.writer.path()
            patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-pass\n+{new}\n*** End Patch"
            return "shell", {"command": ["apply_patch", patch]}, f"Success. Updated the following files:\nM {path}\n"
        if self.random.random() < 0.3:
            return "shell", {"command": ["bash", "-lc", f"cat {self.writer.path()}"], "workdir": "."}, self.file()
        command, printed = self.command()
        return "shell", {"command": ["bash", "-lc", command], "workdir": "."}, printed


def _numbered(text: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))
