from collections.abc import Callable
from pathlib import Path

import pytest

Pack = Callable[[dict[str, str]], Path]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the user's cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("DISTILL_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Writes a pack: {"decision/house": yaml text}; gives its folder."""

    def write(files: dict[str, str]) -> Path:
        root = tmp_path / "pack"
        for name, text in files.items():
            path = root / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return write
