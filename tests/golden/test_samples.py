"""The golden states of the samples, and laws that hold for every sample."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from distill.model import SECTIONS, Item, Kind, State, Status
from distill.pipeline import Account, Options, distil, heading_language, rendered
from distill.render.contract import list_of
from distill.render.outputs import parse_state
from distill.text.clean import clean
from distill.text.tokens import counter
from tests.golden.samples import NOW, Sample, all_samples, run

SAMPLES = all_samples()
BUDGETS = (120, 300, 1000)
CUTS = 8  # truncated copies of each log

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample.name))
each_budget = pytest.mark.parametrize("budget", BUDGETS)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISTILL_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


_STATES: dict[str, State] = {}


def state_of(sample: Sample) -> State:
    """The whole state of a sample, made once."""
    if sample.name not in _STATES:
        with chdir(sample.folder):
            _STATES[sample.name] = distil([sample.log], Options(now=NOW), account=Account())
    return _STATES[sample.name]


# -- golden files ------------------------------------------------------------------------------------------------------


def test_there_are_samples_of_several_programs_in_both_languages() -> None:
    assert {state_of(sample).sources[0].format for sample in SAMPLES} >= {
        "aider", "claude-code", "codex", "gemini", "openai-messages", "specstory", "text",
    }
    languages = {heading_language(state_of(sample), "auto") for sample in SAMPLES}
    assert languages == {"en", "zh"}


@each_sample
def test_golden(sample: Sample) -> None:
    """What distill makes now is what lies in the folder (`python -m tests.golden.update` rewrites it)."""
    for name, arguments in sample.golden.items():
        ran = run(*arguments, folder=sample.folder)
        assert (ran.code, ran.err) == (sample.code, "")
        assert ran.out == (sample.folder / name).read_bytes(), f"{name} is not what distill makes now"


@each_sample
def test_another_process_gives_the_same_bytes(sample: Sample) -> None:
    """Nothing hangs on the order of hashes, on memory or on the terminal."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DISTILL_")}
    environment |= {"DISTILL_CACHE_DIR": os.environ["DISTILL_CACHE_DIR"], "PYTHONHASHSEED": "1"}
    arguments = [sys.executable, "-m", "distill", *sample.golden["state.md"]]
    ran = subprocess.run(arguments, cwd=sample.folder, env=environment, capture_output=True)
    assert (ran.returncode, ran.stderr) == (sample.code, b"")
    assert ran.stdout == run(*sample.golden["state.md"], folder=sample.folder).out


def test_the_plainest_sample_is_told_apart_line_by_line() -> None:
    """Thirteen lines: one fact, three decisions (one of them bears the mark of a fact), two artifacts, two to-dos; the
    other five tell of the work.
    """
    (sample,) = [one for one in SAMPLES if one.name == "text-zh"]
    state = state_of(sample)
    assert state.sources[0].records == 13
    found = {kind: {item.sources[0].record for item in state.live(kind)} for kind in Kind}
    assert found == {Kind.DECISION: {2, 6, 8}, Kind.FACT: {5}, Kind.ARTIFACT: {9, 11}, Kind.OPEN: {12, 13}}
    lines = (sample.folder / "compact.txt").read_text(encoding="utf-8").splitlines()
    starts = ["【已确认事实】", "【已定决策】", "【已有产物】", "【待办】"]
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=True)] == starts


def test_a_damaged_log_costs_only_what_is_damaged() -> None:
    (sample,) = [one for one in SAMPLES if one.is_broken]
    ran = run(sample.log, "--now", NOW, folder=sample.folder)
    assert ran.code == 4
    assert "2 x invalid JSON at 6, 20" in ran.err
    assert "20 records, 2 skipped" in ran.err
    strict = run(sample.log, "--now", NOW, "--strict", folder=sample.folder)
    assert (strict.code, strict.out) == (4, b"")


# -- laws --------------------------------------------------------------------------------------------------------------


@each_sample
def test_twice_gives_the_same(sample: Sample) -> None:
    first = run(sample.log, "--now", NOW, folder=sample.folder)
    assert first.code == sample.code
    assert first == run(sample.log, "--now", NOW, folder=sample.folder)


@each_sample
@pytest.mark.parametrize("language", ["en", "zh"])
def test_render_then_parse_gives_the_state_back(sample: Sample, language: str) -> None:
    state = state_of(sample)
    assert parse_state(rendered(state, "md", language), "state.md") == state
    for form in ("json", "yaml"):
        assert by_list(parse_state(rendered(state, form, language), f"state.{form}")) == by_list(state)


