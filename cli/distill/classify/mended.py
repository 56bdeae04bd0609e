"""What a user said to be wrong or missing, that the turn mended, and that nobody repeats: it is over."""

from __future__ import annotations

from collections.abc import Sequence

from distill.classify.candidate import Candidate
from distill.model import Kind, Role, Turn
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

_LATER = frozenset(("open/reminder", "open/waiting", "open/question"))  # not for this turn to do
_LISTED = "open/todo"  # a to-do or a known fault, which only words on it end
_PUT_OFF = frozenset(("deferred", "question", "hypothetical", "quoted"))
_MENDED = Lazy(
    r"(?i:^(?:fixed|repaired|mended|corrected|solved|resolved)\b)"
    r"|^(?:已经?)?(?:修好|修复|修了|修正|改好|解决)了?(?![一-鿿]*吗)"
)
REQUEST = 4000  # characters of a request that are looked at


def mended(asked: Sequence[Candidate], closing: Sequence[Candidate]) -> list[Candidate]:
    """Those of the user's words `asked` that tell of a fault and that the answer `closing` says to be mended."""
    deeds = [one for one in closing if one.signals & {"change", "did"} or one.finishes or _MENDED.search(one.text)]
    said = frozenset().union(*(one.words for one in deeds))
    faults = [one for one in asked if _fault(one)]
    alone = len(faults) == len(asked) == 1 and faults[0].verdict.rule != _LISTED
    if alone and any(_MENDED.search(one.text) for one in deeds):
        return faults  # the one thing that was said
    return [one for one in faults if (words := content(one.words)) and len(words & said) * 3 >= len(words)]


def repeats(turn: Turn, fault: Candidate) -> bool:
    """Whether the user's words of `turn` speak of the fault again."""
    words = content(fault.words)
    return len(words & grams(turn.request[:REQUEST])) * 2 >= len(words)


def _fault(one: Candidate) -> bool:
    verdict = one.verdict
    if one.statement.role is not Role.USER or verdict.rule in _LATER or verdict.modifiers & _PUT_OFF:
        return False
    return verdict.kind is Kind.OPEN or "complaint" in one.signals
