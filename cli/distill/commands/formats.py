"""`distill formats`: what is read; for a log, which format it has and what would come of it."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack

from distill.model import Event, InputError, Role
from distill.pipeline import open_log
from distill.read.formats import all_formats, format_named, recognise
from distill.read.log import Log
from distill.text.clean import clean
from distill.text.mask import masked

SHOWN = 12  # places of damage that are listed


def formats_command(path: str | None, source: str, as_json: bool) -> int:
    """List the formats, or look at one log."""
    if path is None:
        return _list(as_json)
    with ExitStack() as stack:
        log = open_log(path, stack)
        form = format_named(source) if source else recognise(log)
        counts = {"user": 0, "assistant": 0, "unknown": 0, "acts": 0, "turns": 0}
        before: Event | None = None
        for event in form.events(log):
            if event.action is not None:
                counts["acts"] += 1
            else:
                counts[event.role] += 1
                if event.role is not Role.ASSISTANT and (before is None or before.role is Role.ASSISTANT):
                    counts["turns"] += 1
                before = event
        looked = _looked(log, form.name, form.title, counts)
    if as_json:
        print(json.dumps(looked, ensure_ascii=False, indent=2))
    else:
        _print(looked)
    if not log.tally.understood:
        raise InputError(f"{path}: no message of this log was understood")
    return 4 if log.tally.skipped else 0


def _list(as_json: bool) -> int:
    rows = [{"name": f.name, "title": f.title, "where": f.where} for f in all_formats()]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:{width}}  {'; '.join(text for text in (row['title'], row['where']) if text)}")
    return 0


def _looked(log: Log, name: str, title: str, counts: dict[str, int]) -> dict[str, object]:
    tally = log.tally
    names = {key: _plain(getattr(tally, key)) for key in ("project", "session", "title", "branch")}
    said = {key: counts[key] for key in ("user", "assistant", "unknown") if counts[key]}
    return {
        "path": log.path, "format": name, "program": title, "records": tally.records, "turns": counts["turns"],
        "messages": said, "acts": counts["acts"],
        "types": _table(tally.types), "set_aside": _table(tally.set_aside),
        "skipped": dict(tally.skipped), **names,
    }


def _plain(text: str) -> str:
    """Words of a log as they may be shown."""
    return clean(masked(text, Counter()))


def _table(counts: Counter[str]) -> dict[str, int]:
    return {_plain(name): count for name, count in counts.most_common()}


def _print(looked: dict[str, object]) -> None:
    print(f"{looked['path']}: {looked['format']} ({looked['program']})")
    for key in ("project", "session", "title", "branch"):
        if looked[key]:
            print(f"  {key}: {looked[key]}")
    print(f"  records: {looked['records']}, turns: {looked['turns']}, acts: {looked['acts']}")
    for key, word in (("messages", "messages"), ("types", "record types"), ("set_aside", "set aside")):
        table = looked[key]
        if isinstance(table, dict) and table:
            print(f"  {word}: " + ", ".join(f"{name} {count}" for name, count in table.items()))
    skipped = looked["skipped"]
    if isinstance(skipped, dict):
        for reason, places in skipped.items():
            more = ", …" if len(places) > SHOWN else ""
            print(f"  skipped: {len(places)} x {reason} at {', '.join(map(str, places[:SHOWN]))}{more}")
