"""What a hook costs on a long log that has grown a little, beside one on that little alone."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench import measure
from tests.bench.measure import Sample

MORE = 100_000  # bytes by which the log grows
TARGET = 1.5
_FIRST = 600  # seconds that the first run over the whole log may take


def rows(long: Path, more: Path, mb: float, folder: Path, env: Mapping[str, str], rounds: int) -> list[dict[str, Any]]:
    """The ratio of CPU times and the peaks of memory; `long` and `more` are logs, of which the first is used up."""
    old, new = folder / "old", folder / "new"
    for project in (old, new):
        (project / ".git").mkdir(parents=True)
    whole = _end(old, long, env, "--time-limit", str(_FIRST))
    if not (old / ".distill" / "state.md").exists():
        raise SystemExit(f"the hook wrote no state: {(old / '.distill' / 'hook.log').read_text()}")
    kept = folder / "kept"
    shutil.copytree(old / ".distill", kept)
    with long.open("ab") as stream:
        stream.write(more.read_bytes())
    grown: list[Sample] = []
    alone: list[Sample] = []
    for number in range(rounds + 1):
        for project in (old, new):
            shutil.rmtree(project / ".distill", ignore_errors=True)
        shutil.copytree(kept, old / ".distill")
        pair = _end(old, long, env), _end(new, more, env)
        if number:
            grown.append(pair[0])
            alone.append(pair[1])
    value = statistics.median(one.seconds / other.seconds for one, other in zip(grown, alone, strict=True))
    high = measure.peak(grown)
    return [
        {"what": f"hook, {mb:g} MB and 100 kB more", "against": "hook, those 100 kB alone", "value": round(value, 2),
         "unit": "x", "seconds": round(measure.seconds(grown), 4), "target": TARGET, "ok": value <= TARGET},
        {"what": "peak memory of it", "value": round(high), "unit": "MiB",
         "target": f"{whole.peak:.0f} or less", "ok": high <= whole.peak},
    ]  # fmt: skip


def _end(project: Path, log: Path, env: Mapping[str, str], *words: str) -> Sample:
    """The end of a session of `project`, told to the hook as the agent tells it."""
    said = project / "said.json"
    said.write_text(json.dumps({"session_id": "s", "transcript_path": str(log), "cwd": str(project)}))
    command = [measure.installed_distill(), "hook", "claude-code", "session-end", *words]
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    given = (os.POSIX_SPAWN_OPEN, 0, str(said), os.O_RDONLY, 0)
    pid = os.posix_spawn(command[0], command, dict(env), file_actions=[given, *quiet])
    _, status, usage = os.wait4(pid, 0)
    if code := os.waitstatus_to_exitcode(status):
        raise SystemExit(f"exit {code}: {' '.join(command)}")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Sample(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale, 0)
