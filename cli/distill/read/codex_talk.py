"""The conversation of a Codex log: each message once, although the log tells it as an event and as history."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.codex_tools import Calls
from distill.read.codex_words import approved
from distill.read.log import Tally
from distill.read.own import without_own_output
from distill.read.teller import USERS
from distill.text.times import rfc3339

_TURNS = 256  # user turns that a rollback can go back
_RECENT = 8  # messages among which a repetition is looked for


class Talk:
    """What must be remembered of the conversation between records.

    Messages of the history are held until it is clear that no event repeats them; `settle` gives them out.
    """

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.calls = Calls()
        self.time: object = None
        self.cwd = ""
        self.before = 0  # records that are passed over because they were read in an earlier run
        self.began = False
        self.subagent = False
        self.any = False  # an event was yielded
        self.user_events = self.agent_events = False
        self.held: list[tuple[int, Role, str, Voice, object]] = []
        self.said: deque[str] = deque(maxlen=_RECENT)  # what was yielded from items of the history
        self.last_prompt = ""  # the user's last words, until anybody answers
        self.answered = True  # the assistant has spoken in this turn
        self.turns: deque[int] = deque(maxlen=_TURNS)
        self.plan = (0, "")  # the plan last proposed, and where
        self.latest = (0, "")  # what the assistant said last, and where
        self.last = 0  # the record of the last words

    def speech(self, number: int, role: Role, text: str, voice: Voice, time: object) -> Iterator[Event]:
        """The event of words that stand in record `number`; none where they are all `distill`'s own."""
        self.any = True
        self.last = number
        text, own = without_own_output(text)
        if own:
            self.tally.set_aside["own output"] += own
            text = text.strip()
        if text:
            self.tally.understood += 1
            yield Event(
                record=number,
                role=role,
                text=text,
                time=rfc3339(time),
                voice=voice,
                session=self.tally.session,
                project=self.tally.project,
            )

    def act(self, number: int, action: Action, role: Role | None = None) -> Event:
        """The event of an act whose words stand in record `number`, at the time of the record last read."""
        self.any = True
        self.tally.understood += 1
        return Event(
            record=number,
            role=role or (Role.USER if action.kind in USERS else Role.ASSISTANT),
            time=rfc3339(self.time),
            action=action,
            session=self.tally.session,
            project=self.tally.project,
        )

    def prompted(self, number: int, text: str, time: object) -> Iterator[Event]:
        """A prompt, which may be empty (a picture alone): it is a turn all the same."""
        self.turns.append(number)
        self.answered = False
        if not text:
            return
        if text == self.last_prompt:
            self.tally.set_aside["repeated message"] += 1
            return
        self.last_prompt = text
        if self.subagent:
            self.tally.set_aside["side chain"] += 1
            return
        plan = approved(text)
        if plan is not None and (plan or self.plan[1]):
            record, plan = (number, plan) if plan else self.plan
            yield self.act(record, Action(kind=ActionKind.APPROVED, detail=plan))
        else:
            yield from self.speech(number, Role.USER, text, Voice.SPEECH, time)

    def answer(self, number: int, text: str, voice: Voice, time: object) -> Iterator[Event]:
        """What the assistant said: the turn has its answer."""
        self.answered = True
        self.last_prompt = ""
        self.latest = (number, text)
        yield from self.speech(number, Role.ASSISTANT, text, voice, time)

    def settle(self) -> Iterator[Event]:
        """Give out what was held: nothing has repeated it."""
        held, self.held = self.held, []
        for number, role, text, voice, time in held:
            self.said.append(text)
            if role is Role.USER:
                yield from self.prompted(number, text, time)
            else:
                yield from self.answer(number, text, voice, time)

    def repeated(self, role: Role) -> None:
        """Events tell what `role` says: what was held of it is told again."""
        kept = [held for held in self.held if held[1] is not role]
        if len(kept) < len(self.held):
            self.tally.set_aside["repeated message"] += len(self.held) - len(kept)
            self.held = kept

    def close(self) -> Iterator[Event]:
        """The end of the log: what is still held, and calls that the log went on after."""
        yield from self.settle()
        for record, action in self.calls.drop(since=self.last):
            yield self.act(record, action)
