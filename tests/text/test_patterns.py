"""Regular expressions are those of Python, whether they were compiled just now or kept by an earlier run."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from distill.text import kept

PATTERNS = [
    (r"\b(?P<verb>decided|agreed)\s+(?:on|to)\b", re.IGNORECASE, "We DECIDED to use tabs"),
    (r"决定(?P<what>[一-鿿]{2,8})", 0, "我们决定采用缓存方案"),
    (r"(?i:plan)|方案$", 0, "the PLAN"),
    (r"(\d+)(?:ms|秒)(?!\w)", re.ASCII, "it takes 40ms, 超时 30秒"),
]


@pytest.fixture
def patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module as a new process finds it, with a cache of its own."""
    monkeypatch.setenv("DISTILL_CACHE_DIR", str(tmp_path))
    yield from _fresh()


def _fresh() -> Iterator[ModuleType]:
    from distill.text import patterns

    kept_before, new = dict(patterns._made), dict(patterns._new)
    importlib.reload(patterns)
    yield patterns
    importlib.reload(patterns)
    patterns._made.update(kept_before)
    patterns._new.update(new)


def test_what_was_kept_finds_what_a_new_one_finds(patterns: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for pattern, flags, _ in PATTERNS:
        patterns.compiled(pattern, flags)
    patterns.keep()
    importlib.reload(patterns)
    monkeypatch.setattr(patterns, "_compile", lambda *_: pytest.fail("compiled again"))
    for pattern, flags, text in PATTERNS:
        mine, theirs = patterns.compiled(pattern, flags), re.compile(pattern, flags)
        assert (mine.pattern, mine.flags, mine.groups, dict(mine.groupindex)) == (
            theirs.pattern, theirs.flags, theirs.groups, dict(theirs.groupindex)
        )
        found = [(one.span(), one.groups(), one.groupdict()) for one in mine.finditer(text)]
        assert found == [(one.span(), one.groups(), one.groupdict()) for one in theirs.finditer(text)] != []


@pytest.mark.parametrize("body", [b"", b"no marshal", b"\xe9\x01\x00\x00\x00"])
def test_a_file_that_holds_something_else_is_written_anew(patterns: ModuleType, body: bytes) -> None:
    kept.write(patterns._name(), body, 9)
    assert patterns.compiled("a+b").search("xaab")
    patterns.keep()
    importlib.reload(patterns)
    patterns.compiled("a+b")
    assert ("a+b", 0) in patterns._made


def test_code_that_the_matcher_refuses_is_compiled_anew(patterns: ModuleType) -> None:
    patterns.compiled("a+b")
    flags, code, groups, index, names = patterns._new["a+b", 0]
    patterns._new["a+b", 0] = flags, code[:-8], groups, index, names
    assert patterns.compiled("a+b").search("xaab").span() == (1, 4)


def test_a_fault_in_a_pattern_is_told_as_ever(patterns: ModuleType) -> None:
    with pytest.raises(re.error):
        patterns.compiled("(")


def test_what_only_uses_the_library_to_count_leaves_no_file(tmp_path: Path) -> None:
    script = (
        "import os, sys\nos.environ['DISTILL_CACHE_DIR'] = sys.argv[1]\nfrom distill.text.patterns import compiled\n"
        "compiled('mark(?:s|ed)?', 2)"
    )
    subprocess.run([sys.executable, "-c", script, tmp_path], check=True)
    assert list(tmp_path.iterdir()) == []


def test_a_process_keeps_what_it_compiled_and_the_next_compiles_nothing(tmp_path: Path) -> None:
    script = (
        "import os, sys\nos.environ['DISTILL_CACHE_DIR'] = sys.argv[1]\nfrom distill.text import patterns\n"
        "patterns.keep_at_end()\npatterns.compiled('mark(?:s|ed)?', 2)\nprint(len(patterns._new))"
    )
    counts = [
        subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert counts == ["1\n", "0\n"]