@each_sample
def test_every_quote_stands_in_its_record(sample: Sample) -> None:
    records = records_of(sample)
    for item in state_of(sample).items:
        assert item.sources, item
        for source in item.sources:
            assert source.path == sample.log
            assert 1 <= source.record <= len(records), item
            assert source.quote
            assert "\n" not in source.quote
            assert any(source.quote in text for text in records[source.record - 1]), (source, item.text)


@each_sample
@each_budget
def test_a_budget_is_never_passed_and_every_form_holds_the_same_items(sample: Sample, budget: int) -> None:
    count = counter("o200k_base").count
    whole = state_of(sample)
    text, data = (
        run(sample.log, "--now", NOW, "-q", "--budget", str(budget), "-f", form, folder=sample.folder).out.decode()
        for form in ("md", "json")
    )
    assert 0 < count(sections(text)) <= budget
    cut = parse_state(text, "state.md")
    assert by_list(cut) == by_list(parse_state(data, "state.json"))
    for kind, left_out in zip(SECTIONS, cut.omitted, strict=True):
        assert len(cut.live(kind)) + left_out == len(whole.live(kind))
    assert {item.text for item in live(cut)} <= {item.text for item in live(whole)}

    compact = rendered(cut, "compact", "en").split("\n")
    for name, left_out in json.loads(data)["omitted"].items():
        (line,) = [one for one in compact if one.startswith(f"[{name.capitalize()}]")] or [""]
        for item in json.loads(data)[name]:
            assert item["text"].rstrip(".。;；") in line
        assert (f"(+{left_out} left out)" in line) == bool(left_out)


@each_sample
@each_budget
def test_the_compact_form_is_bounded_whole(sample: Sample, budget: int) -> None:
    ran = run(sample.log, "-q", "-f", "compact", "--budget", str(budget), folder=sample.folder)
    assert ran.code == sample.code
    assert 0 < counter("o200k_base").count(ran.out.decode()) <= budget


@each_sample
def test_a_log_cut_anywhere_is_survived(sample: Sample, tmp_path: Path) -> None:
    data = (sample.folder / sample.log).read_bytes()
    for place in sorted({0, 1, len(data) - 1, *Random(sample.name).sample(range(2, len(data) - 1), CUTS)}):
        (tmp_path / sample.log).write_bytes(data[:place])
        ran = run(sample.log, "--now", NOW, folder=tmp_path)
        assert ran.code in (0, 3, 4), (place, ran.err)
        assert "Traceback" not in ran.err
        if ran.code == 3:
            assert ran.out == b"", place
            assert ran.err.startswith("distill: error: "), place
        else:
            parse_state(ran.out.decode(), "state.md")


# -- help --------------------------------------------------------------------------------------------------------------


def by_list(state: State) -> State:
    """The state with its items in the order of the lists, which is all that JSON and YAML hold of their order."""
    places = [*SECTIONS.values(), Status.SUPERSEDED, Status.RESOLVED]
    return replace(state, items=tuple(sorted(state.items, key=lambda item: places.index(list_of(item)))))


def live(state: State) -> list[Item]:
    return [item for item in state.items if item.status is Status.LIVE]


def sections(text: str) -> str:
    """The four sections of a Markdown state: what stands between the front matter and history or ledger."""
    _, _, body = text.partition("\n---\n")
    for end in ("\n## History\n", "\n## 历史\n", "\n<!-- distill:ledger\n"):
        body = body.partition(end)[0]
    return body.strip("\n")


def records_of(sample: Sample) -> list[list[str]]:
    """What each record of a log says: its line, or every text in its JSON as it may be shown."""
    text = (sample.folder / sample.log).read_text(encoding="utf-8")
    if sample.log.endswith(".json"):
        return [texts(message) for message in json.loads(text)["messages"]]
    lines = text.split("\n")
    if sample.log.endswith(".jsonl"):
        return [[one for found in objects(line) for one in texts(found)] for line in lines]
    return [[line, clean(line)] for line in lines]


def objects(line: str) -> list[Any]:
    """The whole JSON objects on a line."""
    found, at = [], 0
    while at < len(line):
        try:
            one, at = json.JSONDecoder().raw_decode(line, at)
        except ValueError:
            break
        found.append(one)
    return found


def texts(value: Any) -> list[str]:
    """Every text in a JSON value, line by line; arguments that are JSON themselves are looked into."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    if not isinstance(value, str):
        return []
    inner = []
    if value.startswith("{"):
        try:
            inner = texts(json.loads(value))
        except ValueError:
            inner = []
    return [*inner, *(shown for line in value.split("\n") for shown in (line, clean(line)))]
