"""oh-my-opencode transcripts (`~/.claude/transcripts/ses_….jsonl`): what the user typed and what tools did.

The assistant's words are not in them. Plugins write prompts in the user's name, and a hook that fires twice writes the
user's twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from distill.model import Event
from distill.read.documents import whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.opencode_json import refusal_words, typed
from distill.read.parts import looks_failed, output_text
from distill.read.teller import Call, Teller, mapping, text
from distill.text.times import rfc3339

_PROMPT = frozenset(("type", "timestamp", "content"))


def recognise(log: Log) -> bool:
    """Whether lines hold a tool's name and input at the top, or prompts and nothing else."""
    lines = log.objects
    if any(_is_tool(one) for one in lines):
        return True
    return bool(lines) and all(
        one.get("type") == "user" and one.keys() == _PROMPT and isinstance(one["content"], str) for one in lines
    )


def _is_tool(record: Record) -> bool:
    return (
        record.get("type") in ("tool_use", "tool_result")
        and isinstance(record.get("tool_name"), str)
        and "tool_input" in record
    )


def events(log: Log) -> Iterator[Event]:
    """The events of a session; a record is a line."""
    teller = Teller(log)
    tally = log.tally
    waiting: dict[str, list[str]] = {}  # tool -> keys of its calls, oldest first
    last = ""  # the prompt on the line before
    for number, record in _numbered(log):
        kind, when = text(record.get("type")), rfc3339(record.get("timestamp"))
        tally.types[kind or "unknown"] += 1
        name, given = text(record.get("tool_name")), mapping(record.get("tool_input"))
        if kind == "user":
            said = output_text(record.get("content"))
            if said == last:
                tally.set_aside["repeated turn"] += 1
                continue
            last = said
            words = typed(said)
            if words != said.strip():
                tally.set_aside["injected text"] += 1
            yield from teller.user(words, number, when)
            continue
        last = ""
        if kind == "tool_use":
            key = f"{number}"
            waiting.setdefault(name, []).append(key)
            teller.call(key, Call(name, given, number, when))
        elif kind == "tool_result":
            keys = waiting.get(name)
            call = teller.take(keys.pop(0)) if keys else None
            yield from _result(teller, call or Call(name, given, number, when), record, number, when)
        else:
            tally.set_aside["unknown record"] += 1
    yield from teller.close()


def _numbered(log: Log) -> Iterable[tuple[int, Record]]:
    if not log.is_document:
        return log.records()
    log.tally.records = 1
    return [(1, mapping(whole(log)))]


def _result(teller: Teller, call: Call, record: Record, number: int, when: str | None) -> Iterator[Event]:
    given = record.get("tool_output")
    output = output_text(given)
    found = mapping(given)
    code = mapping(found.get("metadata")).get("exit", found.get("exit"))
    words = refusal_words(output or text(found.get("error")))
    if words is not None:
        yield from teller.refusal(call, words, number, when)
    elif call.name in ("task", "delegate_task", "call_omo_agent", "background_task"):
        teller.tally.set_aside["side chain"] += 1
    else:
        failed = (isinstance(code, int) and code != 0) or bool(text(found.get("error"))) or looks_failed(output)
        yield from teller.done(call, output, number, when, failed=failed)


FORMAT = Format(
    name="opencode-transcript",
    title="oh-my-opencode transcript",
    where="~/.claude/transcripts/ses_*.jsonl",
    order=27,
    recognise=recognise,
    events=events,
)
