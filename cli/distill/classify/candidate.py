"""A statement that could be a conclusion, with what is known of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from distill.classify.cues import Verdict
from distill.model import Kind, Role, Shape, Statement
from distill.text.language import han, width
from distill.text.lazy import Lazy

# The word of agreement that an answer begins with says nothing to a later reader.
_ANSWERED = Lazy(
    r"^(?:(?:yes|no|yep|yeah|ok|okay|sure|right|correct|exactly|great|perfect|done|good)[,.!:]\s+|(?:对|是|是的|好|"
    r"好的|行|可以|没错|嗯|明白|收到)[，,。！]\s*)+",
    re.IGNORECASE,
)
_SENTENCE = Lazy(r"^.*[。！？!?]\s*(?=\S)")  # what stands before the last sentence of a lead-in
# Lead-ins that announce the list and say nothing of its items.
_CHATTER = Lazy(
    r"(?i:^(?:here|below|these are|this is|the following|to sum up|in short|overall|plan|(?:next )?steps?|options?|"
    r"summary|what (?:i|we) (?:did|do|changed)|(?:i|we)(?: have| will|'ve|'ll)|changes(?: made)?|done)\b.{0,24}$)"
    r"|^(?:以下|下面|如下|汇总|匯總|总结|總結|小结|小結|收.{0,3}尾|具体|具體|计划|計劃|步骤|步驟|方案|选项|選項|改动|改動).{0,12}$|如下$"
)
_UNREAL = frozenset(["question", "hypothetical", "negated", "quoted", "requested", "deferred", "proposed", "uncertain"])
OVERTAKEN = "overtaken"  # the tag of what later words or acts took back


@dataclass(slots=True)
class Candidate:
    """A statement in the pool: its signals, its words and what the cues say of it."""

    statement: Statement
    signals: set[str]
    words: frozenset[str]
    verdict: Verdict
    text: str
    rule: str = ""
    reply: Statement | None = None  # the user's words that made a proposal a decision
    tags: tuple[str, ...] = ()
    points: dict[Kind, int] = field(default_factory=dict)
    overtaken: int = 0  # the record whose words took it back; 0 where none did
    heard: list[tuple[int, str]] = field(default_factory=list)  # signals that the words of later records gave it

    @property
    def place(self) -> tuple[int, int]:
        """Record and index in the message."""
        return self.statement.record, self.statement.index

    @property
    def since(self) -> int:
        """The record from which it holds: of a proposal, that of the reply."""
        return max(self.statement.record, self.reply.record if self.reply else 0)

    @property
    def put(self) -> bool:
        """Whether it asks something of the other side, and does not say that something is open."""
        return bool(self.signals & {"asks", "is_question"}) and not self.verdict.rule.startswith("open/")

    @property
    def finishes(self) -> bool:
        """Whether it says that something is done, or is ticked off: not asks it, wishes it or puts it off."""
        modifiers = self.verdict.modifiers
        done = "completed" in modifiers or "reported" in self.signals or bool(self.statement.checked)
        return done and not modifiers & _UNREAL

    @property
    def turn(self) -> int:
        """The turn from which it holds: of a proposal, that of the reply."""
        return max(self.statement.turn, self.reply.turn if self.reply else 0)

    def tag(self, name: str) -> None:
        """Add a tag."""
        self.tags = (*self.tags, name)

    def overtake(self, record: int) -> None:
        """Take it back, by the words of a later record; the first such words count."""
        self.overtaken = self.overtaken or record

    def hear(self, signal: str, record: int) -> None:
        """Add a signal that the words of a later record give it."""
        if signal not in self.signals:
            self.signals.add(signal)
            self.heard.append((record, signal))

    def rewind(self, back_to: int) -> None:
        """Undo what the words after the record `back_to` did to it: they were never said."""
        if self.overtaken > back_to:
            self.overtaken = 0
        self.signals -= {signal for record, signal in self.heard if record > back_to}
        self.heard = [one for one in self.heard if one[0] <= back_to]


def unplaced(one: Statement) -> bool:
    """A line without a speaker and without a heading: only its words say what it is."""
    return one.role is Role.UNKNOWN and not one.heading


def shown_text(one: Statement) -> str:
    """The statement so that it can stand alone: a fragment gets its lead-in or heading."""
    text = one.text.strip()
    if answered := _ANSWERED.match(text):
        text = text[answered.end() :] or text
    if one.shape is Shape.SENTENCE and not one.heading:
        return text
    if (led := with_lead(one, text)) != text:
        return led
    heading = one.heading.split(" / ")[-1]
    if heading and one.shape is not Shape.SENTENCE and width(text) < 24 and width(heading) <= 40:
        joint = "：" if han(heading) else ": "
        return f"{heading}{joint}{text}"
    return text


def with_lead(one: Statement, text: str) -> str:
    """`text`, which says what `one` says, under the line that introduces its list, where it is short."""
    lead = _SENTENCE.sub("", one.lead).rstrip(":： ")
    if _CHATTER.search(lead):
        return text
    if one.shape is Shape.ROW or not lead or width(lead) > 60 or width(text) >= 40:
        return text
    joint = "：" if han(lead) else ": "
    return f"{lead}{joint}{text}"
