"""The library of cards: those of finished sessions, one a line, in `.distill/cards.jsonl`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from distill.model import DistillError
from distill.store.files import read_text, write_atomic
from distill.store.lock import locked

VERSION = 1
MOST = 2000  # cards that are kept, the latest ones
FOLDER, FILE = ".distill", "cards.jsonl"


def library_path(place: Path) -> Path:
    """The library that belongs to a folder: in DISTILL_HOME, else in the nearest `.distill` above, else in its own."""
    if home := os.environ.get("DISTILL_HOME"):
        return Path(home) / FILE
    near = next((folder / FOLDER for folder in (place, *place.parents) if (folder / FOLDER).is_dir()), place / FOLDER)
    return near / FILE


def load_cards(path: Path) -> list[dict[str, Any]]:
    """The cards as plain data, oldest first; none where there is no library.

    Raises DistillError with file and line where it cannot be read, or was written by a later version.
    """
    if not path.is_file():
        return []
    found = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            version, card = row["version"], row["card"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DistillError(f"{path}:{number}: not a card: remove the line") from None
        if version != VERSION:
            raise DistillError(f"{path}:{number}: a card of version {version!r}, this distill reads {VERSION}")
        found.append(card)
    return found


def keep_cards(path: Path, cards: Sequence[Mapping[str, Any]], waiting: Any = lambda: None) -> int:
    """Add cards to the library, those of the same log and name in place of older ones; how many it then holds.

    Several processes may do so at once. Raises DistillError where it cannot be written.
    """
    try:
        fresh = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:  # words of private talks
            (path.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise DistillError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
    with locked(path, waiting=waiting):
        rows = {(card.get("log"), card["id"]): card for card in load_cards(path)}
        for card in cards:
            key = card.get("log"), card["id"]
            rows.pop(key, None)
            rows[key] = dict(card)
        kept = list(rows.values())[-MOST:]
        lines = [json.dumps({"version": VERSION, "card": card}, ensure_ascii=False) for card in kept]
        write_atomic(path, "\n".join(lines) + "\n")
    return len(kept)
