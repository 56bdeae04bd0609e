"""A synthetic Codex rollout."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.bench.session import Record, Session
from tests.bench.words import code


class Codex(Session):
    """Writes its records."""

    def head(self) -> Iterator[Record]:
        yield self.record(
            "session_meta",
            {
                "id": self.uuid(),
                "timestamp": self.time(),
                "cwd": "/home/dev/depot",
                "originator": "codex_cli_rs",
                "cli_version": "0.50.0",
                "instructions": None,
                "git": {"branch": "main"},
            },
        )

    def record(self, kind: str, payload: Record) -> Record:
        return {"timestamp": self.time(), "type": kind, "payload": payload}

    def said(self, role: str, text: str) -> Record:
        part = "input_text" if role == "user" else "output_text"
        return self.record(
            "response_item", {"type": "message", "role": role, "content": [{"type": part, "text": text}]}
        )

    def talk(self) -> Iterator[Record]:
        self.begin()
        ask = self.writer.ask()
        yield self.record(
            "turn_context",
            {
                "cwd": "/home/dev/depot",
                "approval_policy": "on-request",
                "model": "gpt-5-codex",
                "sandbox_policy": {"mode": "workspace-write"},
                "effort": "high",
                "summary": "auto",
            },
        )
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
        yield self.record(
            "response_item",
            {
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": title}],
                "content": None,
                "encrypted_content": f"gAAAAAB{self.noisy(random.randint(600, 2200))}",
            },
        )
        if random.random() < 0.15:
            words = self.writer.step()
            yield self.record("event_msg", {"type": "agent_message", "message": words})
            yield self.said("assistant", words)
        name, given, output = self.use()
        call = f"call_{self.id()}"
        yield self.record(
            "response_item", {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": call}
        )
        yield self.record(
            "response_item",
            {
                "type": "function_call_output",
                "call_id": call,
                "output": json.dumps(
                    {"output": output, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}, ensure_ascii=False
                ),
            },
        )
        usage = {
            "input_tokens": 12_000,
            "cached_input_tokens": 9000,
            "output_tokens": 391,
            "reasoning_output_tokens": 320,
            "total_tokens": 12_391,
        }
        yield self.record(
            "event_msg",
            {
                "type": "token_count",
                "info": {"total_token_usage": usage, "last_token_usage": usage, "model_context_window": 272_000},
                "rate_limits": {"primary": {"used_percent": 3.0, "window_minutes": 299, "resets_in_seconds": 9000}},
            },
        )

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
