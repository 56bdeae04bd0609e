"""CPU time and peak memory of child processes, measured side by side so that only ratios matter."""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: CPU seconds (user and system), peak memory in MiB, exit code, seconds by the clock."""

    seconds: float
    peak: float
    code: int
    wall: float = 0.0


def run_once(command: Sequence[str], env: Mapping[str, str]) -> Sample:
    """Run `command` with its output thrown away.

    The peak of a child is never under that of the process which starts it: keep this one small.
    """
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.monotonic()
    pid = os.posix_spawn(command[0], list(command), dict(env), file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Sample(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale, os.waitstatus_to_exitcode(status), wall)


def side_by_side(commands: Mapping[str, Sequence[str]], rounds: int, env: Mapping[str, str]) -> dict[str, list[Sample]]:
    """Run all commands in turn, `rounds` times, after one round that only warms caches up."""
    found: dict[str, list[Sample]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            sample = run_once(command, env)
            if sample.code not in (0, 4):
                raise SystemExit(f"{name}: exit {sample.code}: {' '.join(command)}")
            if number:
                found[name].append(sample)
    return found


def median(values: Sequence[float]) -> float:
    """The median of some values."""
    return statistics.median(values)


def ratio(over: Sequence[Sample], under: Sequence[Sample]) -> float:
    """The median over the rounds of the ratio of CPU times; each round compares neighbours in time."""
    return statistics.median(one.seconds / other.seconds for one, other in zip(over, under, strict=True))


def seconds(samples: Sequence[Sample]) -> float:
    """The median CPU time."""
    return statistics.median(one.seconds for one in samples)


def peak(samples: Sequence[Sample]) -> float:
    """The greatest peak memory in MiB."""
    return max(one.peak for one in samples)


def environment(folder: Path) -> dict[str, str]:
    """The environment of every child: byte code and compiled rules are kept, but in `folder` alone."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DISTILL"))}
    return {
        **env,
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "HOME": str(folder),
        "NO_COLOR": "1",
    }


def installed_distill() -> str:
    """The console script of this environment."""
    beside = Path(sys.executable).with_name("distill")
    found = str(beside) if beside.exists() else shutil.which("distill")
    if not found:
        raise SystemExit("distill is not installed in this environment: pip install -e .")
    return found


def machine() -> dict[str, str | int]:
    """What the numbers were measured on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return {
        "cpu": model,
        "cores": os.cpu_count() or 1,
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": f"{load:.1f}",
    }
