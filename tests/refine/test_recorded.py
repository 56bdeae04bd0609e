"""What a strong model adds: answers that were written by hand from the prompts alone, played to the pass."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from distill.evaluate.score import figures
from distill.model import Role, Status
from distill.pipeline import Options, distil
from distill.refine.asking import Asker, Limits
from distill.refine.command import CommandModel
from distill.refine.second import SecondPass
from tests.cli.tool import NOW, Tool
from tests.refine.__main__ import scored
from tests.refine.recorded import NOTHING, answer

HERE = Path(__file__).resolve().parent
LOGS = [HERE.parent / "labelled" / folder.name for folder in sorted((HERE / "answers").iterdir())]
LINE = '"{}" "{}" "{}"'


def played(log: Path) -> str:
    """The command that plays the answers to a log."""
    return LINE.format(sys.executable, HERE / "recorded.py", HERE / "answers" / log.name)


def second(log: Path) -> SecondPass:
    """A pass that hears the answers to a log."""
    return SecondPass(Asker(CommandModel(played(log)), Limits()), Limits())


def test_there_is_one_log_in_each_language() -> None:
    assert [log.name[:2] for log in LOGS] == ["en", "zh"]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_good_answers_make_a_state_better(log: Path) -> None:
    assert figures([scored(log, second(log))]).macro_f1 > figures([scored(log)]).macro_f1 + 0.01


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_nothing_of_the_users_is_lost(log: Path) -> None:
    alone = distil([str(log)], Options())
    after = {item.id: item for item in distil([str(log)], Options(second=second(log))).items}
    users = [item for item in alone.items if item.role is Role.USER and item.status is Status.LIVE]
    assert len(users) > 10
    for item in users:
        now = after[item.id]
        if now.status is not Status.LIVE:  # said more clearly, not dropped
            assert now.by is not None
            anew = after[now.by]
            assert anew.status is Status.LIVE
            assert {source.record for source in item.sources} <= {source.record for source in anew.sources}


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_a_second_run_asks_nobody_and_says_the_same(log: Path, tmp_path: Path) -> None:
    tool = Tool(tmp_path)
    words = (str(log), "--now", NOW, "--llm-cmd", played(log))
    first, again = tool(*words), tool(*words)
    assert "second pass: 1 call, " in first.closing
    assert "second pass: 0 calls and 1 kept answer, " in again.closing
    assert again.out == first.out != tool(str(log), "--now", NOW).out


def test_a_prompt_without_an_answer_is_kept_for_somebody_to_answer(tmp_path: Path) -> None:
    prompt = "Items:\n(none)\nTranscript:\n> [4] user: The queue runs on port 5672.\n"
    assert answer(tmp_path, prompt) == NOTHING
    assert (tmp_path / "01.txt").read_text(encoding="utf-8") == prompt
    told = '{"items": [{"kind": "fact", "text": "t", "record": 4, "quote": "q", "id": ""}], "drop": []}'
    (tmp_path / "01.json").write_text(told, encoding="utf-8")
    assert answer(tmp_path, prompt) == told
    assert answer(tmp_path, prompt.replace("[4]", "[5]")) == NOTHING
