"""What an earlier state holds and what a log says since, as one list: the same thing once, what is said later wins.

Works on items, so that an item nobody touches comes back as it was: a rerun over the same log changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from distill.model import Finding, Item, Kind, Role, Source, Status
from distill.reconcile.endings import FILE, Closer, path_of
from distill.reconcile.heads import PIPE
from distill.reconcile.merge import COMMON, likely, merge
from distill.reconcile.refresh import HAND, PINNED, REMOVED, Place, by_hand, describes, earlier, places, refreshed
from distill.reconcile.runs import TEST_RUN, covers
from distill.reconcile.said import Endings
from distill.reconcile.subjects import Subject, replaces, subject_of
from distill.text.fold import fold
from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

HOLD = "decision/hold"
TRIES = 5  # items that share most words with a new one and are compared with it
HISTORY = 100  # items that left and are remembered: a chain would grow without end
_DECIDED = Lazy(r"^(?:我们)?(?:决定|确定|约定|定了)(?!的)")  # in pairs of characters its last is part of a word


def carry(
    before: Sequence[Item],
    found: Sequence[Item],
    *,
    known: bool = False,
    endings: Endings | None = None,
    edited: str | None = None,
    since: int = 0,
) -> list[Item]:
    """The items of `before`, in their order and brought up to date, then what is new among `found`.

    `found` are the items of one log that comes after `before`. `known` says that this log was distilled into `before`
    already: then only what `before` lacks is added. `endings` is what the log says to be finished or gone. `edited` is
    the time from which edits by hand count (when the state was written); they win over what was said until then.
    `since` is the record from which this log was read, where its beginning was distilled into `before`.
    """
    if known and sum(item.status is not Status.LIVE for item in before) >= HISTORY:
        return list(before)  # what it lacks may have left and be forgotten
    merger = _Merger(before, found, edited or "", since)
    merger.take(found, known)
    if before and not known:
        merger.overtake(found)
        merger.end(endings or Endings())
    return merger.items()


def recent(history: Sequence[Item]) -> list[Item]:
    """Of the items that left, latest first, those that are remembered: the latest, and all that a hand took out."""
    kept: list[Item] = []
    left = HISTORY
    for item in history:
        if REMOVED in item.tags or HAND in item.tags:
            kept.append(item)
        elif left:
            kept.append(item)
            left -= 1
    return kept


@dataclass(frozen=True, slots=True)
class _Match:
    """The row of the list that says the same."""

    row: int
    exact: bool  # the same words, or the same file


class _Merger:
    """The rows of the list being made; the first ones are those of the earlier state, each in its place."""

    def __init__(self, before: Sequence[Item], found: Sequence[Item], edited: str, since: int) -> None:
        """`found` are the items that are about to be brought in: of `before` only what they may meet is indexed."""
        self._rows = list(before)
        self._count = len(before)
        self._edited = edited
        self._since = since
        self._names: dict[str, str] = {}  # ids that an item goes by, and the one it goes by now
        self._matched: set[int] = set()  # rows that a live item of the log states
        self._news: dict[str, int] = {}  # live items of the log that say something new, by id: their row
        self._ids: dict[str, int] = {}
        self._texts: dict[tuple[bool, str], int] = {}
        self._files: dict[str, int] = {}
        self._places: dict[Place, list[int]] = {}
        self._words: dict[str, list[int]] = {}
        self._subjects: dict[int, Subject] = {}
        lengths = {len(item.text) for item in found}  # folding changes none
        records = {source.record for item in found for source in item.sources}
        wanted = _words_of(found)
        for row, item in sorted(enumerate(before), key=lambda pair: pair[1].status is not Status.LIVE):
            self._ids.setdefault(item.id, row)
            if len(item.text) in lengths:
                self._texts.setdefault((item.kind is Kind.OPEN, fold(item.text)), row)
            if any(source.record in records for source in item.sources):
                for place in places(item):
                    self._places.setdefault(place, []).append(row)
            if path := path_of(item):
                self._files.setdefault(path, row)  # known by it, whatever the words say
                continue
            for word in grams(item.text) & wanted:
                self._words.setdefault(word, []).append(row)

    def items(self) -> list[Item]:
        """The rows, with links to the ids that items go by now."""
        links = {old: new for old, new in self._names.items() if old != new}
        if not links:
            return self._rows
        return [
            replace(
                item,
                by=links.get(item.by, item.by) if item.by else None,
                supersedes=tuple(dict.fromkeys(links.get(one, one) for one in item.supersedes)),
            )
            if item.by in links or not links.keys().isdisjoint(item.supersedes)
            else item
            for item in self._rows
        ]

    # -- the same thing once ------------------------------------------------------------------------------------------

    def take(self, found: Sequence[Item], known: bool) -> None:
        """Bring every item of the log to the row that states it, or to a new one."""
        matches = self._matches(found)
        for number, item in enumerate(found):  # names first: links among the new items go by them
            match = matches.get(number)
            self._names[item.id] = self._rows[match.row].id if match else item.id
        for number, item in enumerate(found):
            match = matches.get(number)
            if match is None:
                if item.status is Status.LIVE:
                    self._news[item.id] = len(self._rows)
                self._rows.append(item)
            elif not known:
                self._restate(match, item)

    def _matches(self, found: Sequence[Item]) -> dict[int, _Match]:
        """For each item of the log the row that states the same; a row takes one rewording at most."""
        chosen: dict[int, _Match] = {}
        taken: set[int] = set()
        for number, item in enumerate(found):
            row = self._ids.get(item.id)
            if row is None:
                row = self._texts.get((item.kind is Kind.OPEN, fold(item.text)))
            if row is None and (path := path_of(item)):
                row = self._files.get(path)
            if row is not None:
                chosen[number] = _Match(row, True)
                taken.add(row)
        likely: list[tuple[float, int, int]] = []
        for number, item in enumerate(found):
            if number not in chosen and not path_of(item):
                likely += [(-share, number, row) for share, row in self._twins(item)]
        for _, number, row in sorted(likely):
            if number not in chosen and row not in taken:
                chosen[number] = _Match(row, False)
                taken.add(row)
        for number, item in enumerate(found):  # other words for what stands at the same place and nowhere else
            if number in chosen:
                continue
            rows = {row for place in places(item) for row in self._places.get(place, ())}
            same = [row for row in rows if self._rows[row].kind is item.kind and row not in taken]
            if len(rows) == 1 and same:
                chosen[number] = _Match(same[0], False)
                taken.add(same[0])
        return chosen

    def _twins(self, item: Item) -> list[tuple[float, int]]:
        """The rows that say the same in other words, with the share of words they have in common."""
        words = grams(item.text)
        shared: Counter[int] = Counter()
        for word in words:
            if len(rows := self._words.get(word, ())) <= COMMON:
                shared.update(rows)
        likely = sorted(shared, key=lambda row: (-shared[row], row))[:TRIES]
        return [
            (shared[row] / max(1, min(len(words), len(grams(self._rows[row].text)))), row)
            for row in likely
            if self._same(self._rows[row], item)
        ]

    def _same(self, old: Item, new: Item) -> bool:
        """Whether the rule by which findings of one log become one item makes these one."""
        if (old.kind is Kind.OPEN) is not (new.kind is Kind.OPEN) or path_of(old) or not likely(old.text, new.text):
            return False
        if TEST_RUN in (old.rule, new.rule):
            return False
        if old.kind is new.kind and replaces(subject_of(new.text), subject_of(old.text)):
            return False
        return len(merge([_finding(old, 0), _finding(new, 1)])) == 1

    def _restate(self, match: _Match, new: Item) -> None:
        """What the log says of an item that is known: its times move, it may leave the list or come back to it."""
        old = self._rows[match.row]
        older = earlier(new.at, self._when(old))
        if old.status is Status.LIVE:
            reword = describes(new, old) if match.exact else self._better(new, old)
            item = refreshed(old, new, reword=reword)
            if new.status is not Status.LIVE and not older and not by_hand(old):
                item = replace(item, status=new.status, by=self._names.get(new.by, new.by) if new.by else None)
            elif new.status is Status.LIVE:
                self._matched.add(match.row)
                self._news[new.id] = match.row
            self._put(match.row, item, new)
        elif HAND in old.tags or REMOVED in old.tags or self._told(old, new):
            return  # a hand took it out, or it is what was said before it left
        elif new.status is Status.LIVE:
            self._put(
                match.row,
                replace(refreshed(old, new, reword=self._better(new, old)), status=Status.LIVE, by=None),
                new,
            )
            self._matched.add(match.row)
            self._news[new.id] = match.row
            self._push_out(old.by, match.row)

    def _put(self, row: int, item: Item, new: Item) -> None:
        self._names[self._rows[row].id] = item.id
        self._names[new.id] = item.id
        self._rows[row] = item

    def _told(self, old: Item, new: Item) -> bool:
        """Whether `new` says nothing after `old` left the list."""
        by = self._ids.get(old.by) if old.by else None
        left = max(old.at or "", self._rows[by].at or "" if by is not None else "")
        if new.at and left:
            return new.at <= left
        return places(new) <= places(old)

    def _push_out(self, by: str | None, row: int) -> None:
        """A choice came back: what stood in its place leaves."""
        other = self._ids.get(by) if by else None
        if other is not None and other not in self._matched and self._rows[other].status is Status.LIVE:
            self._supersede(other, row)

    def _better(self, new: Item, old: Item) -> bool:
        """Whether the later words are the better ones: surer, fuller, or the user's own where the others are not."""
        if by_hand(old) or earlier(new.at, old.at) or new.status is not Status.LIVE:
            return False
        if (new.role is Role.USER) is not (old.role is Role.USER):
            return new.role is Role.USER
        return new.confidence >= old.confidence or _about(old.text) < _about(new.text)

    # -- what is said later wins --------------------------------------------------------------------------------------

    def overtake(self, found: Sequence[Item]) -> None:
        """Let what the log says replace earlier values on the same subject, or the reverse where the log is older."""
        for item in found:
            row = self._news.get(item.id)
            if row is None or item.kind is Kind.OPEN or item.rule.startswith("artifact/"):
                continue
            if self._rows[row].status is not Status.LIVE:
                continue
            if item.rule == TEST_RUN:
                self._run(row)
                continue
            subject = subject_of(item.text)
            paths = {source.path for source in item.sources} - {PIPE}
            near: set[int] = set()
            for word in subject.near:
                if len(rows := self._words.get(word, ())) <= COMMON:
                    near.update(rows)
            for other in sorted(near - {row}):
                old = self._rows[other]
                if old.status is not Status.LIVE or old.kind is not item.kind or other in self._matched:
                    continue
                if any(source.path in paths and source.record >= self._since for source in old.sources):
                    continue  # both stand in this log, which has settled it
                if other not in self._subjects:
                    self._subjects[other] = subject_of(old.text)
                if not earlier(item.at, self._when(old)):
                    if replaces(subject, self._subjects[other]):
                        self._supersede(other, row)
                elif row >= self._count and replaces(self._subjects[other], subject):
                    self._supersede(row, other)
                    break

    def _run(self, row: int) -> None:
        """Let the latest test run tell how tests stand."""
        run = self._rows[row]
        for other, old in enumerate(self._rows[: self._count]):
            if other == row or old.status is not Status.LIVE or HAND in old.tags:
                continue
            if not earlier(run.at, old.at):
                if covers(run, old):
                    self._supersede(other, row, Status.RESOLVED if old.kind is Kind.OPEN else Status.SUPERSEDED)
            elif row >= self._count and covers(old, run):
                self._supersede(row, other)
                return

    def _supersede(self, old: int, new: int, status: Status = Status.SUPERSEDED) -> None:
        gone, item = self._rows[old], self._rows[new]
        if PINNED in gone.tags:
            return
        self._rows[old] = replace(gone, status=status, by=item.id)
        if gone.id not in item.supersedes:
            self._rows[new] = replace(item, supersedes=(*item.supersedes, gone.id))

    def end(self, endings: Endings) -> None:
        """Take out open items that are finished or decided, bans that are lifted, files and commits that are gone."""
        news = [self._rows[row] for row in self._news.values()]
        closer = Closer(endings, [one for one in news if one.kind is Kind.DECISION and one.status is Status.LIVE])

        def lifted(item: Item) -> bool:
            """Whether a ban was lifted, or the work went on that it bade to wait for."""
            went_on = item.rule == HOLD and endings.changed and not earlier(endings.until, item.at)
            return HAND not in item.tags and (went_on or closer.lifted(item) is not None)

        files = [one for one in news if one.rule == FILE]
        for row in range(self._count):
            item = self._rows[row]
            if item.status is not Status.LIVE or row in self._matched or PINNED in item.tags:
                continue
            if item.kind is Kind.OPEN:
                if by := closer.settled(item) or closer.made(item, files):
                    self._rows[row] = replace(item, status=Status.RESOLVED, at=by.at or item.at, by=by.id)
                elif said := closer.finished(item):
                    self._rows[row] = replace(item, status=Status.RESOLVED, at=said.time or item.at)
                elif said := closer.dropped(item):
                    self._rows[row] = replace(item, status=Status.SUPERSEDED, at=said.time or item.at)
            elif closer.gone(item) if path_of(item) else lifted(item):
                self._rows[row] = replace(item, status=Status.SUPERSEDED)

    def _when(self, item: Item) -> str | None:
        """When an item was said or edited last."""
        return max(item.at or "", self._edited) or None if HAND in item.tags else item.at


def _words_of(found: Sequence[Item]) -> frozenset[str]:
    """The words by which items that say something like `found` are looked for."""
    texts = [item.text for item in found if not path_of(item)]
    return frozenset[str]().union(*map(grams, texts), *(subject_of(text).near for text in texts))


def _about(text: str) -> frozenset[str]:
    """The words of `text` but for those of deciding."""
    return content(grams(_DECIDED.sub("", text)))


def _finding(item: Item, turn: int) -> Finding:
    return Finding(
        kind=item.kind,
        text=item.text,
        rule=item.rule,
        points=round(item.confidence * 20),
        confidence=item.confidence,
        role=item.role,
        source=Source(path="", record=turn, quote=""),
        time=item.at,
        turn=turn,
    )
