"""Which of several options the user means: by place ("the second"), by name ("redis please"), or by ruling out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from distill.model import Statement
from distill.text.fold import fold
from distill.text.language import width
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

SAID = 90  # width of an answer up to which it may mean an option without a word of choosing
# Alternatives are put up: the message asks which, or names a preference to be told.
_WHICH = Lazy(
    r"\b(?:which|prefer(?:ence)?|pick|choose|what would you (?:like|rather)|how would you like|what do you think|or)\b"
    r"|哪|选|選|还是|還是|倾向|傾向|偏好|怎么定|怎麼定"
)
# Words that hand the choice back, put it off or ask about it: nothing is chosen.
_OPEN = Lazy(
    r"[?]|\b(?:up to you|your call|you (?:decide|choose|pick)|whichever|whatever|don't care|no preference|not sure|"
    r"let me think|think about it|get back to you|difference|why|what|how|explain|compare)\b"
    r"|吗|嗎|呢|什么|什麼|怎么|怎麼|区别|區別|为何|为啥|你定|你来定|你決定|你决定|你选|随便|隨便|看着办|看著辦|"
    r"都行|都可以|再想|想想|想一下|考虑一下|考慮一下|先看看|不确定|不確定|哪"
)
_NONE = Lazy(r"^(?:neither|none)\b|^(?:两个|兩個|这些|這些|[三四]个)?都(?:不|别|別|没)")
_CLAUSE = Lazy(r"[,.;!，。；！、\n]+|\b(?:but|so|then|instead|though)\b|但是?|不过|不過|所以|那就|就用|还是用|還是用")
# From here to the end of the clause an option is ruled out.
_AGAINST = Lazy(
    r"\b(?:not|no|neither|nor|without|don't|doesn't|isn't|won't|never|except|rather than|instead of|over|"
    r"than|risky|overkill|too|skip|drop|hate|against)\b|不|别|別|没|沒|除了|而不是|太|算了|免了|拿掉"
)
_AHEAD = ("rather than", "instead of", "except", "over", "than", "不是", "而不是", "除了")
_ORDINALS = (
    ("1", Lazy(r"\b(?:first|1st|former)\b|第一|前者|头一|頭一")),
    ("2", Lazy(r"\b(?:second|2nd)\b|第二")),
    ("3", Lazy(r"\b(?:third|3rd)\b|第三")),
    ("4", Lazy(r"\b(?:fourth|4th)\b|第四")),
    ("-1", Lazy(r"\b(?:last|latter)\b|最后|最後|后者|後者")),
    ("1 2", Lazy(r"\bfirst two\b|前两|前兩|前二")),
    ("-2 -1", Lazy(r"\blast two\b|后两|後兩|后二")),
)
# Beside a Chinese character a number is an option's only where that chooses: 「3做」, 「选2」, not 「3天」, 「前2」.
_NUMBER = Lazy(
    r"(?<![a-z0-9_.:/-])(?<![^\W\da-z选選用做要和跟就先加第与與])(\d{1,2})"
    r"(?![a-z0-9_.:/%-])(?![^\W\da-z做要不也和跟都就先吧好可行用留选選改加与與])"
)
_LETTERS = Lazy(r"\b[a-h]\b")
_CHOOSING = grams(
    "one ones option please take yes go for like love have rather better good ok sure that then only just first "
    "i'd i'll let's"
) | grams(
    "方案 选项 那个 这个 用吧 就用 选这 好的 种吧 个吧 只做 先做"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The options that were taken and those that were ruled out."""

    taken: tuple[Statement, ...] = ()
    out: tuple[Statement, ...] = ()


def asks_which(question: str) -> bool:
    """Whether a question is one between alternatives."""
    return bool(_WHICH.search(fold(question)))


def choose(said: str, options: Sequence[Statement], *, by_name: bool = True) -> Choice:
    """What `said`, a line of the user, takes and rules out of `options`, which stand in the order they were offered.

    With `by_name` the words of an option mean it; else its number and place alone.
    """
    folded = fold(said.strip())
    if len(options) < 2 or width(folded) > SAID or _OPEN.search(folded):
        return Choice()
    if _NONE.match(folded):
        return Choice(out=tuple(options))
    names = _distinctive(options) if by_name else [frozenset[str]()] * len(options)
    taken: dict[int, None] = {}
    out: dict[int, None] = {}
    for clause in filter(str.strip, _CLAUSE.sub("\n", folded.replace("anything but ", "except ")).split("\n")):
        turn = _AGAINST.search(clause)
        against = turn.start() if turn else len(clause)
        if turn and turn[0] not in _AHEAD and not any(clause.startswith(word) for word in _AHEAD):
            against = 0  # "2 looks too risky": a word against it speaks of the whole clause
        for part, found in ((clause[:against], taken), (clause[against:], out)):
            found.update(dict.fromkeys(_meant(part, len(options), names)))
    return Choice(
        taken=tuple(options[i] for i in taken if i not in out), out=tuple(options[i] for i in out)
    )


def goes_beyond(said: str, *options: Statement) -> bool:
    """Whether `said`, which takes the options, says more than that: "the first, with an hour to live"."""
    plain = fold(said)
    for _, words in _ORDINALS:
        plain = words.sub(" ", plain)
    more = content(grams(_LETTERS.sub(" ", _NUMBER.sub(" ", plain)))) - _CHOOSING
    for option in options:
        more -= grams(option.text)
    return any(len(word) > 1 for word in more)  # one Chinese character alone is a particle or a verb


def _meant(part: str, count: int, names: Sequence[frozenset[str]]) -> list[int]:
    """The places of the options that a part of a clause means."""
    if not part.strip():
        return []
    for places, ordinal in reversed(_ORDINALS):
        if ordinal.search(part):
            found = [int(place) for place in places.split()]
            return [place - 1 if place > 0 else count + place for place in found if abs(place) <= count]
    numbers = [int(one) for one in _NUMBER.findall(part)]
    if numbers and all(1 <= one <= count for one in numbers):
        return [one - 1 for one in numbers]
    words = content(grams(part))
    hits = {place: len(words & own) for place, own in enumerate(names) if words & own}
    if not hits:
        return []
    if _joined(part):
        return list(hits)
    best = max(hits.values())
    top = [place for place, number in hits.items() if number == best]
    return top if len(top) == 1 else []


def _joined(part: str) -> bool:
    return any(word in part for word in (" and ", "&", "和", "跟", "加"))


def _distinctive(options: Sequence[Statement]) -> list[frozenset[str]]:
    """Of each option the words that no other one has."""
    words = [content(grams(one.text)) for one in options]
    count = Counter(word for own in words for word in own)
    return [frozenset(word for word in own if count[word] == 1) for own in words]
