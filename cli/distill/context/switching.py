"""Which task a turn of the user belongs to: stay, ask, or switch, with the reasons.

What a turn points to without words that say so counts only over several turns in a row. Nothing is ever begun without
words and without asking.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from distill.context.about import about_of, likeness, profile, says
from distill.context.carry import carried
from distill.context.hearing import Heard
from distill.context.model import Desk, Drift, Task
from distill.context.pointing import ALIKE, ASKED, SAID, VAGUE, Pointer, Sight, pointed
from distill.context.precedence import values

STEP = 0.2  # confidence that a further turn in a row adds


class Verdict(StrEnum):
    """What to do with a turn."""

    STAY = "stay"
    ASK = "ask"
    SWITCH = "switch"


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


def decide(desk: Desk, text: str, heard: Heard) -> Decision:
    """The verdict on the turn `text` while the desk is as it is. Pure: what it decides is done by others."""
    active = desk.active
    if active is None:
        return _without_task(desk, text, heard)
    carry = carried(desk, active, text)
    sight = seen(desk, active, text, heard, carry)
    return _judged(desk, active, pointed(sight), sight.own, carry)


def seen(desk: Desk, active: Task, text: str, heard: Heard, carry: tuple[str, ...]) -> Sight:
    """The turn beside the open tasks; what it takes along of the active task, `carry`, ties it less to that task."""
    about = about_of(text)
    kept = [value.wins for value in values(desk, active) if value.wins.name in carry]
    fresh = about - about_of(" ".join(f"{one.name} {one.text}" for one in kept))
    others = [task for task in desk.tasks if task.open and task.id != active.id]
    profiles = {task.id: profile(desk, task) for task in (active, *others)}
    profiles[active.id] |= about_of(heard.reply)
    own, alone = (max([likeness(words, profiles[active.id], profiles.values()),
                       *(likeness(words, profile(desk, one), profiles.values()) for one in desk.ancestors(active))])
                  for words in (about, fresh))
    if says(about_of(heard.left)) >= ASKED:
        heard = replace(heard, names=heard.names | {"switched"})
        about = about_of(heard.left)
        own = likeness(about, profiles[active.id], profiles.values())
    elif "switched" in heard.names:
        own = alone
    ranked = sorted(((likeness(about, profiles[task.id], profiles.values()), task.place, task) for task in others),
                    key=lambda one: (-one[0], -one[1]))
    return Sight(heard=heard, about=about, own=own, others=tuple((share, task) for share, _, task in ranked))


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


def _judged(desk: Desk, active: Task, found: Pointer, own: float, carry: tuple[str, ...]) -> Decision:
    numbers = desk.numbers
    count = desk.drift.count + 1 if desk.drift.count and desk.drift.target == found.target else 1
    confidence = found.confidence
    if not found.said:
        confidence = min(1.0, confidence + STEP * (count - 1))
    confidence = round(confidence, 2)
    reasons = [found.reason, f"likeness to t{active.id}: {own:.2f}"]
    if confidence < numbers.ask:
        reasons[0] = f"too little points elsewhere: {found.reason}"
        return Decision(verdict=Verdict.STAY, target=None, confidence=confidence, reasons=tuple(reasons))
    enough = found.said or (found.target != 0 and count >= numbers.turns)
    verdict = Verdict.SWITCH if confidence >= numbers.switch and enough else Verdict.ASK
    if not found.said:
        reasons.append(f"turn {count} of {numbers.turns} that points there" if found.target else
                       "a task is not begun without words that say so")
    return Decision(verdict=verdict, target=found.target, confidence=confidence, reasons=tuple(reasons),
                    carry=() if found.target else carry,
                    drift=Drift(target=found.target, count=count) if verdict is Verdict.ASK else Drift())
