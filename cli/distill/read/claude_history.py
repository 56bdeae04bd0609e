"""The prompt index of Claude Code, `~/.claude/history.jsonl`: what the user typed, in all projects, without answers."""

from __future__ import annotations

from collections.abc import Iterator

from distill.model import Event, Role
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.wrappers import strip_wrappers
from distill.text.times import rfc3339


def recognise(log: Log) -> bool:
    """Whether the first records are prompts with their project."""
    return log.first == "{" and any(_is_record(entry) for entry in log.objects[:5])


def _is_record(entry: Record) -> bool:
    if not isinstance(entry.get("display"), str) or "type" in entry:
        return False
    return "pastedContents" in entry or "project" in entry


def events(log: Log) -> Iterator[Event]:
    """One event a prompt. Pasted texts and bare commands are left out."""
    tally = log.tally
    last = ""
    for record, entry in log.records():
        text = entry.get("display")
        tally.types["prompt"] += 1
        if not isinstance(text, str):
            tally.skip("prompt without text", record)
            continue
        words = strip_wrappers(text)
        if not words:
            tally.set_aside["injected text"] += 1
            continue
        if words == last:
            tally.set_aside["repeated turn"] += 1
            continue
        last = words
        project, session = entry.get("project"), entry.get("sessionId")
        tally.project = tally.project or (project if isinstance(project, str) else "")
        tally.understood += 1
        yield Event(
            record=record,
            role=Role.USER,
            text=words,
            time=rfc3339(entry.get("timestamp")),
            session=session if isinstance(session, str) else "",
            project=project if isinstance(project, str) else "",
        )


FORMAT = Format(
    name="cc-history",
    title="Claude Code prompt history",
    where="~/.claude/history.jsonl",
    order=23,
    recognise=recognise,
    events=events,
)
