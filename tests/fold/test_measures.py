"""What folding is worth on long sessions whose boundaries and constraints are known: the least that must hold."""

from __future__ import annotations

import pytest

from distill import Folder, FoldNumbers
from distill.fold.ledger import sums
from distill.text.tokens import estimate
from tests.cli.tool import Tool
from tests.fold.logs import NAMES, SESSIONS, folded, labelled, starts

SHARED = SESSIONS.parents[3] / "shared" / "corpus"


@pytest.fixture(scope="module")
def sessions() -> dict[str, Folder]:
    return {name: folded(labelled(name).path) for name in NAMES}


def test_there_are_three_long_sessions_in_both_languages(sessions: dict[str, Folder]) -> None:
    assert sorted(len(one.ledger) for one in sessions.values()) == [35, 42, 50]
    assert sum(one.spoken == "zh" for one in sessions.values()) in (1, 2)


def test_most_prompt_tokens_are_saved(sessions: dict[str, Folder]) -> None:
    totals = [sums(one.ledger) for one in sessions.values()]
    assert 1 - sum(one.folded for one in totals) / sum(one.whole for one in totals) >= 0.7
    assert min(one.saved for one in totals) >= 0.65
    assert max(one.most_folded for one in totals) <= 1600


def test_what_binds_is_in_the_context_at_the_end(sessions: dict[str, Folder]) -> None:
    """And of a sliding window of the same size much less is."""
    wanted = kept = in_window = 0
    for name, folder in sessions.items():
        text = folder.text().casefold()
        window = _window(name, folder.tokens()).casefold()
        keep = [one.casefold() for one in labelled(name).keep]
        wanted += len(keep)
        kept += sum(one in text for one in keep)
        in_window += sum(one in window for one in keep)
    assert kept == wanted
    assert (kept - in_window) / wanted >= 0.4


@pytest.mark.parametrize("name", ["brewlog-en", "schoolbus-zh"])
def test_what_binds_is_kept_of_working_sessions(name: str) -> None:
    path = SESSIONS.with_name("working") / f"{name}.jsonl"
    text = folded(path).text().casefold()
    keep = path.with_name(f"{path.name}.keep").read_text(encoding="utf-8").split("\n")[:-1]
    assert [one for one in keep if one.casefold() not in text] == []


def _window(name: str, most: int) -> str:
    """The last messages of a session that fit into so many tokens."""
    messages: list[str] = []
    whole = folded(labelled(name).path, FoldNumbers(verbatim=1000, limit=10_000_000, delay=100))
    for message in reversed(whole.context().messages):
        most -= estimate(message.text)
        if most < 0:
            break
        messages.append(message.text)
    return "\n".join(messages)


def test_boundaries_are_found(sessions: dict[str, Folder]) -> None:
    right = found = wanted = 0
    for name, folder in sessions.items():
        known, seen = set(labelled(name).boundaries), set(starts(folder))
        right, found, wanted = right + len(known & seen), found + len(seen), wanted + len(known)
    assert right / found >= 0.9
    assert right / wanted >= 0.85


def test_the_command_scores_them() -> None:
    tool = Tool(SESSIONS)
    data = tool("eval", "--boundaries", ".", "--json", "--min-f1", "0.85").data
    assert data["overall"]["wanted"] == 24
    assert set(data["logs"]) == {f"{name}.jsonl" for name in NAMES}
    assert data["overall"]["window_diff"] <= 0.1
    assert tool("eval", "--boundaries", "choir-mixed.jsonl.boundaries", "--min-f1", "0.999").code == 1


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared corpus")
def test_boundaries_of_logs_that_were_written_for_other_ends() -> None:
    """In working sessions a task shades off into the next; what two readers would mark differs as well."""
    ran = Tool(SESSIONS.parent)("eval", "--boundaries", "corpus", "--logs", str(SHARED), "--json")
    assert ran.data["overall"]["wanted"] == 13
    assert ran.data["overall"]["f1"] >= 0.6


@pytest.mark.parametrize(("folder", "logs", "wanted", "least"), [
    ("labelled", "../../labelled", 65, 0.65), ("working", ".", 12, 0.8),
])  # fmt: skip
def test_boundaries_of_working_sessions(folder: str, logs: str, wanted: int, least: float) -> None:
    """In `working` are two that were labelled before folding was tried on them."""
    place = SESSIONS.with_name(folder)
    data = Tool(place)("eval", "--boundaries", ".", "--logs", str(place / logs), "--json").data
    assert data["overall"]["wanted"] == wanted
    assert data["overall"]["f1"] >= least
