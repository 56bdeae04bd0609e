"""Which of a log's test runs still tell how things stand, and how their commands are shown."""

from __future__ import annotations

from collections.abc import Sequence

from distill.model import Event
from distill.text.lazy import Lazy
from distill.text.testruns import runner, total

SHOWN = 80  # characters of a command that are shown
_AROUND = Lazy(r"^\s*cd \S+ && |\s*[12&]?>&?\s?\S+|\s*\|\s*(?:tail|head|grep|tee|cat)\b.*$")


def latest(runs: Sequence[Event]) -> list[Event]:
    """Of test runs in the order of the log, those that no later run of the same program covers.

    A later run covers an earlier one when it ran as many tests, so a quick look at one file does not hide the whole
    suite, and the suite hides every part of it that ran before.
    """
    kept: list[Event] = []
    largest: dict[str, int] = {}
    for event in reversed(runs):
        if (action := event.action) is None:
            continue
        count = total(action.detail)
        name = runner(action.target) if count else action.target
        if count > largest.get(name, -1):
            largest[name] = count
            kept.append(event)
    return kept[::-1]


def shown_command(command: str) -> str:
    """The first line of a command without redirections and filters, at most 80 characters of it."""
    line = _AROUND.sub("", command.strip().split("\n")[0]).strip()
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "…"
