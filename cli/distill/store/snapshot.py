"""A state beside its file, in a form that is read much faster: good as long as the file is as it was written.

It holds nothing that the file does not; it may be taken away at any time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from distill import __version__
from distill.model import Item, Kind, Role, Source, SourceLog, State, Status, TaskName, TokenCounts
from distill.store.files import write_atomic


def load_snapshot(path: Path, text: bytes, *, masked: bool = False) -> State | None:
    """The state that a file of the content `text` holds, where the snapshot at `path` was made of that content.

    With `masked` only that of a state from which credentials were taken out.
    """
    with suppress(OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
        line, _, body = path.read_bytes().partition(b"\n")
        if line.decode() == _check(text, body):
            data = json.loads(body)
            return _read(data) if data["masked"] or not masked else None
    return None


def save_snapshot(path: Path, text: bytes, state: State, *, masked: bool = False) -> None:
    """Keep `state`, which a file of the content `text` holds, at `path`; `masked` tells that it holds no credentials.

    Raises DistillError.
    """
    body = json.dumps({"masked": masked, **_data(state)}, ensure_ascii=True, separators=(",", ":"))
    write_atomic(path, f"{_check(text, body.encode())}\n{body}")


def _check(text: bytes, body: bytes) -> str:
    digest = hashlib.blake2b(text, digest_size=16)
    digest.update(body)
    return f"{__version__} {digest.hexdigest()}"


def _data(state: State) -> dict[str, Any]:
    paths: dict[str, int] = {}
    items = [
        (item.id, item.kind, item.text, item.at, item.first_at, item.role, item.confidence, item.rule, item.tags,
         [(paths.setdefault(one.path, len(paths)), one.record, one.quote) for one in item.sources],
         item.supersedes, item.by, item.status)
        for item in state.items
    ]  # fmt: skip
    return {
        "schema": state.schema, "task": asdict(state.task), "project": state.project, "written_at": state.written_at,
        "covers": state.covers, "sources": [asdict(log) for log in state.sources], "tokens": asdict(state.tokens),
        "omitted": state.omitted, "paths": list(paths), "items": items,
    }  # fmt: skip


def _read(data: dict[str, Any]) -> State:
    first, last = data["covers"]
    decisions, facts, artifacts, opened = data["omitted"]
    return State(
        schema=data["schema"],
        task=TaskName(**data["task"]),
        project=data["project"],
        written_at=data["written_at"],
        covers=(first, last),
        sources=tuple(SourceLog(**log) for log in data["sources"]),
        tokens=TokenCounts(**data["tokens"]),
        items=tuple(_items(data["items"], data["paths"])),
        omitted=(decisions, facts, artifacts, opened),
    )


def _items(rows: list[Any], paths: list[str]) -> Iterator[Item]:
    kinds = {str(one): one for one in Kind}
    roles = {str(one): one for one in Role}
    states = {str(one): one for one in Status}
    for row in rows:
        name, kind, text, at, first_at, role, confidence, rule, tags, sources, supersedes, by, status = row
        places = [Source(path=paths[number], record=record, quote=quote) for number, record, quote in sources]
        yield Item(
            id=name, kind=kinds[kind], text=text, at=at, first_at=first_at, role=roles[role], confidence=confidence,
            rule=rule, tags=tuple(tags), sources=tuple(places), supersedes=tuple(supersedes), by=by,
            status=states[status],
        )
