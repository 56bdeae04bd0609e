"""How like a turn is to the turns before it: by its words, or by its words and by what its sentences mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Protocol

from distill.fold.drift import Rarity
from distill.fold.exchange import Exchange, pasted
from distill.text.meaning import Encoder

ASKED = 12  # sentences of a message that are compared
REPLIED = 30  # sentences of an answer that are compared
SHARE = 0.5  # what meaning weighs; the rest is words
# The nearness of sentences that have nothing to do with each other, and of those that say the same: between them
# meaning is on the scale of words, so that every threshold of folding serves both.
APART, SAME = 0.28, 0.78


class Measure(Protocol):
    """How like a turn is to turns before it, 0 to 1; the thresholds of `FoldNumbers` hold for every measure."""

    @property
    def name(self) -> str:
        """What it goes by, as in `FoldNumbers.drift_by`."""
        ...

    def asked(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of what the user says in `now` to the turns in `last`."""
        ...

    def whole(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of `now` with its answer to the turns in `last`."""
        ...


class Words:
    """The share of what a turn is about that the turns before it are about as well, rare words first."""

    name = "words"

    def __init__(self, rarity: Rarity) -> None:
        """`rarity` says how rare words are among the turns so far, and goes on learning it."""
        self._rarity = rarity

    def asked(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of what the user says."""
        return self._rarity.likeness(now.asked_about, about(last))

    def whole(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of the turn with its answer."""
        return self._rarity.likeness(now.about, about(last))


class Meaning(Words):
    """Words and sentences mixed: each of the two finds relatives that the other does not."""

    name = "meaning"

    def __init__(self, rarity: Rarity) -> None:
        """Raises DistillError where no encoder is installed."""
        super().__init__(rarity)
        self._nearness = encoder().nearness

    def asked(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of what the user says."""
        return self._mixed(super().asked(now, last), [_asked(now)], last)

    def whole(self, now: Exchange, last: Sequence[Exchange]) -> float:
        """The likeness of the turn with its answer."""
        return self._mixed(super().whole(now, last), [_asked(now), _replied(now)], last)

    def _mixed(self, words: float, said: Sequence[tuple[str, ...]], last: Sequence[Exchange]) -> float:
        near = self._nearness(said, [text for one in last for text in (_asked(one), _replied(one))])
        return (1 - SHARE) * words + SHARE * min(1.0, max(0.0, (near - APART) / (SAME - APART)))


#: What folding can go by, by the names of `FoldNumbers.drift_by`.
MEASURES: Mapping[str, Callable[[Rarity], Measure]] = {"words": Words, "meaning": Meaning}


def about(exchanges: Sequence[Exchange]) -> frozenset[str]:
    """What some turns are about, together."""
    return frozenset().union(*(one.about for one in exchanges))


@cache
def encoder() -> Encoder:
    """The encoder of this process. Raises DistillError where none is installed."""
    return Encoder()


def _asked(one: Exchange) -> tuple[str, ...]:
    said = [line.text for line in one.asked if not pasted(line.text)]
    return tuple(said[:ASKED]) or ((one.request,) if one.request else ())


def _replied(one: Exchange) -> tuple[str, ...]:
    return tuple(line.text for line in one.closing[:REPLIED])
