"""Where the work of a batch is done: in this process, or in several on this machine.

An engine is one function that maps: it calls a function on items, wherever it likes, and gives each item with its
result as soon as that is there, in any order; None as the result where the worker died on it more than once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")
WORTH = 2 << 20  # bytes of logs for which it pays to start a process
DEATHS = 2  # of a worker that has nothing else to do, after which its item is given up
AHEAD = 4  # items for each process that wait for it


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def workers(asked: int | None, count: int, size: int) -> int:
    """How many processes to work with: as many as asked for, else as pay for `count` logs of `size` bytes in all."""
    if asked is not None:
        return max(1, min(asked, count))
    return max(1, min(processors(), count, size // WORTH))


def here(function: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[T, R | None]]:
    """One after the other in this process."""
    for item in items:
        yield item, function(item)


def processes(function: Callable[[T], R], items: Sequence[T], number: int) -> Iterator[tuple[T, R | None]]:
    """In `number` processes. Where one dies, what was under way is done again, one by one, to find what killed it."""
    from concurrent.futures.process import BrokenProcessPool

    rest = list(reversed(items))
    suspects: list[T] = []
    deaths = 0  # of workers at the last of the suspects
    while rest or suspects:
        alone, size = bool(suspects), 1 if suspects else number
        queue = suspects if alone else rest
        under_way: dict[Future[R], T] = {}
        with _Pool(size) as pool:
            try:
                while queue or under_way:
                    while queue and len(under_way) < (1 if alone else size * AHEAD):
                        under_way[pool.submit(function, queue[-1])] = queue[-1]
                        queue.pop()
                    for future in _first(under_way):
                        found = future.result()
                        deaths = 0
                        yield under_way.pop(future), found
            except BrokenProcessPool:
                if not alone:
                    suspects, deaths = list(under_way.values()), 0
                    continue
                deaths += 1
                for item in under_way.values():
                    if deaths < DEATHS:
                        suspects.append(item)
                    else:
                        deaths = 0
                        yield item, None


def _first(futures: dict[Future[R], T]) -> list[Future[R]]:
    """Those that are done, once one is."""
    from concurrent.futures import FIRST_COMPLETED, wait

    return list(wait(futures, return_when=FIRST_COMPLETED).done)


class _Pool:
    """A pool of processes that ends at once when the work is interrupted."""

    def __init__(self, number: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # A new interpreter each: a copy of this one would hold its locks and threads.
        self._pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_ready)

    def __enter__(self) -> ProcessPoolExecutor:
        return self._pool

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            from multiprocessing import active_children

            for child in active_children():
                child.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _ready() -> None:
    """What a new process does first: leave interrupts to the one that started it, and end when that is gone."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
