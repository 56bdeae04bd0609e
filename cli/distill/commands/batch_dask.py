"""The work of a batch on a Dask cluster: one that runs already, or one of processes on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from distill.commands.batch_engines import AHEAD
from distill.model import DistillError

T = TypeVar("T")
R = TypeVar("R")
RETRIES = 2  # of what a worker died on or could not do
_PATIENCE = "30s"


def cluster(
    function: Callable[[T], R], items: Sequence[T], address: str, number: int
) -> Iterator[tuple[T, R | None]]:
    """On the cluster whose scheduler is at `address`, or on one of `number` processes here where that is "".

    A worker that dies is no matter: another does what it was at. Raises DistillError where there is no such cluster.
    """
    try:
        from dask.distributed import Client, LocalCluster, as_completed
    except ImportError:
        raise DistillError("--engine dask: is not installed: pip install 'distill-log[dask]'") from None
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what becomes of each log is told by the batch
    own: Any = None
    try:
        if not address:
            own = LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None)
        client = Client(own or address, timeout=_PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise DistillError(f"--engine dask: no scheduler at {address or 'this machine'}: {error}") from error
    try:
        rest = list(reversed(items))
        items_of: dict[str, T] = {}

        def more() -> Iterator[Any]:
            threads = sum(client.nthreads().values()) or 1
            while rest and len(items_of) < threads * AHEAD:
                item = rest.pop()
                future = client.submit(function, item, pure=False, retries=RETRIES)
                items_of[future.key] = item
                yield future

        under_way = as_completed(more(), raise_errors=False)
        for future in under_way:
            item = items_of.pop(future.key)
            yield item, None if future.status == "error" else future.result()
            future.release()
            for one in more():
                under_way.add(one)
    finally:
        client.close()
        if own is not None:
            own.close()
