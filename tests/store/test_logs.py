"""Which logs are found under files, folders and globs, and by which names."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from distill.model import DistillError, InputError
from distill.store.logs import digest_of, find_logs


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for name in ("logs/b/two.jsonl", "logs/a/one.jsonl", "logs/三.md", "logs/.hidden/x.jsonl", "logs/.x",
                 "more/four.txt", "logs/a/build/five.log", "logs/distill.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def names(box: Path, *inputs: str, exclude: tuple[str, ...] = (), out: str = "") -> list[str]:
    with chdir(box):
        return [log.name for log in find_logs(inputs, exclude, out).logs]


def test_the_files_below_a_folder_in_a_fixed_order(box: Path) -> None:
    assert names(box, "logs") == ["a/build/five.log", "a/one.jsonl", "b/two.jsonl", "三.md"]
    assert names(box, "./logs/") == names(box, "logs") == names(box, str(box / "logs"))


def test_paths_are_shown_as_they_were_typed(box: Path) -> None:
    with chdir(box / "logs"):
        assert [log.path for log in find_logs(["a"]).logs] == ["a/build/five.log", "a/one.jsonl"]
        assert find_logs(["."]).logs[1].path == "a/one.jsonl"
    assert find_logs([str(box / "more")]).logs[0].path == str(box / "more/four.txt")


def test_names_are_relative_to_what_all_inputs_share(box: Path) -> None:
    assert names(box, "logs/a", "more") == ["logs/a/build/five.log", "logs/a/one.jsonl", "more/four.txt"]
    assert names(box, "logs/a/one.jsonl", "logs/b/two.jsonl") == ["a/one.jsonl", "b/two.jsonl"]
    assert names(box, "logs/a/one.jsonl") == ["one.jsonl"]
    assert names(box, "logs", "logs/a/one.jsonl") == names(box, "logs")


def test_globs(box: Path) -> None:
    assert names(box, "logs/**/*.jsonl") == ["a/one.jsonl", "b/two.jsonl"]
    assert names(box, "logs/*/*.jsonl", exclude=("b/",)) == ["a/one.jsonl"]
    with pytest.raises(InputError, match=r"logs/\*\.txt: matches nothing"):
        names(box, "logs/*.txt")
    (box / "logs/[1].txt").write_text("a name with signs of a glob")
    assert names(box, "logs/[1].txt") == ["[1].txt"]


@pytest.mark.parametrize(("patterns", "left"), [
    (("build/",), ["a/one.jsonl", "b/two.jsonl", "三.md"]),
    (("*.jsonl",), ["a/build/five.log", "三.md"]),
    (("/a/*.jsonl",), ["a/build/five.log", "b/two.jsonl", "三.md"]),
    (("*", "!三.md"), ["三.md"]),
    (("a/**",), ["b/two.jsonl", "三.md"]),
])
def test_excludes_are_read_as_git_reads_them(box: Path, patterns: tuple[str, ...], left: list[str]) -> None:
    assert names(box, "logs", exclude=patterns) == left
    (box / "logs/.distillignore").write_text("\n".join(["# not these", *patterns, ""]))
    assert names(box, "logs") == left


def test_patterns_further_in_have_the_last_word_but_not_over_the_command_line(box: Path) -> None:
    (box / "logs/.distillignore").write_text("*.jsonl\n")
    (box / "logs/a/.distillignore").write_text("!one.jsonl\nbuild\n")
    assert names(box, "logs") == ["a/one.jsonl", "三.md"]
    assert names(box, "logs", exclude=("one.jsonl",)) == ["三.md"]


def test_a_bad_pattern_names_where_it_stands(box: Path) -> None:
    with pytest.raises(DistillError, match="--exclude: "):
        names(box, "logs", exclude=("!",))


def test_the_folder_that_is_written_to_is_passed_over(box: Path) -> None:
    assert names(box, "logs", out="logs/a") == ["b/two.jsonl", "三.md"]
    with pytest.raises(DistillError, match="lies in the folder that is written to"):
        names(box, "logs/a", out="logs")


def test_links_to_folders_are_not_followed(box: Path) -> None:
    (box / "logs/b/loop").symlink_to(box / "logs")
    (box / "logs/b/link.jsonl").symlink_to(box / "more/four.txt")
    (box / "logs/b/dead.jsonl").symlink_to(box / "nowhere")
    assert names(box, "logs/b") == ["link.jsonl", "two.jsonl"]


def test_a_folder_that_cannot_be_looked_into_is_told(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    scan = os.scandir

    def shut(path: str) -> object:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("distill.store.logs.os.scandir", shut)
    with chdir(box):
        found = find_logs(["logs"])
    assert found.problems == ["logs/b: cannot be looked into: Permission denied"]
    assert "a/one.jsonl" in [log.name for log in found.logs]


def test_stamps_change_with_the_file(box: Path) -> None:
    path = box / "more/four.txt"
    before = find_logs([str(path)]).logs[0]
    path.write_text("more/five.txt")
    after = find_logs([str(path)]).logs[0]
    assert (before.size, before.stamp != after.stamp) == (after.size, True)
    assert len(digest_of(str(path))) == 64
    assert digest_of(str(box / "none")) == ""
