"""The parts of the README that show the layered context: what its recipe prints, line by line."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.golden.samples import ROOT, run

README = ROOT.parent / "README.md"
_RECIPE = re.compile(r"<!-- run: context -->\n+```sh\n(.*?)```", re.DOTALL)


def steps(folder: Path) -> Iterator[tuple[list[str], str]]:
    """Every command of the recipe, run in `folder`, with what it prints."""
    found = _RECIPE.search(README.read_text(encoding="utf-8"))
    assert found
    for line in found[1].replace("\\\n", " ").split("\n"):
        if line.strip():
            _, *words = shlex.split(line)
            ran = run(*words, folder=folder)
            assert ran.code == 0, (line, ran.err)
            yield words, ran.out.decode()


def printed(command: str) -> str:
    """What the recipe's `distill context COMMAND` prints, as a fenced block."""
    with tempfile.TemporaryDirectory() as folder:
        (text,) = [out for words, out in steps(Path(folder)) if words[1] == command]
    return f"```text\n{text.rstrip()}\n```\n"
