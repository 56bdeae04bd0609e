"""The words that say what a text is about, to compare a task with what is known.

English words are reduced to their stems, identifiers and paths are taken whole and in their parts, Chinese is cut into
words. The only door to the libraries that do it: the stemmer is loaded for the first Latin word, the dictionary for the
first Chinese one. The dictionary is that of jieba, through rjieba where it is installed: the same words come out, in a
seventh of the time it takes jieba to load, and nothing is written to a shared folder. Without either, pairs of
characters stand for words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import STOP

PAIRS = "pairs"
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_HAN_RUN = Lazy(rf"[{_HAN}]+")
_TOKEN = Lazy(rf"[^\W{_HAN}]+(?:[-./\\:@'’]+[^\W{_HAN}]+)*")
_PART = Lazy(r"[^\W_]+")
_POSSESSIVE = Lazy(r"['’]s?$")
_HUMP = Lazy(r"(?<=[a-z0-9])(?=[A-Z])")
_PLACES = frozenset("src lib www http https com org py js ts md txt json yaml yml toml".split())
# What tasks say whatever they are about.
_ASKING = frozenset(
    "add fix implement write make creat updat chang use need want pleas next continu work get go put tri start finish"
    " sure still new not no never don don't must alway see look take give show help first last thing way".split()
)
_ASKING_ZH = frozenset(
    "我们 你们 他们 它们 这个 那个 这些 那些 这里 那里 一个 一下 一些 一点 可以 需要 应该 必须 不要 不能 不用"
    " 现在 然后 接下 下来 接下来 继续 进行 使用 增加 添加 加上 修改 改成 实现 完成 处理 修复 编写 新增 功能"
    " 问题 任务 相关 已经 以及 或者 如果 因为 所以 但是 没有 不是 就是 还是 还有 什么 怎么 如何 时候 目前 帮我"
    " 一起 开始 看看 看一 这样 那样 之后 之前 其中 其他 所有 以后".split()
)


@dataclass(frozen=True, slots=True)
class Segmenter:
    """How Chinese is cut: `name` is rjieba, jieba or pairs; `cut` takes a run of Chinese characters."""

    name: str
    cut: Callable[[str], list[str]]


def terms(text: str, *, chinese: bool = True) -> frozenset[str]:
    """The terms of `text`: stems, identifiers whole and in parts, Chinese words of two characters and more.

    What every task says ("add", "please", 「继续」) and what no sentence can do without is left out. With
    `chinese=False` Chinese characters are passed over, and no dictionary is loaded.
    """
    found = set(_latin(text if text.isascii() else unicodedata.normalize("NFKC", text)))
    if chinese and not text.isascii():
        for run in _HAN_RUN.findall(fold(text)):
            found.update(_chinese(run))
    return frozenset(found)


@cache
def segmenter() -> Segmenter:
    """The best way to cut Chinese that is installed; loads its dictionary."""
    try:
        import rjieba

        return Segmenter("rjieba", rjieba.cut_for_search)
    except ImportError:
        pass
    try:
        return Segmenter("jieba", _jieba())
    except ImportError:
        return Segmenter(PAIRS, _pairs)


# -- English, identifiers ---------------------------------------------------------------------------------------------


def _latin(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        whole = _POSSESSIVE.sub("", token)
        parts = _PART.findall(whole)
        if len(parts) > 1:
            yield whole.casefold()
        for part in parts:
            pieces = _HUMP.sub(" ", part).split()
            for piece in {part, *pieces}:
                if term := _term(piece.casefold(), len(parts) > 1 or len(pieces) > 1):
                    yield term


@lru_cache(maxsize=1 << 13)
def _term(word: str, inside: bool) -> str:
    """The stem of one word, "" where it says nothing; `inside`: it is a part of an identifier or path."""
    if len(word) < 2 or (inside and word in _PLACES):
        return ""
    stem = _stemmer()(word) if word.isalpha() else word
    return "" if word in STOP or word in _ASKING or stem in _ASKING else stem


@cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem


# -- Chinese ----------------------------------------------------------------------------------------------------------


def _chinese(run: str) -> Iterator[str]:
    for word in segmenter().cut(run):
        if len(word) > 1 and word not in STOP and word not in _ASKING_ZH:
            yield word


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _jieba() -> Callable[[str], list[str]]:
    """jieba, silent, and without the cache that it shares with every user of the machine: it saves no time."""
    import warnings
    from tempfile import TemporaryDirectory

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its patterns hold escapes that newer Pythons complain of
        import jieba

        jieba.setLogLevel(60)
        with TemporaryDirectory(prefix="distill-") as folder:
            jieba.dt.tmp_dir = folder
            jieba.initialize()
    cut: Callable[[str], list[str]] = jieba.lcut_for_search
    return cut
