"""Rewrite the golden files of all samples: `python -m tests.golden.update`. Look at the diff before you keep it."""

from __future__ import annotations

import sys

from tests.golden.samples import all_samples, run


def update() -> int:
    """Write what distill makes of every sample now; the exit code is 1 where one could not be distilled."""
    bad = 0
    for sample in all_samples():
        for name, arguments in sample.golden.items():
            path = sample.folder / name
            before = path.read_bytes() if path.exists() else b""
            ran = run(*arguments, folder=sample.folder)
            if ran.code != sample.code:
                why = f"exit code {ran.code}, not {sample.code}: {ran.err.strip()}"
                print(f"{sample.name}/{name}: {why}", file=sys.stderr)
                bad = 1
                continue
            path.write_bytes(ran.out)
            print(f"{sample.name}/{name}: {'unchanged' if ran.out == before else 'rewritten'}")
    return bad


if __name__ == "__main__":
    sys.exit(update())
