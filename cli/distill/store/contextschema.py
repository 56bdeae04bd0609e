"""The tables of the context store, and one function for every version of its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Connection(Protocol):
    """What a step needs of a connection."""

    def execute(self, sql: str, /) -> object:
        """Run one statement."""


APPLICATION = 0x44535443  # "DSTC", by which a store is known
#: The columns of every table; the first is the key.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "meta": ("name", "value"),
    "rule": ("id", "strength", "name", "text", "at"),
    "domain": ("name", "text", "at"),
    "task": ("id", "title", "status", "parent", "domain", "began", "touched", "place"),
    "entry": ("id", "task", "sort", "name", "text", "standing", "at", "origin"),
    "memory": ("id", "task", "title", "summary", "topics", "words", "at"),
    "card": ("id", "log", "name", "value"),
    "journal": ("id", "at", "command", "before"),
}
#: The tables that no command on the layers reads or writes.
APART = frozenset(["card", "journal"])
#: What is left out of a table where only work in progress is asked for.
OPEN: Mapping[str, str] = {
    "task": "WHERE status <> 'completed'",
    "entry": "WHERE task IN (SELECT id FROM task WHERE status <> 'completed')",
    "memory": "WHERE 0",
}


def _first(base: Connection) -> None:
    """Version 1. The index of the memories is kept up by triggers, so that undoing a command undoes it there too."""
    for statement in (
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE rule (id INTEGER PRIMARY KEY, strength TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,"
        " at TEXT NOT NULL)",
        "CREATE TABLE domain (name TEXT PRIMARY KEY, text TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT NOT NULL, status TEXT NOT NULL, parent INTEGER NOT NULL,"
        " domain TEXT NOT NULL, began TEXT NOT NULL, touched TEXT NOT NULL, place INTEGER NOT NULL)",
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, task INTEGER NOT NULL, sort TEXT NOT NULL, name TEXT NOT NULL,"
        " text TEXT NOT NULL, standing TEXT NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL)",
        "CREATE INDEX entry_task ON entry (task)",
        "CREATE TABLE memory (id INTEGER PRIMARY KEY, task INTEGER NOT NULL, title TEXT NOT NULL,"
        " summary TEXT NOT NULL, topics TEXT NOT NULL, words TEXT NOT NULL, at TEXT NOT NULL)",
        "CREATE TABLE journal (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, command TEXT NOT NULL,"
        " before TEXT NOT NULL)",
        "CREATE VIRTUAL TABLE memory_index USING fts5 (words, content = 'memory', content_rowid = 'id',"
        " tokenize = 'unicode61 remove_diacritics 0')",
        "CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN"
        " INSERT INTO memory_index (rowid, words) VALUES (new.id, new.words); END",
        "CREATE TRIGGER memory_gone AFTER DELETE ON memory BEGIN"
        " INSERT INTO memory_index (memory_index, rowid, words) VALUES ('delete', old.id, old.words); END",
    ):
        base.execute(statement)


def _second(base: Connection) -> None:
    """Version 2. The cards of finished sessions, each by the log and the name that it has there."""
    base.execute("CREATE TABLE card (id INTEGER PRIMARY KEY, log TEXT NOT NULL, name TEXT NOT NULL,"
                 " value TEXT NOT NULL, UNIQUE (log, name))")


#: From each version of the schema (0 is an empty file) the function that makes the next one of it.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_first, _second)
