"""The phrase language of cues: from a cue as written to the sequences of parts that match it.

    a | b      alternatives (a line end parts them too)      {a,b,}  inline alternatives, may be empty
    *          a gap of at most 40 characters in one clause  <num> <path> <code> <url>  typed tokens
    ^  $       start and end of the statement                word~   prefix: no word boundary on the right

A cue is spread into plain sequences of literals and tokens (at most 512). A blank or its absence between a Chinese and
a Latin character makes no difference, and neither does the apostrophe of "don't".
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from distill.rulebook.machine import GAP, GLUE
from distill.rulebook.text import HAN, flatten
from distill.text.lazy import Lazy

MAX_EXPANSIONS = 512
TOKENS = ("<num>", "<path>", "<code>", "<url>")
_TOKEN = re.compile(r"(<[a-z]+>)")
_BRACES = Lazy(r"\{([^{}]*)\}")
_GAPS = re.compile(rf"(?:^|(?<=[\s>{HAN}]))\*(?=[\s<{HAN}]|$)")
_SPLIT_HAN = Lazy(rf"(?<=[{HAN}]) (?=[{HAN}])")
_EDGE = Lazy(rf"(?<=[{HAN}]) ?(?=[a-z0-9])|(?<=[a-z0-9]) ?(?=[{HAN}])")


class PhraseError(ValueError):
    """A cue that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """One literal or token of a phrase, and what links it to the part before (GLUE or GAP)."""

    text: str
    link: int = GLUE
    prefix: bool = False  # no word boundary on the right
    first: bool = False  # must open the statement
    last: bool = False  # must close the statement

    @property
    def is_token(self) -> bool:
        """Whether this is a typed token and not a literal."""
        return self.text in TOKENS


def split_cues(block: str) -> list[str]:
    """The cues of a block: parted by `|` and line ends, blanks at their ends dropped."""
    return [cue for line in block.split("\n") for part in line.split("|") if (cue := part.strip())]


def parse(cue: str) -> list[tuple[Part, ...]]:
    """All sequences that match `cue`, each once, in a fixed order.

    Raises PhraseError where the cue is malformed, has too many variants or no literal at all.
    """
    found: dict[tuple[Part, ...], None] = {}
    text = " ".join(flatten(cue).split())
    for variant in (_SPLIT_HAN.sub("", one) for one in _expand(text)):
        for sequence in _sequences(variant):
            if not any(not part.is_token for part in sequence):
                raise PhraseError(f"{cue!r} needs a word beside its tokens and gaps")
            found[sequence] = None
            if len(found) > MAX_EXPANSIONS:
                raise PhraseError(f"{cue!r} has more than {MAX_EXPANSIONS} variants")
    return list(found)


def literals(sequences: list[tuple[Part, ...]]) -> list[str]:
    """The longest literal of each sequence: what must stand in a text for the phrase to match."""
    return [max((part.text for part in sequence if not part.is_token), key=len) for sequence in sequences]


def _expand(text: str) -> list[str]:
    pieces: list[list[str]] = []
    at = 0
    count = 1
    for match in _BRACES.finditer(text):
        options = match[1].split(",")
        pieces += [[text[at : match.start()]], options]
        at = match.end()
        count *= len(options)
        if count > MAX_EXPANSIONS:
            raise PhraseError(f"{text!r} has more than {MAX_EXPANSIONS} variants")
    pieces.append([text[at:]])
    if any("{" in option or "}" in option for options in pieces for option in options):
        raise PhraseError(f"{text!r}: braces do not nest and must be closed")
    return [" ".join("".join(choice).split()) for choice in itertools.product(*pieces)]


def _sequences(variant: str) -> list[tuple[Part, ...]]:
    first, last = variant.startswith("^"), variant.endswith("$")
    body = variant.removeprefix("^").removesuffix("$").strip()
    choices: list[list[Part]] = []
    for number, stretch in enumerate(_GAPS.split(body)):
        link = GAP if number and choices else GLUE
        for piece in _TOKEN.split(stretch):
            text = piece.strip()
            if not text:
                continue
            if _TOKEN.fullmatch(text):
                if text not in TOKENS:
                    raise PhraseError(f"{variant!r}: {text} is no token; there are {' '.join(TOKENS)}")
                choices.append([Part(text, link)])
            else:
                choices.append(_spellings(text, link, variant))
            link = GLUE
    if not choices:
        raise PhraseError(f"{variant!r} is empty")
    result = []
    for choice in itertools.product(*choices):
        parts = list(choice)
        parts[0] = Part(parts[0].text, parts[0].link, parts[0].prefix, first, parts[0].last)
        parts[-1] = Part(parts[-1].text, parts[-1].link, parts[-1].prefix, parts[-1].first, last)
        result.append(tuple(parts))
    return result


def _spellings(text: str, link: int, variant: str) -> list[Part]:
    prefix = text.endswith("~") and text != "~"
    text = text.removesuffix("~") if prefix else text
    if prefix and not text[-1:].isalnum():
        raise PhraseError(f"{variant!r}: ~ stands at the end of a word")
    spellings = {text: None}
    if (edges := len(_EDGE.findall(text))) and edges <= 2:
        spellings = dict.fromkeys([text, _EDGE.sub("", text), _EDGE.sub(" ", text)])
    for spelling in list(spellings):
        if "n't" in spelling:
            spellings[spelling.replace("n't", "nt")] = None
    return [Part(spelling, link, prefix) for spelling in spellings]
