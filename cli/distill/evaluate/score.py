"""One state against the labels of its log: what is right, wrong, stale, said twice, missed; and the figures of many.

An item says a label when enough of the words of one stand in the other: half of a quote that stands within two records
of one of the item's sources, three quarters of any other quote, 70 % of the label's own text. Items are taken in the
order of the state, kind by kind:
- right: it says a live label of its kind that no item before it has taken; of several it takes the best;
- duplicate: it says only labels of its kind that are taken; counts in neither precision nor recall;
- stale: it says a label of its kind that no longer holds better than any live one; always wrong;
- wrong: all else.
Whatever the kind, each live label that some item says counts as shown: that is what `any` and `kept` measure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from distill.evaluate.labels import Label
from distill.evaluate.likeness import alike, terms, tokens
from distill.model import Item, Kind, State, Status

NEAR = 2  # records between a quote and a source of the item, at most
NEAR_ENOUGH, FAR_ENOUGH, TEXT_ENOUGH = 0.5, 0.75, 0.7
NEAR_BONUS = 0.2


class Verdict(StrEnum):
    """What becomes of an item."""

    RIGHT = "right"
    WRONG = "wrong"
    STALE = "stale"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An item with its verdict, the rule that found it and the first record it comes from.

    `label` and `label_kind` are the label it says best, None where it says none. A wrong item says one of another kind.
    """

    kind: Kind
    text: str
    verdict: Verdict
    label: str | None = None
    label_kind: Kind | None = None
    rule: str = ""
    record: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A live label: `found` when an item of its kind took it, `shown` by the kinds of all items that say it.

    `record` is the first of its evidence.
    """

    kind: Kind
    text: str
    weight: int
    found: bool
    shown: tuple[Kind, ...] = ()
    record: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScore:
    """One log: its items in the order of the state, its live labels in the order of the file, tokens of the items."""

    items: tuple[Judged, ...]
    labels: tuple[Told, ...]
    size: float

    def count(self, verdict: Verdict) -> int:
        """How many items have that verdict."""
        return sum(one.verdict is verdict for one in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFigures:
    """Precision, recall and F1 of a kind, 0 to 1; `gold` counts its live labels."""

    p: float
    r: float
    f1: float
    gold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of one or more logs, shares rounded to three places.

    `macro_f1` is the mean over the kinds that have labels; `any_recall` the share of labels that are shown as whatever
    kind; `kept` the same by weight; `size` the mean tokens of a log's items.
    """

    by_kind: dict[Kind, KindFigures]
    macro_f1: float
    any_recall: float
    kept: float
    dup: int
    stale: int
    size: int


@dataclass(frozen=True, slots=True)
class _Probe:
    """One text that shows a label: a quote with its record, or the label's own text."""

    label: int
    quote: bool
    record: int | None
    size: int


