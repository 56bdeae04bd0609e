"""The second pass over one log: ask about what rules left undecided, believe what the log carries, say what it changes.

It returns proposals for the rooms that reconcile; the items themselves are changed there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from distill.model import Finding, Item, Kind, Role, Source, Status
from distill.refine.asking import Limits, Usage
from distill.refine.believe import Believed, Evidence, Rejected, may_drop
from distill.refine.choose import Chunk, chunks
from distill.refine.claims import ADDED, Claim, Reply
from distill.refine.prompt import Prompt, prompt_for
from distill.refine.transcript import Transcript
from distill.refine.uptake import Hears
from distill.text.fold import fold
from distill.text.tokens import estimate

DOUBTFUL = 0.7  # confidence below which an item of the assistant's words is shown as doubtful
SURE = {Role.USER: 0.6, Role.UNKNOWN: 0.55, Role.ASSISTANT: 0.5}  # confidence of what is added, by whose words it is
DROPS = 1 / 3  # of the doubtful items of a chunk that one reply may drop; one that drops more judges nothing


@dataclass(slots=True)
class Proposals:
    """What one log gains: findings to be added, items that are said anew, confirmed or dropped, by id."""

    added: list[Finding] = field(default_factory=list)
    restated: dict[str, Believed] = field(default_factory=dict)
    confirmed: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """What the pass did in a whole run."""

    prompts: list[Prompt] = field(default_factory=list)  # of a dry run
    parts: int = 0  # of logs that were asked about
    rejected: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)  # added, reworded, … as they stand in the state
    cut: int = 0  # replies whose end was missing


class Asks(Protocol):
    """Whoever has replies to prompts."""

    @property
    def usage(self) -> Usage:
        """What that took so far."""

    def ask(self, prompt: Prompt) -> Reply | None:
        """The reply to `prompt`, None where none was had."""


class SecondPass:
    """One model for a whole run; `propose` is called for each log."""

    def __init__(self, asker: Asks, limits: Limits, *, dry: bool = False) -> None:
        """`dry` makes the prompts and asks nothing."""
        self._asker = asker
        self._limits = limits
        self._dry = dry
        self.report = Report()

    @property
    def usage(self) -> Usage:
        """What the pass took so far."""
        return self._asker.usage

    def propose(
        self, path: str, transcript: Transcript, undecided: frozenset[int], items: Sequence[Item], hears: Hears
    ) -> Proposals:
        """What a model adds to the `items` that rules found in the log at `path`, as far as the log carries it.

        `undecided` are the records of statements that could be a conclusion and became none; `hears` tells how a
        message of the user opens.
        """
        doubtful = frozenset(item.id for item in items if _is_doubtful(item))
        asked = undecided | {source.record for item in items if item.id in doubtful for source in item.sources}
        parts = chunks(transcript.entries, asked, items, self._limits.chunk, estimate)
        proof = Evidence(transcript.entries, frozenset(transcript.made), hears)
        found = Proposals()
        replies: list[tuple[Chunk, Reply]] = []
        for chunk in reversed(parts):  # where the limits leave something out, what was said last counts most
            prompt = prompt_for(chunk, doubtful)
            self.report.parts += 1
            if self._dry:
                self.report.prompts.append(prompt)
                continue
            reply = self._asker.ask(prompt)
            if reply is not None:
                replies.append((chunk, reply))
        seen: set[tuple[Kind, str]] = set()
        for chunk, reply in reversed(replies):
            self.report.cut += reply.cut
            self.report.rejected["malformed"] += reply.malformed
            for claim in reply.claims:
                key = claim.kind, fold(claim.text)
                if key not in seen and self._take(claim, chunk, proof, items, doubtful, path, found):
                    seen.add(key)
            self._drop(reply, chunk, doubtful, found)
        return found

    def _take(
        self, claim: Claim, chunk: Chunk, proof: Evidence, items: Sequence[Item], doubtful: frozenset[str], path: str,
        found: Proposals,
    ) -> bool:
        """Note what a claim proposes; whether it was believed."""
        named = next((item for item in chunk.items if item.id == claim.id), None) if claim.id else None
        if claim.id and named is None:
            self.report.rejected["no such item"] += 1
            return False
        believed = proof.judge(claim, chunk.records, named)
        if isinstance(believed, Rejected):
            self.report.rejected[believed.reason] += 1
            return False
        if named is not None:
            reason = _not_restated(named, believed, doubtful)
            if reason:
                self.report.rejected[reason] += 1
            elif named.kind is claim.kind and fold(named.text) == fold(claim.text):
                found.confirmed.append(named.id)
            else:
                found.restated.setdefault(named.id, believed)
            return not reason
        twin = _said_already(believed, items)
        if twin is None:
            found.added.append(_finding(believed, path))
        elif twin.status is not Status.LIVE:
            self.report.rejected["no longer holds"] += 1
        elif twin.kind is not claim.kind:  # the words stand already, as something else: no confirmation of that
            self.report.rejected["kind not in doubt"] += 1
        else:
            found.confirmed.append(twin.id)
        return True

    def _drop(self, reply: Reply, chunk: Chunk, doubtful: frozenset[str], found: Proposals) -> None:
        shown = {item.id: item for item in chunk.items}
        wanted: list[str] = []
        for name in dict.fromkeys(reply.drops):
            item = shown.get(name)
            reason = may_drop(item, doubtful) if item is not None else "no such item"
            if reason:
                self.report.rejected[f"drop: {reason}"] += 1
            else:
                wanted.append(name)
        droppable = sum(not may_drop(item, doubtful) for item in chunk.items)
        if len(wanted) > max(1, droppable * DROPS):
            self.report.rejected["drop: nearly everything"] += len(wanted)
        else:
            found.dropped += wanted


def _is_doubtful(item: Item) -> bool:
    return not may_drop(item, frozenset([item.id])) and item.confidence < DOUBTFUL


def _not_restated(item: Item, believed: Believed, doubtful: frozenset[str]) -> str:
    """Why an item may not be said in this way, "" where it may."""
    claim = believed.claim
    if not any(source.record == believed.entry.record for source in item.sources):
        return "quote from elsewhere"
    if item.rule.startswith("artifact/") and item.role is not Role.USER and item.kind is Kind.ARTIFACT:
        return "shown by an act"
    if claim.kind is not item.kind and (item.id not in doubtful or item.role is not Role.ASSISTANT):
        return "kind not in doubt"
    return ""


def _said_already(believed: Believed, items: Sequence[Item]) -> Item | None:
    """The item that rests on the same words, or None; live ones first."""
    quote, record = fold(believed.quote), believed.entry.record
    for item in sorted(items, key=lambda one: one.status is not Status.LIVE):
        for source in item.sources:
            other = fold(source.quote)
            if source.record == record and other and (quote in other or other in quote):
                return item
    return None


def _finding(believed: Believed, path: str) -> Finding:
    entry, says = believed.entry, believed.answer or believed.entry
    return Finding(
        kind=believed.claim.kind, text=believed.claim.text, rule=ADDED, points=0, confidence=SURE[says.role],
        role=says.role, time=says.time, source=Source(path=path, record=entry.record, quote=believed.quote),
        tags=("accepted",) if believed.answer else (),
    )
