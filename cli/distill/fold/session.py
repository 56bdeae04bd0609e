"""A session as it goes: turns come in, tasks end, cards are made, and the context can be had at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from distill.fold.assembly import Assembler, Plan
from distill.fold.boundaries import BRIEF, Before, answered, judge
from distill.fold.cards import Card, archived, likeness, merged
from distill.fold.drift import Rarity
from distill.fold.exchange import Exchange
from distill.fold.ledger import Row
from distill.fold.measure import MEASURES
from distill.fold.numbers import FoldNumbers
from distill.fold.said import size
from distill.fold.task import Rooms, Task
from distill.fold.verdict import Verdict, Veto
from distill.model import ActionKind
from distill.rulebook import Rulebook

AFTER_END = 1  # turns of a task that has ended that stay as they were said until it is folded
_OFTEN = 3  # turns after which commits in most of them end nothing
_NEARER = 0.2  # by how much a turn must be more like the task that just ended to take it up


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """Boundaries set by hand: records that begin a task, and pairs of cards (by their ids) that are one."""

    splits: tuple[int, ...] = ()
    joins: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True, kw_only=True)
class Memory:
    """All that lasts from turn to turn: what is saved and restored."""

    cards: list[Card] = field(default_factory=list)  # oldest first
    archive: Card | None = None
    finished: list[Task] = field(default_factory=list)  # ended and not yet folded, oldest first
    active: Task | None = None
    rarity: Rarity = field(default_factory=Rarity)
    verdicts: list[Verdict] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)  # tasks that became part of another card
    window: list[int] = field(default_factory=list)  # tokens of the last turns
    whole: int = 0
    commits: int = 0
    now: str | None = None
    recalled: list[Card] = field(default_factory=list)


class Session:
    """Folds turn by turn. `take` the exchanges in order; `plan` gives the context for the next prompt."""

    def __init__(
        self, numbers: FoldNumbers, rooms: Rooms, book: Rulebook, assembler: Assembler, *, log: str = "",
        corrections: Corrections | None = None, memory: Memory | None = None,
    ) -> None:
        self.numbers, self._rooms, self._book, self._assembler, self._log = numbers, rooms, book, assembler, log
        self._corrections = corrections or Corrections()
        self.resume(memory or Memory())
        self.made: list[Card] = []  # every card as it was folded here, before it became part of another
        self._notes: dict[str, tuple[tuple[int, int], Card]] = {}

    def resume(self, memory: Memory) -> None:
        """Go on from what was kept. Raises DistillError where something that the measure needs is not installed."""
        self.memory = memory
        self._measure = MEASURES[self.numbers.drift_by](memory.rarity)

    # -- turns ------------------------------------------------------------------------------------------------------

    def verdict(self, now: Exchange) -> tuple[Verdict, str]:
        """Whether a turn begins a task, by the user's words alone; and the card that it belongs to by hand, or ""."""
        active = self.memory.active
        if active is None:
            return Verdict(turn=now.number, record=now.first), ""
        often = self.memory.rarity.turns >= _OFTEN and 2 * self.memory.commits > self.memory.rarity.turns
        before = Before(last=self._last(active), concluded=active.concluded, turns=active.turns, commits_always=often)
        found = judge(now, before, self._measure, self.numbers, self._book)
        if any(now.first <= record <= now.last for record in self._corrections.splits):
            return replace(found, boundary=True, by_hand=True), ""
        for older, newer in self._corrections.joins:
            if newer == task_id(now.first):
                if self._name(older) == self._name(active.id):
                    vetoes = (*found.vetoes, (Veto.JOINED, older))
                    return replace(found, boundary=False, by_hand=True, vetoes=vetoes), ""
                return replace(found, boundary=True, by_hand=True), older
        return found, ""

    def take(self, now: Exchange) -> None:
        """One more turn, complete with its answer."""
        memory = self.memory
        for event in now.events:
            if event.action is not None and event.action.kind is ActionKind.REWOUND:
                self._rewind(event.action.back_to)
        found, joins = self.verdict(now)
        row = self._row(now, found.boundary)
        events: list[str] = []
        active = memory.active
        if active:
            first = found.boundary
            found = answered(now, self._last(active), found, self._measure, self.numbers)
            if first and not found.boundary:
                events.append("pulled back")
        if found.candidate:
            memory.verdicts.append(found)
        taken = self._taken_up(now, active) if active and not (found.by_hand or found.switched) else None
        if active and taken:
            self._swap(taken, active, now)
            events.append(f"took up {taken.id}")
        elif active is None or found.boundary:
            self._begin(now, joins)
            events.append("new task")
        assert memory.active is not None
        memory.active.add(now, self._book)
        memory.rarity.learn(now.about)
        memory.commits += now.settled
        memory.whole += now.tokens
        memory.window = [*memory.window, now.tokens][-max(1, self.numbers.verbatim - 1):]
        memory.now = now.ended or memory.now
        events += self._fold_due(now.number)
        memory.active.sum_up(self.numbers.verbatim, self._rooms)
        memory.rows.append(replace(row, task=memory.active.id, events=tuple(events)))

    def _begin(self, now: Exchange, joins: str) -> None:
        if self.memory.active is not None:
            self.memory.active.ended_at = now.number
            self.memory.finished.append(self.memory.active)
        self.memory.active = Task(id=task_id(now.first), start=now.first, joins=joins)

    def _taken_up(self, now: Exchange, active: Task) -> Task | None:
        """The task that just ended, where the turn is rather about that than about the one that runs."""
        if size(now.asked_about) < BRIEF:
            return None
        here = self._measure.asked(now, self._last(active))
        for task in reversed(self.memory.finished):
            there = self._measure.asked(now, self._last(task))
            if there >= self.numbers.same and there >= here + _NEARER:
                return task
        return None

    def _swap(self, task: Task, active: Task, now: Exchange) -> None:
        """Take `task` up again; the one that ran meanwhile has ended."""
        self.memory.finished.remove(task)
        active.ended_at = now.number
        self.memory.finished.append(active)
        task.ended_at = None
        self.memory.active = task

    # -- folding ----------------------------------------------------------------------------------------------------

    def _fold_due(self, turn: int) -> list[str]:
        """Fold what ended `delay` turns ago, and the oldest at once where the context is too long."""
        memory, events = self.memory, []
        while memory.finished:
            oldest = memory.finished[0]
            due = turn + 1 - (oldest.ended_at or turn) >= self.numbers.delay
            if not due and self._assembler.tokens(self._plan((), self._asked)) <= self.numbers.limit:
                break
            memory.finished.pop(0)
            events.append(self._fold(oldest))
        while memory.cards and self._cards_too_long():
            memory.archive = archived(memory.archive, memory.cards.pop(0))
            events.append("archived")
        return events

    def _fold(self, task: Task) -> str:
        memory = self.memory
        self._notes.pop(task.id, None)
        card = task.card(self._rooms, self._log)
        self.made.append(card)
        joins = self._name(task.joins)
        twin = next((old for old in reversed(memory.cards) if old.id == joins or (
            not joins and likeness(old.goal, card.goal) >= self.numbers.alike)), None)
        if twin is None:
            memory.cards.append(card)
            return f"folded {card.id}"
        memory.aliases[card.id] = twin.id
        memory.cards.remove(twin)
        memory.cards.append(merged(twin, card, self._rooms.join))
        return f"merged {card.id} into {twin.id}"

    def _cards_too_long(self) -> bool:
        """Whether there are too many cards, or they alone take more than half of what the context may."""
        cards = self.memory.cards
        if len(cards) > self.numbers.cards:
            return True
        plan = Plan(cards=cards, now=self.memory.now)
        return len(cards) > 1 and 2 * self._assembler.tokens(plan) > self.numbers.limit

    def _rewind(self, back_to: int) -> None:
        """What was said after the record `back_to` never happened, as far as no card holds it."""
        memory = self.memory
        for task in self._running():
            task.exchanges = [one for one in task.exchanges if one.first <= back_to]
        memory.finished = [task for task in memory.finished if task.exchanges or task.summed]
        if memory.active is not None and not memory.active.exchanges and not memory.active.summed:
            memory.active = memory.finished.pop() if memory.finished else None
            if memory.active is not None:
                memory.active.ended_at = None

    def unfolded(self) -> list[Card]:
        """The cards that the tasks that are not folded would be."""
        return [task.card(self._rooms, self._log) for task in self._running()]

    # -- the context ------------------------------------------------------------------------------------------------

    def plan(self, pending: Exchange | None = None) -> Plan:
        """The context for the next prompt; `pending` is the turn that has begun and is not complete."""
        if pending is None:
            return self._plan((), self.numbers.verbatim, bounded=True)
        return self._plan((pending,), self._asked, bounded=True, ended=self.verdict(pending)[0].boundary)

    @property
    def _asked(self) -> int:
        """The turns that are repeated where one more is being asked: that is the last of them."""
        return self.numbers.verbatim - 1

    def _plan(self, now: Sequence[Exchange], kept: int, *, bounded: bool = False, ended: bool = False) -> Plan:
        """The context with the last `kept` turns and `now`; `bounded` repeats fewer where it would be too long.

        Of a task that has ended (with `ended` the active one too, by `now`) the last few are repeated.
        """
        memory = self.memory
        running = self._running()
        active = None if ended else memory.active
        turns = sorted((one for task in running for one in (
            task.exchanges if task is active else task.exchanges[-AFTER_END:])), key=lambda one: one.number)
        cards = [*reversed(memory.cards), *([memory.archive] if memory.archive else [])]
        plan = Plan(cards=cards, recalled=memory.recalled, now=memory.now)
        if bounded:
            kept = self._fitting(turns, kept, self._assembler.tokens(plan) + sum(one.tokens for one in now))
        verbatim = turns[-kept:] if kept else []
        shown = {one.number for one in verbatim}
        notes = [card for task in running if (card := self._note(task, shown))]
        return replace(plan, notes=notes, verbatim=[*verbatim, *now])

    def _fitting(self, turns: Sequence[Exchange], most: int, taken: int) -> int:
        """How many of the last turns can be repeated beside what is `taken`: one at least, where there is one."""
        left = self.numbers.limit - taken - self.numbers.card_tokens  # what is not repeated stands in a note
        kept = 0
        for one in reversed(turns[-most:] if most else []):
            left -= one.tokens
            if kept and left < 0:
                break
            kept += 1
        return kept

    def _running(self) -> list[Task]:
        return [*self.memory.finished, *([self.memory.active] if self.memory.active else [])]

    def _note(self, task: Task, shown: set[int]) -> Card | None:
        """What stands for the turns of a task that are not repeated; None where all are."""
        hidden = [one for one in task.exchanges if one.number not in shown]
        if not hidden and not task.summed:
            return None
        key = task.summed, len(hidden)
        known = self._notes.get(task.id)
        if known is None or known[0] != key:
            known = self._notes[task.id] = key, task.card(self._rooms, self._log, hidden)
        return known[1]

    def _row(self, now: Exchange, ended: bool) -> Row:
        """What the prompt of a turn takes, up to the user's words, which may have `ended` the task before."""
        memory = self.memory
        asked = replace(now, messages=(), tokens=now.asked_tokens)
        return Row(
            turn=now.number, record=now.first, time=now.began, task="",
            whole=memory.whole + now.asked_tokens,
            window=sum(memory.window) + now.asked_tokens,
            folded=self._assembler.tokens(self._plan((asked,), self._asked, bounded=True, ended=ended)),
            cards=len(memory.cards) + (memory.archive is not None),
        )

    def _last(self, task: Task) -> Sequence[Exchange]:
        return task.exchanges[-self.numbers.look_back:]

    def _name(self, id: str) -> str:
        """The card that a task is part of."""
        while id in self.memory.aliases:
            id = self.memory.aliases[id]
        return id


def task_id(record: int) -> str:
    """The name of the task that begins at a record: the same on every run."""
    return f"t{record}"
