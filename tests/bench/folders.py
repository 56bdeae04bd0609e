"""What a folder of logs costs: by one process and by two, again over logs that have not changed, and many of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench import measure

PROCESSES, AGAIN = 1.8, 0.03  # targets: two processes against one, a second run against the first
_LOG, _SMALL = 150_000, 6_000  # bytes of a log
_COUNT = 400  # logs of the comparison of processes: about half a minute of work
_WRITE = (
    "import sys\nfrom pathlib import Path\nfrom tests.bench import synth\n"
    "for number, text in enumerate(synth.many_claude_code(int(sys.argv[2]), int(sys.argv[3]))):\n"
    "    Path(sys.argv[1], f'{number:05}.jsonl').write_bytes(text)\n"
)


def rows(folder: Path, env: Mapping[str, str], small: int, rounds: int) -> list[dict[str, Any]]:
    """The rows of the table; `small` is the number of small logs, which are run over twice."""
    return [*_processes(folder, env, rounds), *_again(folder, env, small)]


def _processes(folder: Path, env: Mapping[str, str], rounds: int) -> list[dict[str, Any]]:
    logs = _written(folder / "logs", _COUNT, _LOG)
    ratios, walls = [], []
    for _ in range(rounds):
        one, two = (_batch(logs, folder / f"by{jobs}", env, jobs) for jobs in (1, 2))
        ratios.append(one.wall / two.wall)
        walls.append(two.wall)
    states = _bytes_of(folder / "by1")
    same = len(states) == _COUNT and states == _bytes_of(folder / "by2")
    shutil.rmtree(logs)
    value = measure.median(ratios)
    return [
        {"what": f"batch of {_COUNT} logs, two processes", "against": "one process, by the clock",
         "value": round(value, 2), "unit": "x as fast", "seconds": round(measure.median(walls), 2),
         "target": PROCESSES, "ok": value >= PROCESSES},
        {"what": "both write the same bytes", "value": same, "ok": same},
    ]  # fmt: skip


def _again(folder: Path, env: Mapping[str, str], count: int) -> list[dict[str, Any]]:
    logs, out = _written(folder / "small", count, _SMALL), folder / "states"
    first = _batch(logs, out, env, 2, fresh=True)
    before = _bytes_of(out)
    second = _batch(logs, out, env, 2, fresh=False)
    untouched = len(before) == count and _bytes_of(out) == before
    shutil.rmtree(logs)
    value = second.seconds / first.seconds
    return [
        {"what": f"batch of {count} unchanged small logs", "against": "the first run over them",
         "value": round(value, 4), "unit": "x", "seconds": round(second.seconds, 2), "target": AGAIN,
         "ok": value <= AGAIN and untouched},
        {"what": f"peak memory, batch of {count} small logs", "value": round(first.peak), "unit": "MiB", "ok": None},
    ]  # fmt: skip


def _written(folder: Path, count: int, size: int) -> Path:
    """A folder of logs, written by a process of its own, so that this one stays small."""
    folder.mkdir()
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", _WRITE, str(folder), str(count), str(size)], cwd=root, check=True)
    return folder


def _batch(logs: Path, out: Path, env: Mapping[str, str], jobs: int, *, fresh: bool = True) -> measure.Sample:
    if fresh:
        shutil.rmtree(out, ignore_errors=True)
    command = [measure.installed_distill(), "batch", str(logs), "-o", str(out), "--jobs", str(jobs), "-q"]
    sample = measure.run_once([*command, "--now", "2026-01-01"], env)
    if sample.code:
        raise SystemExit(f"exit {sample.code}: {' '.join(command)}")
    return sample


def _bytes_of(folder: Path) -> dict[str, bytes]:
    """The states in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.jsonl.md"))}
