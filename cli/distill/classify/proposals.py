"""What the last assistant message put up for decision: options, questions, recommendations.

The words that put something up are the rules of `rules/speech`; how options are numbered stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from distill.classify.cues import CueJudge
from distill.classify.features import hollow
from distill.classify.picks import asks_which
from distill.model import Shape, Statement
from distill.text.language import han
from distill.text.lazy import Lazy

_KEY = Lazy(r"\s*([a-zA-Z]|\d{1,2}|[一二三四五六七八九])(?![a-zA-Z0-9])[\s:：.)、）（(—–-]*(.*)$")
_LETTER = Lazy(r"[（(]?([A-Ha-h]|\d)[.)）、:：]\s*(?!\d)(\S.{2,})$")  # a table numbers its rows in the first cell
_CHINESE_NUMBER = {c: str(i) for i, c in enumerate("一二三四五六七八九十", 1)} | {
    c: str(i) for i, c in enumerate("①②③④⑤⑥⑦⑧⑨⑩", 1)
}
_INLINE_KEY = Lazy(r"(?:(?<=[\s:：;；,，。])|(?<=^))[（(]?([A-Ha-h]|[1-8])[)）、]\s*")
_QUESTION_END = Lazy(r"[?？]\s*$")
_PARTICLE = Lazy(r"(?:吗|呢|嘛|么|吧)?[?？。.]*\s*$")
_OPENING = ("asked", "recommended")  # what they open with is no part of what is decided
# Words of what the assistant would do, which a question of leave after them puts up.
_WOULD = Lazy(
    r"(?i:^(?:i|we)(?:'d| would|'ll| will| can| could| plan to|'m going to)\s+(?:like to\s+)?)"
    r"|^我(?:们)?(?:会|打算|准备|準備|计划|計劃|可以|想)(?:先)?"
)
_PLANNED = Lazy(
    r"(?i:\b(?:plan|proposal|proposed|steps?|approach|suggest\w*|recommend\w*|(?:would|will|'ll) (?:do|change|make))\b)"
    r"|计划|計劃|步骤|步驟|方案|打算|建议|建議|准备|準備"
)
_WAY = r"(?:an? |the )?[\w./+-]+(?: [\w./+-]+){0,3}"
_EITHER = Lazy(
    rf"(?i:(?:^|[,:]|\b(?:use|with|take|prefer|want|either|as|in|on|by)) ?({_WAY}),? or ({_WAY})\?)"
    r"|(?:用|选|選|走|要|是|放)([^，。；？?]{1,20}?)[，,]?(?:还是|還是)(?:用|选|選|走|要|是|放)?([^，。；？?]{1,20})[？?]"
)
# One way or the other, put up in a statement: "Either wait or retry", 「要么等，要么重试」.
_ONE_OR_OTHER = Lazy(
    r"(?i:\beither (?!(?:is|are|way|one|of|will|would|works?)\b)([^.;?!\n]{3,80}?),? or ([^.;?!\n]{3,80}))"
    r"|要么([^，。；？,]{2,40})[，,；]?\s*要么([^，。；？,]{2,40})"
    r"|(?:一是|可以)([^，。；？,]{2,40})[，,；]\s*(?:二是|也可以|或者|或)([^，。；？,]{2,40})"
)
_WANTS_THING = Lazy(r"(?i:^(?:do you want|would you like) (?!(?:me |us )?to\b).*\?$)")  # a thing and not an act
PUT_BEFORE = 3  # recommendations that a question of leave after them puts up
_ASKING = frozenset(("asked", "choice"))


class Put(StrEnum):
    """How several things are put up."""

    WHICH = "which"  # alternatives, of which one or some are to be taken
    STEPS = "steps"  # a plan, which a yes approves whole
    EITHER = "either"  # one way or the other, put up without a question
    NOTHING = "nothing"  # no list, or one that puts nothing up


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What stands to be approved: lettered or numbered options, single proposals, and where they stand."""

    options: dict[str, Statement] = field(default_factory=dict)  # list items by number or letter -> what they say
    named: dict[str, Statement] = field(default_factory=dict)  # what is called an option, 方案 and the like
    single: tuple[Statement, ...] = ()  # the question or recommendation that a bare yes answers
    kind: Put = Put.NOTHING

    def pick(self, key: str, *, by_name: bool) -> Statement | None:
        """The option that a user means by `key`; `by_name` tells that the user called it an option."""
        first, second = (self.named, self.options) if by_name or key in self.named else (self.options, self.named)
        return first.get(key) or (None if by_name and self.named else second.get(key))

    @property
    def all(self) -> list[Statement]:
        """Every option, those called so alone where there are some."""
        return list((self.named or self.options).values())


