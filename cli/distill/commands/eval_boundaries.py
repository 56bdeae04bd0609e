"""`distill eval --boundaries`: how well the ends of tasks are found in logs whose boundaries are known."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from distill.commands.fold import folded
from distill.commands.run import write
from distill.config import Settings
from distill.evaluate.boundaries import SUFFIX, BoundaryScore, read_boundaries, score, together
from distill.fold.ledger import Row
from distill.model import DistillError, InputError
from distill.render.lines import to_json
from distill.store.files import read_text
from distill.text.clean import clean


def boundaries_command(
    corpus: str, settings: Settings, *, logs: str = "", min_f1: float | None = None, as_json: bool = False
) -> int:
    """Fold every log that has boundary labels and print the scores; 1 where F1 over all is below `min_f1`.

    `corpus` is a folder of NAME.boundaries files, or one; `logs` the folder of the logs NAME, by default the same.
    """
    if min_f1 is not None and not 0 <= min_f1 <= 1:
        raise DistillError(f"--min-f1: {min_f1} is not between 0 and 1")
    scores: dict[str, BoundaryScore] = {}
    for labels in _labels(Path(corpus)):
        log = (Path(logs) if logs else labels.parent) / labels.name.removesuffix(SUFFIX)
        if not log.is_file():
            raise InputError(f"{labels}: there is no log {log}")
        wanted = read_boundaries(read_text(labels), str(labels))
        folder = folded(str(log), settings)
        turns = [_turn(folder.ledger, record, str(labels)) for record in wanted]
        found = [one.turn for one in folder.boundaries if one.boundary]
        scores[log.name] = score(turns, found, len(folder.ledger))
    whole = together(list(scores.values()))
    write(_json(scores, whole) if as_json else _table(scores, whole), None)
    if min_f1 is not None and whole.f1 < min_f1:
        if not settings.quiet:
            print(f"distill: --min-f1: F1 is {whole.f1:.3f}, less than {min_f1}", file=sys.stderr)
        return 1
    return 0


def _labels(corpus: Path) -> Sequence[Path]:
    found = [corpus] if corpus.is_file() else sorted(corpus.glob(f"*{SUFFIX}"))
    if not found:
        raise InputError(f"{corpus}: no boundary labels here: put NAME{SUFFIX} beside the log NAME, one record a line")
    return found


def _turn(rows: Sequence[Row], record: int, where: str) -> int:
    """The turn that a record belongs to."""
    turns = [row.turn for row in rows if row.record <= record]
    if not turns:
        raise DistillError(f"{where}: the record {record} stands before the first turn")
    return turns[-1]


def _json(scores: dict[str, BoundaryScore], whole: BoundaryScore) -> str:
    data = {"schema": 1, "overall": _data(whole), "logs": {name: _data(one) for name, one in scores.items()}}
    return to_json(data, indent=1) + "\n"


def _data(one: BoundaryScore) -> dict[str, float]:
    return {"turns": one.turns, "wanted": one.wanted, "found": one.found, "right": one.right,
            "precision": round(one.precision, 4), "recall": round(one.recall, 4), "f1": round(one.f1, 4),
            "window_diff": round(one.window_diff, 4), "pk": round(one.pk, 4)}


def _table(scores: dict[str, BoundaryScore], whole: BoundaryScore) -> str:
    head = ("log", "turns", "wanted", "found", "right", "P", "R", "F1", "WindowDiff", "Pk")
    rows: list[tuple[str, ...]] = [head]
    for name, one in [*scores.items(), ("all", whole)]:
        figures = (one.precision, one.recall, one.f1, one.window_diff, one.pk)
        rows.append((clean(name), str(one.turns), str(one.wanted), str(one.found), str(one.right),
                     *(f"{figure:.2f}" for figure in figures)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) if not column else cell.rjust(width)
                       for column, (cell, width) in enumerate(zip(row, widths, strict=True))) for row in rows]
    return "\n".join(lines) + "\n"
