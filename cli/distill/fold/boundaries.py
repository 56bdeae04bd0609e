"""Where a task ends: what speaks for it, and what against it. Every verdict explains itself."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from distill.fold.drift import features
from distill.fold.exchange import Exchange
from distill.fold.measure import Measure, about
from distill.fold.numbers import FoldNumbers
from distill.fold.said import ANSWER, ENDS, OPENER, WAYS, Said, asks, ends_asking, size, ways
from distill.fold.verdict import WEIGHTS, Doubt, Sign, Verdict, Veto
from distill.model import Role
from distill.rulebook import Rulebook

BRIEF = 6  # content words that a message needs to be told from the turns before by what it is about
LONG_IDLE = 3  # times the idle gap, from which it counts twice
READ = 12  # characters of an answer that a user reads in a second; so long nobody is idle
CLEAR = 0.75  # of the likeness that is drift: under it, words are new enough to stand alone
APART = 0.1  # likeness of a turn with its answer under which it is about something else


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What stands before a turn: the last turns of its task, how many it has, and whether it has come to anything."""

    last: Sequence[Exchange]
    concluded: bool
    turns: int = 2
    commits_always: bool = False  # the agent commits every turn, which then ends nothing


def judge(now: Exchange, before: Before, measure: Measure, numbers: FoldNumbers, book: Rulebook) -> Verdict:
    """Whether `now`, of which only the user's words are looked at, begins another task than the turns before it.

    Any sign makes it a candidate. It is confirmed where the signs weigh enough together, the task has come to
    something, and nothing says that the turn goes on with it.
    """
    if not before.last:
        return Verdict(turn=now.number, record=now.first)
    said = Said(now, book)
    likeness = measure.asked(now, before.last)
    signs = tuple(_signs(now, before, said, likeness, numbers, book))
    if not signs:
        return Verdict(turn=now.number, record=now.first, likeness=round(likeness, 3), by=measure.name)
    doubts = tuple(_doubts(before, said))
    points = sum(WEIGHTS[name] for name, _ in signs) - len(doubts) + any(
        name is Sign.IDLE and _idle(before.last[-1], now) > LONG_IDLE * numbers.idle for name, _ in signs)
    vetoes = tuple(_vetoes(before, said, likeness, {name for name, _ in signs}, points, numbers))
    return Verdict(turn=now.number, record=now.first, signs=signs, doubts=doubts, vetoes=vetoes,
                   likeness=round(likeness, 3), by=measure.name, points=points, boundary=not vetoes)


def answered(
    now: Exchange, last: Sequence[Exchange], verdict: Verdict, measure: Measure, numbers: FoldNumbers
) -> Verdict:
    """The verdict on a turn now that its answer is known as well: it may take a boundary back, or settle a faint one.

    Words such as "new task" outweigh what the answer is about.
    """
    if verdict.by_hand or verdict.switched or not verdict.signs:
        return verdict
    likeness = measure.whole(now, last)
    if verdict.boundary:
        why = _resumes(now, last, likeness, numbers)
        return replace(verdict, boundary=False, vetoes=((Veto.PULLED_BACK, why),)) if why else verdict
    if likeness < APART and {name for name, _ in verdict.vetoes} == {Veto.FAINT} and now.reply:
        points = verdict.points + WEIGHTS[Sign.APART]
        if points >= numbers.confirm:
            signs = (*verdict.signs, (Sign.APART, f"{likeness:.2f} < {APART:g}"))
            return replace(verdict, signs=signs, points=points, vetoes=(), boundary=True)
    return verdict


def _resumes(now: Exchange, last: Sequence[Exchange], likeness: float, numbers: FoldNumbers) -> str:
    """Why a turn that seemed to begin a task goes on with the one before; else ""."""
    before = frozenset().union(*(one.paths for one in last))
    same_files = now.paths and now.paths <= before and 2 * len(now.paths) >= len(before)
    if same_files and 2 * likeness >= numbers.taken_up:
        return f"changes {', '.join(sorted(now.paths)[:3])} as the task before"
    return f"its answer is {likeness:.2f} like the task before" if likeness >= numbers.taken_up else ""


