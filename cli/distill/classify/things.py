"""What acts make, and what of an act is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from distill.model import Action, ActionKind, Event

EVIDENCE = 12  # places of one artifact that are kept as sources
QUOTE = 160


@dataclass(slots=True)
class Thing:
    """A file, commit or pull request and where it was made."""

    name: str
    note: str = ""
    made: bool = False  # created here, not only edited
    noted: bool = False  # the note is one of this run
    places: list[tuple[int, str | None, str]] = field(default_factory=list)  # record, time, quote

    def seen(self, event: Event, quote: str) -> None:
        """Add the place of an act on it; `quote` is what shows it there."""
        self.places.append((event.record, event.time, quote[:QUOTE]))
        if len(self.places) > EVIDENCE:
            del self.places[1]  # the first and the latest say most


@dataclass(frozen=True, slots=True)
class Last:
    """The records of the last change to a file and of the last test run; 0 where there was none."""

    change: int = 0
    test: int = 0

    @classmethod
    def of(cls, events: Iterable[Event], before: Last) -> Last:
        """The last ones of acts in the order of the log, which come after `before`."""
        change, test = before.change, before.test
        for event in events:
            if event.action is not None and changes(event.action):
                change = max(change, event.record)
            elif event.action is not None and event.action.kind is ActionKind.TESTED:
                test = max(test, event.record)
        return cls(change, test)


def changes(action: Action) -> bool:
    """Whether an act wrote or edited a file."""
    return action.done and action.kind in (ActionKind.WROTE, ActionKind.EDITED)


def light(event: Event) -> Event:
    """The event without the text of edits, which would make the journal heavy."""
    action = event.action
    if action is None or action.kind not in (ActionKind.WROTE, ActionKind.EDITED) or not action.detail:
        return event
    bare = Action(kind=action.kind, target=action.target, done=action.done)
    return Event(record=event.record, role=event.role, time=event.time, action=bare)


def last_part(path: str) -> str:
    """The name of a file without its folders."""
    return path.replace("\\", "/").rpartition("/")[2]
