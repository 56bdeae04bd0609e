"""How two items of different states bear on each other, by their words alone: said again, another value, an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum

from distill.model import Item, Kind
from distill.reconcile.endings import answers, carries_out, path_of
from distill.reconcile.parallel import parallel
from distill.reconcile.runs import TEST_RUN, covers
from distill.reconcile.subjects import Subject, contradicts, replaces, subject_of
from distill.reconcile.wording import bare
from distill.text.likeness import content, grams

SMALLER, LARGER = 0.8, 0.6  # shares of common words, of either text, from which one is a rewording of the other


class Relation(Enum):
    """What the second of two items is to the first."""

    AGAIN = 1  # the same in other words; holds both ways
    ENDS = 2  # another value, a reversal, an answer: it takes the first off the list, if it is the later


class Reader:
    """Items taken apart once."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._paths = [bool(path_of(item)) for item in items]
        self._words = [grams(item.text) for item in items]
        self._content = [content(words) or words for words in (grams(bare(item.text)) for item in items)]
        self._subjects: dict[int, Subject] = {}

    def near(self) -> Iterator[tuple[int, int]]:
        """The pairs of items that share a word, each once, in order."""
        places: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            shared: Counter[int] = Counter()
            for word in words:
                shared.update(places.get(word, ()))
                places.setdefault(word, []).append(number)
            yield from ((other, number) for other in sorted(shared))

    def relations(self, one: int, other: int) -> Iterator[tuple[int, int, Relation]]:
        """What two items are to each other."""
        first, second = self._items[one], self._items[other]
        if TEST_RUN in (first.rule, second.rule):
            for old, new in ((one, other), (other, one)):
                if covers(self._items[new], self._items[old]):
                    yield old, new, Relation.ENDS
            return
        if (first.kind is Kind.OPEN) is (second.kind is Kind.OPEN):
            if self._paths[one] or self._paths[other]:
                return
            if self._again(one, other):
                yield one, other, Relation.AGAIN
                return
            if first.kind is second.kind and first.kind is not Kind.OPEN:
                for old, new in ((one, other), (other, one)):
                    if replaces(self._subject(new), self._subject(old)):
                        yield old, new, Relation.ENDS
            return
        task, deed = (one, other) if first.kind is Kind.OPEN else (other, one)
        if self._settles(self._items[task], self._items[deed]):
            yield task, deed, Relation.ENDS

    def _again(self, one: int, other: int) -> bool:
        both = len(self._content[one] & self._content[other])
        small, large = sorted((len(self._content[one]), len(self._content[other])))
        if both < SMALLER * small or both < LARGER * large or (both < 2 and small != large):
            return False
        first, second = self._subject(one), self._subject(other)
        if contradicts(first, second) or parallel(first.text, second.text):
            return False
        return (first.numbers, first.names, first.negated) == (second.numbers, second.names, second.negated)

    @staticmethod
    def _settles(task: Item, deed: Item) -> bool:
        if deed.kind is Kind.DECISION:
            return answers(deed.text, task.text)
        if deed.kind is Kind.ARTIFACT and deed.rule != "artifact/file":
            return carries_out(deed.text, task.text)
        return False

    def _subject(self, number: int) -> Subject:
        if number not in self._subjects:
            self._subjects[number] = subject_of(self._items[number].text)
        return self._subjects[number]
