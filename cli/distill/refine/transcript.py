"""What was said and done in a log, kept for the second pass: without credentials, each entry with its record."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from distill.model import Action, ActionKind, Event, Role
from distill.text.clean import clean
from distill.text.mask import masked

LARGEST = 4_000_000  # characters that are kept, the latest; far more than one pass may send
# Acts by which the user speaks, and acts that settle something; the others are the business of the rules.
CHOICES = frozenset({ActionKind.ANSWERED, ActionKind.APPROVED, ActionKind.REJECTED})
DEEDS = frozenset({ActionKind.COMMITTED, ActionKind.OPENED, ActionKind.TESTED, ActionKind.PLANNED})
MADE = frozenset({ActionKind.WROTE, ActionKind.EDITED, ActionKind.MOVED, ActionKind.COMMITTED, ActionKind.OPENED})
_BINDING = CHOICES | {ActionKind.COMMITTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message or act. `parts` are texts that each stand in the record; a message has one part."""

    record: int
    role: Role
    parts: tuple[str, ...]
    time: str | None = None
    act: ActionKind | None = None

    @property
    def text(self) -> str:
        """The parts as one text."""
        return " → ".join(self.parts)

    @property
    def binds(self) -> bool:
        """Whether a decision may rest on it: the user's words, words of nobody named, or an act that settles."""
        return self.act in _BINDING if self.act is not None else self.role is not Role.ASSISTANT


class Transcript:
    """Listens to the events of one log on their way to the rules."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()
        self._size = 0
        self.made: set[str] = set()  # files and the like that acts made
        self._masked: Counter[str] = Counter()

    @property
    def entries(self) -> Sequence[Entry]:
        """What was said and done, in order."""
        return tuple(self._entries)

    def listen(self, events: Iterator[Event]) -> Iterator[Event]:
        """The same events, noted down."""
        for event in events:
            if event.action is None:
                self._hear(event)
            elif event.action.kind is ActionKind.REWOUND:
                self._forget(event.action.back_to)
            elif event.action.done:
                self._see(event, event.action)
            yield event

    def _hear(self, event: Event) -> None:
        if not event.by_line:
            self._add(Entry(record=event.record, role=event.role, parts=(self._shown(event.text),), time=event.time))
            return
        for offset, line in enumerate(event.text.split("\n")):
            parts = (self._shown(line),)
            self._add(Entry(record=event.record + offset, role=event.role, parts=parts, time=event.time))

    def _see(self, event: Event, action: Action) -> None:
        if action.kind in MADE:
            self.made.add(action.target)
        if action.kind not in CHOICES | DEEDS:
            return
        words = [task.text for task in action.tasks] or [action.target, action.detail]
        parts = tuple(self._shown(word) for word in words if word.strip())
        role = Role.USER if action.kind in CHOICES else Role.ASSISTANT
        self._add(Entry(record=event.record, role=role, parts=parts, time=event.time, act=action.kind))

    def _shown(self, text: str) -> str:
        return masked(clean(text, one_line=False), self._masked).strip()

    def _add(self, entry: Entry) -> None:
        size = sum(map(len, entry.parts))
        if not size:
            return
        self._entries.append(entry)
        self._size += size
        while self._size > LARGEST and len(self._entries) > 1:
            self._size -= sum(map(len, self._entries.popleft().parts))

    def _forget(self, back_to: int) -> None:
        kept = [entry for entry in self._entries if entry.record <= back_to]
        self._entries = deque(kept)
        self._size = sum(len(part) for entry in kept for part in entry.parts)
