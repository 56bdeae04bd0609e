"""Turns to findings: every statement is weighed by the signals table, the cues and the dialogue it stands in.

The judge walks the log once. Statements that could be a conclusion go to a pool of bounded size; repetition, which only
the whole log shows, is added when the log has ended, and then each statement takes the kind it has most points for.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from dataclasses import dataclass, field

from distill.classify.acts import Acts
from distill.classify.cues import CueJudge, Verdict
from distill.classify.features import described_path, hollow, named_paths, shape_signals
from distill.classify.proposals import Proposals, as_decision, is_offer, pending
from distill.classify.replies import Answer, Reply, amended_value, read_reply, refuses, without_numbers
from distill.model import ActionKind, Finding, Kind, Role, Shape, Source, Statement, Turn
from distill.rulebook.signals import Signals
from distill.rulebook.verdict import KEEP
from distill.text.fold import fold
from distill.text.language import han, width
from distill.text.likeness import grams

NOTE = 160  # characters of a description that goes with a file
POOL = 4000  # statements kept for the end; the best by points
# The word of agreement that an answer begins with says nothing to a later reader.
_ANSWERED = re.compile(
    r"^(?:(?:yes|yep|yeah|ok|okay|sure|right|correct|exactly|great|perfect|done|good)[,.!:]\s+|(?:对|是|是的|好|"
    r"好的|行|可以|没错|嗯|明白|收到)[，,。！]\s*)+",
    re.IGNORECASE,
)
_PLAN = re.compile(r"\b(?:plan|proposal|design doc)\b|计划|规划|規劃|計劃|方案", re.IGNORECASE)
ORDER = {kind: place for place, kind in enumerate(Kind)}
CLAIM = ("push", "推送", "ci ", "ci绿", "pipeline")


@dataclass(slots=True)
class Candidate:
    """A statement in the pool: its signals, its words and what the cues say of it."""

    statement: Statement
    signals: set[str]
    words: frozenset[str]
    verdict: Verdict
    text: str
    rule: str = ""
    tags: tuple[str, ...] = ()
    points: dict[Kind, int] = field(default_factory=dict)

    @property
    def best(self) -> int:
        """The points of the kind it has most for."""
        return max(self.points.values(), default=0)


def _unplaced(one: Statement) -> bool:
    """A line without a speaker and without a heading: only its words say what it is."""
    return one.role is Role.UNKNOWN and not one.heading


class Judge:
    """Judges one log. `take` the turns in order, then `findings` once."""

    def __init__(self, path: str, cues: CueJudge, signals: Signals, *, words_only: bool = False) -> None:
        """`words_only` lets a statement be what the cue rules say it is, and nothing else."""
        self._path = path
        self._cues = cues
        self._signals = signals
        self._words_only = words_only
        self.acts = Acts(path)
        self._pool: list[tuple[int, int, Candidate]] = []
        self._serial = 0
        self.seen = 0  # statements that were weighed
        self._pending = Proposals()
        self._last_value: Candidate | None = None  # what the user set last
        self._closed: list[Candidate] = []  # the last message of the assistant
        self._last_turn = 0
        self._request = ""  # the user's last words
        self._unanswered: tuple[Statement, ...] = ()

    # -- the walk -----------------------------------------------------------------------------------------------------

    def take(self, turn: Turn) -> None:
        """Weigh one turn."""
        for event in turn.acts:
            if event.action is not None and event.action.kind is ActionKind.REWOUND:
                self._rewind(event.action.back_to)
        self.acts.take(turn.acts)
        self._last_turn = turn.number
        self._request = turn.request or self._request
        if turn.asked or turn.closing:
            self._unanswered = () if turn.closing or turn.acts or turn.told else turn.asked
        reply = read_reply(turn.request) if turn.request and self._pending else Reply(answer=Answer.NONE)
        if turn.asked:
            self._bind(turn, reply)
            self._answered(turn)
        request = grams(turn.request[:4000]) if turn.request else frozenset()
        for number, one in enumerate(turn.asked):
            if not (number == 0 and self._only_answers(one, turn)):
                self._weigh(one, frozenset())
        for one in turn.told:
            self._weigh(one, request)
        if turn.closing or turn.asked:
            self._closed = [self._weigh(one, request) for one in turn.closing]
            self._pending = pending(turn.closing) if turn.closing else Proposals()

    def weigh_alone(self, one: Statement) -> tuple[set[str], dict[Kind, int], Kind | None]:
        """The signals, points and kind of a statement without the log around it."""
        candidate = self._candidate(one, frozenset())
        candidate.points = self._points(candidate)
        return candidate.signals, candidate.points, self._kind(candidate)

    def _weigh(self, one: Statement, request: frozenset[str]) -> Candidate:
        self.seen += 1
        candidate = self._candidate(one, request)
        self._add(candidate)
        return candidate

    def _candidate(self, one: Statement, request: frozenset[str]) -> Candidate:
        verdict = self._cues.judge(one.text, one.role)
        folded = fold(one.text)
        names = self._signals.words(folded, one.role) | shape_signals(one, one.quote)
        if one.heading:
            names |= self._signals.headings(fold(one.heading.split(" / ")[-1]))
        if not one.final and one.role is Role.ASSISTANT:
            names.add("told")
        names |= self._signals.known(self._cue_signals(one, verdict))
        words = grams(one.text)
        if request and words and len(words & request) * 2 >= min(len(words), 8):
            names.add("echo")
        candidate = Candidate(statement=one, signals=names, words=words, verdict=verdict, text=self._text(one))
        if one.role is Role.USER:
            self._amend(candidate)
        return candidate

    def _amend(self, candidate: Candidate) -> None:
        """Let "actually make that 50" carry what it changes, and take back the value it replaces."""
        one, last = candidate.statement, self._last_value
        amends = amended_value(one.text)
        if amends and last is not None and last.statement.record <= one.record and one.turn - last.statement.turn <= 2:
            candidate.text = f"{one.text.rstrip('.。 ')} [{without_numbers(last.text)}]"
            candidate.words = grams(candidate.text)
            candidate.signals |= {"amends"}
            last.tags = (*last.tags, "overtaken")
        if amends or "digit" in candidate.signals:
            self._last_value = candidate

    def _add(self, candidate: Candidate) -> None:
        candidate.points = self._points(candidate)
        self._serial += 1
        entry = (candidate.best, -self._serial, candidate)
        if len(self._pool) < POOL:
            heapq.heappush(self._pool, entry)
        elif entry > self._pool[0]:
            heapq.heapreplace(self._pool, entry)

    @staticmethod
    def _cue_signals(one: Statement, verdict: Verdict) -> set[str]:
        """What the cue rules say, as signals of the table."""
        names = {f"is_{name}" for name in verdict.modifiers}
        if verdict.kind is not None:
            names.add(f"cue_{verdict.kind}_{min(3, max(1, verdict.weight))}")
            if _unplaced(one):
                names.add("cue_alone")
        if verdict.proposal:
            names.add("proposal")
        if one.checked is False:
            names.add("unticked")
        return names

    def _rewind(self, back_to: int) -> None:
        self._pool = [entry for entry in self._pool if entry[2].statement.record <= back_to]
        heapq.heapify(self._pool)
        self._pending = Proposals()

    # -- dialogue -----------------------------------------------------------------------------------------------------

    def _bind(self, turn: Turn, reply: Reply) -> None:
        """Bind what the user answers to what was proposed before."""
        proposals = self._pending
        first = turn.asked[0]
        if first.role is not Role.USER or not proposals:
            return
        chosen: list[Statement] = []
        if reply.answer is Answer.YES:
            chosen = list(proposals.single)
        elif reply.answer is Answer.BOTH:
            chosen = proposals.all
        elif reply.answer is Answer.PICK:
            picked = [proposals.pick(key, by_name=reply.named) for key in reply.keys]
            chosen = [one for one in picked if one is not None]
        if chosen and reply.answer is Answer.PICK:
            taken = {(one.record, one.index) for one in chosen}
            offered = {(one.record, one.index) for one in proposals.all} - taken
            for candidate in self._closed:
                if (candidate.statement.record, candidate.statement.index) in offered:
                    candidate.signals.add("passed_over")
        for one in chosen:
            text = as_decision(one)
            if hollow(text):
                continue
            if reply.answer is Answer.PICK and reply.rest and reply.rest != turn.request.strip():
                text = f"{text} ({reply.rest})" if len(reply.rest) < 120 else text
            verdict = self._cues.judge(text, Role.USER)
            bound = Candidate(
                statement=one,
                signals={"user", "accepted"},
                words=grams(text),
                verdict=verdict,
                text=text,
                rule="decision/accepted",
                tags=("accepted",),
            )
            self._add(bound)

    def _answered(self, turn: Turn) -> None:
        """Let the user's yes or no touch everything that the message before it said."""
        if turn.asked[0].role is not Role.USER:
            return
        answer = read_reply(turn.request).answer
        name = {Answer.YES: "approved", Answer.NO: "refused"}.get(answer)
        if name is None and refuses(turn.request):
            name = "refused"
        for candidate in self._closed if name else ():
            candidate.signals.add(str(name))
        self._closed = []

    def _only_answers(self, one: Statement, turn: Turn) -> bool:
        """Whether a statement of the user says yes, no or which, and nothing more: it then carries what it answers."""
        if one.role is not Role.USER:
            return False
        reply = read_reply(one.text)
        if reply.answer in (Answer.YES, Answer.NO, Answer.BOTH):
            return width(reply.rest) < 8
        return reply.answer is Answer.PICK and bool(self._pending.all) and width(reply.rest) < 8

    # -- the end ------------------------------------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """What was found, best first within nothing: in the order of the log."""
        self.acts.close()
        pool = sorted((entry[2] for entry in self._pool), key=lambda c: (c.statement.record, c.statement.index))
        self._repetition(pool)
        if not self.acts.paths:
            for candidate in pool:
                candidate.signals.add("no_acts")
        for candidate in pool:
            if any(self.acts.is_gone(path, candidate.statement.record) for path in named_paths(candidate.text)):
                candidate.tags = (*candidate.tags, "overtaken")  # it speaks of a file that was deleted later
        pool = [candidate for candidate in pool if not self._describes(candidate) and not self._only_names(candidate)]
        self.pool = pool
        found = self.acts.findings()
        failed_push = self.acts.failed_push
        for candidate in pool:
            one = candidate.statement
            self._place(candidate)
            if self.acts.last_change > one.record and any(
                mark[0] == "decision/hold" and mark[3] == KEEP for mark in candidate.verdict.marks
            ):
                candidate.tags = (*candidate.tags, "overtaken")  # a hold ends with the next change
            candidate.points = self._points(candidate)
            if failed_push is not None and one.role is Role.ASSISTANT and one.record > failed_push.record:
                folded = fold(candidate.text)
                if any(word in folded for word in CLAIM):
                    continue
            kind = self._kind(candidate)
            if kind is not None:
                found.append(self._finding(candidate, kind))
        return found

    def _describes(self, candidate: Candidate) -> bool:
        """Whether the statement says what a file of this log is: it then stands with the file."""
        one = candidate.statement
        if one.role is not Role.ASSISTANT or not one.final or "path_first" not in candidate.signals:
            return False
        found = described_path(one.text)
        return found is not None and len(found[1]) <= NOTE and self.acts.describe(*found)

    def _only_names(self, candidate: Candidate) -> bool:
        """Whether the statement does no more than name files that the acts have proved already."""
        one = candidate.statement
        if one.role is not Role.ASSISTANT or "names_only" not in candidate.signals:
            return False
        named = named_paths(one.text)
        return bool(named) and all(self.acts.knows(path) for path in named)

    def _repetition(self, pool: list[Candidate]) -> None:
        """Mark what both sides say and what is said again later; linear but for words that many share."""
        index: dict[str, list[int]] = {}
        for number, candidate in enumerate(pool):
            for word in candidate.words:
                index.setdefault(word, []).append(number)
        edits = self.acts.edit_words
        for number, candidate in enumerate(pool):
            if len(candidate.words) < 3:
                continue
            shared: Counter[int] = Counter()
            for word in candidate.words:
                if len(places := index[word]) <= 40:
                    shared.update(places)
            for other, both in shared.items():
                if other == number or both < 3:
                    continue
                twin = pool[other]
                if both * 2 < min(len(candidate.words), len(twin.words)):
                    continue
                if twin.statement.role is not candidate.statement.role:
                    candidate.signals.add("shared")
                elif twin.statement.turn > candidate.statement.turn:
                    candidate.signals.add("again")
            if edits and candidate.statement.role is Role.ASSISTANT:
                named = [w for w in candidate.words if len(w) > 3 and (w[0].isascii())]
                if named and sum(w in edits for w in named) * 3 >= len(named) * 2 and len(named) >= 2:
                    candidate.signals.add("in_edit")

    def _place(self, candidate: Candidate) -> None:
        one = candidate.statement
        if self._last_turn > 3:
            if one.turn * 4 >= self._last_turn * 3:
                candidate.signals.add("late")
            elif one.turn * 2 <= self._last_turn:
                candidate.signals.add("early")
        if one.turn == self._last_turn and one.final:
            candidate.signals.add("final_message")
            if not self.acts.paths and one.shape is Shape.BULLET and _PLAN.search(self._request):
                candidate.signals.add("plan_left")
            if "under_test" in candidate.signals and one.shape is Shape.BULLET:
                candidate.signals.add("test_step")
            if "asks" in candidate.signals and not is_offer(one.text):
                candidate.signals.add("asked_last")
        elif candidate.signals & {"asks", "is_question"} and not candidate.verdict.rule.startswith("open/"):
            candidate.signals.add("asked_before")
        if any(one is asked for asked in self._unanswered) and candidate.signals & {"asks", "is_question"}:
            candidate.signals.add("unanswered")

    def _points(self, candidate: Candidate) -> dict[Kind, int]:
        return self._signals.sum(candidate.signals)

    def _kind(self, candidate: Candidate) -> Kind | None:
        one = candidate.statement
        if (self._words_only or _unplaced(one)) and not candidate.rule:
            kind = candidate.verdict.kind
            return kind if kind is not None and not candidate.verdict.proposal else None
        bars = self._signals.bars
        best = max(Kind, key=lambda kind: (candidate.points[kind] - bars[kind], -ORDER[kind]))
        return best if candidate.points[best] >= bars[best] else None

    def _finding(self, candidate: Candidate, kind: Kind) -> Finding:
        one = candidate.statement
        points = candidate.points[kind]
        rule = candidate.rule or (candidate.verdict.rule if candidate.verdict.kind is kind else f"{kind}/signals")
        return Finding(
            kind=kind,
            text=candidate.text,
            rule=rule,
            points=points,
            confidence=self._signals.confidence(kind, points),
            role=one.role,
            time=one.time,
            turn=one.turn,
            source=Source(path=self._path, record=one.record, quote=one.quote),
            tags=candidate.tags,
        )

    def _text(self, one: Statement) -> str:
        """The statement so that it can stand alone: a fragment gets its lead-in or heading."""
        text = _ANSWERED.sub("", one.text.strip()) or one.text.strip()
        if one.shape is Shape.SENTENCE and not one.heading:
            return text
        lead = one.lead.rstrip(":： ")
        if one.shape is not Shape.ROW and lead and width(lead) <= 60 and width(text) < 40:
            joint = "：" if han(lead) else ": "
            return f"{lead}{joint}{text}"
        heading = one.heading.split(" / ")[-1]
        if heading and one.shape is not Shape.SENTENCE and width(text) < 24 and width(heading) <= 40:
            joint = "：" if han(heading) else ": "
            return f"{heading}{joint}{text}"
        return text
