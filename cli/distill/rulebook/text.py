"""A statement made ready for matching: folded, cut, with its sentences, clauses, quotations and typed tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from distill.text.fold import fold
from distill.text.lazy import Lazy

HAN = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # Chinese characters and punctuation, for a class
LIMIT = 2000  # characters of a statement that are looked at
NUM, PATH, CODE, URL = range(4)  # as in phrase.TOKENS
Span = tuple[int, int]
_T = TypeVar("_T")
# What ends a sentence, and what ends a clause. Each begins with a plain class of characters, as the expression then
# skips all others in one go; a look back tells which it was. For ASCII there is a second one: classes that span
# thousands of characters take milliseconds to compile.
_STOP = r"(?<=\.)(?=[\"')\]]{0,2}(?:\s|$))"
_CLOSE = rf"(?<=[!?])(?=[\s\"')\]」』!?{HAN}]|$)|{_STOP}"
_CLOSE_ASCII = rf"(?<=[!?])(?=[\s\"')\]!?]|$)|{_STOP}"
_SENTENCE = Lazy(rf"[。\n…!?.](?:(?<=[。\n…])|{_CLOSE})")
_SENTENCE_ASCII = Lazy(rf"[\n!?.](?:(?<=\n)|{_CLOSE_ASCII})")
_CLAUSE = Lazy(rf"[,;。\n…()!?. ](?:(?<=[;。\n…()])|(?<=,)(?!\d)|(?<=[{HAN}] )(?=[{HAN}])|{_CLOSE})")
_CLAUSE_ASCII = Lazy(rf"[,;\n()!?.](?:(?<=[;\n()])|(?<=,)(?!\d)|{_CLOSE_ASCII})")
_DASH = Lazy(r"[^\S\n]--?\s|--")
_STOPS = ".!?。…\n"  # the characters that a sentence can end with
_LEAD = Lazy(r"(?:[\s>#*+•·\"'「『(\[`~-]|\d{1,3}[.)、:])+")
_TAIL = " .。!?~\"'」』)]*`;…,、"
_JUNK = Lazy(r"\*\*|[ ]{2,}")
_QUOTE = Lazy(r'"[^"\n]{2,300}"|「[^「」\n]{2,300}」|『[^『』\n]{2,300}』|`[^`\n]{1,120}`')
_CODE = Lazy(r"`[^`\n]{1,120}`")
_URL = Lazy(rf"https?://[^\s<>\"'`)\]}}{HAN}]+")
_NO_WORD = Lazy(r"[0-9/_\\~`]|\.[a-z]|\(\)")  # what a typed token has and a plain word has not
_MORE = r"0-9_.@+/\\~%#-"  # what a run may hold beside letters; one of letters alone is no token
_RUN = Lazy(rf"(?<![a-z])[a-z]*+(?:[{_MORE}][a-z{_MORE}]*+(?:\(\))?|(?<=[a-z])\(\))")
_NUMBER = Lazy(r"[+~-]?v?\d[\d._:/-]*[a-z%]{0,6}")
_HEX = Lazy(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}")
_SUFFIX = Lazy(r"(?:^|[\w~*-])\.[a-z][\w-]{0,11}$")
_NO_PATHS = frozenset({
    "e.g", "i.e", "and/or", "or/and", "he/she", "his/her", "i/o", "n/a", "w/o", "yes/no", "on/off", "input/output",
    "true/false", "read/write", "client/server", "node.js", "vue.js", "next.js", "react.js", "asp.net",
})


def has_han(text: str) -> bool:
    """Whether `text` holds a Chinese (or Japanese) character."""
    return any(
        "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" for char in text
    )


def flatten(text: str) -> str:
    """`text` as cues and statements are compared: folded, a dash between clauses told from a hyphen."""
    return fold(text.replace("—", ";") if "—" in text else text)


class _Once(Generic[_T]):
    """A `functools.cached_property` that takes no lock, as Python 3.11's does each time."""

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, one: Any, _owner: type | None = None) -> _T:
        value = one.__dict__[self._name] = self._make(one)
        return value


