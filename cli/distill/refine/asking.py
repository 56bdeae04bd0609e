"""Asking within limits: calls, tokens and time of a whole run, retries with growing pauses, answers kept for later."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from distill.refine.claims import AskError, Reply, ReplyError
from distill.refine.prompt import Prompt
from distill.refine.reply import parse
from distill.text.redact import redact
from distill.text.tokens import estimate

TRIES = 3  # for one prompt
PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before the second try, and the longest
LEAST = 1.0  # seconds that must be left for a call
SHARE = 0.5  # of the time left that one call may take, so that a call that hangs leaves room for another


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model said. `tokens` is what the call took as far as the other side says; `cut` that it was not done."""

    text: str
    tokens: int | None = None
    cut: bool = False


class Model(Protocol):
    """Something that answers prompts."""

    name: str  # tells one model from another: answers are kept under it

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        """The answer, of at most `most` tokens, within `seconds`. Raises AskError."""
        ...


class Answers(Protocol):
    """Where answers are kept."""

    def get(self, model: str, prompt: str) -> str | None:
        """The answer that was kept, or None."""
        ...

    def put(self, model: str, prompt: str, answer: str) -> None:
        """Keep an answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may take in all, and of how many tokens a chunk and an answer may be."""

    calls: int = 20
    tokens: int = 200_000
    seconds: float = 120.0
    chunk: int = 6000
    answer: int = 2000


@dataclass(slots=True)
class Usage:
    """What was taken."""

    calls: int = 0
    tokens: int = 0
    kept: int = 0  # prompts that were answered before
    unasked: int = 0  # prompts that the limits left out
    failed: Counter[str] = field(default_factory=Counter)  # prompts without an answer, by reason


class Asker:
    """Asks one model on behalf of a whole run."""

    def __init__(
        self, model: Model, limits: Limits, answers: Answers | None = None, *, fresh: bool = False,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`answers` keeps what was answered; `fresh` asks again nevertheless. `clock` and `sleep` are for tests."""
        self._model = model
        self._limits = limits
        self._answers = answers
        self._fresh = fresh
        self._clock = clock
        self._sleep = sleep
        self._end: float | None = None
        self._over = ""  # why no further call is made
        self.usage = Usage()

    def ask(self, prompt: Prompt) -> Reply | None:
        """The reply to `prompt`, None where none was had; `usage` tells why."""
        if self._answers is not None and not self._fresh:
            kept = self._answers.get(self._model.name, prompt.whole)
            if kept is not None:
                try:
                    reply = parse(kept)
                except ReplyError:
                    pass
                else:
                    self.usage.kept += 1
                    return reply
        if self._over:
            self.usage.failed[self._over] += 1
            return None
        return self._try(prompt)

    def _try(self, prompt: Prompt) -> Reply | None:
        if self._end is None:
            self._end = self._clock() + self._limits.seconds
        reason, pause = "", PAUSE
        number = 0
        while number < TRIES:
            left = self._end - self._clock()
            if limit := self._spent(prompt, left):
                self.usage.unasked += not reason
                if reason:
                    self.usage.failed[f"{reason}, then {limit}"] += 1
                return None
            self.usage.calls += 1
            wait = pause
            try:
                answer = self._model.ask(prompt, self._limits.answer, left * SHARE)
                self._count(prompt, answer.text, answer.tokens)
                reply = parse(answer.text)
            except ReplyError as error:
                reason = f"unreadable reply: {error}"
            except AskError as error:
                self._count(prompt, "", None)
                if error.form:
                    continue
                reason = str(error)
                if error.over:
                    self._over = reason
                if not error.again:
                    break
                wait = error.wait if error.wait is not None else pause
            else:
                if self._answers is not None and not (answer.cut or reply.cut):
                    self._answers.put(self._model.name, prompt.whole, redact(answer.text)[0])
                return reply
            number += 1
            if number < TRIES:
                if limit := self._spent(prompt, self._end - self._clock() - wait):
                    reason = f"{reason}, then {limit}"
                    break
                self._sleep(wait)
                pause = min(LONGEST_PAUSE, pause * 2)
        self.usage.failed[reason] += 1
        return None

    def _spent(self, prompt: Prompt, left: float) -> str:
        """Which limit forbids another call, "" where none does."""
        if self.usage.calls >= self._limits.calls:
            return "no call left"
        if self.usage.tokens + estimate(prompt.whole) + self._limits.answer > self._limits.tokens:
            return "no tokens left"
        return "no time left" if left < LEAST else ""

    def _count(self, prompt: Prompt, answer: str, told: int | None) -> None:
        self.usage.tokens += told if told is not None else estimate(prompt.whole) + estimate(answer)
