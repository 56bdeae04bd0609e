"""The one file that the layered context lives in: an SQLite database that several processes may use at once.

Rows go in and come out as plain tuples, by table and key. A command is one transaction: it is there whole or not at
all, also when its process is killed. What it changed is noted as it was before, so that it can be undone exactly. The
only door to sqlite3.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from distill.model import DistillError
from distill.store.contextschema import APART, APPLICATION, COLUMNS, MIGRATIONS, OPEN

if TYPE_CHECKING:
    from sqlite3 import Connection

Key = int | str
Row = tuple[int | str, ...]
Tables = dict[str, dict[Key, Row]]
Result = TypeVar("Result")

WAIT = 120.0  # seconds after which a store that others keep busy is an error
UNDONE = 200  # commands that can be undone
CARDS = 2000  # cards that are kept, the latest ones
_LATER = 0.005  # seconds between two tries where SQLite does not wait itself


class ContextDB:
    """The store at a path. It is opened for each call, so that an object may be kept as long as one likes.

    Every method raises DistillError where the file is missing, foreign, newer than this program, damaged, or busy for
    longer than `WAIT` seconds.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self) -> bool:
        """Make the file and its folder, or bring an older one up to date; whether it is new."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DistillError(f"{self.path.parent}: cannot be made: {error.strerror or error}") from error
        fresh = not self.path.exists()
        self._patient(lambda: self._created())
        return fresh

    def read(self, *, whole: bool = False) -> Tables:
        """All rows but those of finished tasks and memories; with `whole` these too."""

        def look(base: Connection) -> Tables:
            return _load(base, whole)

        return self._inside(look)

    def change(
        self, command: str, at: str, act: Callable[[Tables], tuple[Tables, Result]], *, whole: bool = False
    ) -> Result:
        """Let `act` make new rows of those that `read` gives, write what differs, and give what else `act` says.

        `act` may be called again where the store was busy; it sees what stands there then. What it raises leaves the
        store as it was.
        """

        def run(base: Connection) -> Result:
            before = _load(base, whole)
            after, result = act(before)
            note = _write(base, before, after)
            if note:
                base.execute("INSERT INTO journal (at, command, before) VALUES (?, ?, ?)",
                             (at, command, json.dumps(note, ensure_ascii=False)))
                base.execute("DELETE FROM journal WHERE id <= (SELECT max(id) FROM journal) - ?", (UNDONE,))
            return result

        return self._inside(run, writes=True)

    def undo(self) -> tuple[str, str]:
        """Put back what the last command changed; that command and its time. DistillError where there is none."""

        def run(base: Connection) -> tuple[str, str]:
            found = base.execute("SELECT id, at, command, before FROM journal ORDER BY id DESC LIMIT 1").fetchone()
            if found is None:
                raise DistillError("there is nothing to undo")
            number, at, command, before = found
            for table, key, row in json.loads(before):
                _put(base, table, key, row)
            base.execute("DELETE FROM journal WHERE id = ?", (number,))
            return str(command), str(at)

        return self._inside(run, writes=True)

    def search(self, words: Sequence[str], most: int = 50) -> tuple[list[Row], dict[str, int], int]:
        """The memories that hold one of `words`, the likeliest first; how many hold each word; how many there are."""

        def look(base: Connection) -> tuple[list[Row], dict[str, int], int]:
            (total,) = base.execute("SELECT count(*) FROM memory").fetchone()
            asked = {word: '"' + word.replace('"', '""') + '"' for word in words if word.strip()}
            if not asked or not total:
                return [], {}, int(total)
            columns = ", ".join(f"memory.{name}" for name in COLUMNS["memory"])
            found = base.execute(
                f"SELECT {columns} FROM memory_index JOIN memory ON memory.id = memory_index.rowid "
                "WHERE memory_index MATCH ? ORDER BY bm25(memory_index), memory.id DESC LIMIT ?",
                (" OR ".join(asked.values()), most),
            ).fetchall()
            count = "SELECT count(*) FROM memory_index WHERE memory_index MATCH ?"
            rarity = {word: int(base.execute(count, (one,)).fetchone()[0]) for word, one in asked.items()}
            return found, rarity, int(total)

        return self._inside(look)

    def keep_cards(self, cards: Sequence[tuple[str, str, str]]) -> int:
        """Keep cards of a session, as (log, name, value), in the place of those with that log and name; how many there
        are then."""

        def run(base: Connection) -> int:
            base.executemany("DELETE FROM card WHERE log = ? AND name = ?", [card[:2] for card in cards])
            base.executemany("INSERT INTO card (log, name, value) VALUES (?, ?, ?)", cards)
            base.execute("DELETE FROM card WHERE id <= (SELECT max(id) FROM card) - ?", (CARDS,))
            return int(base.execute("SELECT count(*) FROM card").fetchone()[0])

        return self._inside(run, writes=True)

    def cards(self) -> list[str]:
        """The values of the cards that are kept, oldest first."""
        return self._inside(lambda base: [str(value) for value, in base.execute("SELECT value FROM card ORDER BY id")])

    def dump(self) -> dict[str, list[list[Any]]]:
        """Every row of every table, the notes for undoing among them, in the order of their keys."""

        def look(base: Connection) -> dict[str, list[list[Any]]]:
            return {table: [list(row) for row in base.execute(
                        f"SELECT {', '.join(columns)} FROM {table} ORDER BY {columns[0]}")]
                    for table, columns in COLUMNS.items()}  # fmt: skip

        return self._inside(look)

    def restore(self, tables: Mapping[str, Sequence[Sequence[Any]]], *, over: bool = False) -> None:
        """Write what `dump` gave; with `over` in the place of what stands there, else only into an empty store."""

        def run(base: Connection) -> None:
            held = [name for name in COLUMNS if name != "meta"
                    and base.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()]
            if held and not over:
                raise DistillError(f"{self.path}: is not empty: import into a new store, or replace this one with "
                                   "--replace")
            for name, columns in COLUMNS.items():
                base.execute(f"DELETE FROM {name}")
                marks = ", ".join("?" * len(columns))
                base.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", tables.get(name, ()))

        self._inside(run, writes=True)

    # -- connections --------------------------------------------------------------------------------------------------

    def _inside(self, act: Callable[[Connection], Result], *, writes: bool = False) -> Result:
        """What `act` gives in one transaction, which is written only if it comes to an end."""

        def run() -> Result:
            with closing(self._opened()) as base, _transaction(base, writes):
                return act(base)

        return self._patient(run)

    def _opened(self) -> Connection:
        import sqlite3

        if not self.path.is_file():
            raise DistillError(f"{self.path}: no context here: make one with distill context init")
        base = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=rw", uri=True, timeout=WAIT, isolation_level=None)
        try:
            base.execute("PRAGMA synchronous = NORMAL")
            version = self._version(base)
            if version < len(MIGRATIONS):
                self._upgrade(base)
        except BaseException:
            base.close()
            raise
        return base

    def _created(self) -> None:
        import sqlite3

        with closing(sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)) as base:
            empty = not base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
            if not empty:
                self._version(base)
            base.execute("PRAGMA journal_mode = WAL")
            self._upgrade(base)

    def _version(self, base: Connection) -> int:
        (mark,) = base.execute("PRAGMA application_id").fetchone()
        if mark != APPLICATION:
            raise DistillError(f"{self.path}: is another program's database, not a context store, and is left alone")
        (version,) = base.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise DistillError(f"{self.path}: was written by a newer distill (schema {version}, this one knows "
                               f"{len(MIGRATIONS)}): update distill")
        return int(version)

    def _upgrade(self, base: Connection) -> None:
        """Bring the store up to the present schema, one step a version; another process may have done it meanwhile."""
        with _transaction(base, writes=True):
            (version,) = base.execute("PRAGMA user_version").fetchone()
            for number in range(version, len(MIGRATIONS)):
                MIGRATIONS[number](base)
            base.execute(f"PRAGMA application_id = {APPLICATION}")
            base.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _patient(self, act: Callable[[], Result]) -> Result:
        """What `act` gives, tried again while others keep the store busy; errors of SQLite as one line."""
        import sqlite3

        until = time.monotonic() + WAIT
        while True:
            try:
                return act()
            except sqlite3.Error as error:
                busy = isinstance(error, sqlite3.OperationalError) and any(
                    word in str(error) for word in ("locked", "busy"))
                if not busy or time.monotonic() > until:
                    raise DistillError(_said(self.path, error, busy)) from error
            time.sleep(_LATER)


@contextmanager
def _transaction(base: Connection, writes: bool) -> Iterator[None]:
    base.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        with suppress(Exception):
            base.execute("ROLLBACK")
        raise


def _said(path: Path, error: Exception, busy: bool) -> str:
    what = " ".join(str(error).split())
    if busy:
        return f"{path}: other processes have kept it busy for {WAIT:g} seconds: try again"
    if "not a database" in what:
        return f"{path}: is not a context store and is left alone"
    if "readonly" in what or "unable to open" in what:
        return f"{path}: cannot be written: {what} (the file and its folder must be writable)"
    return f"{path}: is damaged ({what}): import an export of it into a new store"


# -- rows -------------------------------------------------------------------------------------------------------------


def _load(base: Connection, whole: bool) -> Tables:
    tables: Tables = {}
    for table, columns in COLUMNS.items():
        if table in APART:
            continue
        limit = "" if whole else OPEN.get(table, "")
        rows = base.execute(f"SELECT {', '.join(columns)} FROM {table} {limit}")
        tables[table] = {row[0]: row for row in rows}
    return tables


def _write(base: Connection, before: Tables, after: Tables) -> list[list[Any]]:
    """Write what differs; the rows as they were, for the journal."""
    note: list[list[Any]] = []
    for table in before:
        old, new = before[table], after.get(table, {})
        for key in [key for key in old if key not in new]:
            _put(base, table, key, None)
            note.append([table, key, old[key]])
        for key, row in new.items():
            if old.get(key) != row:
                _put(base, table, key, row)
                note.append([table, key, old.get(key)])
    return note


def _put(base: Connection, table: str, key: Key, row: Sequence[Any] | None) -> None:
    """Make the row with this key what is given, None for none."""
    columns = COLUMNS[table]
    base.execute(f"DELETE FROM {table} WHERE {columns[0]} = ?", (key,))
    if row is not None:
        marks = ", ".join("?" * len(columns))
        base.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", tuple(row))
