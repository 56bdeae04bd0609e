"""Where the turns of a log begin: what it takes to read on from the last one once the log has grown."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from distill.model import Reached, Start, Turn


class Places:
    """Follows a walk through the turns of a log, from its beginning or from `start` on."""

    def __init__(self, start: Start | None) -> None:
        self._start = start
        self._last = start.record - 1 if start else 0  # the last record of the turns so far
        self._tokens = start.tokens if start else 0  # and those of what was said in them
        # Of the last turns: number, first record, statements weighed and tokens before it.
        self._begun: deque[tuple[int, int, int, int]] = deque(maxlen=2)
        self._context = 0  # statements weighed here that an earlier run had weighed
        self._inside = start is None  # whether the part that is new has begun

    def begin(self, turn: Turn, weighed: int) -> None:
        """A turn, or a part of one, is about to be judged; `weighed` statements were so far."""
        if self._begun and self._begun[-1][0] == turn.number:
            return
        if not self._inside and self._start is not None:
            self._context = weighed
            self._inside = self._last + 1 >= self._start.since
        self._begun.append((turn.number, self._last + 1, weighed, self._tokens))

    def end(self, turn: Turn, tokens: int) -> None:
        """The turn was judged; `tokens` were told up to its end."""
        self._last = max(self._last, turn.last_record)
        self._tokens = tokens

    @property
    def turns(self) -> int:
        """How many turns there were."""
        return self._begun[-1][0] - (self._start.turn if self._start else 0) if self._begun else 0

    def weighed(self, here: int) -> int:
        """The statements of the whole log, where `here` were weighed in this walk."""
        return here + (max(0, self._start.seen - self._context) if self._start else 0)

    def reached(
        self, form: str, size: int, records: int, *, skipped: int, session: str, project: str,
        memory: Mapping[str, Any],
    ) -> Reached | None:
        """How far the walk came; None where there was no turn. `skipped` are those before `since`."""
        if not self._begun:
            return None
        (number, record, *_), (_, since, weighed, tokens) = self._begun[0], self._begun[-1]
        start = Start(
            format=form, offset=self._start.offset if self._start else 0, record=record, since=since, known=records,
            turn=number - 1, seen=self.weighed(weighed), tokens=tokens, skipped=skipped, session=session,
            project=project, memory=memory,
        )
        return Reached(start=start, from_record=self._start.record if self._start else 1, size=size)

    @property
    def since(self) -> int:
        """The record at which the last turn begins."""
        return self._begun[-1][1] if self._begun else 0
