"""The command line of the torture; see the package."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.torture.runs import kills, random_points, writers


def torture() -> int:
    """Do what the command line asks for; the exit code."""
    asked = argparse.ArgumentParser(prog="python -m tests.torture")
    asked.add_argument("what", choices=["kills", "writers"])
    asked.add_argument("count", type=int, nargs="?")
    told = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if told.what == "writers":
            count = told.count or 200
            there, failed = writers(Path(folder), count)
            print(f"{count} updates by two processes: {there} items there, {count - there} lost, {failed} runs failed")
            return int(there < count or failed > 0)
        count = told.count or 1000
        broken = 0
        for timed, some in ((False, count // 2), (True, count - count // 2)):
            place = Path(folder, str(timed))
            place.mkdir()
            seen = kills(place, random_points(some), timed=timed)
            broken += seen.broken
            print(f"{some} kills at a random {'time' if timed else 'line of what writes'}: {dict(seen.ends)}; "
                  f"state {dict(seen.found)}; broken {seen.broken}; beside it at most {seen.litter} files "
                  f"{dict(seen.beside)}")
        return int(broken > 0)


if __name__ == "__main__":
    sys.exit(torture())
