"""The final state against the truth: `python -m tests.simulate [--sessions 50] [--seeds 5] [-v]`, from the root."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.simulate.chain import Outcome, chained


def main() -> None:
    """Print a row for every project and the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is missing, wrong and there twice")
    asked = parser.parse_args()
    print(_row(*"seed truths right wrong twice done missing precision recall file-kB history".split()))
    outcomes: list[Outcome] = []
    for seed in range(1, asked.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            (one,) = chained(seed, asked.sessions, Path(folder))
        outcomes.append(one)
        print(_row(seed, one.truths, one.right, len(one.wrong), len(one.twice), one.idle, len(one.missing),
                   f"{one.precision:.3f}", f"{one.recall:.3f}", f"{one.file / 1000:.1f}", one.history))
        if asked.verbose:
            for word, rows in (("wrong", one.wrong), ("twice", one.twice)):
                for item in rows:
                    print(f"     {word}: {item.kind} {item.text}  ({item.rule})")
            for truth in one.missing:
                print(f"     missing: {truth.kind} {truth.name}")
    mean = [sum(getattr(one, name) for one in outcomes) / len(outcomes) for name in ("precision", "recall")]
    print(f"mean precision {mean[0]:.3f}, recall {mean[1]:.3f}")


def _row(*cells: object) -> str:
    return " ".join(f"{cell!s:>9}" for cell in cells)


if __name__ == "__main__":
    main()
