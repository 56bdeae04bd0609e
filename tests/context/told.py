"""How well `turn` tells which task a turn belongs to, over scripted talks, played on the layers without a store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from distill.context import entries, stack
from distill.context.model import Desk, Sort, require_active
from distill.context.switching import Verdict, decide
from distill.layered import listened
from tests.context.scenario import NOW, Scenario, Turn


@dataclass(slots=True)
class Figures:
    """Turns, changes of task, those that were found, switches that nobody wanted, questions that nobody needed.

    A change is found where the user is asked, or where a switch is made to the right task; `named` counts those where
    the question names the right task too, `unasked` those that need none.
    """

    turns: int = 0
    changes: int = 0
    found: int = 0
    named: int = 0
    unasked: int = 0
    wrong: int = 0
    needless: int = 0

    def __str__(self) -> str:
        return (f"{self.turns} turns, {self.found} of {self.changes} changes found ({self.named} with the "
                f"right task named, {self.unasked} without asking), "
                f"{self.wrong} wrong switches, {self.needless} needless questions")  # fmt: skip


def figures(scenarios: Iterable[Scenario], *, replies: bool) -> Figures:
    """The figures over all talks. The first turn, which begins the first task, does not count.

    Whatever is decided, the talk goes on as its script says.
    """
    total = Figures()
    for scenario in scenarios:
        desk, reply = Desk(), ""
        for number, turn in enumerate(scenario.turns):
            if number:
                _count(total, desk, turn, reply if replies else "")
            desk = followed(desk, turn)
            reply = turn.reply
            if replies and reply and desk.active:
                desk = entries.with_turn(desk, desk.active, reply, NOW)
    return total


def _count(total: Figures, desk: Desk, turn: Turn, reply: str) -> None:
    decision = decide(desk, turn.says, listened(turn.says, reply))
    wanted = next((task.id for task in desk.tasks if turn.do == "back" and task.title == turn.to), 0)
    total.turns += 1
    if turn.do in ("new", "back"):
        hit = decision.verdict is not Verdict.STAY and decision.target == wanted
        total.changes += 1
        total.found += hit or decision.verdict is Verdict.ASK
        total.named += hit
        total.unasked += hit and decision.verdict is Verdict.SWITCH
        total.wrong += decision.verdict is Verdict.SWITCH and not hit
    else:
        total.wrong += decision.verdict is Verdict.SWITCH
        total.needless += decision.verdict is Verdict.ASK and turn.do != "child"


def followed(desk: Desk, turn: Turn) -> Desk:
    """The desk after a turn, as the script has it."""
    if turn.do in ("new", "child"):
        desk = stack.begin(desk, turn.title, NOW, child=turn.do == "child").desk
    elif turn.do == "back":
        desk = stack.resume(desk, turn.to, NOW).desk
    task = require_active(desk)
    if turn.do != "about":
        desk = entries.with_turn(desk, task, turn.says, NOW)
    for sort, rows in ((Sort.CONDITION, turn.sets), (Sort.RESULT, turn.results)):
        for name, value in rows.items():
            desk = entries.with_entry(desk, task, sort, name, value, NOW)
    return stack.finish(desk, NOW)[0].desk if turn.finish else desk
