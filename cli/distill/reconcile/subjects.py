"""What a statement is about and what it says of it, so that a later choice can be told to replace an earlier one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from distill.reconcile.attributes import other_value
from distill.reconcile.parallel import keyed, of_other_numbers
from distill.reconcile.polarity import denied, denies, forms
from distill.reconcile.values import CHANGE, CHANGES, TIME, of_another, revalued
from distill.text.language import han
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams, numbers

_NEGATED = Lazy(
    r"\b(?:not?|never|don't|doesn't|without|avoid|drop(?:ped|s)?|remov(?:e[ds]?|ing)|no longer|instead of|rather "
    r"than)\b"
    r"|不|别|無|无需|没|去掉|拿掉|取消|弃用|停用|移除|删"
)
_NAME = Lazy(r"\b(?:[A-Z][A-Za-z0-9+#.]*[A-Za-z0-9+#]|[a-z]+[A-Z]\w+|[A-Z]{2,})\b|`[^`]{1,60}`")
_CORRECTION = Lazy(
    r"\b(?:actually|instead|after all|scratch that|change of plan|changed (?:my|our) mind|no longer|back to|revert|"
    r"und(?:o|id|one)|rather than|on second thought|correction|renam(?:e[ds]?|ing)"
    r"|(?:bump|upgrad|downgrad|rais|lower|increas|reduc|extend|shorten)\w*\b.{1,60} to"
    r"|(?:take|throw|rip|pull|kick|leave) .{1,40} out\b"
    r"|make (?:that|it)|switch(?:ed|ing)? (?:to|back)|replace[ds]?|never mind|not anymore|from \S+ to)\b"
    r"|算了|改成|改为|改用|改回|换成|还是用|不用了|改到|改主意|不要.{0,20}了|重新|而是|换回|更正|不再|取消|撤销|撤回|推翻|"
    r"(?:升级|降级|升|降|放宽|调整|调|提高|换|移)到|改走|拿掉|去掉|恢复|改名|更名|重命名|改叫"
)
# What a statement says is given up: "Redis instead of X", 「从 X 换成 Redis」.
_GIVEN_UP = Lazy(
    r"\b(?:instead of|rather than|no longer(?: (?:use|on|in|with))?)\s+(?P<a>[^\s,;]+(?: [^\s,;]+){0,2}?)"
    r"(?=[.!?]*$|[,;。，]|\s+(?:for|in|on|at|after|from|to|when|and|as)\b)"
    r"|,\s*(?:and )?not (?P<b>[^\s,;]+(?: [^\s,;]+){0,2}?)(?=[.!?]*$|[,;。，])"
    r"|\b(?:take|throw|rip|pull|kick|leave) (?:the |that |this )?(?P<h>[^\s,;]+(?: (?!stuff|thing|part)[^\s,;]+){0,2}?)"
    r"(?: (?:stuff|thing|part|bit))? (?:back )?out\b(?! of\b)"
    r"|\bfrom (?:\w+ )?(?P<c>[^\s,;]+) (?=to\b)"
    r"|不(?:再)?[用要放走选]\s*(?P<d>[^，。,；;\s]{1,12}(?: [^，。,；;\s]{1,12})?)\s*了"
    r"|不是\s*(?P<g>[^，,。；;]{2,16}?)\s*[，,]\s*而?是"
    r"|(?:而不是|取代|弃用)\s*(?P<e>[^，。,；;]{1,16})"
    r"|从\s*(?P<f>[^，。,；;]{1,16}?)\s*(?=换成|改成|改为|改到|换到|迁到|迁移到|切到|切换到|换为)",
    re.IGNORECASE,
)
# One of these stands in every such statement.
_GIVES = ("instead of", "rather than", "no longer", "not ", "from ", " out")
_ALL_GIVE = (*_GIVES, *"不从", "取代", "弃用")
# What a Chinese statement chooses where no name shows it: 「部署在阿里云」.
_CHOSEN = Lazy(
    r"(?:换成|改成|改为|改用|换为|换到|迁到|切到|采用|选用|(?=部署))\s*(?P<verb>部署)?[换迁移改切]?[在到]?\s*"
    r"(?P<value>[一-鿿]{2,8}?)(?=[吧了]?(?:\s(?!\s*\d)|[，。；,;！!（(]|$))"
)
_RENAMES = Lazy(r"\b(?i:renam(?:e[ds]?|ing))\b|改名|更名|重命名|改叫|换个?名")
_NAMES = Lazy(r"\b(?i:call(?:ed)?|name[ds]?|rename[ds]?)\b|叫|名为|命名|起名|取名|改名|名字|名称")
_NAMING = grams("called named name rename 改名 更名 重命名 改叫 命名 名为 名字 名称")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A statement taken apart: the words of its subject, the names and numbers that are its value, its polarity.

    A value that it says to be given up is none of its own; the words of that are `given_up`.
    """

    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    negated: bool
    corrects: bool  # says itself that it replaces something
    held: frozenset[str] = frozenset()  # all words but those of what is given up
    given_up: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()  # those of the names that are no names but words
    near: frozenset[str] = frozenset()  # words by which statements on the same subject are found
    denied: frozenset[str] = frozenset()  # words that stand under a negation
    renames: bool = False  # says that something gets another name
    told: bool = False  # whether a word tells what it is about, besides those of a change
    text: str = ""


