"""How well `turn` tells which task a turn belongs to, over scripted talks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

from distill.context.switching import Verdict
from distill.layered import Context
from tests.context.scenario import NOW, Scenario, Turn


@dataclass(slots=True)
class Figures:
    """Turns, changes of task, those that were found, switches that nobody wanted, questions that nobody needed."""

    turns: int = 0
    changes: int = 0
    found: int = 0
    unasked: int = 0
    wrong: int = 0
    needless: int = 0

    def __str__(self) -> str:
        return (f"{self.turns} turns, {self.found} of {self.changes} changes found ({self.unasked} without asking), "
                f"{self.wrong} wrong switches, {self.needless} needless questions")  # fmt: skip


def figures(scenarios: Iterable[Scenario], *, replies: bool) -> Figures:
    """The figures over all talks. The first turn, which begins the first task, does not count.

    Whatever is decided, the talk goes on as its script says.
    """
    total = Figures()
    for scenario in scenarios:
        with tempfile.TemporaryDirectory() as folder:
            context = Context.init(folder, now=NOW)
            reply = ""
            for number, turn in enumerate(scenario.turns):
                if number:
                    _count(total, context, turn, reply if replies else "")
                _follow(context, turn)
                reply = turn.reply
    return total


def _count(total: Figures, context: Context, turn: Turn, reply: str) -> None:
    decision = context.turn(turn.says, reply=reply).decision
    desk = context.desk()
    wanted = next((task.id for task in desk.tasks if turn.do == "back" and task.title == turn.to), 0)
    total.turns += 1
    if turn.do in ("new", "back"):
        hit = decision.verdict is not Verdict.STAY and decision.target == wanted
        total.changes += 1
        total.found += hit
        total.unasked += hit and decision.verdict is Verdict.SWITCH
        total.wrong += decision.verdict is Verdict.SWITCH and not hit
    else:
        total.wrong += decision.verdict is Verdict.SWITCH
        total.needless += decision.verdict is Verdict.ASK and turn.do != "child"


def _follow(context: Context, turn: Turn) -> None:
    if turn.do in ("new", "child"):
        context.start(turn.title, child=turn.do == "child")
    elif turn.do == "back":
        context.switch(turn.to)
    if turn.do != "about":
        context.step(turn.says)
    for name, value in turn.sets.items():
        context.set(name, value)
    for name, value in turn.results.items():
        context.result(name, value)
    if turn.finish:
        context.finish()
