"""A turn as folding sees it: what was said in it word for word, how long that is, and what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from distill.fold.drift import features
from distill.model import ActionKind, Event, Role, Statement, Turn
from distill.text.lazy import Lazy

_SIGNS = Lazy(r"[{}\[\]()<>=:;_\"'|/\\@]")
_ACT = 160  # characters of an act on its line
_CHANGES = frozenset([ActionKind.WROTE, ActionKind.EDITED, ActionKind.DELETED, ActionKind.MOVED])
_RESULTS = _CHANGES | {ActionKind.COMMITTED, ActionKind.OPENED, ActionKind.PUSHED, ActionKind.TESTED}
_SETTLES = frozenset([ActionKind.COMMITTED, ActionKind.OPENED])


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as it stands in a prompt; acts of tools are lines of the assistant."""

    role: Role
    text: str
    record: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One turn: `turns` are the parts the judge takes, `messages` what a prompt holds of it.

    `asked_tokens` are those of the user's messages alone; `about` and `asked_about` what it is about.
    """

    number: int
    events: tuple[Event, ...]
    turns: tuple[Turn, ...]
    messages: tuple[Message, ...]
    first: int
    last: int
    began: str | None
    ended: str | None
    tokens: int
    asked_tokens: int
    asked_about: frozenset[str]
    about: frozenset[str]
    paths: frozenset[str]

    @property
    def request(self) -> str:
        """What the user said, whole."""
        return next((turn.request for turn in self.turns if turn.request), "")

    @property
    def reply(self) -> str:
        """The last message of the assistant, whole."""
        return next((turn.reply for turn in reversed(self.turns) if turn.reply), "")

    @property
    def asked(self) -> Sequence[Statement]:
        """The statements of the user."""
        return [one for turn in self.turns for one in turn.asked]

    @property
    def closing(self) -> Sequence[Statement]:
        """The statements of the assistant's last message."""
        return [one for turn in self.turns for one in turn.closing]

    def did(self, kinds: Iterable[ActionKind]) -> bool:
        """Whether something of these kinds was done in it, without failing."""
        wanted = frozenset(kinds)
        return any(one.action is not None and one.action.kind in wanted and one.action.done for one in self.events)

    @property
    def changed(self) -> bool:
        """Whether files were written, edited, moved or deleted."""
        return self.did(_CHANGES)

    @property
    def worked(self) -> bool:
        """Whether there is a result of work: changes, commits, test runs."""
        return self.did(_RESULTS)

    @property
    def settled(self) -> bool:
        """Whether the work was committed or put up for review."""
        return self.did(_SETTLES)


def exchange_of(events: Sequence[Event], turns: Sequence[Turn], count: Callable[[str], int]) -> Exchange:
    """The exchange that `events` are, cut into `turns`; `count` gives the tokens of a text."""
    messages = tuple(_messages(events))
    asked = [one.text for one in messages if one.role is not Role.ASSISTANT]
    times = [one.time for one in events if one.time]
    paths = frozenset(
        one.action.target.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()
        for one in events
        if one.action is not None and one.action.kind in _CHANGES and one.action.target
    )
    stated = [one.text for turn in turns for one in turn.asked if not pasted(one.text)]
    asked_about = features("\n".join(stated or asked))
    said = "\n".join(turn.reply for turn in turns)
    asked_tokens = sum(map(count, asked))
    return Exchange(
        number=turns[0].number,
        events=tuple(events),
        turns=tuple(turns),
        messages=messages,
        first=events[0].record,
        last=max(one.record for one in events),
        began=times[0] if times else None,
        ended=times[-1] if times else None,
        tokens=asked_tokens + sum(count(one.text) for one in messages if one.role is Role.ASSISTANT),
        asked_tokens=asked_tokens,
        asked_about=asked_about,
        about=asked_about | features(said) | features("\n".join(sorted(paths))),
        paths=paths,
    )


def pasted(text: str) -> bool:
    """Whether a text is rather the print-out of a program than words."""
    return len(_SIGNS.findall(text)) * 10 > len(text)


def _messages(events: Iterable[Event]) -> list[Message]:
    found: list[Message] = []
    for event in events:
        text = event.text.strip() if event.action is None else _act(event)
        if not text:
            continue
        role = event.role if event.action is None else Role.ASSISTANT
        if found and found[-1].role is role:
            joint = "\n" if event.action is not None else "\n\n"
            found[-1] = Message(role=role, text=found[-1].text + joint + text, record=found[-1].record)
        else:
            found.append(Message(role=role, text=text, record=event.record))
    return found


def _act(event: Event) -> str:
    """What a tool did, on one line."""
    action = event.action
    if action is None:
        return ""
    parts = [action.target or ", ".join(f"{one.text} ({one.status})" for one in action.tasks)]
    if action.kind in (ActionKind.ANSWERED, ActionKind.TESTED, ActionKind.COMMITTED, ActionKind.REJECTED):
        parts.append(action.detail)
    line = " → ".join(" ".join(part.split()) for part in parts if part.strip())
    failed = "" if action.done else " (failed)"
    return f"[{action.kind}] {line[:_ACT]}{failed}".rstrip()
