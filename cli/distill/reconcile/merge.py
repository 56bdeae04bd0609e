"""Findings to items: the same conclusion once, with all its places; what is overtaken leaves the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from distill.model import (
    CLOSING,
    LATE,
    Finding,
    Item,
    Kind,
    Role,
    Source,
    Status,
    is_passing,
    item_id,
    left,
    passing,
)
from distill.reconcile.parallel import SAME, enough, listed, parallel
from distill.reconcile.runs import retold
from distill.reconcile.subjects import Subject, contradicts, replaces, subject_of
from distill.reconcile.wording import bare
from distill.text.fold import fold
from distill.text.language import han
from distill.text.likeness import content, grams
from distill.text.testruns import tells_tests

ANSWER = 0.8  # an answer and its question hold many words: what is no choice must say nearly the same
COMMON = 60  # words that more statements than this share find no twins
NAMED = 3  # Latin words in common by which statements in two languages are found
SETTLED = 3  # words of an open item that a decision must hold to have settled it
SOURCES = 16  # places kept for one item


def _place(finding: Finding) -> tuple[int, int]:
    return finding.turn, finding.source.record


@dataclass(slots=True)
class Group:
    """One conclusion and every finding that states it."""

    kind: Kind
    best: Finding
    words: frozenset[str]
    subject: Subject
    latin: frozenset[str] = frozenset()  # those of the words that are in Latin letters
    chinese: bool = False  # whether there is Chinese in the best finding
    members: list[Finding] = field(default_factory=list)
    by: Group | None = None
    status: Status = Status.LIVE
    tags: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """The best finding's points, and one more for a second place that says it."""
        return self.best.points + (1 if len({m.source.record for m in self.members}) > 1 else 0)

    @property
    def confidence(self) -> float:
        """The best finding's confidence; what stands at several places is a little surer."""
        return min(0.99, self.best.confidence + (0.04 if len({m.source.record for m in self.members}) > 1 else 0.0))

    @property
    def latest(self) -> Finding:
        """The finding that said it last."""
        return max(self.members, key=_place)

    @property
    def order(self) -> tuple[int, int]:
        """The place where it was last said."""
        return _place(self.latest)


def merge(findings: Sequence[Finding]) -> list[Group]:
    """Findings of one log, in its order, to groups that state one thing each, in order of first mention."""
    groups: list[Group] = []
    index: dict[str, list[int]] = {}
    exact: dict[tuple[str, str], int] = {}
    for finding in sorted(findings, key=lambda f: -f.points):
        words = grams(bare(finding.text))
        words = content(words) or words
        key = (
            (finding.kind, fold(finding.text).strip(" .。"))
            if finding.rule.startswith("artifact/")
            else ("", fold(finding.text))
        )
        twin = exact.get(key)
        if twin is None and not finding.rule.startswith("artifact/"):
            twin = _twin(words, finding, groups, index)
        if twin is not None:
            join(groups[twin], finding)
            continue
        exact[key] = len(groups)
        for word in words:
            index.setdefault(word, []).append(len(groups))
        groups.append(
            Group(kind=finding.kind, best=finding, words=words, subject=subject_of(finding.text), latin=_latin(words),
                  chinese=bool(han(finding.text)), members=[finding])
        )
    return groups


def likely(one: str, other: str) -> bool:
    """Whether two texts have enough words in common to be looked at: `merge` joins no others but equal ones."""
    first, second = (content(words) or words for words in (grams(bare(one)), grams(bare(other))))
    if enough(len(first & second), min(len(first), len(second))):
        return True
    return _names_the_same(_latin(first), _latin(second)) or fold(one) == fold(other)


