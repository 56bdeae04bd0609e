"""The snapshot of a state: what the file says, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from distill.pipeline import Options, distil, rendered
from distill.render.outputs import parse_state
from distill.store.snapshot import load_snapshot, save_snapshot

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "samples").glob("*/log.*"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.parent.name)
def test_it_gives_what_the_file_gives(sample: Path, tmp_path: Path) -> None:
    state = distil([str(sample)], Options(now="2026-03-05T00:00:00Z"))
    text = rendered(state, "md", "auto")
    save_snapshot(tmp_path / "state.cache", text.encode(), state)
    found = load_snapshot(tmp_path / "state.cache", text.encode())
    assert found == parse_state(text, "state.md")
    assert found is not None
    assert [type(item.kind) for item in found.items] == [type(item.kind) for item in state.items]


def test_it_counts_for_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "state.cache"
    state = distil([str(SAMPLES[0])], Options())
    save_snapshot(path, b"text", state)
    assert load_snapshot(path, b"text") is not None
    assert load_snapshot(path, b"text ") is None
    data = path.read_bytes()
    for broken in (data[:-3], data[:-40] + b"x" + data[-39:], b"", b"{}", data.replace(b"\n", b"", 1), b"\xff" * 40):
        path.write_bytes(broken)
        assert load_snapshot(path, b"text") is None
    path.unlink()
    assert load_snapshot(path, b"text") is None


def test_one_that_may_hold_credentials_is_no_masked_one(tmp_path: Path) -> None:
    path, state = tmp_path / "state.cache", distil([str(SAMPLES[0])], Options())
    save_snapshot(path, b"text", state)
    assert load_snapshot(path, b"text", masked=True) is None
    save_snapshot(path, b"text", state, masked=True)
    assert load_snapshot(path, b"text", masked=True) == load_snapshot(path, b"text") == state
