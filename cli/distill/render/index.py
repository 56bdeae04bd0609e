"""The index of many states, by project, the newest first: as JSON for programs and as Markdown for people."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distill.model import SECTIONS
from distill.model.summary import Summary
from distill.text.clean import clean

SCHEMA = 1
UNKNOWN = "(no project named)"
LISTED = 5  # open items of a project that the Markdown shows
_SIGNS = re.compile(r"([\\`*_\[\]<>|])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One state of the index: its file, the logs it was made from, and what it holds."""

    state: str
    logs: tuple[str, ...]
    summary: Summary
    gone: tuple[str, ...] = ()  # logs that are not there any more
    failed: str = ""  # why it could not be brought up to date


def index_json(entries: Sequence[Entry], failed: Mapping[str, str]) -> str:
    """The index as JSON, a line for each state; `failed` says of logs without a state why there is none."""
    head = {"index": "distill", "schema": SCHEMA, "states": len(entries), "counts": _counts(entries)}
    projects = ",\n".join(_project(name, found) for name, found in _projects(entries))
    rows = ",\n".join(_json({"log": log, "why": why}) for log, why in sorted(failed.items()))
    text = f'{_json(head)[:-1]}, "projects": [\n{projects}\n], "failed": [\n{rows}\n]}}\n'
    return text.encode("utf-8", "replace").decode()


def index_markdown(entries: Sequence[Entry], failed: Mapping[str, str]) -> str:
    """The index as Markdown."""
    counts = _counts(entries)
    total = f"{len(entries)} state{'s' * (len(entries) != 1)}"
    lines = ["# States", "", f"{total}: {', '.join(f'{count} {name}' for name, count in counts.items())}", ""]
    for name, found in _projects(entries):
        lines += [f"## {_plain(name or UNKNOWN)}", "", "| state | until | decisions | facts | artifacts | open |",
                  "| --- | --- | --- | --- | --- | --- |"]
        lines += [_cells(entry) for entry in found]
        lines.append("")
        texts = list(dict.fromkeys(text for entry in found for text in entry.summary.open))
        if texts:
            left = sum(entry.summary.counts[3] for entry in found) - LISTED
            lines += ["Open:", "", *(f"- {_plain(text)}" for text in texts[:LISTED])]
            lines += [f"- … and {left} more"] if left > 0 and len(texts) >= LISTED else []
            lines.append("")
    if failed:
        lines += ["## Not read", "", *(f"- {_plain(log)}: {_plain(why)}" for log, why in sorted(failed.items())), ""]
    return "\n".join(lines)


def _projects(entries: Sequence[Entry]) -> list[tuple[str, list[Entry]]]:
    """The entries by project: newest first, by name where they are equally new."""
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.state):
        found.setdefault(entry.summary.project, []).append(entry)
    for one in found.values():
        one.sort(key=_newest, reverse=True)
    return sorted(sorted(found.items()), key=lambda pair: _newest(pair[1][0]), reverse=True)


def _newest(entry: Entry) -> str:
    return entry.summary.covers[1] or ""


def _counts(entries: Sequence[Entry]) -> dict[str, int]:
    return {name: sum(entry.summary.counts[place] for entry in entries) for place, name in enumerate(SECTIONS.values())}


def _project(name: str, entries: Sequence[Entry]) -> str:
    head = {"project": name, "newest": entries[0].summary.covers[1], "counts": _counts(entries)}
    states = ",\n".join(_json(_state(entry)) for entry in entries)
    return f'{_json(head)[:-1]}, "states": [\n{states}\n]}}'


def _state(entry: Entry) -> dict[str, Any]:
    one = entry.summary
    return {
        "state": entry.state, "logs": entry.logs, "gone": entry.gone, "failed": entry.failed, "title": one.title,
        "task": one.task, "formats": one.formats, "covers": one.covers,
        "counts": dict(zip(SECTIONS.values(), one.counts, strict=True)), "omitted": one.omitted,
        "records": one.records, "skipped": one.skipped,
        "tokens": {"source": one.tokens[0], "state": one.tokens[1]}, "open": one.open,
    }


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)  # with an indent it would take five times as long


def _cells(entry: Entry) -> str:
    from urllib.parse import quote  # slow to import

    one = entry.summary
    title = one.title or re.sub(r"^(states|projects)/|\.[a-z]+$", "", entry.state)
    mark = " (log gone)" if entry.gone else " (not up to date)" if entry.failed else ""
    date = (one.covers[1] or "")[:10]
    link = f"[{_plain(title)}]({quote(entry.state.encode('utf-8', 'surrogateescape'))})"
    return f"| {link}{mark} | {date} | " + " | ".join(map(str, one.counts)) + " |"


def _plain(text: str) -> str:
    """Words of a log as they are, whatever signs of Markdown they hold."""
    return _SIGNS.sub(r"\\\1", clean(text))