def _names_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the Latin words of two statements are the same: said in two languages, they share nothing else."""
    both = len(one & other)
    return both >= NAMED and both >= 0.99 * min(len(one), len(other))


def _latin(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isascii())


def _twin(words: frozenset[str], finding: Finding, groups: list[Group], index: dict[str, list[int]]) -> int | None:
    """The group that says the same, or None: enough common words, the same numbers and the same polarity."""
    places = [found for word in words if (found := index.get(word)) is not None and len(found) <= COMMON]
    shared = Counter(chain.from_iterable(places))
    subject = subject_of(finding.text)
    latin, chinese, count = _latin(words), bool(han(finding.text)), len(words)
    near: list[tuple[float, int]] = []
    for number, both in shared.items():
        group = groups[number]
        size = len(group.words)
        if both < 2 and count > 1 and size > 1:
            continue  # most of them
        small = min(count, size)
        same = enough(both, small)
        if not same and (len(latin) < NAMED or chinese is group.chinese):
            continue
        if (group.kind is Kind.OPEN) is not (finding.kind is Kind.OPEN):
            continue  # a question and its answer share their words
        if group.best.rule.startswith("artifact/") and finding.kind is not Kind.ARTIFACT:
            continue
        if overtaken(finding) is not overtaken(group.best):
            continue  # what was taken back is not what stands in its place
        share = both / small if small else 0.0
        if group.best.rule == "decision/answer" and group.kind is not finding.kind and share < ANSWER:
            continue
        if not same:
            if not _names_the_same(latin, group.latin):
                continue
            share = SAME
        near.append((-share, number))
    near.sort()
    for _, number in near:  # the nearest first: what is compared word by word are few
        group = groups[number]
        if not _differ(finding, subject, group) and not parallel(finding.text, group.best.text):
            return number
    return None


def overtaken(finding: Finding) -> bool:
    """Whether later words or acts took it back."""
    return "overtaken" in finding.tags


def _differ(finding: Finding, subject: Subject, group: Group) -> bool:
    """Whether two statements in the same frame say different things: other numbers, or one takes the other back."""
    if contradicts(subject, group.subject):
        return True
    if finding.source.record == group.best.source.record and listed(finding.text, group.best.text):
        return True
    if (finding.turn, finding.source.record) < (group.best.turn, group.best.source.record):
        return group.subject.corrects and replaces(group.subject, subject)
    return subject.corrects and replaces(subject, group.subject)


def join(group: Group, finding: Finding) -> None:
    """Let `finding` be one more place that states what `group` does."""
    group.members.append(finding)
    if finding.role is Role.USER and group.kind is Kind.DECISION and group.best.role is not Role.USER:
        group.tags = (*group.tags, "confirmed")


def settle(groups: list[Group]) -> None:
    """Let later statements replace earlier ones: another value on the same subject, a reversal, a newer measurement."""
    for group in groups:
        if "overtaken" in group.best.tags:
            group.status = Status.SUPERSEDED
    ordered = sorted(groups, key=lambda g: g.order)
    orders = [group.order for group in ordered]
    index: dict[str, list[int]] = {}
    for number, group in enumerate(ordered):
        if group.best.rule.startswith("artifact/"):
            continue
        candidates: set[int] = set()
        last = group.latest
        latest = group.subject if last is group.best else subject_of(last.text)
        for word in latest.near | group.subject.near:
            places = index.setdefault(word, [])
            if len(places) <= COMMON and group.kind is not Kind.OPEN:  # no question takes the place of another
                candidates.update(places)
            places.append(number)
        counts = group.kind is Kind.FACT and tells_tests(last.text)
        for earlier in sorted(candidates):
            old = ordered[earlier]
            if old.status is not Status.LIVE or old.kind is not group.kind:
                continue
            if orders[earlier] == orders[number]:
                continue
            best = latest is not group.subject and _place(group.best) > orders[earlier]
            told = counts and retold(last.text, old.best.text)
            if told or replaces(latest, old.subject) or (best and replaces(group.subject, old.subject)):
                old.status, old.by = Status.SUPERSEDED, group
    _answer_questions(ordered)


def _answer_questions(ordered: Sequence[Group]) -> None:
    """Close what was open once the user has settled it: a later decision that holds half of its words."""
    index: dict[str, list[int]] = {}
    for number, group in enumerate(ordered):
        if group.kind is Kind.DECISION and group.status is Status.LIVE and group.best.role is Role.USER:
            for word in group.words:
                index.setdefault(word, []).append(number)
    for group in ordered:
        is_open = group.kind is Kind.OPEN and group.status is Status.LIVE and group.best.rule != "open/task"
        if not is_open or len(group.words) < SETTLED:
            continue
        shared: Counter[int] = Counter()
        for word in group.words:
            if len(places := index.get(word, ())) <= COMMON:
                shared.update(places)
        for number, both in sorted(shared.items()):
            answer = ordered[number]
            if both >= SETTLED and both * 2 >= len(group.words) and answer.order[0] > group.order[0]:
                group.status, group.by = Status.RESOLVED, answer


def to_item(group: Group) -> Item:
    """The item of a group: the best wording, all places, the time it was last said."""
    best = group.best
    members = sorted(group.members, key=lambda m: (m.turn, m.source.record))
    times = [m.time for m in members if m.time]
    sources: dict[tuple[str, int], Source] = {(best.source.path, best.source.record): best.source}
    for member in reversed(members):
        sources.setdefault((member.source.path, member.source.record), member.source)
    kept = list(sources.values())[:SOURCES]
    return Item(
        id=item_id(group.kind, best.text),
        kind=group.kind,
        text=best.text,
        at=times[-1] if times else None,
        first_at=times[0] if times else None,
        role=best.role,
        confidence=round(group.confidence, 2),
        rule=best.rule,
        tags=tuple(dict.fromkeys((*_tags(group), *group.tags))),
        sources=tuple(sorted(kept, key=lambda s: s.record)),
        status=group.status,
    )


def _tags(group: Group) -> tuple[str, ...]:
    """The tags of the best finding; where it stands at the end of its log, what all of them leave if that goes on."""
    best = group.best
    if not any(map(is_passing, best.tags)):
        return best.tags
    sure, tags = best.confidence, [tag for tag in best.tags if not is_passing(tag)]
    for names in ((CLOSING,), (LATE, CLOSING)):
        rest = max(_rest(member, names) for member in group.members if member.kind is group.kind)
        if rest < sure:
            tags.append(passing(names[0], rest))
            sure = rest
    return tuple(tags)


def _rest(finding: Finding, names: tuple[str, ...]) -> float:
    """What the first of the tags of these names leaves of a finding."""
    found = (left(finding.tags, name) for name in names)
    return next((rest for rest in found if rest is not None), finding.confidence)


def with_history(groups: Sequence[Group], items: Sequence[Item]) -> list[Item]:
    """`items`, of the same order as `groups`, linked to what replaced them and what they replaced."""
    ids = {id(group): item.id for group, item in zip(groups, items, strict=True)}
    replaced: dict[str, list[str]] = {}
    for group in groups:
        if group.by is not None:
            replaced.setdefault(ids[id(group.by)], []).append(ids[id(group)])
    return [
        replace(
            item, by=ids[id(group.by)] if group.by is not None else None, supersedes=tuple(replaced.get(item.id, ()))
        )
        for group, item in zip(groups, items, strict=True)
    ]
