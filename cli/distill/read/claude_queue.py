"""Prompts that were typed while the assistant was busy, held until a record of their own repeats them."""

from __future__ import annotations

from collections import deque

LIMIT = 200  # prompts that are held at most
Queued = tuple[int, str, str | None]  # record, words, time


class Queue:
    """The prompts that wait. Entries without words are messages of programs: they only keep their place."""

    def __init__(self) -> None:
        self._waiting: deque[Queued] = deque(maxlen=LIMIT)

    def add(self, record: int, words: str, time: str | None) -> None:
        """A prompt was put into the queue."""
        self._waiting.append((record, words, time))

    def withdraw(self, words: str, everything: bool = False) -> None:
        """A prompt was taken out again: the one with these words, else a program's, else the latest."""
        if everything:
            self._waiting.clear()
            return
        waiting = list(self._waiting)
        same = [at for at, (_, text, _) in enumerate(waiting) if words and text == words]
        machine = [at for at, (_, text, _) in enumerate(waiting) if not text]
        if waiting:
            del self._waiting[(same or machine or [len(waiting) - 1])[0]]

    def taken(self) -> None:
        """The first entry was taken; words of the user stay until a record of their own repeats them."""
        if self._waiting and not self._waiting[0][1]:
            self._waiting.popleft()

    def said(self, words: str) -> list[Queued]:
        """The user said `words`: what waits there is dropped, and what should have come before it is returned.

        A record of its own may join several prompts.
        """
        if not self._waiting:
            return []
        if self._waiting[0][1] == words:
            self._waiting.popleft()
            return []
        flat = " ".join(words.split())
        inside = [bool(text) and " ".join(text.split()) in flat for _, text, _ in self._waiting]
        last = max((at for at, hit in enumerate(inside) if hit), default=len(inside) - 1)
        waiting = list(self._waiting)
        self._waiting = deque(waiting[last + 1 :], maxlen=LIMIT)
        return [one for one, hit in zip(waiting[: last + 1], inside, strict=False) if not hit and one[1]]

    def rest(self) -> list[Queued]:
        """What still waits at the end of the log."""
        rest = [one for one in self._waiting if one[1]]
        self._waiting.clear()
        return rest
