import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import distill.rulebook
from distill.rulebook import Rulebook, cache
from distill.rulebook import load as load_once
from distill.text import kept

Pack = Callable[[dict[str, str]], Path]


def load(packs: Sequence[Path] = ()) -> Rulebook:
    """The rules as a new process loads them."""
    distill.rulebook._LOADED.clear()
    return load_once(packs)


HOUSE = "cues: {en: blessed be}\nmatch: [Blessed be tabs.]\nno_match: [Tabs.]\n"


def test_compiled_rules_are_kept_and_found_again(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load()
    assert [path.suffix for path in own_cache.iterdir()] == [".bin"]
    monkeypatch.setattr(distill.rulebook, "_compile", lambda texts: pytest.fail("compiled again"))
    again = load()
    assert again.key == first.key
    assert again.judge("We decided to use tabs.") == first.judge("We decided to use tabs.")


def test_a_process_loads_the_same_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load()
    monkeypatch.setattr(cache, "get", lambda key: pytest.fail("read again"))
    assert load_once() is first


def test_changed_rules_are_compiled_anew(pack: Pack) -> None:
    root = pack({"decision/house": HOUSE})
    before = load([root]).key
    pack({"decision/house": HOUSE + "why: changed\n"})
    after = load([root]).key
    assert len({before, after, load().key}) == 3


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 500])
def test_a_damaged_cache_is_rebuilt(own_cache: Path, damage: bytes) -> None:
    load()
    (path,) = own_cache.iterdir()
    path.write_bytes(damage)
    assert load().judge("We decided to use tabs.").rule == "decision/explicit"
    assert path.stat().st_size > 500


def test_a_single_flipped_byte_is_noticed(own_cache: Path) -> None:
    load()
    (path,) = own_cache.iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    assert cache.get(path.stem.removeprefix("rules-")) is None


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DISTILL_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert load().judge("We decided to use tabs.").rule == "decision/explicit"


def test_old_caches_are_removed(own_cache: Path) -> None:
    for number in range(cache.KEEP + 5):
        cache.put(f"{number:02}", {"number": number})
        os.utime(own_cache / f"rules-{number:02}.bin", (number, number))
    cache.put("last", {})
    assert len(list(own_cache.iterdir())) == cache.KEEP
    assert cache.get("last") == {}
    assert cache.get("00") is None


def test_without_the_variable_the_cache_lies_in_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.delenv("DISTILL_CACHE_DIR")
    assert kept.folder() == Path(platformdirs.user_cache_dir("distill", appauthor=False))


def test_loading_from_the_cache_needs_no_yaml() -> None:
    load()
    script = (
        "import sys\nfrom distill.rulebook import load\nload().judge('We decided to use tabs.')\n"
        "print(sorted({'yaml', 'platformdirs', 'distill.rulebook.rule', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
