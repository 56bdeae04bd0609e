"""Words by which people say that something is over: given up, allowed again, done, deleted."""

from __future__ import annotations

import re

from distill.reconcile.polarity import form, forms
from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

_GIVES_UP = Lazy(
    r"(?<!n't )(?<!n’t )(?<!not )(?<!never )"
    r"\b(?:forget(?: about)?|drop|scrap|skip|cancel|abandon|ditch|remove|get rid of)\b"
    r"|\b(?:no longer|don't|don’t|do not|won't|won’t|needn't|need not)\s+(?:have to|going to|need|want|do|be done)\b"
    r"|\bnot needed\b|\bno (?:longer needed|need (?:for|to))\b|\bobsolete\b|\boff the table\b"
    r"|(?<![先不])不(?:做|搞|弄|用做|需要|用|要)了|不(?:用|必|需要?|打算)[一-鿿]{1,2}了|不再需要|无需再|取消|砍掉|去掉|放弃|作废|免了|下线|下掉|删掉|移除|废弃"
    r"|停用",
    re.IGNORECASE,
)
_CLAUSE = Lazy(r"[,;:，；。：]|\.\s")
_ALLOWS = Lazy(
    r"\b(?:can|may|could|(?:are|is) (?:free|allowed|fine|ok|okay) to)\b.{1,80}\b(?:now|again)\b"
    r"|\b(?:now|again)\b.{1,80}\b(?:can|may|allowed)\b|\b(?:is|are) lifted\b"
    r"|\bno longer (?:off limits|frozen|forbidden|banned|locked)\b"
    r"|(?:现在|已经|又)可以|可以.{0,12}了|放开|解除|解冻|不再(?:冻结|禁止|限制)",
    re.IGNORECASE,
)
_FOR_NOW = Lazy(
    r"\b(?:for now|for the moment|for the time being|until further notice|still)\b|暂时|先(?:保留|留|用)|暂且",
    re.IGNORECASE,
)
_HELD = Lazy(  # what only says that something is to be left as it is
    r"\b(?:don['’]t|do not|never|must not|keep|leave|touch|change|edit|modify|alter|use|as it is|alone|anything|please|"
    r"for now|for the moment|for the time being|until further notice|still|stays?)\b"
    r"|不要|不能|不准|不许|禁止|别|勿|动|修改|改动|改|触碰|碰|暂时|暂且|先|保留|留着|请|任何|目前|继续|使用|用",
    re.IGNORECASE,
)
_PAST = dict(
    word.split(":")
    for word in "written:write wrote:write built:build made:make sent:send drawn:draw drew:draw chosen:choose "
    "chose:choose found:find taken:take took:take given:give gave:give shown:show brought:bring taught:teach "
    "bought:buy rewritten:rewrite rewrote:rewrite rebuilt:rebuild paid:pay sold:sell told:tell held:hold "
    "met:meet ran:run run:run set:set put:put split:split cut:cut read:read begun:begin spoken:speak".split()
)
_DONE = Lazy(
    r"\b(?:is|are|was|were|been|has|have|had|it's|i|we)(?:['’]ve)?\s+"
    r"(?:(?:now|already|all|both|finally|also|just|fully|been|have)\s+)*(?P<past>[a-z]{3,})\b"
    r"|^(?P<first>[a-z]{2,}(?:ed|ote|uilt|ade|ent|aid|ought))\b",
    re.IGNORECASE,
)
_ZH_DONE = Lazy(
    r"已经?(?P<after>[一-鿿]{1,2})"
    r"|(?P<before>[一-鿿])(?:好|完|妥|过|上)了|(?P<whole>[一-鿿]{2})(?:下来|到手|到位)了"
)
_PATH = r"`?(?P<{0}>(?:[\w.@~-]+/)+[\w.@-]+|[\w-]+\.[a-z]\w{{0,5}})`?"
_DELETED = Lazy(
    rf"\b(?:i|we)(?:['’]ve| have)?\s+(?:just |already |now )?(?:deleted|removed)\s+"
    rf"(?:the (?:file )?)?{_PATH.format('a')}"
    rf"(?=[\s,.;!。，；]*$|[,.;!]|\s(?:and|because|since|as|again|too|already)\b)"
    rf"|^{_PATH.format('b')}\s+(?:is (?:gone|deleted)|(?:was|has been) (?:deleted|removed))\b"
    rf"|{_PATH.format('c')}\s*(?:文件)?\s*(?:我|我们)?(?:已经|已|都)?被?删(?:掉|除)?了"
    rf"|(?:我|我们)?(?:已经|已)?(?:把)?删(?:掉|除)?了\s*{_PATH.format('d')}",
    re.IGNORECASE,
)


