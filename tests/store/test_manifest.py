"""The manifest of a batch: what was put into it is there again, whatever became of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from distill.model import Start
from distill.model.summary import Summary
from distill.store.folder import LocalFolder
from distill.store.manifest import FILE, Known, Manifest, Row, opened
from distill.store.progress import Mark

START = Start(format="codex", offset=9, record=3, since=4, known=5, memory={"seen": [1, "二"]})


def row(number: int, key: str = "k") -> Row:
    log = Known(name=f"日志/{number}.jsonl", size=0, stamp="1 2 3", sha256="ab", project="/w/前端", time="2026",
                mark=Mark(size=10, check="c", start=START))
    summary = Summary(project="/w/前端", counts=(1, 2, 3, 4), open=("待办：发周报",),
                      covers=(None, "2026-03-02T09:00:00Z"))
    return Row(state=f"states/{number}.md", key=key, logs=(log,), made="aa", stamp="1 2", summary=summary,
               notes=("x: 1 x y at 3",))


@pytest.fixture
def folder(tmp_path: Path) -> LocalFolder:
    return LocalFolder(str(tmp_path / "out"))


def test_rows_come_back_as_they_were(folder: LocalFolder) -> None:
    failed = Row(state="states/b.md", key="k", logs=(Known(name="b", size=3, stamp="", sha256="", why="empty"),))
    with opened(folder) as manifest:
        manifest.put(row(1))
        manifest.put(failed)
        manifest.put(row(1, key="later"))
    assert Manifest(folder).rows == {"states/1.md": row(1, key="later"), "states/b.md": failed}
    with opened(folder) as manifest:
        manifest.drop("states/b.md")
    assert list(Manifest(folder).rows) == ["states/1.md"]


@pytest.mark.parametrize("damage", [b'{"version": 1, "state": "states/9', b"\xff\xfe\n", b"[]\n", b"\n\n",
                                    b'{"version":7}\n',
                                    b'{"version":1,"state":"s","key":"k","logs":[{}],"made":"","notes":[]}\n'])
def test_lines_that_are_damaged_cost_only_themselves(folder: LocalFolder, damage: bytes) -> None:
    with opened(folder) as manifest:
        manifest.put(row(1))
    with folder.local(FILE).open("ab") as stream:
        stream.write(damage)
    assert Manifest(folder).rows == {"states/1.md": row(1)}
    with opened(folder) as manifest:
        manifest.put(row(2))
        manifest.put(row(3))
    assert Manifest(folder).rows == {f"states/{number}.md": row(number) for number in (1, 2, 3)}


def test_it_does_not_grow_without_end(folder: LocalFolder) -> None:
    for _ in range(5):
        with opened(folder) as manifest:
            for _ in range(50):
                manifest.put(row(1))
    assert len(folder.local(FILE).read_bytes().splitlines()) < 200
    assert Manifest(folder).rows == {"states/1.md": row(1)}


def test_nothing_is_written_where_nothing_was_done(folder: LocalFolder) -> None:
    with opened(folder):
        pass
    assert not Path(folder.where).exists()


def test_folders_that_are_empty_go_with_their_last_file(folder: LocalFolder) -> None:
    folder.write("states/a/b/c.md", "x")
    folder.write("states/a/d.md", "x")
    folder.remove("states/a/b/c.md")
    assert list(folder.files("states")) == ["states/a/d.md"]
    assert folder.files("states")["states/a/d.md"] == folder.stamp("states/a/d.md") != ""
    assert folder.stamp("states/a/b/c.md") == ""
    assert not folder.local("states/a/b").exists()
    folder.remove("states/a/d.md")
    assert Path(folder.where).is_dir()
    assert folder.read("states/a/d.md") is None
