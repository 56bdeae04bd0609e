"""A whole evaluation as plain data, and back: what `distill eval --json` writes and `--diff` reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeVar

from distill.evaluate.score import Figures, Judged, KindFigures, LogScore, Told, Verdict, figures
from distill.model import DistillError, Kind

SCHEMA = 1
Data = dict[str, Any]
_T = TypeVar("_T")
_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogResult:
    """One log at one budget."""

    figures: Figures
    items: tuple[Judged, ...]
    labels: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All logs at one budget, by name, with the figures of the whole."""

    overall: Figures
    logs: Mapping[str, LogResult]


Runs = Mapping[str, Run]  # by budget: a number of tokens, or "none"


def run_of(scores: Mapping[str, LogScore]) -> Run:
    """The scores of the logs, by name, as one run."""
    logs = {
        name: LogResult(figures=figures([score]), items=score.items, labels=score.labels)
        for name, score in scores.items()
    }
    return Run(overall=figures(list(scores.values())), logs=logs)


def widest(budgets: Mapping[str, object]) -> str:
    """The largest of the budgets, "none" before any number; there must be one."""
    return max(budgets, key=lambda one: float("inf") if one == "none" else int(one))


def to_data(runs: Runs, corpus: str, version: str) -> Data:
    """The runs as plain data. A run is its figures as a whole, and `logs`: figures, items and labels of each."""
    return {
        "schema": SCHEMA,
        "distill": version,
        "corpus": corpus,
        "budgets": {budget: {**asdict(run.overall), "logs": _logs(run)} for budget, run in runs.items()},
    }


def _logs(run: Run) -> Data:
    return {
        name: {
            **asdict(log.figures),
            "items": [asdict(item) for item in log.items],
            "labels": [asdict(label) for label in log.labels],
        }
        for name, log in run.logs.items()
    }


def from_data(data: object, where: str) -> dict[str, Run]:
    """The runs that `data` tells; unknown fields are passed over.

    Raises DistillError with file and field where `data` is no result of `distill eval --json`.
    """
    budgets = data.get("budgets") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(budgets, dict) or not budgets:
        raise DistillError(f"{where}: not a result of distill eval --json: it lacks budgets")
    if data.get("schema") != SCHEMA:
        raise DistillError(f"{where}: schema: {data.get('schema')!r} is unknown; this distill reads {SCHEMA}")
    runs: dict[str, Run] = {}
    for budget, run in budgets.items():
        if budget != "none" and not (budget.isascii() and budget.isdigit()):
            raise DistillError(f"{where}: budgets: {budget!r} is neither a number of tokens nor 'none'")
        at = f"{where}: budgets.{budget}"
        logs = {name: _log(log, f"{at}.logs.{name}") for name, log in _get(run, "logs", dict, at).items()}
        runs[budget] = Run(overall=_figures(run, at), logs=logs)
    return runs


def _log(data: object, at: str) -> LogResult:
    items = enumerate(_get(data, "items", list, at))
    labels = enumerate(_get(data, "labels", list, at))
    return LogResult(
        figures=_figures(data, at),
        items=tuple(_item(one, f"{at}.items[{place}]") for place, one in items),
        labels=tuple(_told(one, f"{at}.labels[{place}]") for place, one in labels),
    )


def _item(data: object, at: str) -> Judged:
    return Judged(
        kind=_word(data, "kind", Kind, at), text=_get(data, "text", str, at),
        verdict=_word(data, "verdict", Verdict, at),
        label=_maybe(data, "label", str, at), rule=_maybe(data, "rule", str, at) or "",
        label_kind=None if _maybe(data, "label_kind", str, at) is None else _word(data, "label_kind", Kind, at),
        record=_maybe(data, "record", int, at),
    )


def _told(data: object, at: str) -> Told:
    shown = {str(place): one for place, one in enumerate(_get(data, "shown", list, at))}
    return Told(
        kind=_word(data, "kind", Kind, at), text=_get(data, "text", str, at), weight=_get(data, "weight", int, at),
        found=_get(data, "found", bool, at), shown=tuple(_word(shown, place, Kind, f"{at}.shown") for place in shown),
        record=_maybe(data, "record", int, at),
    )


def _figures(data: object, at: str) -> Figures:
    kinds = _get(data, "by_kind", dict, at)
    by_kind = {}
    for kind in Kind:
        one, place = _get(kinds, kind, dict, f"{at}.by_kind"), f"{at}.by_kind.{kind}"
        p, r, f1 = (_number(one, name, place) for name in ("p", "r", "f1"))
        by_kind[kind] = KindFigures(p=p, r=r, f1=f1, gold=_get(one, "gold", int, place))
    return Figures(
        by_kind=by_kind, macro_f1=_number(data, "macro_f1", at), any_recall=_number(data, "any_recall", at),
        kept=_number(data, "kept", at), dup=_get(data, "dup", int, at), stale=_get(data, "stale", int, at),
        size=_get(data, "size", int, at),
    )


def _get(data: object, field: str, kind: type[_T], at: str) -> _T:
    value = data.get(field) if isinstance(data, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        what = {dict: "an object", list: "a list", str: "a text", int: "a whole number", bool: "true or false"}[kind]
        raise DistillError(f"{at}.{field}: must be {what}")
    return value


def _maybe(data: object, field: str, kind: type[_T], at: str) -> _T | None:
    present = isinstance(data, dict) and data.get(field) is not None
    return _get(data, field, kind, at) if present else None


def _number(data: object, field: str, at: str) -> float:
    value = data.get(field) if isinstance(data, dict) else None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise DistillError(f"{at}.{field}: must be a number")
    return float(value)


def _word(data: object, field: str, words: type[_Word], at: str) -> _Word:
    value = _get(data, field, str, at)
    if value not in list(words):
        raise DistillError(f"{at}.{field}: {value!r} is none of {', '.join(words)}")
    return words(value)
