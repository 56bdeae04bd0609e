"""Folding, joined to the rooms that read, judge and reconcile: the corridor for a session that is still going on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.conclusions import concluded, shown
from distill.fold.assembly import Assembled, Assembler, Plan, spoken
from distill.fold.cards import Card
from distill.fold.exchange import Exchange, exchange_of
from distill.fold.ledger import Row
from distill.fold.numbers import FoldNumbers
from distill.fold.plain_data import pack, unpack
from distill.fold.saved import Remake, dump
from distill.fold.saved import load as load_saved
from distill.fold.session import Corrections, Memory, Session
from distill.fold.task import Rooms
from distill.fold.verdict import Verdict
from distill.fold.writing import Count, card_text
from distill.model import DistillError, Event, Item, Role, Status, Turn
from distill.rank.order import ranked
from distill.read.own import BEGIN, END
from distill.reconcile.previous import carry
from distill.render.quoted import defused, is_order, quotation
from distill.rulebook import load
from distill.segment.turns import Cutter, turns
from distill.segment.window import Window
from distill.text.language import LANGUAGES, han
from distill.text.times import rfc3339
from distill.text.tokens import counter

if TYPE_CHECKING:
    from distill.rulebook import Rulebook


class Folder:
    """A long session folded as it goes: finished tasks become cards, the last turns stay as they were said.

        folder = Folder()
        folder.say("user", "Write the importer. Never touch legacy/.")
        messages = folder.messages()          # the next prompt, as chat messages
        folder.say("assistant", "Done: importer.py reads both files.")

    `save` gives all of it as JSON, `Folder.restore` goes on from there as if nothing had happened.
    """

    def __init__(
        self, numbers: FoldNumbers | None = None, *, packs: Iterable[str | Path] = (), builtin_rules: bool = True,
        tokenizer: str = "estimate", language: str = "auto", redact: bool = True, log: str = "",
        corrections: Corrections | None = None, recalled: Sequence[Card] = (),
        watch: Callable[[Exchange], object] | None = None,
    ) -> None:
        """`numbers` are what folding goes by. `packs`, `builtin_rules`, `tokenizer`, `language` and `redact` mean what
        they mean to `distil_log`; `log` is the name that items and cards give as their source. `corrections` are
        boundaries set by hand, `recalled` cards of earlier sessions to be offered as reference. `watch` is called with
        every turn that is complete.

        Raises DistillError for an unknown tokenizer or language, a rule pack with faults, or a measure of drift whose
        package is not installed.
        """
        if language not in LANGUAGES:
            raise DistillError(f"language: {language!r} is none of {', '.join(LANGUAGES)}")
        language = language.removesuffix("-Hant")  # cards know one script
        self.numbers = numbers or FoldNumbers()
        self.log = log
        self._watch = watch
        self.redacted: Counter[str] = Counter()
        self._count: Count = counter(tokenizer).count
        self._tokenizer = tokenizer
        self._redact, self._language, self._builtin_rules = redact, language, builtin_rules
        book = load(tuple(map(Path, packs)), builtin=builtin_rules)
        conclude = partial(_conclude, CueJudge(book), book, log, not builtin_rules, redact)
        rooms = Rooms(conclude=conclude, join=_join, rank=_rank)
        assembler = Assembler(self.numbers, self._count, _harmless, (BEGIN, END), language)
        self._assembler = assembler
        self._session = Session(self.numbers, rooms, book, assembler, log=log, corrections=corrections,
                                memory=Memory(recalled=list(recalled)))
        self._window = Window(redacted=self.redacted if redact else None)
        self._cutter = Cutter()
        self._turn = 0  # complete turns
        self._record = 0  # the last record
        self._held: list[Event] = []  # events of the turn that is open
        self._parts: list[Turn] = []  # what the cutter gave of it already
        self._time: str | None = None

    # -- what comes in ----------------------------------------------------------------------------------------------

    def say(self, role: str, text: str, time: str | None = None) -> None:
        """One message: `role` is "user" or "assistant", `time` a text such as "2026-03-05T14:00:00Z".

        Raises DistillError for another role, or what is no time.
        """
        if role not in (Role.USER, Role.ASSISTANT):
            raise DistillError(f"role: {role!r} is neither user nor assistant")
        when = rfc3339(time) if time is not None else None
        if time is not None and when is None:
            raise DistillError(f"time: {time!r} is no time; write it as 2026-03-05T14:00:00Z")
        self.take(Event(record=self._record + 1, role=Role(role), text=text, time=when))

    def take(self, event: Event) -> None:
        """One event, as the readers of logs give them; they come in the order of their records."""
        self.feed(self._window.look(iter([replace(event, time=event.time or self._time)])))

    def feed(self, events: Iterable[Event]) -> None:
        """Events that were looked at already: without credentials, each with a time as far as there is one."""
        for event in events:
            self._parts += self._cutter.take(event)
            if self._cutter.number > self._turn + 1:  # this event opened the next turn
                self._close()
            self._held.append(event)
            self._time = event.time
            self._record = max(self._record, event.record)

    def finish(self) -> None:
        """The session is over: its last turn is complete, and nothing is asked any more."""
        self._parts += self._cutter.close()
        if self._held:
            self._close()

    def _close(self) -> None:
        done, self._parts = self._parts, []
        held, self._held = self._held, []
        self._turn = self._cutter.number - 1
        exchange = exchange_of(held, done, self._count)
        self._session.take(exchange)
        if self._watch is not None:
            self._watch(exchange)

    # -- from one process to the next ---------------------------------------------------------------------------------

    def save(self) -> str:
        """All of it as one JSON document, the turn that is open included."""
        more = {
            "log": self.log, "tokenizer": self._tokenizer, "language": self._language, "redact": self._redact,
            "turn": self._turn, "record": self._record, "time": self._time, "held": pack(self._held),
            "builtin_rules": self._builtin_rules, "redacted": dict(self.redacted),
        }
        return dump(self.numbers, self._session.memory, more)

    @classmethod
    def restore(
        cls, text: str, *, packs: Iterable[str | Path] = (), corrections: Corrections | None = None
    ) -> Folder:
        """The folder that `save` gave as `text`; rule packs and corrections by hand are named anew.

        Raises DistillError where `text` is no such thing.
        """
        made: list[Folder] = []

        def again(numbers: FoldNumbers, more: Mapping[str, Any]) -> Remake:
            folder = cls(numbers, packs=packs, builtin_rules=more["builtin_rules"], tokenizer=more["tokenizer"],
                         language=more["language"], redact=more["redact"], log=more["log"], corrections=corrections)
            made.append(folder)
            return folder._exchange

        _, memory, more = load_saved(text, again)
        (folder,) = made
        folder._session.resume(memory)
        folder.redacted.update(more["redacted"])
        folder._turn, folder._cutter, folder._time = more["turn"], Cutter(more["turn"]), more["time"]
        folder.feed(unpack(list[Event], more["held"]))
        folder._record = more["record"]
        return folder

    def _exchange(self, number: int, events: list[Event]) -> Exchange:
        return exchange_of(events, list(turns(events, number - 1)), self._count)

    # -- what can be had --------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """What the next prompt is made of, with the turn that is open."""
        pending = self._exchange(self._turn + 1, self._held) if self._held else None
        return self._session.plan(pending)

    def context(self) -> Assembled:
        """The context of the next prompt."""
        return self._assembler.assemble(self.plan())

    def text(self) -> str:
        """The context as one text."""
        return self.context().text()

    def messages(self) -> list[dict[str, str]]:
        """The context as chat messages, each with "role" and "content"."""
        return self.context().chat()

    def tokens(self) -> int:
        """What the context takes."""
        return self._assembler.tokens(self.plan())

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of finished tasks, oldest first; the archive card, where there is one, before them."""
        memory = self._session.memory
        return (*([memory.archive] if memory.archive else []), *memory.cards)

    @property
    def boundaries(self) -> tuple[Verdict, ...]:
        """Every turn at which a task might have ended, with what spoke for it and against it."""
        return tuple(self._session.memory.verdicts)

    @property
    def ledger(self) -> tuple[Row, ...]:
        """What the prompt of every complete turn took, with the whole history, a sliding window, and folded."""
        return tuple(self._session.memory.rows)

    @property
    def tasks(self) -> tuple[Card, ...]:
        """A card for every task since this folder was made or restored, in order; also for those not folded yet."""
        return (*self._session.made, *self._session.unfolded())

    @property
    def aliases(self) -> Mapping[str, str]:
        """Tasks that became part of the card of another one, by their ids."""
        return dict(self._session.memory.aliases)

    def wording(self, card: Card, lang: str) -> str:
        """A card as it stands in a prompt, in "en" or "zh"."""
        return card_text(card, lang, self.numbers, self._count, self._session.memory.now, _harmless)

    @property
    def spoken(self) -> str:
        """The language of the context: as asked for, else that of most of it."""
        return self._language if self._language != "auto" else spoken(self.plan())


def _conclude(
    cues: CueJudge, book: Rulebook, log: str, words_only: bool, redact: bool, before: Sequence[Item],
    exchanges: Sequence[Exchange],
) -> list[Item]:
    """The items that stand after some turns, of those that stood before them: what a state would hold of them."""
    judge = Judge(log, cues, book.signals, words_only=words_only)
    for one in exchanges:
        for turn in one.turns:
            judge.take(turn)
    newest = next((one.ended for one in reversed(exchanges) if one.ended), None)
    found = shown(judge.findings(), Counter() if redact else None)
    items, endings = concluded(judge, found, judge.seen, newest, book.signals.share)
    return carry(before, items, endings=endings)


def _join(before: Sequence[Item], found: Sequence[Item]) -> list[Item]:
    return carry(before, found)


def _rank(items: Sequence[Item]) -> list[Item]:
    return ranked(tuple(item for item in items if item.status is Status.LIVE))


def _harmless(text: str) -> str:
    """Recorded words that a model may read: what reads like an order stands as a quotation."""
    plain = defused(text)
    return quotation(plain, "zh" if han(plain) else "en") if is_order(text) or is_order(plain) else plain
