"""A log that is read again and again while it grows gives what it gives when it is read whole."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distill.model import Item, State, Status
from distill.pipeline import Account, Options, distil
from distill.store.progress import Mark, mark_of, start_of
from tests.bench.synth import claude_code, codex
from tests.cli.tool import jsonl, record

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
SAMPLES = [path for path in sorted(ROOT.glob("samples/*/log.jsonl")) if "damaged" not in path.parent.name]
NOW = "2026-12-01T00:00:00Z"
PROVED = ("artifact/file", "artifact/commit", "fact/test-run", "open/failed-push")  # by acts


def once(path: Path, marks: dict[str, Mark], before: State | None) -> State:
    """One run over a log that has grown since the one before."""
    account, name = Account(), str(path)
    start = start_of(name, marks[name]) if name in marks else None
    assert (start is None) is (name not in marks)
    state = distil([name], Options(now=NOW), previous=before, account=account, starts={name: start} if start else {})
    mark = mark_of(name, account.reached[name])
    assert mark is not None
    marks[name] = mark
    return state


def grown(path: Path, data: bytes, cuts: Sequence[int]) -> State:
    """The state after a run at each of `cuts`, which are numbers of bytes, and one at the end."""
    marks: dict[str, Mark] = {}
    state = None
    for cut in [*cuts, len(data)]:
        path.write_bytes(data[:cut])
        state = once(path, marks, state)
    assert state is not None
    return state


def whole(path: Path) -> State:
    return distil([str(path)], Options(now=NOW))


def live(state: State, *rules: str) -> set[tuple[str, str]]:
    return {(str(item.kind), item.text) for item in state.items
            if item.status is Status.LIVE and (not rules or item.rule in rules)}  # fmt: skip


def alike(one: State, other: State) -> float:
    """F1 of the live items of both."""
    a, b = live(one), live(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def proved(state: State) -> set[tuple[str, str]]:
    """What acts prove; of a file its name, since what is said of it may stand before the act that made it known."""
    return {(kind, re.split(r"(?<=\w)(?:: | \()", text)[0]) for kind, text in live(state, *PROVED)}


def check(part: State, all_of_it: State) -> None:
    """What must be the same however often the log was read on the way."""
    assert proved(part) == proved(all_of_it)
    (one,), (other,) = part.sources, all_of_it.sources
    assert (one.records, one.skipped, one.newest) == (other.records, other.skipped, other.newest)
    assert part.covers == all_of_it.covers
    assert (part.project, part.task) == (all_of_it.project, all_of_it.task)
    assert abs(part.tokens.source - all_of_it.tokens.source) * 50 <= all_of_it.tokens.source


def cuts(data: bytes, runs: int) -> list[int]:
    """Places at which a log is cut: in the midst of lines, as a log is that is being written."""
    return [len(data) * number // runs for number in range(1, runs)]


@pytest.mark.parametrize("runs", [2, 3, 6])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.parent.name)
def test_samples(sample: Path, runs: int, tmp_path: Path) -> None:
    data = sample.read_bytes()
    path = tmp_path / "log.jsonl"
    state = grown(path, data, [cut for cut in cuts(data, runs) if b"\n" in data[:cut]])
    check(state, whole(path))
    assert alike(state, whole(path)) >= 0.85


@pytest.mark.shared
@pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the shared corpus")
@pytest.mark.parametrize("runs", [2, 5, 10])
@pytest.mark.parametrize("name", ["cc-en-coderabbit-helper", "cc-en-sound-recorder", "cc-zh-ticketing",
                                  "cx-en-invoices", "cx-zh-warehouse"])  # fmt: skip
def test_real_logs(name: str, runs: int, tmp_path: Path) -> None:
    data = (CORPUS / f"{name}.jsonl").read_bytes()
    path = tmp_path / "log.jsonl"
    state = grown(path, data, cuts(data, runs))
    check(state, whole(path))
    assert alike(state, whole(path)) >= (0.8 if runs > 2 else 0.87)


@pytest.mark.parametrize("make", [claude_code, codex])
def test_a_long_log_that_grows_by_the_turn(make: Any, tmp_path: Path) -> None:
    data = b"".join(make(600_000, chatty=True))
    path = tmp_path / "log.jsonl"
    state = grown(path, data, cuts(data, 12))
    check(state, whole(path))
    assert alike(state, whole(path)) >= 0.75


def test_places_are_those_of_the_whole_log(tmp_path: Path) -> None:
    data = b"".join(claude_code(300_000, chatty=True))
    path = tmp_path / "log.jsonl"
    state = grown(path, data, cuts(data, 4))
    lines = data.decode().splitlines()
    late = 0
    for source in (source for item in state.items for source in item.sources):
        inside = json.dumps(source.quote, ensure_ascii=False)[1:-1]
        assert any(word in lines[source.record - 1] for word in inside.split()[:3]), source
        late += source.record > len(lines) // 2
    assert late > 5


def plain(item: Item) -> Item:
    return replace(item, supersedes=tuple(sorted(item.supersedes)))


def test_a_log_that_did_not_grow_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(codex(200_000, chatty=True)))
    marks: dict[str, Mark] = {}
    first = once(path, marks, None)
    again = once(path, marks, first)
    assert [plain(item) for item in again.items] == [plain(item) for item in first.items]
    assert marks[str(path)].start.known == first.sources[0].records


# -- what only the beginning tells ------------------------------------------------------------------------------------


def talk(*texts: str) -> list[dict[str, Any]]:
    """A session in which the user says `texts` and gets an answer each time; every record follows the one before."""
    rows: list[dict[str, Any]] = []
    for text in texts:
        for role, words in (("user", text), ("assistant", "OK.")):
            one = record(role, words, f"2026-03-02T{9 + len(rows) // 60:02}:{len(rows) % 60:02}:00Z")
            rows.append({**one, "parentUuid": rows[-1]["uuid"] if rows else None})
    return rows


def test_a_rewind_behind_the_place_reads_the_log_whole(tmp_path: Path) -> None:
    rows = talk("We decided to use Redis.", "Never touch legacy/.", "Look around.", "And again.", "Once more.")
    path = tmp_path / "log.jsonl"
    before = len(jsonl(*rows).encode())
    back = record("user", "我们决定改用 SQLite。", "2026-03-02T10:00:00Z")
    rows += [{**back, "parentUuid": None}, record("assistant", "好的。", "2026-03-02T10:01:00Z")]
    rows[-2]["parentUuid"] = rows[1]["uuid"]
    state = grown(path, jsonl(*rows).encode(), [before])
    assert live(state) == live(whole(path))
    assert not any("legacy" in text for _, text in live(state))
    assert any("SQLite" in text for _, text in live(state))


def test_a_rollback_of_more_turns_than_were_read_again(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"timestamp": "2026-03-02T09:00:00Z", "type": "session_meta",
                                   "payload": {"id": "s", "cwd": "/w/app"}}]  # fmt: skip
    for text in ["We decided to use Redis.", "不要改动 legacy 目录。", "Look.", "Go on.", "And now?"]:
        for kind, words in (("user_message", text), ("agent_message", "OK.")):
            rows.append({"timestamp": f"2026-03-02T09:{len(rows):02}:00Z", "type": "event_msg",
                         "payload": {"type": kind, "message": words}})  # fmt: skip
    path = tmp_path / "log.jsonl"
    before = len(jsonl(*rows).encode())
    rows.append({"timestamp": "2026-03-02T10:00:00Z", "type": "event_msg",
                 "payload": {"type": "thread_rolled_back", "num_turns": 4}})  # fmt: skip
    state = grown(path, jsonl(*rows).encode(), [before])
    assert live(state) == live(whole(path)) != set()
    assert not any("legacy" in text for _, text in live(state))


def called(key: str, name: str, given: dict[str, Any], output: str, minute: int) -> list[dict[str, Any]]:
    """A tool call and its result."""
    call = record("assistant", "", f"2026-03-02T09:{minute:02}:00Z")
    call["message"]["content"] = [{"type": "tool_use", "id": key, "name": name, "input": given}]
    result = record("user", "", f"2026-03-02T09:{minute:02}:30Z")
    result["message"]["content"] = [{"type": "tool_result", "tool_use_id": key, "content": output}]
    return [call, result]


def test_a_task_that_is_finished_after_its_beginning_was_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    rows = [record("user", "Plan it.", "2026-03-02T09:00:00Z")]
    for number, subject in enumerate(("Write the parser", "补充导出测试"), 1):
        rows += called(f"t{number}", "TaskCreate", {"subject": subject}, f"Task #{number} created", number)
    rows += talk("Go on.", "And on.", "Still on.")
    before = len(jsonl(*rows).encode())
    rows += called("t9", "TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1", 50)
    state = grown(path, jsonl(*rows).encode(), [before])
    assert live(state, "open/task") == {("open", "补充导出测试")}
    assert live(state) == live(whole(path))


def test_a_file_that_is_deleted_after_its_beginning_was_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    rows = [record("user", "Write both.", "2026-03-02T09:00:00Z")]
    rows += called("w1", "Write", {"file_path": "/w/app/a.py", "content": "1"}, "File created", 1)
    rows += called("w2", "Write", {"file_path": "/w/app/b.py", "content": "1"}, "File created", 2)
    rows += talk("Go on.", "And on.", "Still on.")
    before = len(jsonl(*rows).encode())
    rows += called("d1", "Bash", {"command": "rm a.py"}, "", 50)
    rows += called("e1", "Edit", {"file_path": "/w/app/b.py", "old_string": "1", "new_string": "2"}, "updated", 51)
    state = grown(path, jsonl(*rows).encode(), [before])
    assert live(state, "artifact/file") == {("artifact", "b.py (created)")} == live(whole(path), "artifact/file")
    (item,) = [item for item in state.items if item.text == "b.py (created)"]
    assert len(item.sources) == 2


def test_what_was_edited_by_hand_stays(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    data = jsonl(*talk("We decided to use Redis.", "Look.", "Go on.", "Never push to main.")).encode()
    cut = len(jsonl(*talk("We decided to use Redis.", "Look.", "Go on.")).encode())
    path.write_bytes(data[:cut])
    marks: dict[str, Mark] = {}
    state = once(path, marks, None)
    mine = replace(state.items[0], text="We decided to use Valkey.", tags=("hand",))
    path.write_bytes(data)
    state = once(path, marks, replace(state, items=(mine,)))
    assert {text for _, text in live(state)} == {"We decided to use Valkey.", "Never push to main."}