class Measure:
    """The labels of one log, ready to be held against states."""

    def __init__(self, labels: Sequence[Label]) -> None:
        self._labels = tuple(labels)
        self._probes: list[_Probe] = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)  # term -> probes that have it, how often
        for number, label in enumerate(self._labels):
            for one in label.evidence:
                self._add(number, one.quote, quote=True, record=one.record)
            self._add(number, label.text, quote=False, record=None)

    def _add(self, label: int, text: str, *, quote: bool, record: int | None) -> None:
        found = terms(text)
        for term, count in found.items():
            self._places[term].append((len(self._probes), count))
        self._probes.append(_Probe(label, quote, record, found.total()))

    def score(self, state: State) -> LogScore:
        """The live items of `state` judged by the labels."""
        labels = self._labels
        items: list[Judged] = []
        taken: set[int] = set()
        shown: dict[int, set[Kind]] = defaultdict(set)
        for item in (one for kind in Kind for one in state.live(kind)):
            said = self.said(item)
            live = [number for number in said if labels[number].status is Status.LIVE]
            for number in live:
                shown[number].add(item.kind)
            right = [number for number in live if labels[number].kind is item.kind]
            fresh = [number for number in right if number not in taken]
            past = [n for n in said if labels[n].status is not Status.LIVE and labels[n].kind is item.kind]
            of: int | None = None
            if past and said[past[0]] > (said[live[0]] if live else 0.0):
                verdict, of = Verdict.STALE, past[0]
            elif fresh:
                verdict, of = Verdict.RIGHT, fresh[0]
                taken.add(of)
            elif right:
                verdict, of = Verdict.DUPLICATE, right[0]
            else:
                verdict, of = Verdict.WRONG, live[0] if live else None
            items.append(_judged(item, verdict, None if of is None else labels[of]))
        told = [
            Told(kind=label.kind, text=label.text, weight=label.weight, found=number in taken,
                 shown=tuple(kind for kind in Kind if kind in shown[number]),
                 record=min((one.record for one in label.evidence if one.record is not None), default=None))
            for number, label in enumerate(labels) if label.status is Status.LIVE
        ]
        return LogScore(items=tuple(items), labels=tuple(told), size=sum(tokens(one.text) for one in items))

    def said(self, item: Item) -> dict[int, float]:
        """The labels that `item` says, by their number, and how well (over 0, up to 1.2); best first."""
        found = terms(item.text)
        total = found.total()
        around = {source.record + step for source in item.sources for step in range(-NEAR, NEAR + 1)}
        common: Counter[int] = Counter()
        for term, count in found.items():
            for place, wanted in self._places.get(term, ()):
                common[place] += min(count, wanted)
        best: dict[int, float] = {}
        for place, both in common.items():
            probe = self._probes[place]
            near = probe.record is not None and probe.record in around
            worth = alike(both, total, probe.size)
            enough = TEXT_ENOUGH if not probe.quote else NEAR_ENOUGH if near else FAR_ENOUGH
            if worth >= enough:
                best[probe.label] = max(best.get(probe.label, 0.0), worth + (NEAR_BONUS if near else 0.0))
        return dict(sorted(best.items(), key=lambda pair: (-pair[1], pair[0])))


def _judged(item: Item, verdict: Verdict, label: Label | None) -> Judged:
    return Judged(
        kind=item.kind, text=item.text, verdict=verdict, label=label.text if label else None,
        label_kind=label.kind if label else None, rule=item.rule,
        record=min((source.record for source in item.sources), default=None),
    )


def figures(scores: Sequence[LogScore]) -> Figures:
    """The figures of `scores` taken together: counts are added up first, so that long logs weigh more."""
    by_kind: dict[Kind, KindFigures] = {}
    f1s: list[float] = []
    for kind in Kind:
        verdicts = Counter(one.verdict for score in scores for one in score.items if one.kind is kind)
        right = verdicts[Verdict.RIGHT]
        claimed = right + verdicts[Verdict.WRONG] + verdicts[Verdict.STALE]
        gold = sum(label.kind is kind for score in scores for label in score.labels)
        p, r = _share(right, claimed), _share(right, gold)
        f1 = 2 * p * r / (p + r) if p + r else 0.0
        if gold:
            f1s.append(f1)
        by_kind[kind] = KindFigures(p=round(p, 3), r=round(r, 3), f1=round(f1, 3), gold=gold)
    labels = [label for score in scores for label in score.labels]
    shown = [label for label in labels if label.shown]
    return Figures(
        by_kind=by_kind,
        macro_f1=round(sum(f1s) / len(f1s), 3) if f1s else 0.0,
        any_recall=round(_share(len(shown), len(labels)), 3),
        kept=round(_share(sum(one.weight for one in shown), sum(one.weight for one in labels)), 3),
        dup=sum(score.count(Verdict.DUPLICATE) for score in scores),
        stale=sum(score.count(Verdict.STALE) for score in scores),
        size=round(sum(score.size for score in scores) / len(scores)) if scores else 0,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
