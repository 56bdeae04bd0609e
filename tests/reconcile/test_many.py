"""Many conclusions: every one is shown or counted as left out, and twice as many cost twice the work."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import distill.classify.judge as judging
from distill.model import Kind
from distill.pipeline import Options, distil


def words() -> Iterator[str]:
    return ("".join(letters) for letters in product("hjwx", "aei", "bdg", "ou", "lmn", "aeiou", "rst"))


def written(folder: Path, count: int) -> str:
    """A log without speakers, of `count` decisions on different things."""
    log, word = folder / f"{count}.txt", words()
    log.write_text("".join(f"Decided: {next(word)} gets {next(word)} from {next(word)}.\n" for _ in range(count)))
    return str(log)


def test_every_decision_is_shown(tmp_path: Path) -> None:
    state = distil([written(tmp_path, 1020)], Options())
    assert (len(state.live(Kind.DECISION)), state.omitted) == (1020, (0, 0, 0, 0))


@pytest.mark.parametrize("budget", [None, 300])
def test_what_is_not_kept_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, budget: int | None) -> None:
    monkeypatch.setattr(judging, "SURE", 30)
    state = distil([written(tmp_path, 50)], Options(budget=budget))
    shown = len(state.live(Kind.DECISION))
    assert 0 < shown <= 30
    assert shown + state.omitted[0] == 50
    assert state.omitted[1:] == (0, 0, 0)
