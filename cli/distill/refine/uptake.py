"""Whether the user took up what the assistant had put: by the key of an option, by its words, or by a yes alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distill.refine.evidence import asks, sentence, stem
from distill.refine.strictness import about, clauses
from distill.refine.transcript import CHOICES, DEEDS, Entry
from distill.refine.words import NEGATION, REFUSAL, WHICH
from distill.text.fold import fold
from distill.text.language import han
from distill.text.lazy import Lazy
from distill.text.likeness import grams

FURTHEST = 12  # entries between a proposal and the answer to it
LONGEST = 2000  # characters of them
ANSWER = 2000  # characters of an answer that are looked at
REST_HAN, REST_WORDS, LEAD_WORDS = 4, 1, 4  # of a clause that picks, besides the keys
OPENING = 12  # characters of a quote among which the key of its option may stand
NAMED = 0.6  # of the words of a clause that names what it takes
_NAME = r"(?:方案|选项|做法|办法|option|plan|approach|choice)\s*"
_LINE = Lazy(
    rf"(?m:^[\s>*#|(（•✅-]*(?:{_NAME})?([a-h]|\d{{1,2}}|[一二三四五六七八九①②③④⑤⑥⑦⑧⑨])(?=\s*[.)、:：）|*]|\s+[–—-]))"
)
_INLINE = Lazy(r"[(（]([a-h]|\d)[)）]|([①②③④⑤⑥⑦⑧⑨])")
_KEYS = Lazy(rf"(?<![a-z0-9./:_-])(?:{_NAME})?([a-h]|\d{{1,2}}|[①②③④⑤⑥⑦⑧⑨])(?![a-z0-9_%/:-]|\.\d)")
_ARTICLE = Lazy(r"\ba\s+[a-z]{2,}")
_NUMERALS = {char: str(place) for chars in ("一二三四五六七八九", "①②③④⑤⑥⑦⑧⑨") for place, char in enumerate(chars, 1)}
_WORD = Lazy(r"[a-z0-9'_-]+")
_HAN = Lazy(r"[一-鿿]")


@dataclass(frozen=True, slots=True)
class Heard:
    """How a message of the user opens: with a yes, a no or neither."""

    yes: bool = False
    no: bool = False


Hears = Callable[[str], Heard]


def answer_to(entries: Sequence[Entry], place: int) -> int | None:
    """The place of the user's first words after the entry at `place`, None where they came too late to answer it."""
    size = 0
    for at in range(place + 1, min(len(entries), place + 2 + FURTHEST)):
        entry = entries[at]
        if entry.act in CHOICES or entry.act in DEEDS:
            return None  # work went on, or something else was asked
        if entry.act is None and entry.binds:
            return at
        size += len(entry.text)
        if size > LONGEST:
            return None
    return None


def takes_up(entries: Sequence[Entry], place: int, span: tuple[int, int], answer: int, hears: Hears) -> bool:
    """Whether the user's words at the place `answer` take up what `span` of the proposal at `place` says."""
    said = fold(entries[answer].text[:ANSWER])
    heard = hears(entries[answer].text[:ANSWER])
    put = fold(entries[place].text)
    if heard.no or all(map(asks, _sentences(said))):
        return False
    before = _before(entries, place)
    after = [fold(one.text) for one in entries[place + 1 : answer]]
    options = dict.fromkeys(key for text in (*before, put, *after) for _, key in _options(text))
    option = _option(put, span[0])
    taken, left = _picked(said)
    if len(options) > 1 and (taken | left) & set(options):
        return option in taken and option not in left
    words = _stems(sentence(put, span))
    if _refused(said, words):
        return False
    if _named(said, words):
        return True
    if len(options) > 1 and option and any(WHICH.search(line) for text in (*before, put, *after)
                                           for line in text.split("\n") if _leads(line)):
        return False
    return heard.yes and _answers([put[span[1] :], *after], words)


def _before(entries: Sequence[Entry], place: int) -> list[str]:
    """What the assistant said just before, where a message is read line by line."""
    found: list[str] = []
    for at in range(place - 1, max(-1, place - 1 - FURTHEST), -1):
        if entries[at].binds or entries[at].act is not None:
            break
        found.append(fold(entries[at].text))
    return found[::-1]


def _sentences(folded: str) -> list[str]:
    return [part + end for part, end in _split(folded)]


def _split(folded: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    start = 0
    for place, char in enumerate(folded):
        if char in "?？!！。;\n" or (char == "." and folded[place + 1 : place + 2] in ("", " ")):
            if folded[start:place].strip():
                found.append((folded[start:place], char))
            start = place + 1
    if folded[start:].strip():
        found.append((folded[start:], ""))
    return found


def _options(folded: str) -> list[tuple[int, str]]:
    """Where options open in a text, and their keys."""
    marks = [(found.start(1), found[1]) for found in _LINE.finditer(folded)]
    inline = [(found.start(), found[1] or found[2]) for found in _INLINE.finditer(folded)]
    return [(at, _NUMERALS.get(key, key)) for at, key in sorted({*marks, *inline})]


def _option(folded: str, at: int) -> str:
    """The key of the option that opens on the line of `at`, nearest before it or right there; "" for none."""
    line, end = folded.rfind("\n", 0, at) + 1, folded.find("\n", at)
    keys = [(place, key) for place, key in _options(folded) if line <= place and (end < 0 or place < end)]
    opened = [key for place, key in keys if place <= at]
    return opened[-1] if opened else next((key for place, key in keys if place - at <= OPENING), "")


def _picked(folded: str) -> tuple[set[str], set[str]]:
    """The keys that an answer takes, and those that it names otherwise."""
    taken: set[str] = set()
    left: set[str] = set()
    for clause in clauses(folded):
        found = list(_KEYS.finditer(clause))
        if not found or _ARTICLE.search(clause):
            continue
        keys = {_NUMERALS.get(one[1], one[1]) for one in found}
        rest = clause[: found[0].start()] + " " + _KEYS.sub(" ", clause[found[0].start() :])
        behind = len(_WORD.findall(_KEYS.sub(" ", clause[found[0].start() :])))
        plain = (len(_HAN.findall(rest)) <= REST_HAN and behind <= REST_WORDS
                 and len(_WORD.findall(rest)) <= LEAD_WORDS)
        (taken if plain and not NEGATION.search(rest) and not REFUSAL.search(rest) and not asks(clause)
         else left).update(keys)
    return taken, left


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(one) for one in grams(text))


def _named(folded: str, words: frozenset[str]) -> bool:
    """Whether a short clause of an answer is mostly about what the `words` name, and does not refuse it."""
    for part in _sentences(folded):
        for clause in clauses(part):
            names = about(clause)
            if not names or NEGATION.search(clause) or REFUSAL.search(clause) or asks(part):
                continue
            if len(names & words) >= max(2 if han(clause) else 1, len(names) * NAMED):
                return True
    return False


def _refused(folded: str, words: frozenset[str]) -> bool:
    """Whether some clause of an answer refuses what the `words` name."""
    return any((NEGATION.search(clause) or REFUSAL.search(clause)) and about(clause) & words
               for clause in clauses(folded))


def _answers(rest: Sequence[str], words: frozenset[str]) -> bool:
    """Whether a yes after `rest`, what the assistant went on to say, still answers what the `words` name: every
    question in it asks about that, or about nothing by name."""
    asked = [one for text in rest for one in _sentences(text) if asks(one)]
    return all(len(names := about(one)) <= 1 or names & words for one in asked)


def _leads(line: str) -> bool:
    """Whether a line asks, or leads a list in."""
    return asks(line) or line.rstrip(" *").endswith((":", "："))
