"""What the user answers: an approval, a pick, a refusal, a hold, or something new.

The words of answers are the rules of `rules/reply` and `rules/speech`; how options are numbered and values written
stands here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from distill.classify.cues import CueJudge, Heard
from distill.model import Role
from distill.rulebook.verdict import KEEP
from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import numbers

HOLD = "decision/hold"
LINE = 400  # characters of a message's first line that are looked at
OPENING = 80  # characters of a message that tell whether it corrects what was said
NAMED = 160  # characters of a message up to which an option may be named anywhere in it
VALUE = 60  # characters of a new value
LEADS = 3  # words before a pick: "ok, let's use 2"
_NUMBER = r"(?:[a-h]|\d{1,2}|[一二三四五六七八九])"
_NAMED_AS = r"(?:(?:option|plan|方案|选项)\s*)?"  # "2, option a"
_KEYS = Lazy(
    rf"\s*(?:(?:number|no\.?|#|第)\s*)?({_NUMBER}(?:\s*(?:,|，|、|and|&|\+|和|跟|与|or)\s*{_NAMED_AS}{_NUMBER}){{0,5}})"
    r"(?:\s*(?:个|種|种|项|那个|方案))?(?=$|[\s,.!，。！、;；:：)）]|的)"
)
_KEY_AFTER = Lazy(rf"\s*({_NUMBER})(?![a-z0-9])")
_KEY = Lazy(r"(?<![a-z])[a-h](?![a-z])|\d{1,2}|[一二三四五六七八九]")
_NUMERALS = {c: str(i) for i, c in enumerate("一二三四五六七八九", 1)}
_BETWEEN = " ,:，："  # what may stand between the words before a pick
_VALUE = Lazy(
    r"(?:\b(?:to|at|of|is|as)\s+|[=:：为成到]\s*)?`?\d+(?:[.:]\d+)*\s*(?:%|[a-zA-Z]{1,3}\b|"
    r"[个秒分钟天小时条次台人元块折度楼层页级位份封张件]{1,2})?`?"
)


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


def takes_back(text: str, cues: CueJudge) -> bool:
    """Whether `text` takes the words before it back without naming them ("scratch that, …")."""
    return _does("withdrawn", text.strip()[:OPENING], cues) is not None


def swaps(text: str, cues: CueJudge) -> bool:
    """Whether `text` puts another choice in the place of the last one: "actually sqlite is enough"."""
    return _does("swapped", text.strip(), cues) is not None


def reconsiders(text: str, cues: CueJudge) -> bool:
    """Whether the speaker thinks better of something said before: "actually, square ones"."""
    return _does("reconsidered", text.strip()[:OPENING], cues) is not None


def refuses(text: str, cues: CueJudge) -> bool:
    """Whether the user says that what was just said or done is wrong."""
    return _does("corrected", text.lstrip()[:OPENING], cues) is not None


def amended_value(text: str, cues: CueJudge) -> str:
    """The new value where `text` only changes what was said before ("actually make that 50"), else ""."""
    line = text.strip()
    if len(line) > OPENING + VALUE or (heard := _does("amended", line, cues)) is None:
        return ""
    value = fold(line[heard.end :]).rstrip(".。!！ ").lstrip()
    return value if len(value) <= VALUE and numbers(value) else ""  # "make that work" sets nothing


def changes_value(text: str, cues: CueJudge) -> bool:
    """Whether `text` replaces a value it names: "30 days is too short, make it 60"."""
    return _does("changed", text, cues) is not None


def without_numbers(text: str) -> str:
    """`text` without its values: what a setting is about."""
    return " ".join(_VALUE.sub("", text).split()).strip(" .。，,:：")


def read_reply(text: str, cues: CueJudge) -> Reply:
    """What the user's message `text` answers; only its first line decides."""
    line = next((part.strip() for part in text.split("\n") if part.strip()), "")[:LINE]
    if any(rule == HOLD and effect == KEEP for rule, _, _, effect in cues.judge(line, Role.USER).marks):
        return Reply(answer=Answer.HOLD, rest=line)
    said = line.strip(" \"'“”「」").lstrip("(（")
    opening = {one.name: one.end for one in cues.replies(said) if one.start == 0}
    if "both" in opening:
        return Reply(answer=Answer.BOTH, rest=_rest(said, opening["both"]))
    if picked := _picked(said, cues):
        return picked
    if "declined" in opening:
        return Reply(answer=Answer.NO, rest=_rest(said, opening["declined"]))
    if "accepted" in opening and not said.endswith(("?", "？", "吗", "嗎", "呢")):
        return Reply(answer=Answer.YES, rest=_rest(said, opening["accepted"]))
    return Reply(answer=Answer.NONE, rest=line)


def _picked(said: str, cues: CueJudge) -> Reply | None:
    """The options that `said` takes: by number behind some words of taking, or by a name such as "option 2"."""
    folded = fold(said)
    at = 0
    for _ in range(LEADS):
        lead = next((one for one in cues.replies(said[at:]) if one.name == "picking" and one.start == 0), None)
        if lead is None:
            break
        at += lead.end
        at += len(said) - at - len(said[at:].lstrip(_BETWEEN))
    names = [one for one in cues.speech(said[:NAMED]) if one.name == "option"]
    name = next((one for one in names if one.start == at), None)
    found = _KEYS.match(folded, name.end if name else at)
    if found and (name or not _is_quantity(folded, found.start(1), found.end())):
        keys = tuple(_NUMERALS.get(key, key) for key in _KEY.findall(found[1]))
        return Reply(answer=Answer.PICK, keys=keys, named=name is not None, rest=_rest(said, found.end()))
    if len(said) >= NAMED or folded.endswith("?"):
        return None
    after = [_KEY_AFTER.match(folded, one.end) for one in names]
    keys = tuple(dict.fromkeys(_NUMERALS.get(one[1], one[1]) for one in after if one))
    return Reply(answer=Answer.PICK, keys=keys, named=True, rest=said) if keys else None


def _is_quantity(folded: str, start: int, end: int) -> bool:
    """ "3 files" or "5分钟" names no option; nor does the article in "a better way"."""
    rest = folded[end:].lstrip()
    if folded.startswith("a ") and not rest.startswith(("and ", "&", "+", ",", "or ")) and end <= 2:
        return True
    return (
        start == 0
        and len(rest) > 0
        and folded[start].isdigit()
        and rest[0] not in ",.!，。！、;；:：)）的"
        and not rest.startswith(("but", "and", "please", "，", "with", "only", "那", "吧"))
    )


def _does(what: str, text: str, cues: CueJudge) -> Heard | None:
    """Where `text` does `what` by a rule of `rules/speech`, or None."""
    return next((one for one in cues.speech(text) if one.name == what), None)


def _rest(line: str, at: int) -> str:
    return line[at:].strip(" ,.!，。！、;；:：~")
