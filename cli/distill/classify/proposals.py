"""What the last assistant message put up for decision: options, questions, recommendations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from distill.model import Shape, Statement
from distill.text.lazy import Lazy

_OPTION = Lazy(
    r"^(?:option|choice|approach|alternative|plan|方案|选项|選項|做法|路线)\s*([a-z]|\d{1,2}|"
    r"[一二三四五六七八九])(?![a-z0-9])[\s:：.)、）（(—–-]*(.*)$",
    re.IGNORECASE,
)
_CHINESE_NUMBER = {c: str(i) for i, c in enumerate("一二三四五六七八九十", 1)} | {
    c: str(i) for i, c in enumerate("①②③④⑤⑥⑦⑧⑨⑩", 1)
}
_ASKS = Lazy(
    r"^(?:(?:so|ok(?:ay)?|then|or|and|alternatively|otherwise),? ){0,2}(?:shall|should|do you want|would you like|"
    r"may|can|want)\s+(?:i|we|me|us)?\s*"
    r"(?:to\s+)?(?:(?:also|just|now|then|go ahead and)\s+){0,2}",
    re.IGNORECASE,
)
_ASKS_ZH = Lazy(
    r"^(?:那么?|请问|你看|要不)?(?:我?们?)?(?:要不要|是否需要|是否要|是否|需不需要|需要我|要我|可以|能不能|"
    r"可不可以)(?:我|帮你|先)?"
)
_RECOMMENDS = Lazy(
    r"^(?:i|we)(?:'d| would)? (?:suggest|recommend|propose)(?:ed|ing)?(?: that)?(?: (?:we|you|to))?\s+|^(?:my "
    r")?(?:recommendation|suggestion|proposal)\s*[:：]\s*"
    r"|^(?:let's|we could|we can|you could|we should)\s+|^(?:我的?)?(?:建议|推荐|提议|倾向)(?:是|先|用)?[:：，,]?",
    re.IGNORECASE,
)
_OFFER = Lazy(
    r"\b(?:want me to|would you like|shall i|should i|do you want me|let me know|need me to|like me to)\b|要我|"
    r"需要我|要不要我|是否需要我",
    re.IGNORECASE,
)
_QUESTION_END = Lazy(r"[?？]\s*$")
_PARTICLE = Lazy(r"(?:吗|呢|嘛|么|吧)?[?？。.]*\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What stands to be approved: lettered or numbered options, single proposals, and where they stand."""

    options: dict[str, Statement] = field(default_factory=dict)  # list items by number or letter -> what they say
    named: dict[str, Statement] = field(default_factory=dict)  # what is called an option, 方案 and the like
    single: tuple[Statement, ...] = ()  # the question or recommendation that a bare yes answers

    def __bool__(self) -> bool:
        return bool(self.options or self.named or self.single)

    def pick(self, key: str, *, by_name: bool) -> Statement | None:
        """The option that a user means by `key`; `by_name` tells that the user called it an option."""
        first, second = (self.named, self.options) if by_name or key in self.named else (self.options, self.named)
        return first.get(key) or (None if by_name and self.named else second.get(key))

    @property
    def all(self) -> list[Statement]:
        """Every option, those called so alone where there are some."""
        return list((self.named or self.options).values())


def pending(closing: Sequence[Statement]) -> Proposals:
    """The proposals of a closing message. A later list of options replaces an earlier one."""
    options: dict[str, Statement] = {}
    named: dict[str, Statement] = {}
    single: list[Statement] = []
    last_heading = ""
    for one in closing:
        if found := _OPTION.match(one.text):
            named.setdefault(_plain_key(found[1]), replace(one, text=found[2] or one.text))
        elif one.heading != last_heading and (found := _OPTION.match(one.heading.split(" / ")[-1])):
            named.setdefault(
                _plain_key(found[1]), replace(one, text=f"{found[2]}: {one.text}" if found[2] else one.text)
            )
        elif one.mark and one.shape is Shape.BULLET:
            key = _plain_key(one.mark)
            if key in options and key in "1a":
                options = {}
            options.setdefault(key, one)
        last_heading = one.heading
        if _is_question(one) or _RECOMMENDS.match(one.text):
            single.append(one)
    questions = [one for one in single if _is_question(one)]
    return Proposals(options=options, named=named, single=tuple(questions[-1:] or single[-2:]))


def as_decision(statement: Statement) -> str:
    """A proposal in the form of what was approved: without "shall I", 「要不要」 and the question mark."""
    text = statement.text.strip()
    bare = _ASKS.sub("", text, count=1)
    if bare == text:
        bare = _ASKS_ZH.sub("", text, count=1)
    if bare == text:
        bare = _RECOMMENDS.sub("", text, count=1)
    bare = _PARTICLE.sub("", bare).strip(" ,，")
    if len(bare) < 3:
        bare = text
    return bare[:1].upper() + bare[1:]


def is_offer(text: str) -> bool:
    """Whether a question only offers more work ("Want me to also …?"), which binds nobody."""
    return bool(_OFFER.search(text))


def _is_question(one: Statement) -> bool:
    return bool(_QUESTION_END.search(one.text)) and (
        bool(_ASKS.match(one.text))
        or bool(_ASKS_ZH.match(one.text))
        or "要不要" in one.text
        or "是否" in one.text
        or one.index >= one.count - 2
    )


def _plain_key(mark: str) -> str:
    return _CHINESE_NUMBER.get(mark, mark.casefold())
