"""Quotes and the words around them: where a quote stands, and what a text says that its evidence does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from distill.refine.words import GLUE, GLUE_HAN, IRREGULAR
from distill.text.fold import fold
from distill.text.language import han, language
from distill.text.lazy import Lazy
from distill.text.likeness import grams

_HAN = Lazy(r"[一-鿿㐀-䶿]")
_WIDE = Lazy(r"[⺀-鿿豈-﫿＀-￯]")
_NAME = Lazy(r"[A-Za-z0-9_@#$~.][A-Za-z0-9_@#$%+~./\\:'’-]*")
_LETTERS = Lazy(r"(?<![\w./-])[A-Za-z]+(?![\w/-])")
_NUMBER = Lazy(r"\d+(?:[.,:]\d+)*")
_END = Lazy(r"[.!?](?=\s|$)|[。！？；;\n]")
_LEAD = Lazy(r"[:：]\s*$")
_BULLET = Lazy(r"\s*(?:[-*+•·]|\d+[.)、])\s+")
_SUFFIX = Lazy(r"(?<=[a-z]{3})(?:ings?|ed|es|s|ly|d)$")
_QUESTION = Lazy(r"[?？]\s*[\"'”’)）]*$|[吗嗎么呢]$")
_IN_WORDS = {word: str(number) for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve".split())}
_IN_HAN = {**{word: str(number) for number, word in enumerate("零一二三四五六七八九十")}, "两": "2", "兩": "2"}
_PLAIN = frozenset({"one"})  # number words that mostly count nothing
SHORTEST = 2  # words, or Chinese characters, of a quote
NAMES = 2  # words that may be names alone
_DOUBLED = 3  # letters of a stem whose last one may be doubled: "pinned", not "add"


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, blanks and width aside, as a span of `text`; None where it does not.

    A quote that begins or ends inside a word or a number stands nowhere.
    """
    folded, places = _narrow(text)
    wanted, _ = _narrow(quote)
    if not wanted:
        return None
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _splits(folded, at) and not _splits(folded, end):
            return places[at], places[end - 1] + 1
        at = folded.find(wanted, at + 1)
    return None


def _narrow(text: str) -> tuple[str, list[int]]:
    """`text` in plain width and with single blanks, none beside a Chinese character, and the place of each."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for one in unicodedata.normalize("NFKC", char):
            blank = one.isspace()
            if blank and (not chars or chars[-1] == " " or _WIDE.match(chars[-1])):
                continue
            if _WIDE.match(one) and chars and chars[-1] == " ":
                chars.pop()
                places.pop()
            chars.append(" " if blank else one)
            places.append(place)
    if chars and chars[-1] == " ":
        chars.pop()
        places.pop()
    return "".join(chars), places


def _splits(text: str, at: int) -> bool:
    """Whether a cut at `at` parts a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _wordlike(before) and _wordlike(after):
        return True
    return (before.isdigit() and after in ".,:" and text[at + 1 : at + 2].isdigit()) or (
        after.isdigit() and before in ".,:-" and text[at - 2 : at - 1].isdigit())


def _wordlike(char: str) -> bool:
    return (char.isascii() and char.isalnum()) or char in "_'’"


def sentence(text: str, span: tuple[int, int], stop: int | None = None) -> str:
    """The sentences that `span` touches, as far as `stop`; of a list item with the line that leads the list in."""
    start, end = span
    begin = max((found.end() for found in _END.finditer(text, 0, start)), default=0)
    whole = text[begin : stop if stop is not None else sentence_end(text, end)].strip()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if _BULLET.match(line + text[start:]):
        above = [one for one in text[: text.rfind("\n", 0, start) + 1].split("\n") if one.strip()]
        lead = next((one for one in reversed(above) if not _BULLET.match(one)), "")
        if _LEAD.search(lead):
            whole = f"{lead.strip()} {whole}"
    return whole


def sentence_end(text: str, end: int) -> int:
    """Where the sentence ends that words which end at `end` stand in."""
    return next((found.end() for found in _END.finditer(text, max(0, end - 1))), len(text))


