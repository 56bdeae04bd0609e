"""Asking within limits: calls, tokens and time of a whole run, retries with growing pauses, answers kept for later."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
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
    """What a model said. `tokens` is what the call took as far as the other side says; `cut` that it would have said
    more than it may, `late` that its time was over before it was done."""

    text: str
    tokens: int | None = None
    cut: bool = False
    late: bool = False


class Model(Protocol):
    """Something that answers prompts."""

    name: str  # tells one model from another: answers are kept under it

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        """The answer, of at most `most` tokens, within `seconds`. Raises AskError."""
        ...

    def stop(self) -> None:
        """End what is under way in other threads; nothing is asked after that."""
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
    """What one run may take in all, how long one call may take, and of how many tokens a chunk and an answer may be."""

    calls: int = 20
    tokens: int = 200_000
    seconds: float = 120.0
    call: float = 60.0
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
    """Asks one model on behalf of a whole run; several threads may share it."""

    def __init__(
        self, model: Model, limits: Limits, answers: Answers | None = None, *, fresh: bool = False,
        until: float | None = None,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`answers` keeps what was answered; `fresh` asks again nevertheless. `until` is the time of `clock` at which
        all is over, whatever the limits say; `clock` and `sleep` are for tests."""
        self._model = model
        self._limits = limits
        self._answers = answers
        self._fresh = fresh
        self._clock = clock
        self._sleep = sleep
        self._until = until
        self._end: float | None = None
        self._over = ""  # why no further call is made
        self._held = 0  # tokens that calls under way may take
        self._lock = Lock()
        self.usage = Usage()

    def ask(self, prompt: Prompt) -> Reply | None:
        """The reply to `prompt`, None where none was had; `usage` tells why."""
        due, reply = self.begin(prompt)
        return self.go_on(prompt) if due else reply

    def begin(self, prompt: Prompt) -> tuple[bool, Reply | None]:
        """Whether a call is due, which counts from now on and is made by `go_on`; else the reply, None for none.

        Threads that begin in the order of their prompts spend the limits in that order.
        """
        if self._answers is not None and not self._fresh:
            reply = kept_reply(self._answers, self._model.name, prompt)
            if reply is not None:
                with self._lock:
                    self.usage.kept += 1
                return False, reply
        with self._lock:
            if self._end is None:
                ends = [self._clock() + self._limits.seconds, self._until]
                self._end = min(end for end in ends if end is not None)
            if self._over:
                self.usage.failed[self._over] += 1
                return False, None
        if self._reserved(prompt, self._most(prompt), self._end - self._clock()):
            with self._lock:
                self.usage.unasked += 1
            return False, None
        return True, None

    def _most(self, prompt: Prompt) -> int:
        return min(self._limits.answer, prompt.answer)

    def stop(self) -> None:
        """Ask nothing any more, and end what is under way in other threads."""
        self._over = "stopped"
        self._model.stop()

    def go_on(self, prompt: Prompt) -> Reply | None:
        """Make the call that `begin` found due, and others where that may help; the reply, None where none was had."""
        reason, pause = "", PAUSE
        end = self._end if self._end is not None else self._clock()
        most = self._most(prompt)
        number, due = 0, True
        while number < TRIES:
            left = end - self._clock()
            limit = "" if due else self._reserved(prompt, most, left)
            due = False
            if limit:
                with self._lock:
                    if reason:
                        self.usage.failed[f"{reason}, then {limit}"] += 1
                    else:
                        self.usage.unasked += 1
                return None
            wait = pause
            answer = Answer(text="")
            try:
                answer = self._model.ask(prompt, most, min(self._limits.call, left * SHARE))
                reply = parse(answer.text)
            except ReplyError as error:
                reason = f"unreadable reply: {error}"
                if answer.cut or answer.late:  # the same question would be answered at the same length and pace
                    bound = f"{most} tokens" if answer.cut else "the time of a call"
                    reason = f"unreadable reply: nothing whole in {bound}"
                    break
            except AskError as error:
                if error.form:
                    continue
                reason = str(error)
                if error.over:
                    self._over = reason
                if not error.again:
                    break
                wait = error.wait if error.wait is not None else pause
            else:
                # What was cut by our own bound would be cut there again; what ended in another way might not.
                reply = replace(reply, partial=answer.late or (reply.cut and not answer.cut))
                if self._answers is not None and not reply.partial:
                    self._answers.put(self._model.name, prompt.whole, redact(answer.text)[0])
                return reply
            finally:
                self._settle(prompt, most, answer)
            number += 1
            if number < TRIES:
                if limit := self._spent(prompt, most, end - self._clock() - wait):
                    reason = f"{reason}, then {limit}"
                    break
                self._sleep(wait)
                pause = min(LONGEST_PAUSE, pause * 2)
        with self._lock:
            self.usage.failed[reason] += 1
        return None

    def _reserved(self, prompt: Prompt, most: int, left: float) -> str:
        """Which limit forbids another call, "" where none does: that call then counts."""
        with self._lock:
            if limit := self._spent(prompt, most, left):
                return limit
            self.usage.calls += 1
            self._held += estimate(prompt.whole) + most
            return ""

    def _spent(self, prompt: Prompt, most: int, left: float) -> str:
        if self._over:
            return self._over
        if self.usage.calls >= self._limits.calls:
            return "no call left"
        if self.usage.tokens + self._held + estimate(prompt.whole) + most > self._limits.tokens:
            return "no tokens left"
        return "no time left" if left < LEAST else ""

    def _settle(self, prompt: Prompt, most: int, answer: Answer) -> None:
        """Count what a call took instead of what it might have taken."""
        given = estimate(prompt.whole)
        taken = answer.tokens if answer.tokens is not None else given + estimate(answer.text)
        with self._lock:
            self._held -= given + most
            self.usage.tokens += taken


def kept_reply(answers: Answers, model: str, prompt: Prompt) -> Reply | None:
    """The reply to `prompt` that was kept, None where none was or it cannot be read."""
    kept = answers.get(model, prompt.whole)
    if kept is None:
        return None
    try:
        return parse(kept)
    except ReplyError:
        return None
