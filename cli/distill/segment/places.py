"""Where the turns of a log begin: what it takes to read on from the last one once the log has grown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from distill.model import Reached, Start, Turn


@dataclass(frozen=True, slots=True)
class _Begun:
    """Where a turn begins, and what was before it: the message it may answer, statements weighed, tokens."""

    number: int
    context: int
    record: int
    weighed: int
    tokens: int


class Places:
    """Follows a walk through the turns of a log, from its beginning or from `start` on."""

    def __init__(self, start: Start | None) -> None:
        self._start = start
        self._last = start.record - 1 if start else 0  # the last record of the turns so far
        self._tokens = start.tokens if start else 0  # and those of what was said in them
        self._closing = self._last + 1  # where the message begins that closed the last of them
        self._begun: _Begun | None = None  # the last turn
        self._context = 0  # statements weighed here that an earlier run had weighed
        self._inside = start is None  # whether the part that is new has begun

    def begin(self, turn: Turn, weighed: int) -> None:
        """A turn, or a part of one, is about to be judged; `weighed` statements were so far."""
        if self._begun and self._begun.number == turn.number:
            return
        if not self._inside and self._start is not None:
            self._context = weighed
            self._inside = self._last + 1 >= self._start.since
        self._begun = _Begun(turn.number, self._closing, self._last + 1, weighed, self._tokens)

    def end(self, turn: Turn, tokens: int) -> None:
        """The turn was judged; `tokens` were told up to its end."""
        self._last = max(self._last, turn.last_record)
        self._closing = min((one.record for one in turn.closing), default=self._last + 1)
        self._tokens = tokens

    @property
    def turns(self) -> int:
        """How many turns there were."""
        return self._begun.number - (self._start.turn if self._start else 0) if self._begun else 0

    def weighed(self, here: int) -> int:
        """The statements of the whole log, where `here` were weighed in this walk."""
        return here + (max(0, self._start.seen - self._context) if self._start else 0)

    def reached(
        self, form: str, size: int, records: int, *, skipped: int, session: str, project: str,
        memory: Mapping[str, Any],
    ) -> Reached | None:
        """How far the walk came; None where there was no turn. `skipped` are those before `since`."""
        last = self._begun
        if last is None:
            return None
        start = Start(
            format=form, offset=self._start.offset if self._start else 0, record=last.context, since=last.record,
            known=records, turn=last.number - (2 if last.context < last.record else 1), seen=self.weighed(last.weighed),
            tokens=last.tokens, skipped=skipped, session=session, project=project, memory=memory,
        )
        return Reached(start=start, from_record=self._start.record if self._start else 1, size=size)

    @property
    def since(self) -> int:
        """The record at which the last turn begins."""
        return self._begun.record if self._begun else 0
