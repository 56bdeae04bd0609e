"""A short talk, judged as a whole log is: for the tests of dialogue."""

from __future__ import annotations

from functools import cache

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.model import Action, ActionKind, Event, Finding, Kind, Role
from distill.reconcile.echoes import without_echoes
from distill.reconcile.endings import finish
from distill.reconcile.merge import merge, settle
from distill.reconcile.said import Endings, Said
from distill.rulebook import Rulebook, load
from distill.segment.turns import turns

LATE = "Now show me the log of the build."  # a last turn, so that what is tested is not the end of the log


@cache
def book() -> Rulebook:
    return load()


def events(*lines: str | Action) -> list[Event]:
    """`u: …` and `a: …` lines and acts, one record each."""
    found: list[Event] = []
    for number, line in enumerate(lines, 1):
        if isinstance(line, Action):
            found.append(Event(record=number, role=Role.ASSISTANT, action=line))
        else:
            role = Role.USER if line[:2] == "u:" else Role.ASSISTANT
            found.append(Event(record=number, role=role, text=line[2:].strip()))
    return found


def found(*lines: str | Action) -> list[Finding]:
    """What the judge finds in a talk."""
    return judged(*lines)[1]


def judged(*lines: str | Action) -> tuple[Judge, list[Finding]]:
    """A judge that has heard a talk, and what it finds in it."""
    judge = Judge("talk", CueJudge(book()), book().signals)
    for turn in turns(events(*lines)):
        judge.take(turn)
    return judge, judge.findings()


def live(kind: Kind, *lines: str | Action) -> list[str]:
    """The texts of one kind that still hold when the talk has ended."""
    judge, findings = judged(*lines)
    groups = without_echoes(merge(findings))
    settle(groups)
    done = [one.statement for one in judge.pool if one.finishes]
    finish(groups, Endings(finished=tuple(Said(text=one.text, record=one.record) for one in done)))
    return [group.best.text for group in groups if group.kind is kind and group.status == "live"]


def decisions(*lines: str | Action) -> str:
    """The live decisions of a talk, joined."""
    return " | ".join(live(Kind.DECISION, *lines))


def wrote(path: str, text: str = "", *, done: bool = True) -> Action:
    return Action(kind=ActionKind.WROTE, target=path, detail=text, done=done)
