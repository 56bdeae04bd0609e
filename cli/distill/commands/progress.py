"""Progress on a terminal for long logs; nothing anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distill.config import Settings
from distill.pipeline import Progress

LONG = 8 << 20  # bytes from which a run takes long enough to be watched


@contextmanager
def progress_for(logs: list[str], settings: Settings) -> Iterator[Progress | None]:
    """A hook that shows how far the logs are read, or None where nobody would see it."""
    wanted = sys.stderr.isatty() and not settings.quiet and not os.environ.get("NO_COLOR")
    if not wanted or sum(Path(log).stat().st_size for log in logs if Path(log).is_file()) < LONG:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed:,} records"),
               TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, int] = {}

        def show(path: str, records: int) -> None:
            if path not in tasks:
                tasks[path] = bar.add_task(path, total=None)
            bar.update(tasks[path], completed=records)  # type: ignore[arg-type]

        yield show
