"""What of a model's claims is believed: a claim stands only as far as the words of the log carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distill.model import Item, Kind, Role, Status
from distill.refine import evidence, strictness
from distill.refine.choose import clipped
from distill.refine.claims import Claim
from distill.refine.transcript import Entry
from distill.refine.uptake import Heard, Hears, answer_to, takes_up
from distill.text.fold import fold

BY_ACTS = frozenset({"fact/test-run", "open/task", "open/failed-push", "decision/answer", "decision/accepted"})
SETTLED = frozenset({"accepted", "confirmed", "pinned", "hand"})
LONGEST = 300  # characters of a text
BEFORE, AFTER = 30, 2  # entries before and after that of the quote whose words a text may use
SHARED = 1 / 3  # of a text's words that its own evidence must hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """A claim that its evidence carries: the quote as it stands there, on one line, and whose words it is."""

    claim: Claim
    entry: Entry
    quote: str
    answer: Entry | None = None  # the user's words that took it up, where the quote is not the user's own


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim that is not believed, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a quote stands: the place of its entry, the part of that, and the span of this."""

    place: int
    text: str
    span: tuple[int, int]

    @property
    def sentence(self) -> str:
        """The sentences that it touches."""
        return evidence.sentence(self.text, self.span)


class Evidence:
    """The entries of a log, to hold claims against; `made` are the files that acts show, `hears` tells how a message of
    the user opens."""

    def __init__(
        self, entries: Sequence[Entry], made: frozenset[str] = frozenset(), hears: Hears = lambda _: Heard()
    ) -> None:
        self._entries = entries
        self._hears = hears
        self._made = made
        self._places: dict[int, list[int]] = {}
        for place, entry in enumerate(entries):
            self._places.setdefault(entry.record, []).append(place)

    def judge(self, claim: Claim, sent: frozenset[int], restated: Item | None = None) -> Believed | Rejected:
        """Whether `claim` is believed; `sent` are the records that the model has seen, `restated` is the item that the
        claim says anew."""
        if len(claim.text) > LONGEST:
            return Rejected("text too long")
        for record in (claim.record, claim.also.record if claim.also is not None else None):
            if record is not None and record not in sent:
                return Rejected("record not shown")
        found = self._find(claim.quote, claim.record, sent)
        if found is None:
            return Rejected("quote not in its record")
        if evidence.too_short(claim.quote) and claim.also is None:
            return Rejected("quote too short")
        second = None
        if claim.also is not None:
            second = self._find(claim.also.text, claim.also.record, sent)
            if second is None or evidence.too_short(claim.also.text):
                return Rejected("second quote not in its record")
        entry, answer = self._entries[found.place], None
        if second is not None and self._entries[second.place].binds is not entry.binds:
            put, said = (second, found) if entry.binds else (found, second)
            if not self._taken(put, said.place):
                return Rejected("second quote not taken up")
            answer = None if entry.binds else self._entries[said.place]
        elif second is not None and (reason := _named(claim, found, second)):
            return Rejected(reason)
        elif claim.kind is Kind.DECISION and not entry.binds:
            answer = self._answer(found)
        return self._grounded(claim, found, second, answer, restated)

    def _grounded(
        self, claim: Claim, found: _Found, second: _Found | None, answer: Entry | None, restated: Item | None
    ) -> Believed | Rejected:
        """Whether the words that were found carry the claim."""
        entry = self._entries[found.place]
        proof = found.sentence
        if second is not None:
            proof = f"{second.sentence}\n{proof}"
        if restated is not None:
            proof = "\n".join([proof, restated.text, *(source.quote for source in restated.sources)])
        around = self._entries[max(0, found.place - BEFORE) : found.place + 1 + AFTER]
        context = "\n".join([*(clipped(one.text) for one in around), entry.text])
        put = found if answer is not None else second if second is not None and entry.binds else None
        subject = "" if put is None else self._entries[put.place].text.lstrip().partition("\n")[0]
        taken = answer is not None
        reason = _binding(claim, entry, found, taken=taken) or _carried(claim, proof, context, subject)
        if not reason and claim.kind is Kind.ARTIFACT and entry.act is None and not self._shows(claim.text):
            reason = "no act shows it"
        quote = evidence.one_line(found.text, found.span)
        return Rejected(reason) if reason else Believed(claim=claim, entry=entry, quote=quote, answer=answer)

    def _answer(self, found: _Found) -> Entry | None:
        """The user's words that take up what the assistant proposed there, None where none do."""
        answer = answer_to(self._entries, found.place)
        return self._entries[answer] if answer is not None and self._taken(found, answer) else None

    def _taken(self, put: _Found, answer: int) -> bool:
        """Whether the user's words at the place `answer` take up what the assistant put."""
        entry = self._entries[put.place]
        if entry.act is not None or answer_to(self._entries, put.place) != answer:
            return False
        return takes_up(self._entries, put.place, put.span, answer, self._hears)

    def _find(self, quote: str, record: int | None, sent: frozenset[int]) -> _Found | None:
        """Where the quote stands. Without a record it must stand in one record alone."""
        found: list[_Found] = []
        for one in [record] if record is not None else sorted(sent):
            for place in self._places.get(one, ()):
                spans = ((part, evidence.located(quote, part)) for part in self._entries[place].parts)
                found += [_Found(place, part, span) for part, span in spans if span is not None]
        if not found or (record is None and len({self._entries[one.place].record for one in found}) > 1):
            return None
        return next((one for one in found if self._entries[one.place].binds), found[0])

    def _shows(self, text: str) -> bool:
        """Whether acts made what an artifact names; where no act is known, words are all there is."""
        return not self._made or any(path and (path in text or path.rsplit("/", 1)[-1] in text) for path in self._made)


