"""OpenHands evaluations: `output.jsonl`, one instance a line with its whole history and the patch it came to.

The instruction is made from a template and what a "user" answers is written by a program: nobody decided anything here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from distill.model import Event
from distill.read.documents import opening_dict
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.openhands_v0 import Stream as OldStream
from distill.read.openhands_v0 import working_dir
from distill.read.openhands_v1 import Stream
from distill.read.outcome import Outcome
from distill.read.teller import Teller, items, mapping, text
from distill.text.lazy import Lazy

_FIRST_KEY = Lazy(r'\s*\{\s*"(?:instance_id|issue)"\s*:')
_OTHERS = frozenset(("instruction", "metadata", "test_result", "git_patch", "error", "success", "result_explanation"))


def recognise(log: Log) -> bool:
    """Whether a line is an instance with a history. Where the first is longer than the head, its first keys tell."""
    if log.objects:
        return any(_is_instance(one) for one in log.objects[:3])
    if log.whole or not _FIRST_KEY.match(log.head) or "\n" in log.head.strip():
        return False
    return bool(_OTHERS & opening_dict(log).keys())


def _is_instance(record: Record) -> bool:
    named = "instance_id" in record or isinstance(record.get("issue"), dict)
    return named and isinstance(record.get("history"), list) and bool(_OTHERS & record.keys())


def events(log: Log) -> Iterator[Event]:
    """The events of every instance; a record is the line it stands on."""
    lines = _lines(log)
    for number, record in lines:
        log.tally.types["instance"] += 1
        yield from _instance(log, record, number)


def _lines(log: Log) -> Iterator[tuple[int, Record]]:
    empty = True
    for number, record in log.records():
        empty = False
        yield number, record
    if empty and isinstance(log.document, dict):  # one line, which was read as a document before
        log.tally.records = 1
        yield 1, log.document


def _instance(log: Log, record: Record, number: int) -> Iterator[Event]:
    history = list(_flat(items(record.get("history"))))
    teller = Teller(log)
    teller.session = text(record.get("instance_id"))
    teller.cwd = working_dir(history)
    log.tally.session = log.tally.session or teller.session
    log.tally.project = log.tally.project or teller.cwd
    outcome = Outcome(mapping(record.get("test_result")).get("git_patch") or record.get("git_patch"))
    for event in _told(teller, history, number):
        confirmed = outcome.confirm(event)
        if confirmed is None:
            log.tally.set_aside["scratch file"] += 1
        else:
            yield confirmed
    for place, action in outcome.rest((), number):
        yield teller.act(action, place)
    yield from teller.assistant(text(record.get("result_explanation")), number)


def _told(teller: Teller, history: Iterable[object], number: int) -> Iterator[Event]:
    old, new = OldStream(teller, machine=True), Stream(teller, machine=True)
    for one in history:
        stream = new if isinstance(one, dict) and isinstance(one.get("kind"), str) else old
        yield from stream.event(one, number)
    yield from teller.close()


def _flat(history: Iterable[object]) -> Iterator[object]:
    """Events in a row; older histories hold pairs of an action and its observation."""
    for one in history:
        if isinstance(one, list):
            yield from one
        else:
            yield one


FORMAT = Format(
    name="openhands-output",
    title="OpenHands evaluation",
    where="evaluation outputs, output.jsonl",
    order=10,
    keys=("history",),
    recognise=recognise,
    events=events,
)
