"""A session as JSON and back: what it takes to go on with it in another process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from distill.fold.cards import Card, Records
from distill.fold.drift import Rarity
from distill.fold.exchange import Exchange
from distill.fold.ledger import Row
from distill.fold.numbers import FoldNumbers
from distill.fold.plain_data import pack, unpack
from distill.fold.session import Memory
from distill.fold.task import Task
from distill.fold.traits import Traits
from distill.fold.verdict import Verdict
from distill.model import DistillError, Event, Item

VERSION = 1
Remake = Callable[[int, list[Event]], Exchange]  # the exchange of a number that these events are
_TASK = ("id", "start", "summed", "turns", "tokens", "began", "ended", "concluded", "ended_at", "joins")


def dump(numbers: FoldNumbers, memory: Memory, more: Mapping[str, Any]) -> str:
    """The session as one JSON document; `more` is what its owner wants to find again."""
    active = memory.active
    data = {
        "version": VERSION,
        "numbers": asdict(numbers),
        "more": more,
        "cards": pack(memory.cards),
        "archive": pack(memory.archive),
        "finished": [_task(one) for one in memory.finished],
        "active": _task(active) if active is not None else None,
        "turns": memory.rarity.turns,
        "counts": memory.rarity.counts,
        "verdicts": pack(memory.verdicts),
        "rows": pack(memory.rows),
        "aliases": memory.aliases,
        "window": memory.window,
        "whole": memory.whole,
        "commits": memory.commits,
        "now": memory.now,
        "recalled": pack(memory.recalled),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def load(
    text: str, remake: Callable[[FoldNumbers, Mapping[str, Any]], Remake]
) -> tuple[FoldNumbers, Memory, dict[str, Any]]:
    """What `dump` was given; `remake` makes exchanges of events again, by the numbers and what the owner had kept.

    Raises DistillError where `text` is no saved session, or one of another version.
    """
    try:
        data = json.loads(text)
        version = data["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DistillError("not a saved session: give the text that save() gave") from None
    if version != VERSION:
        raise DistillError(f"a saved session of version {version!r}, which this distill does not read; it reads "
                           f"version {VERSION}: fold the log anew")
    try:
        numbers = FoldNumbers(**data["numbers"])
        more = dict(data["more"])
        again = remake(numbers, more)
        memory = Memory(
            cards=unpack(list[Card], data["cards"]),
            archive=unpack(Card | None, data["archive"]),
            finished=[_task_again(one, again) for one in data["finished"]],
            active=_task_again(data["active"], again) if data["active"] is not None else None,
            rarity=Rarity(unpack(int, data["turns"]), unpack(dict[str, int], data["counts"])),
            verdicts=unpack(list[Verdict], data["verdicts"]),
            rows=unpack(list[Row], data["rows"]),
            aliases=unpack(dict[str, str], data["aliases"]),
            window=unpack(list[int], data["window"]),
            whole=unpack(int, data["whole"]),
            commits=unpack(int, data["commits"]),
            now=unpack(str | None, data["now"]),
            recalled=unpack(list[Card], data["recalled"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        raise DistillError(f"a saved session that is damaged ({what}): fold the log anew") from None
    return numbers, memory, more


def _task(task: Task) -> dict[str, Any]:
    found = {name: getattr(task, name) for name in _TASK}
    found["items"] = pack(task.items)
    found["traits"] = pack(task.traits)
    found["records"] = pack(task.records)
    found["exchanges"] = [[one.number, pack(one.events)] for one in task.exchanges]
    return found


def _task_again(data: Mapping[str, Any], again: Remake) -> Task:
    return Task(
        **{name: data[name] for name in _TASK},
        items=unpack(list[Item], data["items"]),
        traits=unpack(Traits, data["traits"]),
        records=unpack(list[Records], data["records"]),
        exchanges=[again(number, unpack(list[Event], events)) for number, events in data["exchanges"]],
    )