def _named(claim: Claim, found: _Found, second: _Found) -> str:
    """Why a second quote may not say what the first is about, "" where it may: that one must name nothing itself, and
    no number comes from elsewhere."""
    if not 0 <= found.place - second.place <= BEFORE:
        return "second quote from elsewhere"
    said = found.sentence
    if any(char.isalpha() for name in evidence.unproved(said, "", said.lower()) for char in name):
        return "second quote about something else"
    more = evidence.numbers(fold(claim.text)) - evidence.numbers(fold(said))
    return "number or name not in its evidence" if more else ""


def _binding(claim: Claim, entry: Entry, found: _Found, *, taken: bool) -> str:
    """Why words that `entry` has do not make a conclusion of this kind, "" where they do; `taken` says that they are a
    proposal which the user took up."""
    if claim.kind is Kind.DECISION and not entry.binds and not taken:
        return "decision without the user's words"
    if claim.kind is Kind.OPEN or entry.act is not None:
        return ""
    if evidence.asks(found.sentence) and not taken:
        return "a question"
    stop = strictness.clause_end(found.text, found.span[1] - 1)
    before = evidence.sentence(found.text, found.span, stop)
    after = found.text[stop : evidence.sentence_end(found.text, found.span[1])]
    if taken:  # the user's yes makes "I would" certain, but not an "if"
        before, after = "", f"{before} {after}"
    return "only possible" if strictness.surer(claim.text, before, after) else ""


def _carried(claim: Claim, proof: str, context: str, subject: str) -> str:
    """Why `proof` does not carry the text, "" where it does; what is proposed under `subject` is about that too."""
    if evidence.other_language(claim.text, proof):
        return "another language"
    if strictness.softened(claim.text, proof, claim.kind):
        return "prohibition or limit changed"
    if evidence.unproved(claim.text, proof, context):
        return "number or name not in its evidence"
    if evidence.unknown_words(claim.text, [context, proof]):
        return "words not in the log"
    if evidence.shared(claim.text, f"{subject}\n{proof}") < SHARED:
        return "quote about something else"
    return ""


def may_drop(item: Item, doubtful: frozenset[str]) -> str:
    """Why an item may not be dropped, "" where it may: only doubtful words of the assistant."""
    if item.role is not Role.ASSISTANT or item.status is not Status.LIVE:
        return "said by the user"
    if item.rule in BY_ACTS or item.rule.startswith("artifact/") or SETTLED.intersection(item.tags):
        return "shown by an act"
    return "" if item.id in doubtful else "not in doubt"
