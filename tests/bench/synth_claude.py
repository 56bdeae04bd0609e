"""A synthetic Claude Code session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.bench.session import Record, Session
from tests.bench.words import code

_TOOLS = {"Bash": 27, "Read": 17, "Edit": 28, "TodoWrite": 15, "Write": 4, "Grep": 6, "Glob": 3}  # of a hundred calls


class Claude(Session):
    """Writes its records."""

    def __init__(self, seed: int, chatty: bool) -> None:
        super().__init__(seed, chatty)
        self.session = self.uuid()
        self.parent: str | None = None

    def head(self) -> Iterator[Record]:
        yield {"type": "summary", "summary": "Ledger and ferry work", "leafUuid": self.uuid()}

    def record(self, kind: str, message: Record, **more: Any) -> Record:
        """A record with its keys in the order of the real ones: the type of a reply stands behind the message."""
        found: Record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/dev/depot",
            "sessionId": self.session,
            "version": "2.1.4",
            "gitBranch": "main",
        }
        if kind == "user":
            found |= {"type": kind, "message": message}
        else:
            found |= {"message": message, "requestId": f"req_{self.id()}", "type": kind}
        self.parent = self.uuid()
        return {**found, "uuid": self.parent, "timestamp": self.time(), **more}

    def spoken(self, name: str, block: Record) -> Record:
        usage = {
            "input_tokens": 9,
            "cache_creation_input_tokens": 1503,
            "cache_read_input_tokens": 17421,
            "output_tokens": 212,
            "cache_creation": {"ephemeral_5m_input_tokens": 1503, "ephemeral_1h_input_tokens": 0},
            "service_tier": "standard",
        }
        message = {
            "model": "claude-sonnet-4-5-20250929",
            "id": name,
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        return self.record("assistant", message)

    def talk(self) -> Iterator[Record]:
        self.begin()
        random = self.random
        if random.random() < 0.3:
            yield {
                "type": "file-history-snapshot",
                "messageId": self.uuid(),
                "isSnapshotUpdate": False,
                "snapshot": {"messageId": self.uuid(), "trackedFileBackups": {}, "timestamp": self.time()},
            }
        ask: Any = self.writer.ask()
        yield self.record(
            "user", {"role": "user", "content": ask if random.random() < 0.5 else [{"type": "text", "text": ask}]}
        )
        for _ in range(self.steps()):
            yield from self.step()
        name = f"msg_{self.id()}"
        yield self.spoken(name, {"type": "text", "text": self.closing()})
        yield {
            "parentUuid": self.parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/dev/depot",
            "sessionId": self.session,
            "version": "2.1.4",
            "type": "system",
            "subtype": "turn_duration",
            "durationMs": random.randint(4000, 90000),
            "timestamp": self.time(),
            "uuid": self.uuid(),
        }

    def step(self) -> Iterator[Record]:
        random = self.random
        name = f"msg_{self.id()}"
        if random.random() < 0.75:
            thought = self.writer.says(2, 5)
            yield self.spoken(
                name, {"type": "thinking", "thinking": thought, "signature": self.noisy(random.randint(300, 1000))}
            )
        if random.random() < 0.4:
            yield self.spoken(name, {"type": "text", "text": self.writer.step()})
        tool = random.choices(list(_TOOLS), list(_TOOLS.values()))[0]
        given, text, extra = self.use(tool)
        call = f"toolu_{self.id()}"
        yield self.spoken(name, {"type": "tool_use", "id": call, "name": tool, "input": given})
        failed = random.random() < 0.03
        block: Record = {
            "tool_use_id": call,
            "type": "tool_result",
            "content": text if random.random() < 0.8 else [{"type": "text", "text": text}],
        }
        if failed:
            block["is_error"] = True
            extra = f"Error: {text}"
        yield self.record("user", {"role": "user", "content": [block]}, toolUseResult=extra)

    def use(self, tool: str) -> tuple[Record, str, Any]:
        """The input of a tool call, its result as text and as structure."""
        random, path = self.random, f"/home/dev/depot/{self.writer.path()}"
        if tool == "Bash":
            command, printed = self.command()
            return (
                {"command": command, "description": "Run it"},
                printed,
                {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False},
            )
        if tool == "Read":
            text = self.file()
            return (
                {"file_path": path},
                _numbered(text),
                {"type": "text", "file": {"filePath": path, "content": text, "startLine": 1}},
            )
        if tool == "Edit":
            before = random.choice(self.files)
            old, new = code(random, random.randint(100, 700)), code(random, random.randint(100, 900))
            patch = [
                {
                    "oldStart": 40,
                    "oldLines": 9,
                    "newStart": 40,
                    "newLines": 11,
                    "lines": [*(f"-{x}" for x in old.split("\n")), *(f"+{x}" for x in new.split("\n"))],
                }
            ]
            told = f"The file {path} has been updated. Here's the result of running `cat -n` on a snippet:"
            shown = f"{told}\n{_numbered(new)}"
            return (
                {"file_path": path, "old_string": old, "new_string": new},
                shown,
                {
                    "filePath": path,
                    "oldString": old,
                    "newString": new,
                    "originalFile": before + self.files[30],
                    "structuredPatch": patch,
                    "userModified": False,
                    "replaceAll": False,
                },
            )
        if tool == "Write":
            text = random.choice(self.files[:18])
            return (
                {"file_path": path, "content": text},
                f"File created successfully at: {path}",
                {"type": "create", "filePath": path, "content": text, "structuredPatch": []},
            )
        if tool == "TodoWrite":
            place = random.randrange(len(self.todos))
            self.todos[place] = self.todos[place][0], random.choice(("in_progress", "completed"))
            todos = [{"content": text, "status": status, "activeForm": text} for text, status in self.todos]
            told = "Todos have been modified successfully. Ensure that you continue to use the todo list."
            return {"todos": todos}, told, {"oldTodos": todos, "newTodos": todos}
        found = "\n".join(
            f"{p}:{random.randint(1, 400)}:{self.writer.name()}" for p in self.writer.paths * random.randint(1, 3)
        )
        return (
            {"pattern": self.writer.name(), "output_mode": "content"},
            found,
            {"mode": "content", "content": found, "numFiles": 8},
        )


def _numbered(text: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))
