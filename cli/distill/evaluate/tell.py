"""Figures, findings and changes as rows and lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from distill.evaluate.compare import Change, Comparison, Turn
from distill.evaluate.report import LogResult, Run, widest
from distill.evaluate.score import Figures, Told, Verdict
from distill.model import Kind
from distill.text.clean import clean

WHOLE = "ALL"
_HEAD = ("macro-F1", "any", "kept", "dup", "stale", "size")
_WORD, _MARK = 9, 8  # columns of the longest verdict; of a weight and a record
_TURN = max(map(len, Turn))
Rows = list[list[str]]


def figure_rows(run: Run, *, short: bool = False) -> Rows:
    """The table of a run: its head, a row for each log, one for the whole.

    A kind is shown as precision/recall/F1, with `short` as F1 alone, "-" where it has no labels.
    """
    logs = [(clean(name), log.figures) for name, log in run.logs.items()]
    kinds = [f"{kind[:3]}." if short and len(kind) > 4 else str(kind) for kind in Kind]
    return [["log", *kinds, *_HEAD], *([name, *_cells(got, short)] for name, got in (*logs, (WHOLE, run.overall)))]


def _cells(got: Figures, short: bool) -> Iterator[str]:
    for one in got.by_kind.values():
        full = f"{one.f1:.2f}" if short else f"{one.p:.2f}/{one.r:.2f}/{one.f1:.2f}"
        yield full if one.gold else "-"
    yield f"{got.macro_f1:.3f}"
    yield from (f"{share:.2f}" for share in (got.any_recall, got.kept))
    yield from map(str, (got.dup, got.stale, got.size))


def detail_lines(log: LogResult) -> Iterator[str]:
    """What was found, missed, wrong, stale and duplicated in a log, in that order.

    A label comes with its weight (w3), either with a record (@12) where it stands; under a found label stands the item
    that says it, behind an item the rule that found it.
    """
    said = {(one.kind, one.label): one.text for one in log.items if one.verdict is Verdict.RIGHT}
    for label in log.labels:
        if label.found:
            yield _line("found", label.kind, _weight(label), label.text)
            item = said.get((label.kind, label.text), label.text)
            if item != label.text:
                yield _line("", "", "", f"as: {item}")
    for label in log.labels:
        if not label.found:
            others = [kind for kind in label.shown if kind is not label.kind]
            note = f"shown as {' and '.join(others)}" if others else "shown within another item" if label.shown else ""
            yield _line("missed", label.kind, _weight(label), label.text, note)
    for verdict in (Verdict.WRONG, Verdict.STALE, Verdict.DUPLICATE):
        for one in log.items:
            if one.verdict is verdict:
                says = f"{one.label_kind} label: {one.label}" if one.label else ""
                yield _line(verdict, one.kind, _at(one.record), one.text, "; ".join(filter(None, (one.rule, says))))


def _weight(label: Told) -> str:
    return f"w{label.weight} {_at(label.record)}"


def _at(record: int | None) -> str:
    return "" if record is None else f"@{record}"


def _line(word: str, kind: str, mark: str, text: str, note: str = "") -> str:
    return f"  {word:{_WORD}}  {kind:8}  {mark:{_MARK}}  {clean(text)}{_note(note)}"


def _note(text: str) -> str:
    return f"  ({clean(text)})" if text else ""


def change_rows(changes: Mapping[str, Comparison]) -> Rows:
    """The figures of the whole before and after: a column for each budget, under a head."""
    names = [*(f"{kind} F1" for kind in Kind), *_HEAD]
    columns = [_moves(change.before, change.after) for change in changes.values()]
    return [["", *(f"budget {budget}" for budget in changes)], *map(list, zip(names, *columns, strict=True))]


def _moves(before: Figures, after: Figures) -> Iterator[str]:
    for kind in Kind:
        yield _share(before.by_kind[kind].f1, after.by_kind[kind].f1)
    yield _share(before.macro_f1, after.macro_f1)
    yield _share(before.any_recall, after.any_recall)
    yield _share(before.kept, after.kept)
    for old, new in ((before.dup, after.dup), (before.stale, after.stale), (before.size, after.size)):
        yield f"{old} > {new} ({new - old:+d})" if new != old else str(old)


def _share(old: float, new: float) -> str:
    return f"{old:.3f} > {new:.3f} ({new - old:+.3f})" if new != old else f"{old:.3f}"


def change_lines(changes: Mapping[str, Comparison]) -> Iterator[str]:
    """What was won and lost at the widest budget, log by log, and how much of it in all."""
    budget = widest(changes)
    change = changes[budget]
    for name, log in change.logs.items():
        note = f"; not compared: {log.relabelled} labels that only one of the two has" if log.relabelled else ""
        if log.changes or note:
            figures = f"macro-F1 {log.before.macro_f1:.3f} > {log.after.macro_f1:.3f}"
            yield from ("", f"{clean(name)}, budget {budget}: {figures}{note}", *map(_changed, log.changes))
    for names, when in ((change.only_before, "before"), (change.only_after, "now")):
        if names:
            yield from ("", f"not compared: logs that are there only {when}: {', '.join(map(clean, names))}")
    counts = [f"{count} {turn}" for turn in Turn if (count := change.count(turn))]
    yield from ("", f"in all: {', '.join(counts) or 'no label or item changed'}")


def _changed(change: Change) -> str:
    item = f"as: {change.item}" if change.item and change.item != change.text else ""
    note = "; ".join(filter(None, (change.rule, item)))
    mark = f"w{change.weight}" if change.weight else ""
    return f"  {change.turn:{_TURN}}  {change.kind:8}  {mark:2}  {clean(change.text)}{_note(note)}"