def pending(closing: Sequence[Statement], cues: CueJudge) -> Proposals:
    """The proposals of a closing message. A later list of options replaces an earlier one."""
    options: dict[str, Statement] = {}
    named: dict[str, Statement] = {}
    single: list[Statement] = []
    last_heading = ""
    for one in closing:
        if found := _option(one.text, cues):
            named.setdefault(found[0], replace(one, text=found[1] or one.text))
        elif one.heading != last_heading and (found := _option(one.heading.split(" / ")[-1], cues)):
            named.setdefault(found[0], replace(one, text=f"{found[1]}: {one.text}" if found[1] else one.text))
        elif (item := _lettered(one)) is not None:
            key, option = item
            if key in options and key in "1a":
                options = {}
            options.setdefault(key, option)
        last_heading = one.heading
        if _is_question(one, cues) or _recommends(one, cues):
            single.append(one)
    questions = [one for one in single if _is_question(one, cues)]
    which = bool(questions) and asks_which(questions[-1].text)
    either = False
    if which and not named and len(options) < 2:
        options = _inline(closing, questions[-1]) or _ways(_EITHER, questions[-1])
    elif not named and len(options) < 2 and (ways := _one_or_other(closing)):
        options, either = ways, True
    put = Proposals(options=options, named=named, single=tuple(questions[-1:] or single[-2:]))
    leave = bool(questions) and not which and hollow(as_decision(questions[-1], cues))  # "Shall I go ahead?"
    if leave:
        put = replace(put, single=_before(closing, questions[-1], cues))
    return replace(put, kind=Put.EITHER if either else _kind(put, which=which, leave=leave))


def _ways(form: Lazy, put: Statement) -> dict[str, Statement]:
    """The two ways between which `put` leaves the choice in a `form`: "Redis or a file?", 「用 A 还是 B？」."""
    found = form.search(put.text)
    ways = [part.strip(" ,，.。") for part in found.groups() if part] if found else []
    lead = put.text if put.text.rstrip().endswith(("?", "？")) else put.lead
    return {str(number): replace(put, text=way, lead=lead) for number, way in enumerate(ways, 1)}


def _inline(closing: Sequence[Statement], question: Statement) -> dict[str, Statement]:
    """The lettered or numbered ways in one line, that of the question or the one before: "You can: a) wait b) go."."""
    for one in reversed([one for one in closing if question.index - 1 <= one.index <= question.index]):
        parts = _INLINE_KEY.split(one.text)  # what leads to them, then each key and what it says
        keys = [_plain_key(key) for key in parts[1::2]]
        said = [part.strip(" ,;，；。.、") for part in parts[2::2]]
        if len(keys) > 1 and all(said) and "".join(keys) in ("abcdefgh"[: len(keys)], "12345678"[: len(keys)]):
            return {key: replace(one, text=text, lead=parts[0].strip()) for key, text in zip(keys, said, strict=True)}
    return {}


def _one_or_other(closing: Sequence[Statement]) -> dict[str, Statement]:
    """The two ways that one of the last statements puts up without asking: "Either wait or retry."."""
    return next((ways for one in reversed(closing[-2:]) if (ways := _ways(_ONE_OR_OTHER, one))), {})


def _kind(put: Proposals, *, which: bool, leave: bool) -> Put:
    several = put.all
    if len(several) < 2:
        return Put.NOTHING
    if put.named or which:
        return Put.WHICH
    if sum(one.text.rstrip().endswith(("?", "？")) for one in several) > 1:
        return Put.NOTHING  # a list of questions
    led = several[0].lead or several[0].heading.split(" / ")[-1]
    return Put.STEPS if leave or _PLANNED.search(led) else Put.NOTHING


def _before(closing: Sequence[Statement], question: Statement, cues: CueJudge) -> tuple[Statement, ...]:
    """What a question of leave asks leave for: the recommendations before it, else the sentence before it."""
    said = [one for one in closing if one.index < question.index and one.shape is Shape.SENTENCE]
    put = [one for one in said if _recommends(one, cues) or _WOULD.match(one.text)]
    return tuple(put[-PUT_BEFORE:] or said[-1:])


def as_decision(statement: Statement, cues: CueJudge) -> str:
    """A proposal in the form of what was approved: without "shall I", 「要不要」 and the question mark."""
    text = statement.text.strip()
    if _WANTS_THING.match(text):
        return f"{text} → {'是' if han(text) else 'yes'}"
    heard = cues.speech(text)
    opening = next((one.end for name in _OPENING for one in heard if one.name == name and one.start == 0), 0)
    if not opening and (would := _WOULD.match(text)):
        opening = would.end()
    bare = _PARTICLE.sub("", text[opening:].lstrip(" :：,，")).strip(" ,，")
    if len(bare) < 3:
        bare = text
    return bare[:1].upper() + bare[1:]


def is_offer(text: str, cues: CueJudge) -> bool:
    """Whether a question only offers more work ("Want me to also …?"), which binds nobody."""
    return any(one.name == "offered" for one in cues.speech(text))


def _lettered(one: Statement) -> tuple[str, Statement] | None:
    """The key and the option of a list item, or of a row or line that opens with a letter or number ("B. daily")."""
    if one.mark and one.shape is Shape.BULLET:
        return _plain_key(one.mark), one
    found = _LETTER.match(one.text)
    return (_plain_key(found[1]), replace(one, text=found[2])) if found else None


def _option(text: str, cues: CueJudge) -> tuple[str, str] | None:
    """The key and the rest of a text that opens by naming an option ("Option 2: …"), or None."""
    name = next((one for one in cues.speech(text[:80]) if one.name == "option" and one.start == 0), None)
    found = _KEY.match(text, name.end) if name else None
    return (_plain_key(found[1]), found[2]) if found else None


def _recommends(one: Statement, cues: CueJudge) -> bool:
    return any(heard.name == "recommended" for heard in cues.speech(one.text))


def _is_question(one: Statement, cues: CueJudge) -> bool:
    if not _QUESTION_END.search(one.text):
        return False
    return one.index >= one.count - 2 or any(heard.name in _ASKING for heard in cues.speech(one.text))


def _plain_key(mark: str) -> str:
    return _CHINESE_NUMBER.get(mark, mark.casefold())
