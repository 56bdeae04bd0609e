"""The whole of a folded session for people and programs: tasks, boundaries, and the ledger turn by turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distill.fold.cards import Card
from distill.fold.exchange import Message
from distill.fold.ledger import Row, sums
from distill.fold.plain_data import pack
from distill.fold.verdict import Verdict

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a report is made of. `cards` are those of all tasks, in order; `texts` their wording on a prompt.

    `aliases` names the card that a task became part of; `said` are the messages of every turn by its number.
    """

    log: str
    encoding: str
    cards: Sequence[Card]
    texts: Mapping[str, str]
    rows: Sequence[Row]
    verdicts: Sequence[Verdict]
    aliases: Mapping[str, str]
    said: Mapping[int, Sequence[Message]]
    lang: str = "en"


def as_json(report: Report) -> str:
    """The report as one JSON document."""
    total = sums(report.rows)
    tasks = [{**_filled(card), "turns": _turns(report, card.id), "card": report.texts[card.id],
              "part_of": report.aliases.get(card.id)} for card in report.cards]
    data = {
        "schema": SCHEMA,
        "log": report.log,
        "sums": {"turns": total.turns, "whole": total.whole, "window": total.window, "folded": total.folded,
                 "most_folded": total.most_folded, "saved": round(total.saved, 4),
                 "window_saved": round(total.window_saved, 4), "encoding": report.encoding},
        "tasks": tasks,
        "turns": [{"turn": row.turn, "record": row.record, "time": row.time, "task": row.task, "whole": row.whole,
                   "window": row.window, "folded": row.folded, "cards": row.cards, "events": list(row.events)}
                  for row in report.rows],
        "boundaries": [verdict_data(one) for one in report.verdicts],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def verdict_data(one: Verdict) -> dict[str, Any]:
    """A verdict as plain data."""
    return {"turn": one.turn, "record": one.record, "boundary": one.boundary, "by_hand": one.by_hand,
            "points": one.points, "likeness": one.likeness, "by": one.by, "signs": dict(one.signs),
            "doubts": dict(one.doubts), "vetoes": dict(one.vetoes)}


def as_table(report: Report) -> str:
    """The ledger as a table for a terminal."""
    rows = [("turn", "record", "task", "whole", "window", "folded", "saved", "")]
    for one in report.rows:
        saved = f"{1 - one.folded / one.whole:.0%}" if one.whole else ""
        rows.append((str(one.turn), str(one.record), one.task, f"{one.whole:,}", f"{one.window:,}", f"{one.folded:,}",
                     saved, ", ".join(one.events)))
    total = sums(report.rows)
    rows.append(("all", "", "", f"{total.whole:,}", f"{total.window:,}", f"{total.folded:,}", f"{total.saved:.1%}",
                 f"window {total.window_saved:.1%}; at most {total.most_folded:,} tokens in a prompt"))
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if column == 2 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths, strict=False))]
        lines.append("  ".join([*cells, row[7]]).rstrip())
    return "\n".join(lines) + "\n"


def why(verdicts: Sequence[Verdict]) -> str:
    """What spoke for and against an end of the task, at every turn where anything did."""
    lines = []
    for one in verdicts:
        what = "a task begins" if one.boundary else "goes on"
        hand = " (by hand)" if one.by_hand else ""
        like = "" if one.likeness is None else f", {one.likeness:.2f} like the turns before by {one.by}"
        lines.append(f"turn {one.turn}, record {one.record}: {what}{hand}, {one.points} points{like}")
        lines += [f"  for      {name}: {shown}" for name, shown in one.signs]
        lines += [f"  against  {name}: {shown}" for name, shown in (*one.doubts, *one.vetoes)]
    return "\n".join(lines) + "\n" if lines else "no turn shows any sign of a task's end\n"


def _turns(report: Report, task: str) -> list[int]:
    return [row.turn for row in report.rows if row.task == task]


def _filled(card: Card) -> dict[str, Any]:
    """A card as plain data with every field of its own."""
    data: dict[str, Any] = {
        "id": card.id, "kind": str(card.kind), "goal": card.goal, "records": [list(pair) for pair in card.records],
        "tokens": card.tokens, "began": card.began, "ended": card.ended, "open": card.open,
        "code": list(card.code), "reasons": list(card.reasons), "error": card.error, "cause": card.cause,
    }
    data["items"] = [pack(item) for item in card.items]
    return data
