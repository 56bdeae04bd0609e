"""`distill eval`: how well labelled logs are distilled; as a table, as JSON, against an earlier run."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from distill import __version__
from distill.commands.progress import progress_for
from distill.commands.run import options_of
from distill.config import Settings, settle
from distill.evaluate.compare import compare
from distill.evaluate.compare import to_data as changes_data
from distill.evaluate.labels import SUFFIX, Label, read_labels
from distill.evaluate.report import Run, from_data, run_of, to_data, widest
from distill.evaluate.score import LogScore, Measure
from distill.evaluate.tell import WHOLE, change_lines, change_rows, detail_lines, figure_rows
from distill.model import DistillError, InputError
from distill.pipeline import Account, budgeted, distil
from distill.render.lines import to_json
from distill.store.files import read_text
from distill.text.clean import clean

BUDGETS = ("none,1000,500",)
WIDE = 124  # columns of a terminal that shows precision and recall beside F1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A labelled log."""

    name: str
    transcript: Path
    labels: tuple[Label, ...]


def eval_command(
    corpus: str, budgets: Sequence[str], flags: Mapping[str, Any], *,
    min_f1: float | None = None, diff: str | None = None, as_json: bool = False,
) -> int:
    """Distil every labelled log of `corpus` at each of `budgets` and print the figures; the exit code.

    `flags` are options of the main job. 1 where the macro-F1 at the widest budget is below `min_f1`, 4 where parts of
    a log were skipped.
    """
    if min_f1 is not None and not 0 <= min_f1 <= 1:
        raise DistillError(f"--min-f1: {min_f1} is not between 0 and 1")
    settings = _settings(budgets, flags)
    before = _earlier(diff) if diff else {}
    common = {budget: before[budget] for budget in settings if budget in before}
    if diff and not common:
        raise DistillError(f"{diff}: it was made at other budgets; add --budget {','.join(before)}")
    cases = _cases(corpus)
    runs, accounts = _scored(cases, settings)
    changes = {budget: compare(run, runs[budget]) for budget, run in common.items()}
    main = widest(runs)
    if as_json:
        data = to_data(runs, corpus, __version__)
        if changes:
            data["diff"] = {budget: changes_data(change) for budget, change in changes.items()}
        _write([to_json(data, indent=2)])
    else:
        rich = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        short = rich and shutil.get_terminal_size().columns < WIDE
        for budget, run in runs.items():
            title = f"budget {budget} (by kind: {'F1' if short else 'precision/recall/F1'})"
            _table(title, figure_rows(run, short=short), rich=rich)
            _write([""])
        if settings[main].verbose:
            for name, log in runs[main].logs.items():
                _write([f"{clean(name)}, budget {main}:", *detail_lines(log), ""])
        if changes:
            _table(f"against {clean(diff or '')} (before > now)", change_rows(changes), rich=rich)
            _write(change_lines(changes))
    if not settings[main].quiet:
        _close(cases, accounts)
    got = runs[main].overall.macro_f1
    if min_f1 is not None and got < min_f1:
        print(f"distill: macro-F1 {got:.3f} at budget {main} is below {min_f1:g}", file=sys.stderr)
        return 1
    return 4 if any(account.skipped for account in accounts) else 0


def _settings(budgets: Sequence[str], flags: Mapping[str, Any]) -> dict[str, Settings]:
    """The settings for each budget, by its name, in the order in which they were asked for."""
    found: dict[str, Settings] = {}
    for word in (part.strip() for one in budgets or BUDGETS for part in one.split(",")):
        one = settle({**flags, "budget": word, "format": "json"})
        found["none" if one.budget is None else str(one.budget)] = one
    return found


