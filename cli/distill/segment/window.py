"""The events of a log that are looked at: those of a window of time, without credentials, each with a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from distill.model import ActionKind, Event
from distill.text.lazy import Lazy
from distill.text.mask import masked_event
from distill.text.tokens import quick

PROGRESS_EVERY = 2000  # events between two calls of a progress hook
_SURROGATE = Lazy("[\ud800-\udfff]")  # half a character, as cut output leaves it


class BehindError(Exception):
    """A log that is read on from its middle takes back what stands before: it must be read from its beginning."""


@dataclass(slots=True)
class Window:
    """What to look at, and an account of what was looked at.

    `first` to `since` are read for context only and not counted; what the log took back up to the record `known` was
    taken back in an earlier run.
    """

    after: str | None = None
    until: str | None = None
    redacted: Counter[str] | None = None  # what was masked is counted here; None masks nothing
    first: int = 0
    since: int = 0
    known: int = 0
    oldest: str | None = None
    newest: str | None = None
    tokens: int = 0
    latest: int = 0  # tokens of the event given out last

    def look(self, events: Iterator[Event], progress: Callable[[], None] | None = None) -> Iterator[Event]:
        """The events that count. Raises BehindError where one takes back what is not read."""
        last: str | None = None
        for number, event in enumerate(events):
            if progress is not None and number % PROGRESS_EVERY == 0:
                progress()
            if event.record < self.first:
                continue
            if self.since and _reaches_behind(event, self.since):
                if event.record > self.known:
                    raise BehindError
                continue
            if event.text and _SURROGATE.search(event.text):
                event = replace(event, text=_SURROGATE.sub("\ufffd", event.text))
            time = event.time or last
            last = time
            if time is not None:
                if self.after and time < self.after:
                    continue
                if self.until and time > self.until:
                    continue
                self.oldest = min(self.oldest or time, time)
                self.newest = max(self.newest or time, time)
            self.latest = quick(event.text) if event.text and event.record >= self.since else 0
            self.tokens += self.latest
            if self.redacted is not None:
                event = masked_event(event, self.redacted)
            yield event if event.time == time else replace(event, time=time)


def _reaches_behind(event: Event, since: int) -> bool:
    action = event.action
    return action is not None and action.kind is ActionKind.REWOUND and action.back_to < since
