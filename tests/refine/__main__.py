"""What the second pass of a small real model does to labelled logs: `python -m tests.refine LOG…`.

A row for each log: macro-F1 of the rules alone and with the pass, its time and calls, what it added, what was rejected.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from distill.evaluate.labels import read_labels
from distill.evaluate.score import LogScore, Measure, figures
from distill.pipeline import Options, distil
from distill.refine.asking import Asker, Limits
from distill.refine.endpoint import EndpointModel
from distill.refine.second import SecondPass
from tests.refine.model_server import NAME, model_serving


def scored(path: Path, second: SecondPass | None = None) -> LogScore:
    """The score of the state of a log, with or without the pass."""
    labels = read_labels(path.with_name(f"{path.name}.labels.jsonl").read_text(encoding="utf-8"), path.name).labels
    return Measure(labels).score(distil([str(path)], replace(Options(), second=second)))


def told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count) or "nothing"


def measure(logs: list[Path], limits: Limits) -> None:
    """Print a row for each log and one for all."""
    alone: list[LogScore] = []
    after: list[LogScore] = []
    with model_serving() as url:
        for path in logs:
            second = SecondPass(Asker(EndpointModel(url, NAME), limits), limits)
            alone.append(scored(path))
            began = time.monotonic()
            after.append(scored(path, second))
            usage = second.usage
            print(f"{path.name}: macro-F1 {figures(alone[-1:]).macro_f1:.3f} > {figures(after[-1:]).macro_f1:.3f}; "
                  f"{time.monotonic() - began:.0f} s, {usage.calls} calls of {second.report.parts} parts, "
                  f"{second.report.cut} cut, {usage.unasked} unasked; changed: {told(second.report.changes)}; "
                  f"rejected: {told(second.report.rejected)}; failed: {told(usage.failed)}", flush=True)
    print(f"all: macro-F1 {figures(alone).macro_f1:.3f} > {figures(after).macro_f1:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="a log with LOG.labels.jsonl beside it")
    parser.add_argument("--seconds", type=float, default=300, help="for one log")
    parser.add_argument("--call", type=float, default=60, help="seconds for one call")
    parser.add_argument("--chunk", type=int, default=600, help="tokens of a part of the log")
    asked = parser.parse_args()
    measure(asked.logs, Limits(calls=100, seconds=asked.seconds, call=asked.call, chunk=asked.chunk))