def one_line(text: str, span: tuple[int, int]) -> str:
    """The words of `span` that stand on one line: the longest line of it."""
    return max(text[span[0] : span[1]].split("\n"), key=len).strip()


def too_short(quote: str) -> bool:
    """Whether a quote is too short to prove anything."""
    return len(_HAN.findall(quote)) < SHORTEST and len(quote.split()) < SHORTEST


def asks(text: str) -> bool:
    """Whether a sentence asks."""
    return bool(_QUESTION.search(text.strip()))


def other_language(text: str, evidence: str) -> bool:
    """Whether `text` is in another language than its evidence; a name or two is in none."""
    if language(evidence) == "zh":
        return not han(text) and len(text.split()) > NAMES
    return language(text) == "zh"


def unproved(text: str, evidence: str, around: str = "") -> list[str]:
    """The numbers, paths, names and identifiers of `text` that do not stand in `evidence`.

    The first word is a name only where the log, as far as it stands `around`, does not have it as a plain word.
    """
    there = fold(evidence)
    words = _bare(there) | numbers(there)
    stems = {stem(word) for word in words}
    found: list[str] = []
    for match in _NAME.finditer(text):
        name = match[0].strip(".,:;'-")
        plain = fold(name)
        if not name or plain in words or (plain.isalpha() and stem(plain) in stems):
            continue
        if len(name) > 1 and not _is_word(name, plain):
            if not text[: match.start()].strip() and _opens(name, evidence, around):
                continue
            found.append(name)
    found += sorted(numbers(fold(text)) - numbers(there))
    return list(dict.fromkeys(found))


def _is_word(name: str, plain: str) -> bool:
    """Whether it is a plain word, not a name: of letters or joined by hyphens, with no capital but that of a sentence's
    beginning, which only words that name nothing have here."""
    if not plain.replace("-", "").replace("'", "").isalpha():
        return False
    return name == plain or plain in GLUE


def _opens(name: str, *said: str) -> bool:
    """Whether it is a plain word that only the beginning of a sentence gives a capital: `said` has it without one."""
    if not (name.isascii() and name.isalpha() and name[1:].islower()):
        return False
    plain = stem(name.lower())
    return any(match[0].islower() and stem(match[0]) == plain for one in said for match in _LETTERS.finditer(one))


def _bare(folded: str) -> set[str]:
    return {match[0].strip(".,:;'-") for match in _NAME.finditer(folded)}


def numbers(folded: str) -> set[str]:
    """The numbers of a folded text as digits, those in words too."""
    found = {match[0] for match in _NUMBER.finditer(folded)}
    words = {word.strip(".,:;!?()") for word in folded.split()} - _PLAIN
    found |= {_IN_WORDS[word] for word in words if word in _IN_WORDS}
    for place, char in enumerate(folded):
        if char in _IN_HAN and char != "一" and not (place and folded[place - 1] == "第"):
            found.add(_IN_HAN[char])
    return found


def unknown_words(text: str, context: Iterable[str]) -> list[str]:
    """The words of `text` that neither its context has nor any text may have; of Chinese the characters."""
    there = fold("\n".join(context))
    known = {stem(word) for word in _bare(there)} | {stem(part) for word in _bare(there) for part in _pieces(word)}
    missing = [word for word in sorted(_bare(fold(text))) if word.isalpha() and len(word) > 1 and word not in GLUE
               and word not in _IN_WORDS and stem(word) not in known]
    missing += [char for char in _HAN.findall(fold(text)) if char not in there and char not in GLUE_HAN]
    return missing


def _pieces(word: str) -> list[str]:
    return re.split(r"[^a-z]+", word)


def stem(word: str) -> str:
    """`word` without its ending; a letter that the ending doubled counts once."""
    word = IRREGULAR.get(word, word)
    bare = _SUFFIX.sub("", word)
    if bare != word and len(bare) > _DOUBLED and bare[-1] == bare[-2]:
        bare = bare[:-1]
    return bare.rstrip("e")


def shared(text: str, evidence: str) -> float:
    """The share of the words of `text` that stand in `evidence`."""
    words = {stem(word) for word in grams(text)}
    there = {stem(word) for word in grams(evidence)} | numbers(fold(evidence))
    return len(words & there) / len(words) if words else 0.0
