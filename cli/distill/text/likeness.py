"""How much two texts say the same: words and pairs of Chinese characters, and how far one set holds the other.

Pairs of characters find restatements as well as word segmentation does and cost a thousandth; no lexical measure tells
a restatement from its negation or from the same frame around another object, so the callers compare numbers,
identifiers and negation besides.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from distill.text.fold import fold
from distill.text.lazy import Lazy

_LATIN_WORD = r"[a-z0-9_][a-z0-9_'’-]*(?:[./\\:@][a-z0-9_-]+)*"
_WORD = Lazy(rf"{_LATIN_WORD}|[一-鿿㐀-䶿]+")
_WORD_ASCII = Lazy(_LATIN_WORD)  # a class of thousands of characters takes milliseconds to compile
_SUFFIX = Lazy(r"(?<=[a-z]{3})(?:ings?|ed|es|s|ly)$")
_NUMBER = Lazy(r"(?<![\w.])v?\d+(?:[.:]\d+)*%?")
_LATIN = Lazy(r"[a-z]+")
_SLASH = Lazy(r"[/\\]")
_SHORT = 16  # characters of a run whose words are remembered
_STATEMENT = 400  # characters of a text whose words are remembered
_IN_WORDS = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        strict=True,
    )
)
STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "for",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "with",
        "as",
        "at",
        "by",
        "from",
        "we",
        "i",
        "you",
        "they",
        "will",
        "would",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "so",
        "if",
        "then",
        "than",
        "into",
        "also",
        "just",
        "now",
        "can",
        "could",
        "should",
        "may",
        "might",
        "there",
        "here",
        "our",
        "your",
        "my",
        "their",
        "us",
        "me",
        "he",
        "she",
        "them",
        "what",
        "which",
        "who",
        "when",
        "where",
        "how",
        "all",
        "any",
        "some",
        "more",
        "most",
        "very",
        "up",
        "out",
        "about",
        "over",
        "only",
        "own",
        "same",
        "please",
        "let",
        "lets",
        "的",
        "了",
        "是",
        "在",
        "和",
        "也",
        "都",
        "就",
        "这",
        "那",
        "有",
        "我",
        "你",
        "他",
        "们",
        "把",
        "被",
        "对",
        "与",
        "及",
        "或",
        "个",
        "一个",
        "一下",
        "这个",
        "那个",
        "我们",
        "你们",
        "可以",
    ]
)

NUMBER_WORDS = frozenset(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "single"])
# Verbs and adverbs of deciding: they name no subject.
GENERIC = frozenset(
    [
        "decid",
        "decide",
        "use",
        "using",
        "keep",
        "set",
        "make",
        "run",
        "go",
        "final",
        "plan",
        "back",
        "want",
        "need",
        "should",
        "must",
        "instead",
        "actually",
        "now",
        "again",
        "alway",
        "never",
        "only",
        "not",
        "no",
        "don't",
        "than",
        "rather",
        "store",
        "stor",
        "stay",
        "chang",
        "change",
        "switch",
        "move",
        "add",
        "put",
        "choose",
        "chose",
        "pick",
        "agree",
        "决定",
        "定用",
        "确定",
        "改成",
        "改为",
        "改用",
        "不用",
        "采用",
        "使用",
        "还是",
        "就用",
        "最终",
        "换成",
        "统一",
        "先用",
        "用一",
        "算了",
    ]
)


def grams(text: str) -> frozenset[str]:
    """The content words of `text`: Latin words folded and stripped of endings, file names, Chinese character pairs."""
    return _grams_known(text) if len(text) <= _STATEMENT else _grams(text)


def _grams(text: str) -> frozenset[str]:
    found: set[str] = set()
    folded = fold(text)
    for run in set((_WORD_ASCII if folded.isascii() else _WORD).findall(folded)):
        found.update(_known(run) if len(run) <= _SHORT else _words(run))
    return frozenset(found)


def _words(run: str) -> list[str]:
    """The content words of one run of letters."""
    if run[0] > "㏿":
        found = [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
    elif "/" in run or "\\" in run:
        found = [part for part in _SLASH.split(run) if part][-2:]
    elif run in STOP:
        return []
    else:
        found = [_SUFFIX.sub("", run.strip("'’-"))]
    return [word for word in found if word not in STOP]


# The same words come again and again; agents repeat themselves, and logs hold copies.
_known = lru_cache(maxsize=1 << 13)(_words)
_grams_known = lru_cache(maxsize=1 << 12)(_grams)


def content(words: frozenset[str]) -> frozenset[str]:
    """The words that say what a statement is about: without the verbs of deciding and number words."""
    return words - GENERIC - NUMBER_WORDS


def containment(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """The share of the smaller set that the larger one holds, 0 to 1; 0 where one is empty."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    if not small:
        return 0.0
    return len(small & large) / len(small)


def overlap(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """The Jaccard index of two sets, 0 to 1."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


@lru_cache(maxsize=1 << 11)
def numbers(text: str) -> frozenset[str]:
    """The numbers and versions that stand in `text`, small ones in words as well."""
    found = set(_NUMBER.findall(text))
    found.update([_IN_WORDS[word] for word in _IN_WORDS.keys() & set(_LATIN.findall(text.casefold()))])
    return frozenset(found)


def figures(text: str) -> frozenset[str]:
    """The numbers of `text` as values: "18:00" is 18, "v3" and "3.0" are 3, and so are they in Chinese."""
    found = set()
    for number in numbers(text):
        plain = number.removeprefix("v").removesuffix("%")
        while plain.endswith((":00", ".0")):
            plain = plain.rpartition(plain[-3] if plain.endswith(":00") else ".")[0]
        found.add(plain.lstrip("0") or "0")
    return frozenset(found)
