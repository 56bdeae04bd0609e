"""Why a sentence is what it is: the corridor from a line of a log through cues and signals to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.model import Role, Statement
from distill.read.formats import recognise
from distill.read.log import Log
from distill.rulebook import load
from distill.rulebook.verdict import Explanation
from distill.segment.turns import turns


def record_statements(log: Log, record: int) -> list[Statement]:
    """The statements of one record of a log, as they are judged."""
    found: list[Statement] = []
    for turn in turns(recognise(log).events(log)):
        found += [one for one in (*turn.asked, *turn.planned, *turn.told, *turn.closing) if one.record == record]
    return found


def explained(
    text: str, role: Role, packs: Sequence[Path], builtin: bool, statement: Statement | None = None
) -> tuple[Explanation, list[tuple[str, tuple[int, int, int, int], str]], dict[str, int], str]:
    """Why a sentence is what it is: cues and modifiers, signals with their points and reasons, sums, the outcome.

    What only the whole log shows (repetition, lateness) is left out.
    """
    book = load(packs, builtin=builtin)
    judge = Judge("", CueJudge(book), book.signals, words_only=not builtin)
    one = statement or Statement(text=text, quote=text, record=1, role=role)
    signals, points, kind = judge.weigh_alone(one)
    rows = [(name, book.signals.table[name].points, book.signals.table[name].why) for name in sorted(signals)]
    return book.explain(one.text, one.role), rows, {str(k): v for k, v in points.items()}, str(kind or "no conclusion")
