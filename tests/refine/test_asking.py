"""Asking within limits: retries, pauses, what is kept, what is given up."""

from __future__ import annotations

from pathlib import Path

import pytest

from distill.refine.asking import Answer, Asker, Limits
from distill.refine.claims import AskError
from distill.refine.prompt import Prompt
from distill.store.answers import AnswerStore

PROMPT = Prompt("What was decided?", "Transcript:\n[1] user: only CSV")
EMPTY = Answer(text='{"items": []}')


class Clock:
    """Time that passes only while somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Script:
    """A model that answers as it is told, in turn; each answer takes `takes` seconds."""

    name = "script"

    def __init__(self, clock: Clock, *answers: Answer | AskError, takes: float = 1.0) -> None:
        self.clock = clock
        self.answers = list(answers)
        self.takes = takes
        self.given: list[float] = []

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        self.given.append(seconds)
        self.clock.now += min(self.takes, seconds)
        answer = self.answers.pop(0)
        if isinstance(answer, AskError):
            raise answer
        return answer

    def stop(self) -> None:
        """Nothing is under way."""


def asker(*answers: Answer | AskError, limits: Limits | None = None, store: AnswerStore | None = None,
          fresh: bool = False, takes: float = 1.0) -> tuple[Asker, Script, Clock]:
    clock = Clock()
    model = Script(clock, *answers, takes=takes)
    return Asker(model, limits or Limits(), store, fresh=fresh, clock=clock, sleep=clock.sleep), model, clock


def test_what_may_pass_is_tried_again_with_growing_pauses() -> None:
    found, _, clock = asker(AskError("busy", again=True), AskError("busy", again=True), EMPTY)
    assert found.ask(PROMPT) is not None
    assert (found.usage.calls, clock.slept, found.usage.failed) == (3, [1.0, 2.0], {})


def test_the_other_side_says_how_long_to_wait() -> None:
    found, _, clock = asker(AskError("busy", again=True, wait=7), EMPTY)
    assert found.ask(PROMPT) is not None
    assert clock.slept == [7]


def test_a_wait_beyond_the_time_limit_is_not_waited_for() -> None:
    found, _, clock = asker(AskError("busy", again=True, wait=500), EMPTY)
    assert found.ask(PROMPT) is None
    assert (clock.slept, list(found.usage.failed)) == ([], ["busy, then no time left"])


def test_unreadable_replies_are_asked_for_again_and_then_given_up() -> None:
    found, _, _ = asker(*[Answer(text="Sorry.")] * 3)
    assert found.ask(PROMPT) is None
    assert (found.usage.calls, list(found.usage.failed)) == (3, ["unreadable reply: not the JSON that was asked for"])


def test_a_refusal_is_not_argued_with() -> None:
    found, _, _ = asker(AskError("refused"), EMPTY)
    assert found.ask(PROMPT) is None
    assert found.usage.calls == 1
    assert found.ask(PROMPT) is not None


def test_nobody_is_asked_again_once_no_call_can_help() -> None:
    found, _, _ = asker(AskError("wrong key", over=True))
    assert [found.ask(PROMPT), found.ask(PROMPT)] == [None, None]
    assert (found.usage.calls, found.usage.failed) == (1, {"wrong key": 2})


def test_another_form_is_no_retry_but_a_call() -> None:
    busy = AskError("busy", again=True)
    found, _, _ = asker(AskError("form", form=True), AskError("form", form=True), busy, busy, EMPTY)
    assert found.ask(PROMPT) is not None
    assert found.usage.calls == 5


@pytest.mark.parametrize(("limits", "answers", "asked"), [
    (Limits(calls=2), 2, 2),
    (Limits(tokens=2500, answer=2000), 1, 1),
    (Limits(seconds=1.5), 1, 1),
    (Limits(seconds=5.1), 5, 5),
    (Limits(seconds=4.1), 4, 4),
])
def test_limits_hold_for_the_whole_run(limits: Limits, answers: int, asked: int) -> None:
    found, model, _ = asker(*[Answer(text='{"items": []}', tokens=2100)] * 5, limits=limits)
    replies = [found.ask(PROMPT) for _ in range(5)]
    assert sum(reply is not None for reply in replies) == answers
    assert len(model.given) == asked
    assert found.usage.unasked == 5 - asked


def test_no_call_may_take_all_the_time_that_is_left() -> None:
    found, model, _ = asker(AskError("late", again=True), EMPTY, limits=Limits(seconds=60), takes=100)
    assert found.ask(PROMPT) is not None
    assert model.given[0] == 30
    assert model.given[1] < 30


def test_answers_are_kept_and_serve_the_next_run(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path)
    first, _, _ = asker(Answer(text='{"items": [], "drop": ["a"]}'), store=store)
    said = first.ask(PROMPT)
    again, model, _ = asker(store=store)
    assert again.ask(PROMPT) == said
    assert (again.usage.calls, again.usage.kept, model.given) == (0, 1, [])
    fresh, _, _ = asker(EMPTY, store=store, fresh=True)
    assert fresh.ask(PROMPT) != said
    assert fresh.usage.calls == 1


def test_only_whole_readable_answers_are_kept_and_no_credential(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    bad = [Answer(text="Sorry."), Answer(text='{"items": []}', late=True)]
    found, _, _ = asker(*bad, store=store)
    assert found.ask(PROMPT) is not None
    assert not list(tmp_path.iterdir())
    told, _, _ = asker(Answer(text=f'{{"items": [], "drop": ["{secret}"]}}'), store=store)
    told.ask(PROMPT)
    (kept,) = tmp_path.iterdir()
    assert secret.encode() not in kept.read_bytes()


def test_a_damaged_answer_is_asked_for_again(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path)
    store.put("script", PROMPT.whole, '{"items": []}')
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-2])
    found, _, _ = asker(EMPTY, store=store)
    assert found.ask(PROMPT) is not None
    assert found.usage.calls == 1


def test_a_store_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = AnswerStore(tmp_path / "file" / "below")
    store.put("script", PROMPT.whole, "x")
    assert store.get("script", PROMPT.whole) is None
