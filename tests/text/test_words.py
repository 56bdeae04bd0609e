"""What a text is about, as a set of terms."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from distill.text import words
from distill.text.words import PAIRS, segmenter, terms

CLI = Path(__file__).resolve().parents[2] / "cli"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A process in which neither segmenter is installed, until a test puts one there."""
    segmenter.cache_clear()
    for name in ("rjieba", "jieba"):
        monkeypatch.setitem(sys.modules, name, None)
    yield monkeypatch
    segmenter.cache_clear()


@pytest.mark.parametrize(("one", "other"), [
    ("limits", "limiter"), ("caching", "cache"), ("queries", "query"), ("Exported", "exports"), ("the user's", "users"),
    ("ＡＰＩ", "api"),
])
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != frozenset()


@pytest.mark.parametrize(("text", "found"), [
    ("src/tidewatch/rate_limiter.py", {"src/tidewatch/rate_limiter.py", "tidewatch", "rate", "limit"}),
    ("Sender.alert()", {"sender.alert", "sender", "alert"}),
    ("parseHeaderRow", {"parseheaderrow", "pars", "header", "row"}),
    ("MAX_RETRIES", {"max_retries", "max", "retri"}),
    ("HTTP 429", {"http", "429"}),
])
def test_identifiers_are_taken_whole_and_in_parts(text: str, found: set[str]) -> None:
    assert found <= terms(text, chinese=False)


@pytest.mark.parametrize("text", ["", "please add it to the", "we need to fix this", "x 1 .", "请帮我继续", "我们需要"])
def test_what_every_task_says_is_no_term(text: str) -> None:
    assert terms(text) == frozenset()


def test_chinese_is_cut_into_words() -> None:
    pytest.importorskip("rjieba")
    segmenter.cache_clear()
    assert segmenter().name == "rjieba"
    found = terms("给导出功能加权限检查，会话存储在 Redis 里")
    assert {"导出", "权限", "检查", "会话"} | terms("redis") <= found
    assert not {"加权", "查会", "能加", "功能"} & found


def test_traditional_characters_are_the_same_words() -> None:
    assert terms("匯出報表的權限") == terms("汇出报表的权限") != frozenset()


def test_jieba_is_used_where_it_is_what_is_installed(without: pytest.MonkeyPatch) -> None:
    log: list[str] = []

    class Jieba(ModuleType):
        dt = ModuleType("dt")

        def setLogLevel(self, level: int) -> None:  # noqa: N802
            log.append(f"level {level}")

        def initialize(self) -> None:
            log.append(f"cache {Path(self.dt.tmp_dir).is_dir()}")

        def lcut_for_search(self, text: str) -> list[str]:
            return [text[:2], text[2:]]

    fake = Jieba("jieba")
    without.setitem(sys.modules, "jieba", fake)
    assert segmenter().name == "jieba"
    assert terms("权限检查") == {"权限", "检查"}
    assert log == ["level 60", "cache True"]
    assert not Path(fake.dt.tmp_dir).exists(), "the folder of its cache stays behind"


def test_without_either_pairs_of_characters_stand_for_words(without: pytest.MonkeyPatch) -> None:
    assert segmenter().name == PAIRS
    assert terms("权限检查") == {"权限", "限检", "检查"}
    assert terms("权限") & terms("检查权限的代码") == {"权限"}


@pytest.mark.parametrize(("text", "chinese", "loaded"), [
    ("add the export button", True, "snowballstemmer"),
    ("给导出加按钮", True, "rjieba"),
    ("给导出加按钮 export", False, "snowballstemmer"),
    ("", True, ""),
])
def test_a_library_is_loaded_for_its_own_language_only(text: str, chinese: bool, loaded: str) -> None:
    if loaded == "rjieba":
        pytest.importorskip("rjieba")
    code = (f"import sys; sys.path.insert(0, {str(CLI)!r}); from distill.text.words import terms; "
            f"terms({text!r}, chinese={chinese}); "
            "print(' '.join(sorted({'jieba', 'rjieba', 'snowballstemmer'} & set(sys.modules))))")
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == loaded


def test_words_are_remembered_within_bounds() -> None:
    assert words._term.cache_info().maxsize
