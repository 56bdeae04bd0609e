"""The second pass of a batch: one budget for the whole run, some calls at a time, whoever makes the states.

States are made without asking first, with the answers that are kept; so what rules find stands whatever happens. Then
this process asks what is missing, the newest logs first, and the states for which there was an answer are made again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from distill.commands.batch_job import Asking, Done, Job, Outcome, Passed
from distill.commands.batch_progress import Step, progress
from distill.commands.second import model_of
from distill.refine.asking import Asker
from distill.refine.claims import Reply
from distill.refine.prompt import Prompt
from distill.refine.second import Report
from distill.refine.settings import Second
from distill.refine.told import closing, failed, plan, warnings
from distill.store.answers import AnswerStore

SLACK = 1000  # prompts that are held beyond those that may be asked, as some may turn out to be answered


class BatchPass:
    """One model for a whole batch."""

    def __init__(self, wanted: Second) -> None:
        """Raises DistillError where there is nobody who could be asked."""
        model = model_of(wanted)
        self.wanted = wanted
        self.asking = Asking(model=model.name, limits=wanted.limits, fresh=wanted.fresh)
        self._asker = Asker(model, wanted.limits, AnswerStore(), fresh=wanted.fresh)
        self._report = Report()
        self._waiting: list[tuple[Job, Outcome, Passed]] = []
        self._held = 0  # prompts of those that wait

    @property
    def required(self) -> bool:
        """Whether it matters that something was left unanswered."""
        return self.wanted.required

    @property
    def failed(self) -> bool:
        """Whether something was."""
        return failed(self._asker.usage)

    @property
    def closing(self) -> str:
        """What was asked and what came of it."""
        return closing(self._report, self._asker.usage)

    @property
    def warnings(self) -> list[str]:
        """What was left unanswered, and why."""
        return warnings(self._report, self._asker.usage)

    @property
    def data(self) -> dict[str, Any]:
        """The same for programs."""
        usage, report = self._asker.usage, self._report
        return {
            "model": self.asking.model, "parts": report.parts, "calls": usage.calls, "tokens": usage.tokens,
            "kept": usage.kept, "cut": report.cut, "unasked": usage.unasked,
            "failed": dict(sorted(usage.failed.items())),
            "changes": dict(sorted((+report.changes).items())), "rejected": dict(sorted((+report.rejected).items())),
        }

    def planned(self, prompts: Sequence[Prompt]) -> str:
        """The prompts that would be sent, and the most that they can take."""
        return plan(list(dict.fromkeys(prompts)), self.wanted.limits, self.wanted.prices)

    def put(self, job: Job, outcome: Outcome) -> None:
        """Take note of a state that was made with the answers that there are."""
        passed = outcome.passed
        if passed is None or not passed.missing:
            self.account(passed)
            return
        self._waiting.append((job, outcome, passed))
        self._held += len(passed.missing)
        most = self.wanted.limits.calls + SLACK
        if self._held > 2 * most:
            self._leave(most)

    def _leave(self, most: int) -> None:
        """Leave the oldest logs for another run, so that a folder of any size fits into memory."""
        self._waiting.sort(key=_newest)
        while self._held > most and len(self._waiting) > 1:
            *_, passed = self._waiting.pop(0)
            self._held -= len(passed.missing)
            self._asker.usage.unasked += len(passed.missing)
            self.account(passed)

    def answered(self, *, quiet: bool) -> list[Job]:
        """Ask what is missing; the jobs for which there is an answer now, to be done again."""
        self._waiting.sort(key=_newest, reverse=True)
        prompts = list(dict.fromkeys(prompt for *_, passed in self._waiting for prompt in passed.missing))
        with progress(len(prompts), sum(len(one.whole) for one in prompts), quiet=quiet, what="answers") as step:
            replies = self._asked(prompts, step) if prompts else {}
        again: list[Job] = []
        for job, outcome, passed in self._waiting:
            found = {prompt: replies[prompt] for prompt in passed.missing}
            if any(reply is not None for reply in found.values()):
                asking = replace(self.asking, replies=found)
                again.append(replace(job, known=outcome.row, there=True, asking=asking))
            else:
                self.account(passed)
        self._waiting.clear()
        return again

    @staticmethod
    def later(first: Outcome, second: Outcome | None) -> Outcome:
        """The outcome for a state that was made twice; where that did not go well the first time stands."""
        if second is None or second.row is None or second.done is Done.FAILED:
            return first
        done = second.done if first.done is Done.SAME else first.done
        return replace(second, done=done, read=first.read, warnings=first.warnings)

    def _asked(self, prompts: Sequence[Prompt], step: Step) -> Mapping[Prompt, Reply | None]:
        """The replies, with some calls at a time."""
        from queue import SimpleQueue
        from threading import Lock, Thread

        todo = deque(prompts)
        done: SimpleQueue[tuple[Prompt, Reply | None]] = SimpleQueue()
        turn = Lock()  # the limits are spent in the order of the prompts

        def ask() -> None:
            while True:
                with turn:
                    if not todo:
                        return
                    prompt = todo.popleft()
                    due, reply = self._begun(prompt)
                try:
                    reply = self._asker.go_on(prompt) if due else reply
                except Exception as error:  # one part must not stop the others
                    self._unexpected(error)
                finally:
                    done.put((prompt, reply))

        # No pool: its threads would be waited for when the run is interrupted, however long a call takes.
        for _ in range(min(self.wanted.jobs, len(prompts))):
            Thread(target=ask, daemon=True).start()
        found: dict[Prompt, Reply | None] = {}
        try:
            while len(found) < len(prompts):
                prompt, reply = done.get()
                found[prompt] = reply
                step(len(prompt.whole))
        except BaseException:
            todo.clear()
            self._asker.stop()
            raise
        return found

    def _begun(self, prompt: Prompt) -> tuple[bool, Reply | None]:
        try:
            return self._asker.begin(prompt)
        except Exception as error:
            self._unexpected(error)
            return False, None

    def _unexpected(self, error: Exception) -> None:
        self._asker.usage.failed[f"unexpected {type(error).__name__}: {error}"] += 1

    def account(self, passed: Passed | None) -> None:
        """Add up what came of one state."""
        if passed is None:
            return
        self._report.parts += passed.parts
        self._report.cut += passed.cut
        self._report.changes.update(passed.changes)
        self._report.rejected.update(passed.rejected)
        self._asker.usage.kept += passed.kept


def _newest(one: tuple[Job, Outcome, Passed]) -> tuple[str, str]:
    job, outcome, _ = one
    summary = outcome.row.summary if outcome.row else None
    return (summary.covers[1] or "" if summary else "", job.state)
