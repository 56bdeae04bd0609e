"""How far a batch is: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

Step = Callable[[int], None]  # told of each state that is done, with the bytes of its logs
EVERY = 10.0  # seconds between plain lines


@contextmanager
def progress(count: int, size: int, *, quiet: bool, what: str = "states") -> Iterator[Step]:
    """A function to be called for each of `count` states (or `what` they are), made of `size` bytes in all."""
    if quiet or not count:
        yield lambda _: None
    elif sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        with _bar(count, size) as step:
            yield step
    else:
        yield _Lines(count, size, what)


@contextmanager
def _bar(count: int, size: int) -> Iterator[Step]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
               TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        done = 0
        task = bar.add_task(f"0/{count}", total=size)

        def step(read: int) -> None:
            nonlocal done
            done += 1
            bar.update(task, advance=read, description=f"{done}/{count}")

        yield step


class _Lines:
    """Plain lines with count, rate and time left."""

    def __init__(self, count: int, size: int, what: str) -> None:
        self._count, self._size, self._what = count, size, what
        self._done = self._read = 0
        self._began = self._told = monotonic()

    def __call__(self, read: int) -> None:
        self._done += 1
        self._read += read
        now = monotonic()
        if now - self._told >= EVERY:
            self._told = now
            with suppress(OSError):  # nobody listens
                print(f"distill: {self.line(now - self._began)}", file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        """How far it is after `seconds`."""
        rate = self._read / seconds if seconds else 0.0
        left = f", {lasting((self._size - self._read) / rate)} left" if rate else ""
        done = f"{self._done} of {self._count} {self._what}, {sized(self._read)} of {sized(self._size)}"
        return f"{done}, {sized(rate)}/s{left}"


def sized(size: float) -> str:
    """A number of bytes as people write it."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def lasting(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
