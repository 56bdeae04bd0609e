"""The command line, run inside the test's process as a user would call it, or as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from distill.main import main
from distill.model import State
from distill.render.outputs import parse_state

NOW = "2026-03-05T00:00:00Z"
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run left."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    @property
    def state(self) -> State:
        """Standard output as a state."""
        return parse_state(self.out, "stdout")

    @property
    def closing(self) -> str:
        """The last line on standard error."""
        return self.err.rstrip("\n").split("\n")[-1]

    def texts(self, section: str) -> list[str]:
        """The texts of a section of the JSON on standard output."""
        return [item["text"] for item in self.data[section]]


class Tool:
    """Calls `distill` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str | bytes) -> Path:
        """A file in the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def __call__(
        self, *words: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None, terminal: bool = False
    ) -> Ran:
        """Run in this process; `stdin` comes through a pipe, None is an empty one. `terminal`: all streams are one."""
        out, err = io.BytesIO(), io.BytesIO()
        streams: dict[str, Any] = {
            "stdin": io.TextIOWrapper(io.BytesIO(stdin or b""), encoding="utf-8"),
            "stdout": io.TextIOWrapper(out, encoding="utf-8", newline=""),
            "stderr": io.TextIOWrapper(err, encoding="utf-8", newline=""),
        }
        for stream in streams.values():
            stream.isatty = lambda: terminal
        code = 0
        with (
            chdir(self.folder), patch.dict(os.environ, env or {}), patch.multiple(sys, **streams),
            patch.object(sys, "argv", ["distill", *words]),
        ):
            try:
                main()
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else 1
            streams["stdout"].flush()
            streams["stderr"].flush()
        return Ran(code=code, out=out.getvalue().decode(), err=err.getvalue().decode())

    def process(self, *words: str, stdin: bytes = b"", shell: str = "", env: Mapping[str, str] | None = None) -> Ran:
        """Run as a process; with `shell` a line of bash in which `distill` is the tool."""
        command = [sys.executable, "-m", "distill", *words]
        if shell:
            command = ["bash", "-c", f'distill() {{ "{sys.executable}" -m distill "$@"; }}; {shell}']
        done = subprocess.run(command, input=stdin, cwd=self.folder, env=environment(env), capture_output=True,
                              timeout=120, check=False)
        return Ran(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that finds the package in the checkout."""
    return {**os.environ, "PYTHONPATH": str(CHECKOUT / "cli"), "PYTHONUTF8": "1", **(more or {})}


# -- logs -------------------------------------------------------------------------------------------------------------


def record(role: str, text: str, time: str, *, session: str = "s1", project: str = "/w/app") -> dict[str, Any]:
    """One message of a session log in JSON Lines."""
    content: Any = text if role == "user" else [{"type": "text", "text": text}]
    return {"type": role, "uuid": f"{role}-{time}", "parentUuid": None, "sessionId": session, "cwd": project,
            "timestamp": time, "message": {"role": role, "content": content}}


def jsonl(*rows: dict[str, Any]) -> str:
    """Records as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def said(day: int, *texts: str, session: str = "", project: str = "/w/app") -> str:
    """A session log of 2026-03-`day` in which the user says `texts`, a minute apart, and the assistant says OK."""
    rows = []
    for number, text in enumerate(texts):
        rows.append(record("user", text, f"2026-03-{day:02}T09:{2 * number:02}:00Z", session=session or f"s{day}",
                           project=project))
        rows.append(record("assistant", "OK.", f"2026-03-{day:02}T09:{2 * number + 1:02}:00Z",
                           session=session or f"s{day}", project=project))
    return jsonl(*rows)