class Text:
    """One statement. Places are those of `text`; `origin` gives the place in the source."""

    def __init__(self, source: str, limit: int = LIMIT) -> None:
        """`limit` is the number of characters looked at."""
        self.cut = len(source) > limit
        text = flatten(source[:limit] if self.cut else source)
        self._starts: list[int] = []  # where the pieces of `text` begin, and where they stood in the source
        self._origins: list[int] = []
        if "**" in text or "  " in text:
            text = self._squeeze(text)
        self.text = text

    def _squeeze(self, text: str) -> str:
        """Without bold marks; each run of blanks is one."""
        pieces: list[str] = []
        at = size = 0
        for junk in _JUNK.finditer(text):
            keep = junk.start() + (junk[0][0] == " ")
            self._starts.append(size)
            self._origins.append(at)
            pieces.append(text[at:keep])
            size += keep - at
            at = junk.end()
        self._starts.append(size)
        self._origins.append(at)
        pieces.append(text[at:])
        return "".join(pieces)

    def origin(self, place: int) -> int:
        """Where in the source the character at `place` stood."""
        if not self._starts:
            return place
        piece = bisect_right(self._starts, place) - 1
        return self._origins[piece] + place - self._starts[piece]

    @_Once
    def width(self) -> int:
        """Its width in columns: a Chinese character counts twice."""
        return len(self.text) + sum(map("\u2e80".__le__, self.text))

    @_Once
    def sentences(self) -> list[int]:
        """Where sentences begin, from 0 on."""
        ends = (_SENTENCE_ASCII if self.text.isascii() else _SENTENCE).finditer(self.text)
        return self._begins([end.span() for end in ends])

    @_Once
    def clauses(self) -> list[int]:
        """Where clauses begin by punctuation, from 0 on."""
        ends = (_CLAUSE_ASCII if self.text.isascii() else _CLAUSE).finditer(self.text)
        if "-" not in self.text:
            return self._begins([end.span() for end in ends])
        return self._begins(sorted(end.span() for end in (*ends, *_DASH.finditer(self.text))))

    def _begins(self, ends: list[Span]) -> list[int]:
        """Where what `ends` part begins, from 0 on; ends in a row are one."""
        begins = [0]
        last = -1
        for start, end in ends:
            if start <= last:
                begins[-1] = end
            else:
                begins.append(end)
            last = end
        if last == len(self.text):
            begins.pop()
        return begins

    @_Once
    def _tails(self) -> list[int]:
        """Where the closing marks of each sentence begin."""
        stops = [*self.sentences[1:], len(self.text)]
        pairs = zip(self.sentences, stops, strict=True)
        return [start + len(self.text[start:stop].rstrip(_TAIL)) for start, stop in pairs]

    def closes(self, end: int) -> bool:
        """Whether nothing but closing marks stands between `end` and the end of its sentence."""
        if end == len(self.text):
            return True
        if self.text[end] not in _TAIL and self.text[end - 1] not in _STOPS:
            return False
        return end >= self._tails[max(0, bisect_left(self.sentences, end) - 1)]

    def openings(self, openers: re.Pattern[str] | None) -> set[int]:
        """Where a sentence may be said to begin: at its start, after list marks, after words like "please"."""
        places: set[int] = set()
        for at in self.sentences:
            for _ in range(5):
                places.add(at)
                if lead := _LEAD.match(self.text, at):
                    at = lead.end()
                    places.add(at)
                opener = openers.match(self.text, at) if openers else None
                if opener is None:
                    break
                at = opener.end()
        return places

    def is_gap(self, start: int, end: int) -> bool:
        """Whether no clause ends between two places."""
        return bisect_right(self.clauses, start) == bisect_right(self.clauses, end)

    def quotes(self) -> list[Span]:
        """Quotations and code spans, but for one that is the whole statement."""
        text = self.text
        if not ('"' in text or "`" in text or "「" in text or "『" in text):
            return []
        spans = [found.span() for found in _QUOTE.finditer(text)]
        if not spans:
            return spans
        whole = len(text.strip(" \n>*-#.。!?"))
        return [(start, end) for start, end in spans if end - start < whole]

    def tokens(self) -> list[tuple[int, int, int]]:
        """The typed tokens as (end, start, which)."""
        text = self.text
        if not _NO_WORD.search(text):
            return []
        found = [(one.end(), one.start(), URL) for one in _URL.finditer(text)] if "://" in text else []
        if "`" in text:
            found += [(one.end(), one.start(), CODE) for one in _CODE.finditer(text)]
        for one in _RUN.finditer(text):
            run, start = one[0].rstrip(".-+#@"), one.start()
            if not run or run.isalpha():
                continue
            end = start + len(run)
            if _NUMBER.fullmatch(run):
                found.append((end, start, NUM))
            elif _is_path(run):
                found.append((end, start, PATH))
            elif "_" in run.strip("_") or run.endswith("()") or _HEX.fullmatch(run):
                found.append((end, start, CODE))
        return found


def _is_path(run: str) -> bool:
    if run.endswith("()") or run.startswith("//") or run in _NO_PATHS:
        return False
    if "/" in run or "\\" in run or run[0] == "~":
        return len(run) > 2 and any(char.isalpha() for char in run)
    return _SUFFIX.search(run) is not None
