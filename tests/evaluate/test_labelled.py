"""The project's own labelled logs: how good the judging is at least, and that the labels are sound.

Sixteen invented sessions in the formats and manners of real ones, labelled before anybody saw what came out. A rule
change that lowers these figures has to say why.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LOGS = Path(__file__).parents[1] / "labelled"
LABELS = sorted(LOGS.glob("*.labels.jsonl"))
#: a little under what was reached when they were written down: macro-F1, share of weight kept, and by kind precision
#: and recall of decisions
MACRO, KEPT, PRECISION, RECALL = 0.67, 0.80, 0.76, 0.61
STALE, TWICE = 0.045, 0.07  # of all items


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.name.removesuffix(".labels.jsonl"))
def test_quotes_stand_in_their_records(path: Path) -> None:
    log = path.with_name(path.name.removesuffix(".labels.jsonl"))
    text = log.read_text(encoding="utf-8")
    lines = text.split("\n")
    for row in map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").split("\n"))):
        for evidence in row.get("evidence", ()):
            where = text if log.suffix == ".json" else lines[evidence["record"] - 1]
            once = json.dumps(evidence["quote"], ensure_ascii=False)[1:-1]
            twice = json.dumps(once, ensure_ascii=False)[1:-1]  # arguments of a call are JSON within JSON
            assert any(quote in where for quote in (evidence["quote"], once, twice)), (path.name, row["text"])


def test_the_figures_hold() -> None:
    command = [sys.executable, "-m", "distill", "eval", str(LOGS), "--json", "--budget", "none", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["budgets"]["none"]
    decisions = figures["by_kind"]["decision"]
    items = sum(len(log["items"]) for log in figures["logs"].values())
    assert figures["macro_f1"] >= MACRO
    assert figures["kept"] >= KEPT
    assert decisions["p"] >= PRECISION
    assert decisions["r"] >= RECALL
    assert figures["stale"] <= STALE * items
    assert figures["dup"] <= TWICE * items
