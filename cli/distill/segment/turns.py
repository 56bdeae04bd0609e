"""The stream of events, cut into turns: a turn begins with what the user says.

Memory stays flat: a turn holds at most `ACTS` acts and `TOLD` characters of talk on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from distill.model import ActionKind, Event, Role, Statement, Turn, Voice
from distill.segment.statements import statements

ACTS = 1000  # acts after which a part of a turn is handed over
TOLD = 200_000  # characters of mid-turn talk that are kept; the later ones count
REPORT = 800  # characters from which an earlier message of the turn may be its report
BRIEF = 80  # a last message shorter than this ("Done.") does not stand alone for the turn


class _Builder:
    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[Event] = []
        self.spoken: deque[Event] = deque()
        self.size = 0
        self.acts: list[Event] = []
        self.last = 0

    def speak(self, event: Event) -> None:
        self.spoken.append(event)
        self.size += len(event.text)
        while self.size > TOLD and len(self.spoken) > 2:
            self.size -= len(self.spoken.popleft().text)

    def part(self) -> Turn:
        acts, self.acts = tuple(self.acts), []
        return Turn(number=self.number, acts=acts, last_record=self.last)

    def turn(self) -> Turn:
        closing, told = _closing(self.spoken)
        number = self.number
        return Turn(
            number=number,
            asked=tuple(s for e in self.asked for s in statements(e, turn=number)),
            planned=tuple(s for e in self.acts for s in _plan(e, number)),
            told=tuple(s for e in told for s in statements(e, turn=number)),
            closing=tuple(s for e in closing for s in statements(e, turn=number, final=True)),
            acts=tuple(self.acts),
            request="\n".join(e.text for e in self.asked),
            reply="\n".join(e.text for e in closing),
            last_record=self.last,
        )

    @property
    def empty(self) -> bool:
        return not (self.asked or self.spoken or self.acts)


class Cutter:
    """Cuts events into turns as they come; the turns are numbered from `before` + 1 on."""

    def __init__(self, before: int = 0) -> None:
        self._now = _Builder(before + 1)

    @property
    def number(self) -> int:
        """The number of the turn that is open."""
        return self._now.number

    def take(self, event: Event) -> list[Turn]:
        """The turns, or the part of one, that are complete now that `event` has come."""
        done: list[Turn] = []
        now = self._now
        if event.action is None and event.role is not Role.ASSISTANT:
            begins = event.role is Role.UNKNOWN or bool(now.spoken) or any(not _opens(act) for act in now.acts)
            if begins and not now.empty:
                done.append(self._next())
            self._now.asked.append(event)
        elif event.action is None:
            now.speak(event)
        else:
            if event.action.kind is ActionKind.REWOUND and not now.empty:
                done.append(self._next())  # what was said before the rewind must be known when it comes
            self._now.acts.append(event)
        self._now.last = max(self._now.last, event.record)
        if len(self._now.acts) >= ACTS:
            done.append(self._now.part())
        return done

    def close(self) -> list[Turn]:
        """The turn that is still open; none where nothing was said or done in it."""
        return [] if self._now.empty else [self._next()]

    def _next(self) -> Turn:
        done = self._now.turn()
        self._now = _Builder(done.number + 1)
        return done


def turns(events: Iterable[Event], before: int = 0) -> Iterator[Turn]:
    """The turns of one log in order, numbered from one on; `before` turns of it were passed over."""
    cutter = Cutter(before)
    for event in events:
        yield from cutter.take(event)
    yield from cutter.close()


def _plan(act: Event, turn: int) -> list[Statement]:
    """The statements of a plan that `act` approves."""
    action = act.action
    if action is None or action.kind is not ActionKind.APPROVED or not action.detail:
        return []
    return statements(replace(act, role=Role.ASSISTANT, text=action.detail, action=None), turn=turn)


def _opens(act: Event) -> bool:
    """Acts that belong to the user's message after them, not to the turn before."""
    return act.action is not None and act.action.kind is ActionKind.REWOUND


def _closing(spoken: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    """The messages that close a turn, and those said on the way.

    The last one closes it. A brief one ("Done.") takes the longer message before it along, and so does any report of
    the turn that dwarfs the last message: agents often sum up first and add a line after one more tool call.
    """
    said = [event for event in spoken if event.text.strip()]
    if not said:
        return [], []
    last = max((i for i, e in enumerate(said) if e.voice is not Voice.NARRATION), default=len(said) - 1)
    size = len(said[last].text)
    closing = {last}
    if size < BRIEF:
        closing.update([i for i in range(max(0, last - 3), last) if len(said[i].text) >= 4 * BRIEF][-1:])
    longest = max(range(len(said)), key=lambda i: len(said[i].text))
    if len(said[longest].text) >= max(REPORT, 3 * size) and said[longest].voice is not Voice.NARRATION:
        closing.add(longest)
    return [said[i] for i in sorted(closing)], [e for i, e in enumerate(said) if i not in closing]