# A deed that is forbidden without a thing of its own: "don't push yet, I want to see it", 「先别提交」.
_WITHHELD = Lazy(
    r"^(?:(?:but|and|also|please|so) )*(?:do not|don['’]?t) (?P<a>[a-z]+)"
    r"(?: (?:it|that|this|them|anything|yet|just))*\s*(?=$|[,.;!:]|until\b|before\b)"
    r"|^[那但也请]?(?:先|暂时|暂)?(?:别|不要|不用|不)(?:急着)?(?P<b>[一-鿿]{1,2}?)(?:它|上去|出去)?(?=$|[，。；！,.!])",
    re.IGNORECASE,
)
# The order to do it: "ok, push it", 「可以推了」.
_ORDERS = Lazy(
    r"^(?:(?:ok|okay|yes|good|great|fine|now|then|and|so|please|alright|looks good)[,.!]? )*"
    r"(?P<a>[a-z]+)(?: (?:it|that|this|them|everything))?(?: now)?(?=\s*(?:$|[,.;!]|and\b|to\b))"
    r"|^(?:好|行|可以|那|现在|就|都|[，, ]){0,6}(?P<b>[一-鿿]{1,2}?)(?:上去|出去)?[吧了](?=$|[，。；！,.!])",
    re.IGNORECASE,
)


def withheld(text: str) -> str:
    """The deed that a statement forbids until further notice; "" where it names what may not be done to."""
    return _deed(_WITHHELD.search(text))


def ordered(text: str) -> str:
    """The deed that a statement orders, by the verb alone; "" where it orders none."""
    return _deed(_ORDERS.search(text))


def _deed(found: re.Match[str] | None) -> str:
    return (found["a"] or found["b"]).casefold() if found else ""


def gives_up(text: str) -> bool:
    """Whether a statement says that something is not wanted, or need not be done, any more."""
    return bool(_GIVES_UP.search(text))


def given_up(text: str) -> str:
    """What a statement gives up: the clauses that do so, without the words that say it."""
    clauses = _CLAUSE.split(text)
    return " ".join(_GIVES_UP.sub(" ", clause) for clause in clauses if _GIVES_UP.search(clause))


def allows(text: str) -> bool:
    """Whether a statement says that what was forbidden may be done from now on."""
    return bool(_ALLOWS.search(text))


def for_now(text: str) -> bool:
    """Whether a decision holds for the moment only."""
    return bool(_FOR_NOW.search(text))


def names_all(said: str, held: str) -> bool:
    """Whether `said` names all that a decision forbids or keeps."""
    wanted = content(grams(_HELD.sub(" ", held)))
    folded, words = fold(said), grams(said)
    return bool(wanted) and all(word in words if word[0].isascii() else word in folded for word in wanted)


def done(text: str) -> frozenset[str]:
    """The verbs of what `text` says to have been done: the stems of English ones, Chinese ones as they stand."""
    found: set[str] = set()
    for one in _DONE.finditer(text):
        past = (one["past"] or one["first"]).casefold()
        if past in _PAST:
            found |= grams(_PAST[past]) or {_PAST[past]}
        elif past.endswith("ed"):
            found |= grams(past)
    stems = set(forms(found))
    return frozenset(stems | {one["after"] or one["before"] or one["whole"] for one in _ZH_DONE.finditer(text)})


def asks_for(task: str, verbs: frozenset[str]) -> frozenset[str]:
    """The words of `task` that ask for what one of the `verbs` (see `done`) says to be done."""
    chinese = tuple(verb for verb in verbs if not verb.isascii())
    words = grams(task)
    stems = {word for word in words if form(word) in verbs}
    if chinese:
        stems |= {word for word in words if not word.isascii() and any(verb in word for verb in chinese)}
    if not stems and any(verb in task for verb in chinese):
        return frozenset(verb for verb in chinese if verb in task)
    return frozenset(stems)


def deleted(text: str) -> str:
    """The path of the file that a statement says to be deleted; "" where it says no such thing."""
    found = _DELETED.search(text)
    return next(filter(None, found.groups()), "") if found else ""
