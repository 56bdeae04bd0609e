"""What of a model's claims is believed: a claim stands only as far as the words of the log carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distill.model import Item, Kind, Role, Status
from distill.refine import evidence
from distill.refine.claims import Claim
from distill.refine.transcript import Entry

BY_ACTS = frozenset({"fact/test-run", "open/task", "open/failed-push", "decision/answer", "decision/accepted"})
SETTLED = frozenset({"accepted", "confirmed", "pinned", "hand"})
LONGEST = 300  # characters of a text
CONTEXT = 3  # entries before that of the quote whose words a text may use
SHARED = 1 / 3  # of a text's words that its own evidence must hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """A claim that its evidence carries: the quote as it stands there, on one line, and whose words it is."""

    claim: Claim
    entry: Entry
    quote: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim that is not believed, and why."""

    reason: str


class Evidence:
    """The entries of a log, to hold claims against; `made` are the files that acts show."""

    def __init__(self, entries: Sequence[Entry], made: frozenset[str] = frozenset()) -> None:
        self._entries = entries
        self._made = made
        self._places: dict[int, list[int]] = {}
        for place, entry in enumerate(entries):
            self._places.setdefault(entry.record, []).append(place)

    def judge(self, claim: Claim, sent: frozenset[int], restated: Item | None = None) -> Believed | Rejected:
        """Whether `claim` is believed; `sent` are the records that the model has seen, `restated` is the item that the
        claim says anew."""
        if len(claim.text) > LONGEST:
            return Rejected("text too long")
        if claim.record is not None and claim.record not in sent:
            return Rejected("record not shown")
        found = self._find(claim, sent)
        if found is None:
            return Rejected("quote not in its record")
        place, text, span = found
        entry = self._entries[place]
        if evidence.too_short(claim.quote):
            return Rejected("quote too short")
        proof = evidence.sentence(text, span)
        if restated is not None:
            proof = "\n".join([proof, restated.text, *(source.quote for source in restated.sources)])
        context = [one.text for one in self._entries[max(0, place - CONTEXT) : place + 1]]
        reason = _binding(claim, entry, evidence.sentence(text, span)) or _carried(claim, proof, context)
        if not reason and claim.kind is Kind.ARTIFACT and entry.act is None and not self._shows(claim.text):
            reason = "no act shows it"
        quote = evidence.one_line(text, span)
        return Rejected(reason) if reason else Believed(claim=claim, entry=entry, quote=quote)

    def _find(self, claim: Claim, sent: frozenset[int]) -> tuple[int, str, tuple[int, int]] | None:
        """Entry, text and span of the quote. Without a record it must stand in one record alone."""
        found: list[tuple[int, str, tuple[int, int]]] = []
        for record in [claim.record] if claim.record is not None else sorted(sent):
            for place in self._places.get(record, ()):
                spans = ((part, evidence.located(claim.quote, part)) for part in self._entries[place].parts)
                found += [(place, part, span) for part, span in spans if span is not None]
        if not found or (claim.record is None and len({self._entries[one[0]].record for one in found}) > 1):
            return None
        return next((one for one in found if self._entries[one[0]].binds), found[0])

    def _shows(self, text: str) -> bool:
        """Whether acts made what an artifact names; where no act is known, words are all there is."""
        return not self._made or any(path and (path in text or path.rsplit("/", 1)[-1] in text) for path in self._made)


def _binding(claim: Claim, entry: Entry, proof: str) -> str:
    """Why these words do not make a conclusion of this kind, "" where they do."""
    if claim.kind is Kind.DECISION and not entry.binds:
        return "decision without the user's words"
    if claim.kind is not Kind.OPEN and entry.act is None:
        if evidence.asks(proof):
            return "a question"
        if evidence.surer(claim.text, proof):
            return "only possible"
    return ""


def _carried(claim: Claim, proof: str, context: Sequence[str]) -> str:
    """Why `proof` does not carry the text, "" where it does."""
    if evidence.other_language(claim.text, proof):
        return "another language"
    if evidence.softened(claim.text, proof):
        return "prohibition or limit changed"
    if evidence.unproved(claim.text, proof):
        return "number or name not in its evidence"
    if evidence.unknown_words(claim.text, [*context, proof]):
        return "words not in the log"
    if evidence.shared(claim.text, proof) < SHARED:
        return "quote about something else"
    return ""


def may_drop(item: Item, doubtful: frozenset[str]) -> str:
    """Why an item may not be dropped, "" where it may: only doubtful words of the assistant."""
    if item.role is not Role.ASSISTANT or item.status is not Status.LIVE:
        return "said by the user"
    if item.rule in BY_ACTS or item.rule.startswith("artifact/") or SETTLED.intersection(item.tags):
        return "shown by an act"
    return "" if item.id in doubtful else "not in doubt"
