"""The samples: one folder a log, with the state that distill makes of it (and `compact.txt` where it shows that form).

Every sample is distilled from inside its own folder, so that a state names its log without a path.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from distill.main import main

ROOT = Path(__file__).resolve().parents[2] / "samples"
NOW = "2026-03-05T00:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run of the command line left."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A folder with a log and its golden files."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def log(self) -> str:
        """The name of the log in its folder."""
        (found,) = self.folder.glob("log.*")
        return found.name

    @property
    def is_broken(self) -> bool:
        """Whether parts of the log are skipped, which ends in exit code 4."""
        return self.name.startswith("damaged-")

    @property
    def code(self) -> int:
        return 4 if self.is_broken else 0

    @property
    def golden(self) -> dict[str, tuple[str, ...]]:
        """The golden files by name, each with the arguments that make it."""
        common: tuple[str, ...] = (self.log, "--now", NOW, "-q")
        files = {"state.md": common}
        if (self.folder / "compact.txt").exists():
            files["compact.txt"] = (*common, "-f", "compact", "--lang", "zh")
        return files


def all_samples() -> list[Sample]:
    """Every folder of `samples` that holds a log, by name."""
    return [Sample(folder=path.parent) for path in sorted(ROOT.glob("*/log.*"))]


def run(*arguments: str, folder: Path) -> Ran:
    """Run the command line inside this process as if it were called in `folder`, whatever the environment sets."""
    out, err = io.BytesIO(), io.StringIO()
    code = 0
    with chdir(folder), _environment(), patch.object(sys, "argv", ["distill", *arguments]):
        stdout = io.TextIOWrapper(out, encoding="utf-8", newline="")
        with patch.object(sys, "stdout", stdout), patch.object(sys, "stderr", err):
            try:
                main()
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else 1
            stdout.flush()
        return Ran(code=code, out=out.getvalue(), err=err.getvalue())


@contextmanager
def _environment() -> Iterator[None]:
    """An environment that sets nothing but the place of the cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DISTILL_")}
    if place := os.environ.get("DISTILL_CACHE_DIR"):
        kept["DISTILL_CACHE_DIR"] = place
    with patch.dict(os.environ, kept, clear=True):
        yield
