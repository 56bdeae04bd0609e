"""Turns to findings: every statement is weighed by the signals table, the cues and the dialogue it stands in.

The judge walks the log once. Statements that could be a conclusion go to a pool of bounded size; repetition, which only
the whole log shows, is added when the log has ended, and then each statement takes the kind it has most points for.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Set as AbstractSet

from distill.classify.acts import Acts
from distill.classify.atend import passing_tags
from distill.classify.candidate import OVERTAKEN, Candidate, shown_text, unplaced
from distill.classify.cues import CueJudge, Verdict
from distill.classify.dialogue import Dialogue
from distill.classify.echoes import join_confirmed, leaning
from distill.classify.features import described_path, inside_pasted, named_paths, shape_signals
from distill.classify.leftopen import choice_left
from distill.classify.mended import mended, repeats
from distill.classify.progress import reports
from distill.classify.proposals import is_offer
from distill.classify.repetition import mark_repetition
from distill.classify.wishes import brief, carried_out
from distill.model import ActionKind, Finding, Kind, Role, Shape, Source, Statement, Turn
from distill.rulebook.signals import Signals
from distill.rulebook.verdict import KEEP
from distill.text.dates import dated
from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import grams
from distill.text.testruns import tells_tests

RETOLD = 80  # characters up to which a statement only tells an act again
SPOKEN = 2  # weight that a rule made for the user's words needs where nobody is said to speak
_SPOKEN_RULES = frozenset(f"decision/{name}" for name in ("imperative", "wish", "directive", "limit", "value", "pick"))
NOTE = 160  # characters of a description that goes with a file
POOL = 1000  # statements of each kind that are kept for the end; the best by points above the bar
SURE = 20_000  # statements of each kind that pass the bar and are not the assistant's: no share bounds those
LEFT = frozenset(("under_open", "under_left"))
LED = LEFT | {"under_done"}  # what a lead-in tells of its list as a heading does
SMALL = frozenset(("tiny", "short"))  # what an item is not once it stands with its lead-in
LEAD = 60  # characters of a lead-in, its last, that say what its list holds
REQUEST = 4000  # characters of a request whose words an answer may echo
_PLAN = Lazy(r"\b(?:plan|proposal|design doc)\b|计划|规划|規劃|計劃|方案", re.IGNORECASE)
# A ban on changes that holds for the moment: "don't touch it yet", 「先查，别动代码」.
_FOR_NOW = Lazy(
    r"(?i:\b(?:fix|change|touch|edit|code|implement)\b.{0,60}\b(?:yet|for now)\b)"
    r"|(?:先|暂时|暫時).{0,30}[别別不]要?[改动動写寫碰修]"
)
_NAMED = frozenset(("code_span", "path", "digit", "long"))  # with which praise of the work tells more
HOLD, PROHIBITION = "decision/hold", "decision/prohibition"
_BINDING = (PROHIBITION, "decision/limit")  # rules that lay down what must not be


class Judge:
    """Judges one log. `take` the turns in order, then `findings` once."""

    def __init__(self, path: str, cues: CueJudge, signals: Signals, *, words_only: bool = False) -> None:
        """`words_only` lets a statement be what the cue rules say it is, and nothing else."""
        self._path = path
        self._cues = cues
        self._signals = signals
        self._words_only = words_only
        self.acts = Acts(path)
        self._pools: dict[tuple[Kind, bool], list[tuple[int, int, Candidate]]] = {
            (kind, sure): [] for kind in Kind for sure in (True, False)
        }
        self.lost: Counter[Kind] = Counter()  # statements of each kind that were sure, and too many to be kept
        self._serial = 0
        self.seen = 0  # statements that were weighed
        self.behind = 0  # records of the logs that hold the beginning of this session
        self._dialogue = Dialogue(cues)
        self._last_turn = self._last_record = 0
        self._acting = True  # whether the turn at hand does anything: where not, what it notes as open it leaves
        self._changed = 0  # the record of the last change that the turns before made
        self._request = ""  # the user's last words
        self._unanswered: tuple[Statement, ...] = ()
        self._mended: list[Candidate] = []  # faults that the last turn says to be mended
        self._closing: tuple[Statement, ...] = ()  # the last message, where nothing was said after it

    # -- the walk -----------------------------------------------------------------------------------------------------

    def take(self, turn: Turn) -> None:
        """Weigh one turn."""
        for event in turn.acts:
            if event.action is not None and event.action.kind is ActionKind.REWOUND:
                self._rewind(event.action.back_to)
        self.acts.take(turn.acts)
        self._acting = bool(turn.acts)
        self._last_turn, self._last_record = turn.number, turn.last_record
        self._request = turn.request or self._request
        if turn.asked or turn.closing:
            self._unanswered = () if turn.closing or turn.acts or turn.told else turn.asked
        for candidate in self._dialogue.answer(turn, self._accepted):
            self._add(candidate)
        request = grams(turn.request[:REQUEST]) if turn.request else frozenset()
        asked: list[Candidate] = []
        if turn.asked:
            for fault in self._mended:
                if not repeats(turn, fault):
                    fault.overtake(turn.asked[0].record)
        before: Statement | None = None
        for one in turn.asked:
            if one.role is Role.USER and inside_pasted(one):
                self.seen += 1  # one in twenty holds for the task, and such documents are long
            elif not self._dialogue.only_answers(one):
                asked.append(self._weigh(one, frozenset(), wish_of=turn, led=leaning(one, before, self._cues)))
            before = one
        for one in turn.planned:
            self._weigh(one, request, {"approved", "in_plan"})
        for one in turn.told:
            self._weigh(one, request)
        built = {"after_change"} if self.acts.last_change > self._changed else frozenset()
        self._changed = self.acts.last_change
        closing = [self._weigh(one, request, built | self._reply_to(asked, one)) for one in turn.closing]
        join_confirmed(closing, [one for one in asked if self._kind(one) is Kind.DECISION], self._cues)
        self._dialogue.close(turn, closing)
        if turn.asked or turn.closing:
            self._mended = mended(asked, closing)
        if turn.closing or turn.asked:
            self._closing = turn.closing

    def weigh_alone(self, one: Statement) -> tuple[set[str], dict[Kind, int], Kind | None]:
        """The signals, points and kind of a statement without the log around it."""
        candidate = self._candidate(one, frozenset())
        candidate.points = self._points(candidate)
        return candidate.signals, candidate.points, self._kind(candidate)

    def _weigh(
        self, one: Statement, request: frozenset[str], more: AbstractSet[str] = frozenset(), *,
        wish_of: Turn | None = None, led: str | None = None,
    ) -> Candidate:
        self.seen += 1
        candidate = self._candidate(one, request)
        if led:
            candidate.text, candidate.words = led, grams(led)
        elif led is not None:
            candidate.signals.add("hollow")
        candidate.signals |= more
        if wish_of is not None and brief(wish_of, one) and carried_out(wish_of, one, candidate.signals):
            candidate.signals.add("obeyed")
        self._add(candidate)
        return candidate

    @staticmethod
    def _reply_to(asked: list[Candidate], one: Statement) -> AbstractSet[str]:
        """What a statement of the answer is to the question between two ways that was asked last."""
        put = one.index == 0 and bool(asked) and "either" in asked[-1].signals
        return frozenset(("answers",)) if put else frozenset()

    def _candidate(self, one: Statement, request: frozenset[str]) -> Candidate:
        verdict = self._cues.judge(one.text, one.role)
        folded = fold(one.text)
        names = self._signals.words(folded, one.role) | shape_signals(one, one.quote)
        if one.heading:
            names |= self._signals.headings(fold(one.heading.split(" / ")[-1]))
        if one.lead and one.shape is Shape.BULLET:
            names |= self._signals.headings(fold(one.lead[-LEAD:])) & LED
        names |= self._signals.known(self._cue_signals(one, verdict))
        if reports(one, names):
            names.add("reported")
        if not one.final and one.role is Role.ASSISTANT and (self._acting or "cue_open_3" not in names):
            names.add("told")
        words = grams(one.text)
        if request and words and len(words & request) * 2 >= min(len(words), 8):
            names.add("echo")
        text = shown_text(one)
        if "fluff" in names and names & _NAMED:
            names.remove("fluff")
        if names & LEFT and (one.shape is Shape.BULLET or len(text) > len(one.text)):
            names -= SMALL
        if len(text) > len(one.text) and one.role is Role.USER and one.shape is Shape.BULLET and one.lead:
            names -= {*SMALL, "hollow"}
        candidate = Candidate(statement=one, signals=names, words=words, verdict=verdict, text=text)
        if one.role is Role.USER:
            self._dialogue.amend(candidate)
        return candidate

    def _accepted(self, proposal: Statement, reply: Statement, text: str) -> Candidate:
        """A proposal that the user took with `reply`, as the decision `text`."""
        return Candidate(
            statement=proposal,
            signals={"user", "accepted"},
            words=grams(text),
            verdict=self._cues.judge(text, Role.USER),
            text=text,
            rule="decision/accepted",
            reply=reply,
            tags=("accepted",),
        )

    def _add(self, candidate: Candidate) -> None:
        candidate.points = self._points(candidate)
        self._serial += 1
        kind, margin = self._nearest(candidate)
        sure = margin >= 0 and candidate.statement.role is not Role.ASSISTANT
        pool, entry = self._pools[kind, sure], (margin, -self._serial, candidate)
        if len(pool) < (SURE if sure else POOL):
            heapq.heappush(pool, entry)
            return
        if entry > pool[0]:
            heapq.heapreplace(pool, entry)
        if sure:
            self.lost[kind] += 1

    def _nearest(self, candidate: Candidate) -> tuple[Kind, int]:
        """The kind whose bar it passes most, or misses least, and by how many points."""
        if (self._words_only or unplaced(candidate.statement)) and not candidate.rule:
            kind, weight = _by_words(candidate.verdict)
            return (Kind.OPEN, 1) if weight < 0 and "under_left" in candidate.signals else (kind, weight)
        nearest, most = Kind.DECISION, candidate.points[Kind.DECISION] - self._signals.bars[Kind.DECISION]
        for kind, bar in self._signals.bars.items():
            if (margin := candidate.points[kind] - bar) > most:
                nearest, most = kind, margin
        return nearest, most

    @staticmethod
    def _cue_signals(one: Statement, verdict: Verdict) -> set[str]:
        """What the cue rules say, as signals of the table."""
        names = {f"is_{name}" for name in verdict.modifiers}
        if verdict.kind is not None:
            names.add(f"cue_{verdict.kind}_{min(3, max(1, verdict.weight))}")
            if unplaced(one):
                names.add("cue_alone")
        if verdict.proposal:
            names.add("proposal")
        if one.checked is False:
            names.add("unticked")
        return names

    def _rewind(self, back_to: int) -> None:
        for pool in self._pools.values():
            pool[:] = [entry for entry in pool if entry[2].since <= back_to]
            heapq.heapify(pool)
            for _, _, candidate in pool:
                candidate.rewind(back_to)
        self._dialogue.rewind(back_to)
        self._mended = []  # what mended them may be undone

    # -- the end ------------------------------------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """What was found, acts first, then statements in the order of the log."""
        self.acts.close()
        kept = (entry[2] for pool in self._pools.values() for entry in pool)
        pool = sorted(kept, key=lambda candidate: candidate.place)
        mark_repetition(pool, self.acts.edit_words)
        pool = self._one_choice(pool)
        self.pool = [one for one in pool if not self._describes(one) and not self._only_names(one)]
        found = self.acts.findings()
        for candidate in self.pool:
            self._place(candidate)
            if candidate.overtaken or self._is_over(candidate):
                candidate.tag(OVERTAKEN)
            candidate.points = self._points(candidate)
            kind = None if self._is_refuted(candidate) else self._kind(candidate)
            if kind is Kind.ARTIFACT and self.acts.was_closed(candidate.text, candidate.statement.record):
                candidate.tag(OVERTAKEN)
            if kind is not None:
                candidate.tags += tuple(passing_tags(candidate, kind, self._signals, self._kind))
                found += self._findings(candidate, kind)
        return found

    def _one_choice(self, pool: list[Candidate]) -> list[Candidate]:
        """The pool with the choice that the last message leaves as one candidate, which names its ways."""
        left = choice_left(self._closing, self._dialogue.put)
        if left is None:
            return pool
        leaves, text, ways = left
        for candidate in pool:
            if candidate.statement is leaves:
                candidate.text, candidate.words = text, grams(text)
                candidate.signals = (candidate.signals - {*SMALL, "under_options"}) | {"unanswered"}
        away = {(way.record, way.index) for way in ways} - {(leaves.record, leaves.index)}
        return [candidate for candidate in pool if candidate.place not in away]

    def _is_over(self, candidate: Candidate) -> bool:
        """Whether later acts took it back.

        A hold ends with the next change, words on a file with its deletion, words on how tests stand with the next run.
        """
        record = candidate.statement.record
        if _holds(candidate) and self.acts.last_change > record:
            return True
        if self.acts.last_test > record and tells_tests(candidate.text):
            return True
        return any(self.acts.is_gone(path, record) for path in named_paths(candidate.text))

    def _is_refuted(self, candidate: Candidate) -> bool:
        """Whether a claim of the assistant is proved wrong by an act that failed, and did not succeed later."""
        one, failures = candidate.statement, self.acts.failures
        if one.role is not Role.ASSISTANT or not failures.before(one.record):
            return False
        return failures.refute({heard.name for heard in self._cues.speech(candidate.text)}, one.record)

    def _describes(self, candidate: Candidate) -> bool:
        """Whether the statement says what a file of this log is: it then stands with the file."""
        one = candidate.statement
        if one.role is not Role.ASSISTANT or not one.final or "path_first" not in candidate.signals:
            return False
        found = described_path(one.text)
        place = one.record, one.time, one.quote
        return found is not None and len(found[1]) <= NOTE and self.acts.describe(*found, place)

    def _only_names(self, candidate: Candidate) -> bool:
        """Whether the statement does no more than name files, commits or test runs that acts have shown already."""
        one = candidate.statement
        if one.role is not Role.ASSISTANT:
            return False
        if len(one.text) <= RETOLD and self.acts.repeats(one.text):
            return True
        if "names_only" not in candidate.signals:
            return False
        named = named_paths(one.text)
        return bool(named) and all(self.acts.knows(path) for path in named)

    def _place(self, candidate: Candidate) -> None:
        one = candidate.statement
        if not self.acts.paths:
            candidate.signals.add("no_acts")
        place, last = one.turn, self._last_turn if self._last_turn > 3 else 0
        if self.behind:  # how many turns there were is not known
            place, last = self.behind + one.record, self.behind + self._last_record
        if last and place * 4 >= last * 3:
            candidate.signals.add("late")
        elif last and place * 2 <= last:
            candidate.signals.add("early")
        if one.turn == self._last_turn and one.final:
            candidate.signals.add("final_message")
            if not self.acts.paths and one.shape is Shape.BULLET and _PLAN.search(self._request):
                candidate.signals.add("plan_left")
            if "under_test" in candidate.signals and one.shape is Shape.BULLET:
                candidate.signals.add("test_step")
            if "asks" in candidate.signals and not is_offer(one.text, self._cues):
                candidate.signals.add("asked_last")
        elif candidate.put:
            candidate.signals.add("asked_before")
        left = one.role is Role.USER and any(one is asked for asked in self._unanswered)
        if left and candidate.signals & {"asks", "is_question"}:
            candidate.signals.add("unanswered")
        if one.role is Role.ASSISTANT and "asks" in candidate.signals and is_offer(one.text, self._cues):
            candidate.signals.add("offer")

    def _points(self, candidate: Candidate) -> dict[Kind, int]:
        return self._signals.sum(candidate.signals)

    def _kind(self, candidate: Candidate) -> Kind | None:
        kind, margin = self._nearest(candidate)
        return kind if margin >= 0 else None

    def _findings(self, candidate: Candidate, kind: Kind) -> list[Finding]:
        """The finding; of a proposal that was taken one for the proposal and one for the words that took it."""
        places = [candidate.statement] if candidate.reply is None else [candidate.statement, candidate.reply]
        return [self._finding(candidate, kind, one) for one in places]

    def _finding(self, candidate: Candidate, kind: Kind, one: Statement) -> Finding:
        points = candidate.points[kind]
        rule = candidate.rule or (candidate.verdict.rule if candidate.verdict.kind is kind else f"{kind}/signals")
        if rule == PROHIBITION and _holds(candidate):
            rule = HOLD
        return Finding(
            kind=kind,
            text=dated(candidate.text, one.time),
            rule=rule,
            points=points,
            confidence=self._signals.confidence(kind, points),
            role=one.role,
            time=one.time,
            turn=one.turn,
            source=Source(path=self._path, record=one.record, quote=one.quote),
            tags=(*candidate.tags, *self._tags(candidate, kind)),
        )

    @staticmethod
    def _tags(candidate: Candidate, kind: Kind) -> tuple[str, ...]:
        """`constraint` for what the user rules out or limits, `proposal` for what was proposed and never approved."""
        if kind is not Kind.DECISION:
            return ()
        if candidate.statement.role is not Role.ASSISTANT:
            binds = any(rule in _BINDING and effect == KEEP for rule, _, _, effect in candidate.verdict.marks)
            return ("constraint",) if binds else ()
        approved = candidate.signals & {"approved", "accepted", "shared"}
        return ("proposal",) if "proposal" in candidate.signals and not approved else ()


def _holds(candidate: Candidate) -> bool:
    """Whether it bids to wait with the work for the moment."""
    rules = {rule for rule, _, _, effect in candidate.verdict.marks if effect == KEEP}
    return HOLD in rules or (PROHIBITION in rules and bool(_FOR_NOW.search(candidate.text)))


def _by_words(verdict: Verdict) -> tuple[Kind, int]:
    """The kind that the cues alone give a statement and their weight, or a weight under 0 where they give none."""
    weak = verdict.kind is Kind.DECISION and verdict.weight < SPOKEN and verdict.rule in _SPOKEN_RULES
    if verdict.kind is None or verdict.proposal or weak:
        return Kind.FACT, -1
    return verdict.kind, verdict.weight
