"""The checks that a batch may be asked for, and its exit code."""

from __future__ import annotations

from collections.abc import Sequence

from distill.commands.batch_job import Done
from distill.commands.batch_report import Told


def lapses(told: Told, fail_on: Sequence[str]) -> list[str]:
    """The checks that were asked for and do not hold, in words."""
    skipped = sum(entry.summary.skipped for entry in told.entries)
    failed = sum(outcome.done is Done.FAILED for _, outcome in told.done)
    stale = sum(bool(entry.failed or (entry.gone and not told.pruned)) for entry in told.entries)
    found = {
        "open": _counted(told.totals["open"], "open item", "open items"),
        "stale": _counted(stale, "state whose logs are gone or cannot be read",
                          "states whose logs are gone or cannot be read"),
        "skipped": _counted(skipped + failed, "skipped record or log", "skipped records or logs"),
        "omitted": _counted(sum(entry.summary.omitted for entry in told.entries), "omitted item", "omitted items"),
    }
    return [found[name] for name in fail_on if found[name]]


def _counted(count: int, one: str, more: str) -> str:
    """The number in words, "" for none."""
    return f"{count} {one if count == 1 else more}" if count else ""


def exit_code(told: Told) -> int:
    """1 for a check that does not hold, 3 where no log could be read, 4 where some were skipped in part or whole."""
    if told.lapses:
        return 1
    failed = [outcome for _, outcome in told.done if outcome.done is Done.FAILED]
    if len(failed) == len(told.done):
        return 3
    rows = [outcome.row or job.known for job, outcome in told.done]
    skipped = any(outcome.why for _, outcome in told.done) or any(row and row.notes for row in rows)
    unanswered = told.second is not None and told.second.required and told.second.failed
    return 4 if failed or skipped or told.problems or unanswered else 0