@lru_cache(maxsize=1 << 12)
def subject_of(text: str) -> Subject:
    """Take `text` apart."""
    whole, folded = text, text.casefold()
    signs = _GIVES if text.isascii() else _ALL_GIVE
    lost: list[str] = []
    if any(sign in folded for sign in signs):
        lost = [next(filter(None, found.groups())) for found in _GIVEN_UP.finditer(text)]
    given_up = grams(" ".join(lost)) if lost else frozenset()
    text = _GIVEN_UP.sub(" ", text) if lost else text
    names = frozenset(
        name.strip("`").casefold()
        for name in _NAME.findall(text)
        if not text.startswith(name) or name.isupper() or "`" in name
    )
    chosen: frozenset[str] = frozenset()
    rest = text
    if not text.isascii():
        chosen = frozenset(found["value"] for found in _CHOSEN.finditer(text))
        rest = CHANGES.sub(" ", _CHOSEN.sub(lambda found: f" {found['verb'] or ''} ", text))
    found = numbers(text)
    named = grams(" ".join((*names, *chosen)))
    words = frozenset(word for word in content(grams(rest)) - named if not word.isdigit())
    return Subject(
        words=words,
        names=names | chosen,
        numbers=found,
        negated=bool(_NEGATED.search(folded)),
        corrects=bool(_CORRECTION.search(folded)),
        held=grams(text),
        chosen=chosen,
        given_up=given_up,
        near=words | names | named | given_up,
        denied=denied(whole),
        renames=bool(_RENAMES.search(whole)),
        told=any(len(word) > 1 for word in words - CHANGE),  # a single character is what a particle leaves
        text=whole,
    )


def replaces(later: Subject, earlier: Subject) -> bool:
    """Whether the later statement sets another value for what the earlier one is about."""
    if not _sets_another(later, earlier):
        return False
    numbered = later.numbers != earlier.numbers or "第" in later.text
    return not (numbered and of_other_numbers(later.text, earlier.text))  # asked last: most pairs have failed by then


def _sets_another(later: Subject, earlier: Subject) -> bool:
    """Whether one sets another value, unless both are about numbered things of which each names its own."""
    both = later.words & earlier.words
    pointed = later.corrects and not (later.told and earlier.words)  # one of them tells no subject
    if (both or pointed) and gives_up(later, earlier):
        return True
    words, others = later.words, earlier.words
    if words & TIME and others & TIME and words - TIME:
        words, others = words - TIME, others - TIME  # 90 minutes and 2 hours are values of one sort
        both = words & others
    smaller = min(len(words), len(others))
    share = len(both) / smaller if smaller else 0.0
    if later.corrects:
        shared = later.names & earlier.names
        if shared and not earlier.negated and later.denied & forms(grams(" ".join(shared))):
            return True  # "not X any more": the earlier choice of X is gone
        if later.negated and not earlier.negated and len(both) >= 2 and share >= 0.4:
            return True  # "no map links after all"
        if share >= 0.5 and both and _other_value(later, earlier) and not _of_another(later, earlier):
            return True
    if later.renames and _NAMES.search(earlier.text) and (
        later.names & earlier.names or (both - _NAMING and not earlier.renames)
    ):
        return True
    if _denies(later, earlier) or (len(earlier.denied) > 1 and _allows(later, earlier)):
        return True
    if not earlier.given_up and (revalued(later.text, earlier.text) or other_value(later.text, earlier.text)):
        return True
    if not both or share < 0.99:
        return False
    return _other_value(later, earlier) and not _other_thing(later, earlier)


def gives_up(one: Subject, other: Subject) -> bool:
    """Whether one statement says that what the other one chose is given up."""
    return bool(one.given_up) and one.given_up <= other.held and not one.given_up <= one.held


def contradicts(one: Subject, other: Subject) -> bool:
    """Whether two statements cannot say the same: other values, or one gives up what the other holds."""
    if one.numbers and other.numbers and not one.numbers & other.numbers:
        return True
    if one.chosen and other.chosen and not one.chosen & other.chosen:
        return True
    if gives_up(one, other) or gives_up(other, one):
        return True
    return any(
        first.denied and denies(first.denied, second.held, second.denied, second.text)
        for first, second in ((one, other), (other, one))
    )


def _denies(later: Subject, earlier: Subject) -> bool:
    """Whether the later one says no to all that the earlier one is about: "use Redis here", "no Redis here"."""
    if earlier.denied or not later.denied:
        return False
    about = content(earlier.held)
    return bool(about) and forms(about) <= later.denied


def _allows(later: Subject, earlier: Subject) -> bool:
    """Whether the later one says plainly what the earlier one forbids, and nothing else."""
    if later.negated or later.denied:
        return False
    return earlier.denied == forms(content(later.held)) == forms(content(earlier.held))


def _other_thing(later: Subject, earlier: Subject) -> bool:
    """Whether the values are those of two things: each has a name or word for its own, or a key of its own."""
    if later.numbers and earlier.numbers:
        own, others = (one.words | one.names for one in (later, earlier))
        if own - others - earlier.held and others - own - later.held and later.names != earlier.names:
            return True
    return keyed(later.text, earlier.text)


def _of_another(later: Subject, earlier: Subject) -> bool:
    """Whether a change is one of another thing: both name what the other does not, in words that a reader compares."""
    if bool(han(later.text)) is not bool(han(earlier.text)):
        return False  # said in two languages
    if later.numbers and earlier.numbers:
        return of_another(later.text, earlier.text)
    if not (later.text.isascii() and earlier.text.isascii()):
        return False  # pairs of characters differ where the words do not
    own, others = later.words - earlier.words - CHANGE, earlier.words - later.words - CHANGE
    return bool(own and others)


def _other_value(later: Subject, earlier: Subject) -> bool:
    if later.numbers and earlier.numbers:
        return later.numbers != earlier.numbers and not earlier.numbers & later.numbers
    if later.names and earlier.names:
        plain = later.names == later.chosen or earlier.names == earlier.chosen  # words: other values of another thing?
        same = len(later.words & earlier.words) > 1 or later.words == earlier.words
        return not later.names & earlier.names and (not plain or same)
    return False
