"""Two evaluations of one corpus: what a change of the rules won, and what it lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from distill.evaluate.report import LogResult, Run
from distill.evaluate.score import Figures, Judged, Told, Verdict
from distill.model import Kind


class Turn(StrEnum):
    """How something changed; the order is that of the report."""

    RIGHT = "newly right"  # a label that was missed and is found
    MISSED = "newly missed"  # a label that was found and is missed
    WRONG = "newly wrong"
    NOT_WRONG = "no longer wrong"
    STALE = "newly stale"
    NOT_STALE = "no longer stale"
    DUPLICATE = "newly duplicate"
    NOT_DUPLICATE = "no longer duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One label (with its weight) or one item (weight 0) that changed.

    `item` is the text of the item that says the label, or said it; `rule` the rule that found the item.
    """

    turn: Turn
    kind: Kind
    text: str
    weight: int = 0
    item: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChange:
    """What changed in one log. `relabelled` counts labels that only one of the two knows: they are not compared."""

    before: Figures
    after: Figures
    changes: tuple[Change, ...]
    relabelled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What changed between two runs at one budget; logs that only one of the two has are named, not compared."""

    before: Figures
    after: Figures
    logs: dict[str, LogChange]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    def count(self, turn: Turn) -> int:
        """How many changes of that sort all logs have."""
        return sum(change.turn is turn for log in self.logs.values() for change in log.changes)


_TURNS = (
    (Verdict.WRONG, Turn.WRONG, Turn.NOT_WRONG),
    (Verdict.STALE, Turn.STALE, Turn.NOT_STALE),
    (Verdict.DUPLICATE, Turn.DUPLICATE, Turn.NOT_DUPLICATE),
)


def compare(before: Run, after: Run) -> Comparison:
    """What the later run won and lost against the earlier one. Labels and items are told by kind and text."""
    return Comparison(
        before=before.overall,
        after=after.overall,
        logs={name: _log(before.logs[name], log) for name, log in after.logs.items() if name in before.logs},
        only_before=tuple(name for name in before.logs if name not in after.logs),
        only_after=tuple(name for name in after.logs if name not in before.logs),
    )


def to_data(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain data; a figure that changed is [before, after]."""
    return {
        "macro_f1": [comparison.before.macro_f1, comparison.after.macro_f1],
        "counts": {turn: comparison.count(turn) for turn in Turn},
        "logs": {
            name: {
                "macro_f1": [log.before.macro_f1, log.after.macro_f1],
                "relabelled": log.relabelled,
                "changes": [asdict(change) for change in log.changes],
            }
            for name, log in comparison.logs.items()
        },
        "only_before": list(comparison.only_before),
        "only_after": list(comparison.only_after),
    }


def _log(before: LogResult, after: LogResult) -> LogChange:
    old, new = _numbered(before.labels), _numbered(after.labels)
    had, has = _right(before.items), _right(after.items)
    changes: list[Change] = []
    for key, label in new.items():
        if key in old and old[key].found is not label.found:
            item = (has if label.found else had).get((label.kind, label.text))
            changes.append(Change(turn=Turn.RIGHT if label.found else Turn.MISSED, kind=label.kind, text=label.text,
                                  weight=label.weight, item=item.text if item else "", rule=item.rule if item else ""))
    for verdict, came, went in _TURNS:
        was, now = _with(before.items, verdict), _with(after.items, verdict)
        changes += _items(now - was, came, after.items)
        changes += _items(was - now, went, before.items)
    order = list(Turn)
    changes.sort(key=lambda change: order.index(change.turn))
    return LogChange(before=before.figures, after=after.figures, changes=tuple(changes),
                     relabelled=len(old.keys() ^ new.keys()))


def _numbered(labels: Iterable[Told]) -> dict[tuple[Kind, str, int], Told]:
    """The labels by kind, text and, should a text stand twice, its number."""
    seen: Counter[tuple[Kind, str]] = Counter()
    found: dict[tuple[Kind, str, int], Told] = {}
    for label in labels:
        key = (label.kind, label.text)
        found[(*key, seen[key])] = label
        seen[key] += 1
    return found


def _with(items: Sequence[Judged], verdict: Verdict) -> Counter[tuple[Kind, str]]:
    return Counter((one.kind, one.text) for one in items if one.verdict is verdict)


def _right(items: Sequence[Judged]) -> dict[tuple[Kind, str | None], Judged]:
    """The items that took a label, by its kind and text."""
    return {(one.kind, one.label): one for one in items if one.verdict is Verdict.RIGHT}


def _items(counts: Counter[tuple[Kind, str]], turn: Turn, items: Sequence[Judged]) -> list[Change]:
    rules = {(one.kind, one.text): one.rule for one in items}
    return [Change(turn=turn, kind=kind, text=text, rule=rules[kind, text]) for kind, text in counts.elements()]