def _signs(
    now: Exchange, before: Before, said: Said, likeness: float, numbers: FoldNumbers, book: Rulebook
) -> list[tuple[Sign, str]]:
    found: list[tuple[Sign, str]] = []
    last = before.last[-1]
    if likeness < numbers.drift:
        found.append((Sign.DRIFT, f"{likeness:.2f} < {numbers.drift:g}"))
        new = size(now.asked_about - about(before.last))
        if new >= numbers.alone and likeness < CLEAR * numbers.drift:
            found.append((Sign.STANDS_ALONE, f"{new} new words"))
    if cue := said.first("switched"):
        found.append((Sign.SWITCH, cue))
    elif cue := said.first("added", said.closing + 1):
        found.append((Sign.ADDED, cue))
    if cue := said.first("tasked", said.closing + 2):
        found.append((Sign.TASKED, cue))
    if last.worked and "declined" not in said.replies and (offer := _offer(last, book)):
        found.append((Sign.OFFER, offer[-60:]))
    if closed := _closed(last, book):
        found.append((Sign.COMPLETION, closed))
    elif 0 < said.closing < len(said.lines) and (cue := said.first("finished", said.closing)):
        found.append((Sign.COMPLETION, cue))
    if last.settled and not before.commits_always:
        found.append((Sign.COMMITTED, "by the turn before"))
    gap = _idle(last, now)
    if gap > numbers.idle:
        found.append((Sign.IDLE, f"{gap // 60} min"))
    return found


def _doubts(before: Before, said: Said) -> list[tuple[Doubt, str]]:
    found: list[tuple[Doubt, str]] = []
    last = before.last[-1]
    if before.turns < 2 and not last.worked:
        found.append((Doubt.AT_ONCE, "one turn so far"))
    if not last.worked and (listed := ways(last)) >= WAYS:
        found.append((Doubt.CHOICE, f"{listed} ways"))
    if cue := said.replies.get("declined", "") or said.first("turned_down", 1):
        found.append((Doubt.TURNED_DOWN, cue))
    if cue := said.first("put_off"):
        found.append((Doubt.PUT_OFF, cue))
    return found


def _idle(last: Exchange, now: Exchange) -> int:
    """Seconds without a word, less what it takes to read the answer; 0 where no times are known."""
    if last.ended is None or now.began is None:
        return 0
    gap = datetime.fromisoformat(now.began) - datetime.fromisoformat(last.ended)
    return max(0, int(gap.total_seconds()) - len(last.reply) // READ)


def _offer(last: Exchange, book: Rulebook) -> str:
    """The question with which the assistant offered further work at its end; "" where there is none."""
    asked = asks(last)
    return asked if asked and any(one.name == "further" for one in book.speech(asked)) else ""


def _closed(last: Exchange, book: Rulebook) -> str:
    """The words by which the user closed the task in the turn before; "" where there are none."""
    if said := last.asked:
        line = said[-1].text
        if cue := next((line[one.start:one.end] for one in book.speech(line) if one.name in ENDS), ""):
            return cue
        if len(said) == 1 and size(features(line)) <= OPENER and any(
                one.name == "accepted" for one in book.replies(line)):
            return line
    return ""


def _vetoes(
    before: Before, said: Said, likeness: float, names: Set[Sign], points: int, numbers: FoldNumbers
) -> list[tuple[Veto, str]]:
    found: list[tuple[Veto, str]] = []
    turned, ended = bool(names & {Sign.SWITCH, Sign.OFFER}), Sign.COMPLETION in names
    asked_for = bool(names & {Sign.ADDED, Sign.TASKED})
    if not before.concluded:
        found.append((Veto.NOTHING_YET, "the task has come to nothing yet"))
    if (cue := said.wound_up) and not names & {Sign.SWITCH, Sign.ADDED}:
        found.append((Veto.WINDS_UP, cue))
    if said.only_closes and Sign.OFFER not in names:
        found.append((Veto.CLOSES, said.lines[0]))
    elif Sign.OFFER not in names and (
            cue := said.goes_on(Sign.STANDS_ALONE in names) or said.takes_up(before.last[-1])):
        found.append((Veto.FOLLOW_UP, cue))
    elif (cue := said.fault(Sign.STANDS_ALONE in names) or said.print_out) and not (
            turned or names & {Sign.COMPLETION, Sign.IDLE}):
        found.append((Veto.FOLLOW_UP, cue))  # what was just made does not work
    elif (cue := said.answer) and not (turned or ended or (asked_for and not asks(before.last[-1]))):
        found.append((Veto.ANSWER, cue))
    elif (asked := asks(before.last[-1])) and not turned and (said.size <= ANSWER or not ended):
        found.append((Veto.ANSWER, asked[-60:]))
    if said.size < BRIEF and points <= numbers.confirm and not turned:
        found.append((Veto.BRIEF, f"{said.size} content words"))
    if not turned and likeness >= numbers.same:
        found.append((Veto.SAME, f"{likeness:.2f} >= {numbers.same:g}"))
    if points < numbers.confirm:
        found.append((Veto.FAINT, f"{points} of {numbers.confirm} points"))
    return found


def concludes(one: Exchange) -> bool:
    """Whether a turn comes to something: a result of work, or an answer that is no question back.

    In a text without speakers every statement does.
    """
    if one.worked:
        return bool(one.request or one.reply)
    if one.reply:
        return not ends_asking(one)
    return any(said.role is Role.UNKNOWN for said in one.asked)
