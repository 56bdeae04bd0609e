"""What the user's words answer: approvals, picks, refusals and amendments, bound to what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from distill.classify.candidate import OVERTAKEN, Candidate, with_lead
from distill.classify.features import hollow
from distill.classify.picks import Choice, asks_which, choose, goes_beyond
from distill.classify.proposals import Proposals, as_decision, is_offer, pending
from distill.classify.replies import Answer, Reply, amended_value, read_reply, refuses, takes_back, without_numbers
from distill.model import Kind, Role, Statement, Turn
from distill.text.language import width
from distill.text.lazy import Lazy
from distill.text.likeness import grams

SHORT = 60  # width of a message up to which it may be the plain answer to a question
_ASKS_BACK = Lazy(
    r"[?？]|吗|呢|什么|怎么|顺便|另外|\b(?:what|why|how|which|show|explain|continue|also|by the way)\b", re.IGNORECASE
)
REST = 120  # characters of the user's words that go with what was picked
BARE = 8  # width up to which what follows a yes or no says nothing more
Weigh = Callable[[Statement, Statement, str], Candidate]  # a proposal, the reply that took it, the decision it became


class Dialogue:
    """Remembers what was proposed and set last, and binds the next words of the user to it."""

    def __init__(self) -> None:
        self._pending = Proposals()
        self._closed: Sequence[Candidate] = ()  # the last message of the assistant
        self._value: Candidate | None = None  # what the user set last
        self._choice: Candidate | None = None  # what the user decided last

    def forget(self) -> None:
        """After a rewind nothing is pending."""
        self._pending = Proposals()
        self._closed = ()
        self._value = self._choice = None

    def answer(self, turn: Turn, weigh: Weigh) -> Iterator[Candidate]:
        """What the user's message of `turn` makes of the message before it: the proposals it takes, as decisions."""
        if not turn.asked or turn.asked[0].role is not Role.USER:
            return
        reply = read_reply(turn.request)
        chosen = self._chosen(reply, turn)
        if chosen.out and not chosen.taken:
            yield weigh(turn.asked[0], turn.asked[0], _ruled_out(turn.asked[0].text, chosen))
        for one in chosen.taken or self._taken(reply):
            text = with_lead(one, as_decision(one))
            if hollow(text):
                continue
            if chosen.taken and goes_beyond(turn.asked[0].text, one):
                text = f"{text} ({turn.asked[0].text.rstrip('.。 ')})"
            elif reply.answer is Answer.PICK and reply.rest != turn.request.strip() and 0 < len(reply.rest) < REST:
                text = f"{text} ({reply.rest})"
            yield weigh(one, turn.asked[0], text)
        if (asked := self._asked(reply, turn)) is not None:
            yield weigh(asked, turn.asked[0], f"{asked.text} → {turn.asked[0].text.rstrip('.。 ')}")
        name = {Answer.YES: "approved", Answer.NO: "refused"}.get(reply.answer, "")
        if not name and refuses(turn.request):
            name = "refused"
        for candidate in self._closed if name else ():
            candidate.signals.add(name)

    def only_answers(self, one: Statement) -> bool:
        """Whether a statement of the user says yes, no or which, and nothing more: it then carries what it answers."""
        if one.role is not Role.USER:
            return False
        reply = read_reply(one.text)
        if reply.answer in (Answer.YES, Answer.NO, Answer.BOTH):
            return width(reply.rest) < BARE
        return reply.answer is Answer.PICK and bool(self._pending.all) and width(reply.rest) < BARE

    def close(self, turn: Turn, candidates: Sequence[Candidate]) -> None:
        """Remember how `turn` ended; `candidates` are the statements of its last message."""
        if turn.closing or turn.asked:
            self._closed = candidates
            self._pending = pending(turn.closing) if turn.closing else Proposals()

    def amend(self, candidate: Candidate) -> None:
        """Let "actually make that 50" carry what it changes, and take back the value it replaces."""
        one, last = candidate.statement, self._value
        amends = amended_value(one.text)
        if amends and last is not None and last.place <= candidate.place and one.turn - last.statement.turn <= 2:
            candidate.text = f"{one.text.rstrip('.。 ')} [{without_numbers(last.text)}]"
            candidate.words = grams(candidate.text)
            candidate.signals.add("amends")
            last.tag(OVERTAKEN)
        if amends or "digit" in candidate.signals:
            self._value = candidate
        choice = self._choice
        if takes_back(one.text) and choice is not None and one.turn - choice.statement.turn <= 2:
            choice.tag(OVERTAKEN)
        if candidate.verdict.kind is Kind.DECISION:
            self._choice = candidate

    def _chosen(self, reply: Reply, turn: Turn) -> Choice:
        """The options that the user means by place or name, where the last message asked which."""
        asked = self._pending.single
        if reply.answer in (Answer.PICK, Answer.BOTH, Answer.HOLD) or not asked or not asks_which(asked[-1].text):
            return Choice()
        choice = choose(turn.asked[0].text, self._pending.all)
        self._pass_over(choice.taken)
        return choice

    def _pass_over(self, taken: Sequence[Statement]) -> None:
        """Mark the options of which the user took others."""
        if not taken:
            return
        places = {(one.record, one.index) for one in taken}
        offered = {(one.record, one.index) for one in self._pending.all} - places
        for candidate in self._closed:
            if candidate.place in offered:
                candidate.signals.add("passed_over")

    def _asked(self, reply: Reply, turn: Turn) -> Statement | None:
        """The question that a short message of the user answers in its own words, or None."""
        if reply.answer not in (Answer.NONE, Answer.YES) or len(turn.asked) != 1 or len(self._pending.single) != 1:
            return None
        question, said = self._pending.single[0], turn.asked[0]
        if not question.text.rstrip().endswith(("?", "？")) or is_offer(question.text) or hollow(question.text):
            return None
        if len(self._pending.all) > 1 and asks_which(question.text):
            return None  # what takes none of the options is no answer
        words = read_reply(said.text).rest if reply.answer is Answer.YES else said.text
        return question if 0 < width(words) <= SHORT and not _ASKS_BACK.search(words) else None

    def _taken(self, reply: Reply) -> list[Statement]:
        if reply.answer is Answer.YES:
            return list(self._pending.single)
        if reply.answer is Answer.BOTH:
            return self._pending.all
        if reply.answer is not Answer.PICK:
            return []
        picked = [self._pending.pick(key, by_name=reply.named) for key in reply.keys]
        chosen = [one for one in picked if one is not None]
        self._pass_over(chosen)
        return chosen


def _ruled_out(said: str, choice: Choice) -> str:
    """The user's words with the options that they rule out, where they name these by number alone."""
    left = "; ".join(as_decision(one) for one in choice.out)
    return f"{said.rstrip('.。 ')} [{left}]" if width(left) <= REST else said
