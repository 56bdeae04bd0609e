"""A task that runs or has just ended: its turns, as long as no card stands for them, and what was concluded before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from distill.fold.boundaries import concludes
from distill.fold.cards import Card, Records, card_of
from distill.fold.exchange import Exchange
from distill.fold.traits import Traits
from distill.model import Item
from distill.rulebook import Rulebook

PART = 12  # turns of a long task that are summed up together, so that no turn costs more than the one before


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooms:
    """What folding has done elsewhere, by the same rooms that make a state.

    `conclude` gives the items that stand after some turns, of those that stood before them; `join` brings the items of
    a later task to those of an earlier one; `rank` gives the live ones, best first.
    """

    conclude: Callable[[Sequence[Item], Sequence[Exchange]], list[Item]]
    join: Callable[[Sequence[Item], Sequence[Item]], list[Item]]
    rank: Callable[[Sequence[Item]], list[Item]]


@dataclass(slots=True, kw_only=True)
class Task:
    """One task. `exchanges` are its turns that are still kept, `items` what stands after those that are not.

    `ended_at` is the turn before which it ended; `joins` names the card that a correction by hand makes it part of.
    """

    id: str
    start: int
    exchanges: list[Exchange] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    traits: Traits = field(default_factory=Traits)
    records: list[Records] = field(default_factory=list)
    summed: int = 0  # turns that are not kept any more
    turns: int = 0
    tokens: int = 0
    began: str | None = None
    ended: str | None = None
    concluded: bool = False
    ended_at: int | None = None
    joins: str = ""

    def add(self, one: Exchange, book: Rulebook) -> None:
        """One more turn."""
        self.exchanges.append(one)
        self.traits.take(one, book)
        self.records.append((one.first, one.last))
        self.turns += 1
        self.tokens += one.tokens
        self.began = self.began or one.began
        self.ended = one.ended or self.ended
        self.concluded = self.concluded or concludes(one)

    def sum_up(self, verbatim: int, rooms: Rooms) -> None:
        """Let go of the oldest turns of a long task, once there are enough of them that no prompt repeats."""
        while len(self.exchanges) >= verbatim + PART:
            part, self.exchanges = self.exchanges[:PART], self.exchanges[PART:]
            self.items = rooms.conclude(self.items, part)
            self.summed += PART

    def card(self, rooms: Rooms, log: str, among: Sequence[Exchange] | None = None) -> Card:
        """The card for all of it, or for its turns up to those that are kept and not `among` them."""
        turns = self.exchanges if among is None else among
        items = rooms.conclude(self.items, turns) if turns else self.items
        return card_of(self.traits, rooms.rank(items), items, id=self.id, log=log, records=self.records,
                       turns=self.turns, tokens=self.tokens, began=self.began, ended=self.ended)