def _earlier(path: str) -> dict[str, Run]:
    text = read_text(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise DistillError(f"{path}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise DistillError(f"{path}: not valid JSON: {error}") from error
    return from_data(data, path)


def _cases(corpus: str) -> list[_Case]:
    """The labelled logs of a folder, or the one of a label file, in the order of their names."""
    place = Path(corpus)
    if place.is_dir():
        files = sorted(path for path in place.glob(f"*{SUFFIX}") if path.name != SUFFIX and path.is_file())
        if not files:
            raise DistillError(f"{corpus}: no label files (NAME{SUFFIX}) in this folder")
    elif place.name.endswith(SUFFIX):
        files = [place]
    else:
        files = [place.with_name(place.name + SUFFIX)]  # the log itself was named
        if place.exists() and not files[0].exists():
            raise DistillError(f"{corpus}: is not labelled: there is no {files[0].name} beside it")
    if not files[0].exists():
        raise InputError(f"{corpus}: no such file or folder")
    cases: list[_Case] = []
    faults: list[str] = []
    for path in files:
        try:
            cases.append(_case(path))
        except InputError:
            raise
        except DistillError as error:
            faults.append(str(error))
    if faults:
        raise DistillError("\n".join(faults))
    return cases


def _case(path: Path) -> _Case:
    name = path.name.removesuffix(SUFFIX)
    found = read_labels(read_text(path), str(path))
    transcript = path.parent / (found.transcript or name)
    if not transcript.is_file():
        raise InputError(f"{path}: its transcript {transcript} is no file; a first line "
                         '{"transcript": "PATH"} says where it is, relative to the label file')
    return _Case(name=name, transcript=transcript, labels=found.labels)


def _scored(cases: Sequence[_Case], settings: Mapping[str, Settings]) -> tuple[dict[str, Run], list[Account]]:
    """A run for each budget. A log is read once and its state then cut to the budgets, as the corridor does."""
    whole = replace(next(iter(settings.values())), budget=None)
    scores: dict[str, dict[str, LogScore]] = {budget: {} for budget in settings}
    accounts: list[Account] = []
    with progress_for([str(case.transcript) for case in cases], whole) as progress:
        for case in cases:
            account = Account()
            options = options_of(whole)
            state = distil([str(case.transcript)], options, account=account, progress=progress)
            accounts.append(account)
            measure = Measure(case.labels)
            for budget, one in settings.items():
                try:
                    cut = budgeted(state, options_of(one), state.tokens.source)
                except DistillError as error:
                    raise DistillError(f"{case.transcript}: {error}", error.code) from error
                scores[budget][case.name] = measure.score(cut)
    return {budget: run_of(found) for budget, found in scores.items()}, accounts


def _close(cases: Sequence[_Case], accounts: Sequence[Account]) -> None:
    """The closing line on standard error, after a line for each log that lost something."""
    tallies = [(path, tally) for account in accounts for path, tally in account.tallies.items()]
    for path, tally in tallies:
        for reason, places in tally.skipped.items():
            print(f"distill: {path}: {len(places)} x {reason}", file=sys.stderr)
    logs = "1 log" if len(cases) == 1 else f"{len(cases)} logs"
    print(f"distill: {logs}, {sum(len(case.labels) for case in cases)} labels; "
          f"{sum(tally.records for _, tally in tallies)} records, {sum(one.skipped for one in accounts)} skipped, "
          f"{sum(one.turns for one in accounts)} turns; {sum(one.found for one in accounts)} found", file=sys.stderr)


def _table(title: str, rows: Sequence[Sequence[str]], *, rich: bool) -> None:
    """A table under its title: with rules and colour on a terminal, else columns held apart by blanks."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    if rich:
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column(Text(rows[0][0]), overflow="fold")
        for name, width in zip(rows[0][1:], widths[1:], strict=True):  # only the first column gives way
            table.add_column(Text(name), justify="right", no_wrap=True, min_width=width)
        for row in rows[1:]:
            table.add_row(*map(Text, row), style="bold" if row[0] == WHOLE else "")
        Console().print(Text(title, style="italic"), table)
        return
    lines = [title]
    for row in rows:
        blanks = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        first, *rest = zip(row, blanks, strict=True)
        lines.append("  ".join(["", "".join(first), *(blank + cell for cell, blank in rest)]).rstrip())
    _write(lines)


def _width(text: str) -> int:
    """Columns of a text on a terminal: Chinese characters take two."""
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def _write(lines: Iterable[str]) -> None:
    """Lines on standard output, in UTF-8 whatever the locale says."""
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    sys.stdout.flush()
