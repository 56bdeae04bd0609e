"""Which task a turn of the user belongs to: stay, ask, or switch, with the reasons.

What is heard (words of turning to something else, of going back, of asking in between) decides where it is there;
without such words the likeness to the open tasks does, and then only over several turns in a row. Nothing is ever
begun without words and without asking.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from distill.context.carry import carried
from distill.context.model import Desk, Drift, Sort, Task
from distill.context.precedence import values
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

SAID = 0.9  # confidence where the words say it and name the task
VAGUE = 0.6  # where the words say it and name none, or might mean two
NOVEL = 0.5  # where nothing is said and nothing is shared
ALIKE = 0.3  # likeness under which a task is not meant
CONTENT = 3  # words of content (in Chinese pairs of pairs) that a turn needs to be about something new
STEP = 0.2  # what a further turn in a row adds
ASKED = 2  # as many, where it is a question
MUCH = 5  # as many, where it is tied on to what was said
LONG = 7  # as many, from which a turn may be about something new although it shares a word with the task
FAR = 0.15  # likeness under which that may be
OWN = 2  # words of its own before a pronoun, from which that points to them
GOING_ON = frozenset(["referred", "continued", "changed", "swapped", "amended"])
_POINTS = Lazy(
    r"\b(?:it|they|them|their|s?he|her|him|his|th(?:at|is|ose|ese)|ones?)\b|[它这這那其他她]|刚才|剛才|上面|第"
)
_CLAUSE = Lazy(r"[.!?;,:。！？；，：\n]\s*")
_COMMON = 0.5  # what a word weighs that every open task holds


class Cue(Protocol):
    """Words of a turn that do something in a talk: the name of their rule, and where they stand."""

    @property
    def name(self) -> str:
        """The name of the rule."""

    @property
    def start(self) -> int:
        """Where the words begin."""

    @property
    def end(self) -> int:
        """Where they end."""


class Verdict(StrEnum):
    """What to do with a turn."""

    STAY = "stay"
    ASK = "ask"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the words of a turn do: names of rules such as "switched", and whether it is a question.

    `leans` tells that it opens with words that point to what was said before: further on, a turn leans on itself.
    `tied` tells of any such words, also those that only tie it on ("okay", "also").
    `left` is what comes after words that leave the task in hand. `reply` is what the assistant said last, where that is
    known: a turn that takes up its words stays.
    """

    names: frozenset[str] = frozenset()
    leans: bool = False
    tied: bool = False
    left: str = ""
    question: bool = False
    reply: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The verdict on a turn; `target` is the task it points to, 0 for a new one, None for that in hand.

    `carry` names the conditions that a new task takes on; `drift` is what to remember for the next turn.
    """

    verdict: Verdict
    target: int | None
    confidence: float
    reasons: tuple[str, ...]
    carry: tuple[str, ...] = ()
    drift: Drift = field(default_factory=Drift)


@dataclass(frozen=True, slots=True)
class _Pointer:
    """Where a turn points, how surely, why; `said` where words say so."""

    target: int
    confidence: float
    reason: str
    said: bool = False


def decide(desk: Desk, text: str, heard: Heard) -> Decision:
    """The verdict on the turn `text` while the desk is as it is. Pure: what it decides is done by others."""
    active = desk.active
    if active is None:
        return _without_task(desk, text, heard)
    about = about_of(text)
    carry = carried(desk, active, text)
    kept = [value.wins for value in values(desk, active) if value.wins.name in carry]
    # What the turn takes along from the active task does not tie it to that task.
    fresh = about - about_of(" ".join(f"{one.name} {one.text}" for one in kept))
    others = [task for task in desk.tasks if task.open and task.id != active.id]
    profiles = {task.id: profile(desk, task) for task in (active, *others)}
    profiles[active.id] |= about_of(heard.reply)
    own, alone = (max([likeness(words, profiles[active.id], profiles.values()),
                       *(likeness(words, profile(desk, one), profiles.values()) for one in desk.ancestors(active))])
                  for words in (about, fresh))
    leaves = says(about_of(heard.left)) >= ASKED
    if leaves:
        heard = replace(heard, names=heard.names | {"switched"}, leans=False)
        about = about_of(heard.left)
        own = likeness(about, profiles[active.id], profiles.values())
    elif "switched" in heard.names:
        own = alone
    ranked = sorted(((likeness(about, profiles[task.id], profiles.values()), task.place, task) for task in others),
                    key=lambda one: (-one[0], -one[1]))
    found = _pointer(desk, heard, about, own, [(share, task) for share, _, task in ranked])
    if isinstance(found, str):
        return Decision(verdict=Verdict.STAY, target=None, confidence=round(1 - own, 2) if own else 0.0,
                        reasons=(found, f"likeness to t{active.id}: {own:.2f}"))
    return _judged(desk, active, found, own, carry)


def heard(text: str, found: Iterable[Cue], *, question: bool, reply: str) -> Heard:
    """What `found`, the cues of speech in the turn `text`, tells about it."""
    cues = list(found)
    tied = [one for one in cues if one.name in GOING_ON]
    leans = any(says(about_of(text[:one.start])) < OWN and _POINTS.search(text[one.start:one.end].casefold())
                for one in tied)
    at = next((one.end for one in cues if one.name == "left"), len(text))
    stop = _CLAUSE.search(text, max(0, at - 1))  # the rest of the clause still tells what is left
    left = text[stop.end():] if stop else ""
    return Heard(names=frozenset(one.name for one in cues), leans=leans, tied=bool(tied), left=left,
                 question=question, reply=reply)


@lru_cache(maxsize=1 << 12)
def about_of(text: str) -> frozenset[str]:
    """The words that say what a text is about."""
    found = content(grams(unicodedata.normalize("NFKC", text)))
    return frozenset(word for word in found if not word.isdigit())  # the same number may count anything


def says(about: frozenset[str]) -> float:
    """How much a turn says: its words, two pairs of Chinese characters for one."""
    return sum(1.0 if word.isascii() else 0.5 for word in about)


def profile(desk: Desk, task: Task) -> frozenset[str]:
    """What a task is about: its title, conditions, results, steps, questions and the latest turns."""
    told = [task.title]
    told += [f"{one.name} {one.text}" if one.sort is not Sort.TURN else one.text for one in desk.of(task.id)]
    return frozenset().union(*map(about_of, told))


def likeness(about: frozenset[str], other: frozenset[str], profiles: Collection[frozenset[str]]) -> float:
    """The share of what `about` says that `other` holds, 0 to 1; what all open tasks hold tells less."""
    weight = {word: _COMMON if len(profiles) > 1 and all(word in one for one in profiles) else 1.0 for word in about}
    whole = sum(weight.values())
    return sum(value for word, value in weight.items() if word in other) / whole if whole else 0.0


def _without_task(desk: Desk, text: str, heard: Heard) -> Decision:
    """With no task in hand a turn goes back to an open one that is named, or begins one."""
    about = about_of(text)
    open_tasks = [task for task in desk.tasks if task.open]
    profiles = [profile(desk, task) for task in open_tasks]
    shares = sorted(((likeness(about, one, profiles), task.place, task)
                     for one, task in zip(profiles, open_tasks, strict=True)), key=lambda one: (-one[0], -one[1]))
    if shares and shares[0][0] >= ALIKE and not heard.question:
        task = shares[0][2]
        sure = SAID if "returned" in heard.names else VAGUE
        verdict = Verdict.SWITCH if sure >= desk.numbers.switch else Verdict.ASK
        return Decision(verdict=verdict, target=task.id, confidence=sure,
                        reasons=("no task is active", f"likeness to t{task.id} ({task.title}): {shares[0][0]:.2f}"))
    return Decision(verdict=Verdict.SWITCH, target=0, confidence=SAID, reasons=("no task is active",))


def _pointer(
    desk: Desk, heard: Heard, about: frozenset[str], own: float, ranked: list[tuple[float, Task]]
) -> _Pointer | str:
    """Where the turn points, or why it stays."""
    best, task = ranked[0] if ranked else (0.0, None)
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    returned, switched = "returned" in heard.names, "switched" in heard.names
    if "aside" in heard.names and not switched:
        return "a question in between"
    if returned and task is not None:
        if best > own and best > second:
            return _Pointer(task.id, SAID, f"words of going back, and it names t{task.id} ({best:.2f})", True)
        if not own or best > own:
            return _Pointer(task.id, VAGUE, "words of going back, without a name that tells which", True)
    if "named_again" in heard.names and task is not None and best > own and best > second:
        sure = SAID if best >= ALIKE and not heard.question else VAGUE
        return _Pointer(task.id, sure, f"it names t{task.id} ({best:.2f}) as one names what was left", True)
    if switched:
        if task is not None and best >= ALIKE and best > own:
            return _Pointer(task.id, SAID, f"words of turning to something else, and it names t{task.id}", True)
        sure = SAID if own < ALIKE else VAGUE
        return _Pointer(0, sure, "words of turning to something else", True)
    if task is not None and best >= ALIKE and best > own:
        if heard.question:
            return f"a question about t{task.id} ({task.title}) is no switch to it"
        why = f"more like t{task.id} ({best:.2f}) than the active task ({own:.2f})"
        return _Pointer(task.id, min(1.0, NOVEL + (best - own) / 2), why)
    announced = "announced" in heard.names
    if task is not None and best > own == 0 and not heard.leans:
        if heard.question:
            return f"a question about t{task.id} ({task.title}) is no switch to it"
        return _Pointer(task.id, NOVEL, f"it shares words with t{task.id} ({best:.2f}) and none with the active task")
    tied = heard.tied and "tasked" not in heard.names
    much = says(about) >= (MUCH if tied else ASKED if heard.question else CONTENT)
    if (heard.leans or (tied and not (own == 0 and much))) and not announced:
        return "it goes on with what was said"
    if announced and own < ALIKE:
        return _Pointer(0, NOVEL, "one more thing to do is put up, and little of it is the active task's")
    if own == 0 and much:
        return _Pointer(0, NOVEL, "it shares no word with any open task")
    if own < FAR and best <= own and says(about) >= LONG and not heard.question:
        return _Pointer(0, NOVEL, "it says much, and next to nothing of it is the active task's")
    return "nothing points elsewhere"


def _judged(desk: Desk, active: Task, found: _Pointer, own: float, carry: tuple[str, ...]) -> Decision:
    numbers = desk.numbers
    count = desk.drift.count + 1 if desk.drift.count and desk.drift.target == found.target else 1
    confidence = found.confidence
    if not found.said:
        confidence = min(1.0, confidence + STEP * (count - 1))
    confidence = round(confidence, 2)
    reasons = [found.reason, f"likeness to t{active.id}: {own:.2f}"]
    if confidence < numbers.ask:
        return Decision(verdict=Verdict.STAY, target=None, confidence=confidence, reasons=tuple(reasons))
    enough = found.said or (found.target != 0 and count >= numbers.turns)
    verdict = Verdict.SWITCH if confidence >= numbers.switch and enough else Verdict.ASK
    if not found.said:
        reasons.append(f"turn {count} of {numbers.turns} that points there" if found.target else
                       "a task is not begun without words that say so")
    return Decision(verdict=verdict, target=found.target, confidence=confidence, reasons=tuple(reasons),
                    carry=() if found.target else carry,
                    drift=Drift(target=found.target, count=count) if verdict is Verdict.ASK else Drift())
