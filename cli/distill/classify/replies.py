"""What the user answers: an approval, a pick, a refusal, a hold, or something new."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import numbers

_YES = Lazy(
    r"^(?:yes|yep|yeah|yup|ok|okay|k|sure|agreed|approved|perfect|great|sounds (?:good|great|fine|perfect)|lgtm|go "
    r"ahead|do it|please do|go for it"
    r"|works for me|fine|good|correct|right|exactly|proceed|makes sense|absolutely|of course|cool|nice|alright|"
    r"ship it|let's do (?:it|that|this)"
    r"|\+1|y|好的?|好吧|好呀|可以的?|行吧?|对的?|嗯+|是的?|没问题|同意|就这样吧?|就这么(?:办|定|做)吧?|没错|確定|"
    r"确认|按你说的(?:做|来)?|可|批准|赞成|開始吧|开始吧"
    r"|那就(?:这样|这么)?(?:做|办|定)?吧?|接受|准了?|要的?)(?=$|[\s,.!，。！、;；~]|[一-鿿])"
)
_NO = Lazy(
    r"^(?:no|nope|nah|not (?:now|yet|needed|necessary)|don't|do not|never mind|nevermind|skip (?:it|that)|leave it|"
    r"no thanks|no need"
    r"|不用了?|不要了?|不需要|不必|算了|别|先不|不行|不可以|没必要|不了|先别|免了|不是|否)(?=$|[\s,.!，。！、;；]|"
    r"[一-鿿])"
)
_HOLD = Lazy(
    r"don't (?:code|implement|start|write|change|touch) (?:\w+ ){0,3}yet|do not (?:code|implement|write)\b|no code "
    r"yet|just (?:plan|discuss)|hold off|not yet"
    r"|先别(?:实现|写|改|动|做|急)|先不要(?:动|改|写|实现)|先讨论|先討論|先聊|不动手|不要直接改|只规划|只規劃|"
    r"先规划|不动程序|不要动代码|先不动"
)
# Words that only begin like an answer.
_NO_ANSWER = Lazy(
    r"好[像处多久奇]|行[为动业程]|对[比于方象应]|可[以能见][吗么能]?(?=吗|么|能|见)|要[求不是]|是[不否]|准备|"
    r"确[认定]一下|别[的人名]|先不[说管]|不是[不]|免费|算了一下"
)
_BOTH = Lazy(
    r"^(?:both|all(?: of (?:them|it))?|都要|都可以|两个都|兩個都|全部|全都|都做)(?=$|[\s,.!，。！、;；])"
)
_PICK = Lazy(
    r"^(?:(?:ok(?:ay)?|yes|yeah|so|then|那就?|就|好,?|我?选|選|用|走|按|采用|實現|实现|let's|let us|go with|use|do|"
    r"i(?:'d)? (?:choose|prefer|pick|like)"
    r"|i'll take|take|pick|address|implement|i think|我觉得|想要?|先做?|執行|执行)[\s,，:：]*){0,3}"
    r"(?:(?:option|choice|approach|number|no\.?|#|plan|方案|选项|選項|第)\s*)?"
    r"((?:[a-h]|\d{1,2}|[一二三四五六七八九])(?:\s*(?:,|，|、|and|&|\+|和|跟|与|or)\s*(?:[a-h]|\d{1,2}|"
    r"[一二三四五六七八九])){0,5})"
    r"(?:\s*(?:个|種|种|项|那个|方案))?(?=$|[\s,.!，。！、;；:：)）]|的)"
)
_PICK_NAMED = Lazy(
    r"(?:option|approach|choice|方案|选项|選項)\s*([a-h]|\d{1,2}|[一二三四五六七八九])(?![a-z0-9])"
)
_CALLED = Lazy(r"option|choice|approach|plan|方案|选项|選項")
_KEY = Lazy(r"(?<![a-z])[a-h](?![a-z])|\d{1,2}|[一二三四五六七八九]")
_NUMERALS = {c: str(i) for i, c in enumerate("一二三四五六七八九", 1)}


_AMEND = Lazy(
    r"^(?:(?:actually|no|wait|sorry|hmm?|ok(?:ay)?|well|then)[,.]?\s+){0,2}(?:let's |please )?(?:make (?:that|it|"
    r"this)|change (?:that|it|this) to|set (?:that|it) to)"
    r"\s+(?:to\s+)?(\S.{0,60})$"
    r"|^(?:不对|等等|算了|还是|那就?|不[，,])?[，, ]{0,2}(?:改成|改为|改到|换成|调成|调到|定成|"
    r"就)\s*(\d\S{0,30}.{0,30})$"
)
_VALUE = Lazy(
    r"(?:\b(?:to|at|of|is|as)\s+|[=:：为成到]\s*)?`?\d+(?:[.:]\d+)*\s*(?:%|[a-zA-Z]{1,3}\b|"
    r"[个秒分钟天小时条次台人]{1,2})?`?"
)


_TAKES_BACK = Lazy(
    r"^(?:(?:no|wait|hmm?|actually|sorry|ok(?:ay)?)[,.]?\s+){0,2}(?:scratch that|strike that|"
    r"forget (?:that|it|what i said)|i take (?:that|it) back|disregard that)\b|^(?:当我没说|收回刚才|忽略上面|忽略刚才)"
)


def takes_back(text: str) -> bool:
    """Whether `text` takes the words before it back without naming them ("scratch that, …")."""
    return bool(_TAKES_BACK.match(fold(text.strip())))


def amended_value(text: str) -> str:
    """The new value where `text` only changes what was said before ("actually make that 50"), else ""."""
    found = _AMEND.match(fold(text.strip()))
    value = (found[1] or found[2] or "").rstrip(".。!！ ") if found else ""
    return value if numbers(value) else ""  # "make that work" sets nothing


def without_numbers(text: str) -> str:
    """`text` without its values: what a setting is about."""
    return " ".join(_VALUE.sub("", text).split()).strip(" .。，,:：")


_REFUSES = Lazy(
    r"^(?:(?:hmm?|well|sorry|wait)[,.]?\s+)?(?:no\b|nope|not (?:what|quite|right|like)|that's (?:not|wrong)|that "
    r"is (?:not|wrong)|wrong|i (?:didn't|did not) (?:ask|want|mean|say)|this is (?:not|wrong))"
    r"|^(?:不对(?!称|应|齐|等)|不是|错了|不行|搞错|你搞错|你理解错|我不是|不要这样|怎么又|还是不)"
)


def refuses(text: str) -> bool:
    """Whether the user says that what was just said or done is wrong."""
    return bool(_REFUSES.match(fold(text.lstrip()[:80])))


class Answer(StrEnum):
    """How a user's message answers what was proposed."""

    YES = "yes"
    NO = "no"
    HOLD = "hold"
    PICK = "pick"
    BOTH = "both"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, the options it names, and the words that go beyond it."""

    answer: Answer
    keys: tuple[str, ...] = ()
    named: bool = False  # the user says "option", 「方案」 or the like
    rest: str = ""


def read_reply(text: str) -> Reply:
    """What the user's message `text` answers; only its first line decides."""
    line = next((part.strip() for part in text.split("\n") if part.strip()), "")[:400]
    folded = fold(line).strip(" \"'“”「」")
    if _HOLD.search(folded):
        return Reply(answer=Answer.HOLD, rest=line)
    if _NO_ANSWER.match(folded):
        return Reply(answer=Answer.NONE, rest=line)
    if found := _BOTH.match(folded):
        return Reply(answer=Answer.BOTH, rest=_rest(line, found.end()))
    if (found := _PICK.match(folded)) and not _is_quantity(folded, found):
        keys = tuple(_NUMERALS.get(key, key) for key in _KEY.findall(found[1]))
        called = bool(_CALLED.search(folded[: found.end()]))
        return Reply(answer=Answer.PICK, keys=keys, named=called, rest=_rest(line, found.end()))
    if len(folded) < 160 and not folded.endswith("?") and (named := _PICK_NAMED.findall(folded)):
        return Reply(
            answer=Answer.PICK, keys=tuple(_NUMERALS.get(k, k) for k in dict.fromkeys(named)), named=True, rest=line
        )
    if found := _NO.match(folded):
        return Reply(answer=Answer.NO, rest=_rest(line, found.end()))
    if (found := _YES.match(folded)) and not folded.rstrip().endswith(("?", "吗", "呢")):
        return Reply(answer=Answer.YES, rest=_rest(line, found.end()))
    return Reply(answer=Answer.NONE, rest=line)


def _is_quantity(folded: str, found: re.Match[str]) -> bool:
    """ "3 files" or "5分钟" names no option; nor does the article in "a better way"."""
    rest = folded[found.end() :].lstrip()
    picked = found[1]
    if picked == "a" and folded.startswith("a "):
        return True
    return (
        found.start(1) == 0
        and len(rest) > 0
        and picked.isdigit()
        and rest[0] not in ",.!，。！、;；:：)）的"
        and not rest.startswith(("but", "and", "please", "，", "with", "only", "那", "吧"))
    )


def _rest(line: str, at: int) -> str:
    return line[at:].strip(" ,.!，。！、;；:：~")
