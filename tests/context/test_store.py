"""The store keeps every command whole, whoever writes beside it and however it ends, and refuses foreign files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from distill.context.rows import COLUMNS as FIELDS
from distill.context.rows import NOUNS
from distill.layered import FILE, FOLDER, Context, home_of
from distill.model import DistillError
from distill.store import contextschema
from distill.store.contextdb import ContextDB
from tests.cli.tool import environment

WRITER = """
import sys
from distill.layered import Context
context = Context.find(sys.argv[1])
for number in range(int(sys.argv[3])):
    context.set(f"{sys.argv[2]}-{number}", str(number))
    print(number, flush=True)
"""


def writers(folder: Path, processes: int, commands: int) -> list[subprocess.Popen[bytes]]:
    return [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), f"p{one}", str(commands)], env=environment(),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for one in range(processes)
    ]  # fmt: skip


def opened(path: Path) -> Any:
    """The file as SQLite sees it, to look behind the store."""
    import sqlite3

    return closing(sqlite3.connect(path, isolation_level=None))


def names(context: Context) -> set[str]:
    return {one.name for one in context.desk().entries}


def test_the_columns_are_the_fields() -> None:
    for name, noun in NOUNS.items():
        assert contextschema.COLUMNS[name] == FIELDS[name] == tuple(one.name for one in fields(noun))


def test_no_write_is_lost_among_processes(tmp_path: Path) -> None:
    context = Context.init(tmp_path)
    context.start("One store, several writers")
    commands = int(os.environ.get("CONTEXT_COMMANDS", "25"))
    running = writers(tmp_path, 4, commands)
    errors = [one.communicate(timeout=900)[1] for one in running]
    assert [(one.returncode, error) for one, error in zip(running, errors, strict=True)] == [(0, b"")] * 4
    assert names(context) == {f"p{one}-{number}" for one in range(4) for number in range(commands)}
    ids = [one.id for one in context.desk().entries]
    assert len(ids) == len(set(ids))
    with opened(context.store.path) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
def test_a_killed_process_loses_at_most_the_command_under_way(tmp_path: Path) -> None:
    context = Context.init(tmp_path)
    context.start("To be killed")
    for attempt in range(3):
        (running,) = writers(tmp_path, 1, 10_000)
        assert running.stdout
        told = [running.stdout.readline() for _ in range(3 + attempt)]
        time.sleep(0.01 * attempt)
        running.send_signal(signal.SIGKILL)
        told += running.stdout.read().splitlines()
        running.wait()
        count = len([line for line in told if line.strip()])
        there = len([name for name in names(context) if name.startswith("p0-")])
        assert count <= there <= count + 1
        context.undo()
        assert len(names(context)) == there - 1
        context.start(f"Again {attempt}")


def test_several_processes_may_make_it_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from distill.layered import Context\n"
        "Context.init(sys.argv[1]).add_rule('one', name=sys.argv[2])"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), f"n{one}"], env=environment(),
                                stderr=subprocess.PIPE) for one in range(4)]
    assert [one.communicate(timeout=120)[1] for one in running] == [b""] * 4
    assert {rule.name for rule in Context.find(tmp_path).desk().rules} == {"n0", "n1", "n2", "n3"}


@pytest.mark.parametrize("content", [b"notes, not a database\n" * 90, b"\0" * 4096])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / FOLDER / FILE
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(DistillError, match="left alone"):
        Context.init(tmp_path)
    with pytest.raises(DistillError, match="left alone"):
        Context.find(tmp_path).start("x")
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FOLDER / FILE
    path.parent.mkdir()
    with opened(path) as base:
        base.execute("CREATE TABLE recipe (name TEXT)")
    before = path.read_bytes()
    for act in (lambda: Context.init(tmp_path), lambda: Context.find(tmp_path).desk()):
        with pytest.raises(DistillError, match="another program's database"):
            act()
    assert path.read_bytes() == before


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    context = Context.init(tmp_path)
    with opened(context.store.path) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(DistillError, match="newer distill"):
        context.desk()


def test_an_older_store_is_brought_up_to_date_by_one_step_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Context.init(tmp_path)
    context.start("Older than the program")

    def third(base: contextschema.Connection) -> None:
        base.execute("UPDATE task SET title = title || '!'")

    monkeypatch.setattr("distill.store.contextdb.MIGRATIONS", (*contextschema.MIGRATIONS, third))
    assert [task.title for task in context.desk().tasks] == ["Older than the program!"]
    assert [task.title for task in context.desk().tasks] == ["Older than the program!"]


def test_a_store_of_the_first_version_can_keep_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as first:
        first.setattr("distill.store.contextdb.MIGRATIONS", contextschema.MIGRATIONS[:1])
        with pytest.raises(DistillError, match="no such table"):  # the first version knows no cards
            Context.init(tmp_path).store.keep_cards([("a.jsonl", "t1", "{}")])
    store = Context.find(tmp_path).store
    assert store.keep_cards([("a.jsonl", "t1", "{}"), ("a.jsonl", "t2", "{}")]) == 2
    assert store.keep_cards([("a.jsonl", "t1", "[]")]) == 2
    assert store.cards() == ["{}", "[]"]


def test_a_missing_store_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(DistillError, match="distill context init"):
        ContextDB(tmp_path / FILE).read()
    assert not (tmp_path / FILE).exists()


def test_a_project_is_found_from_below_and_the_variable_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Context.init(tmp_path)
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    Context.find(deep).start("Found from below")
    assert Context.find(tmp_path).desk().active
    monkeypatch.setenv("DISTILL_HOME", str(tmp_path / "elsewhere"))
    assert Context.init(deep).created
    assert Context.find(deep).desk().active is None
    assert (tmp_path / "elsewhere" / FILE).exists()


def test_what_fails_changes_nothing(tmp_path: Path) -> None:
    context = Context.init(tmp_path)
    context.start("Whole or not at all")
    before = context.store.dump()
    for act in (lambda: context.start("x", domain="none"), lambda: context.set("region", " "),
                lambda: context.unset("region"), lambda: context.drop_rule("g9"), lambda: context.resume("t7")):
        with pytest.raises(DistillError):
            act()
    assert context.store.dump() == before


def test_the_store_lies_in_the_folder_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISTILL_HOME", raising=False)
    below = tmp_path / "repository" / "src" / "boats"
    below.mkdir(parents=True)
    assert home_of(below) == below / FOLDER
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "repository" / ".git").mkdir()
    assert home_of(below) == below / FOLDER  # what lies above the repository is none of its own
    (tmp_path / "repository" / FOLDER).mkdir()
    assert home_of(below) == tmp_path / "repository" / FOLDER
    Context.init(below)
    assert home_of(below / "deep") == below / FOLDER
