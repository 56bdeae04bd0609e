"""What one side says again of the other's words: an answer the wish it carries out, a closing list what was put off."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from distill.model import Kind, Role
from distill.reconcile.endings import about, other_numbers
from distill.reconcile.merge import COMMON, Group, join, overtaken
from distill.reconcile.parallel import keyed, listed, of_other_numbers, parallel
from distill.reconcile.polarity import denies
from distill.text.lazy import Lazy
from distill.text.likeness import figures

LEAST = 2  # words in common from which an answer may say what was asked
SHARE = 0.3  # of the shorter one's words, how many must be common
OWN = 4  # more than one in so many of the answer's words must be the user's
NOTED, SAID_AGAIN = 0.25, 0.5  # the same of what is left, noted by the other side or said again by the same
_LISTED = "open/task"
# A value that another has taken the place of: "from 8:30 to 9:05", "30 → 45".
_REPLACED = Lazy(r"(?:\bfrom\s+|从\s*)(\d[\d.:]*)|(?<![\d.:])(\d[\d.:]*)\s*(?:→|->)")
_NUMERALS = "一二三四五六七八九十"
_ACTS = frozenset(["artifact/file", "artifact/commit", "artifact/opened", "fact/test-run"])


def without_echoes(groups: Sequence[Group]) -> list[Group]:
    """`groups` of one log without those that only say again what another does, which they join as further places."""
    return _join_open(_join_answers(groups))


def _join_answers(groups: Sequence[Group]) -> list[Group]:
    """`groups` of one log without those by which an answer only says the user's choice of the same turn again.

    These join the choice as further places of it. An answer that brings in a number of its own says more, and one that
    denies what the user wants, or the reverse, something else.
    """
    asked: dict[int, list[Group]] = defaultdict(list)
    for group in groups:
        if group.kind is Kind.DECISION and not overtaken(group.best):
            for turn in {member.turn for member in group.members if member.role is Role.USER}:
                asked[turn].append(group)
    index = {turn: _by_word(wishes) for turn, wishes in asked.items()}
    left: list[Group] = []
    for group in groups:
        wish = _wish(group, asked, index) if _answers(group) else None
        if wish is None:
            left.append(group)
        else:
            for member in group.members:
                join(wish, member)
    return left


def _join_open(groups: Sequence[Group]) -> list[Group]:
    """`groups` of one log with what is left open once, though one side notes what the other said, or says it later.

    Of two such groups the later one stays, as closing lists say what is left in full; before all what stands on a list
    of tasks, the end of which acts tell.
    """
    places: dict[str, list[int]] = defaultdict(list)
    kept: list[tuple[Group, frozenset[str]]] = []
    joined: set[int] = set()
    opens = [(group, about(group.best.text)) for group in groups if group.kind is Kind.OPEN]
    opens.sort(key=lambda one: (one[0].best.rule == _LISTED, one[0].order), reverse=True)
    for group, words in opens:
        shared: Counter[int] = Counter()
        for word in words:
            if len(places[word]) <= COMMON:
                shared.update(places[word])
        same = (n for n, both in sorted(shared.items()) if _same_left(group, words, *kept[n], both))
        found = next(same, None)
        if found is None:
            for word in words:
                places[word].append(len(kept))
            kept.append((group, words))
        else:
            joined.add(id(group))
            for member in group.members:
                join(kept[found][0], member)
    return [group for group in groups if id(group) not in joined]


def _same_left(one: Group, words: frozenset[str], other: Group, others: frozenset[str], both: int) -> bool:
    """Whether two groups leave the same open; where both speakers do so, fewer common words tell.

    What is alike but for the thing it names is left beside the other, and so are the lines of one list.
    """
    records = [{member.source.record for member in group.members} for group in (one, other)]
    if both < LEAST or records[0] & records[1] or overtaken(one.best) is not overtaken(other.best):
        return False
    roles = [{member.role for member in group.members} for group in (one, other)]
    enough = NOTED if roles[0] != roles[1] else SAID_AGAIN
    if both < enough * min(len(words), len(others)):
        return False
    first, second = one.best.text, other.best.text
    return not (other_numbers(first, second) or parallel(first, second) or listed(first, second)
                or keyed(first, second) or of_other_numbers(first, second))


def _by_word(wishes: Sequence[Group]) -> dict[str, list[int]]:
    index: dict[str, list[int]] = defaultdict(list)
    for number, wish in enumerate(wishes):
        for word in wish.words:
            index[word].append(number)
    return index


def _answers(group: Group) -> bool:
    """Whether a group may only repeat what the user said: the assistant's own words on a choice or a fact."""
    if group.kind not in (Kind.DECISION, Kind.FACT) or group.best.rule in _ACTS or overtaken(group.best):
        return False
    return all(member.role is Role.ASSISTANT for member in group.members)


def _wish(group: Group, asked: dict[int, list[Group]], index: dict[int, dict[str, list[int]]]) -> Group | None:
    best: tuple[int, Group] | None = None
    for turn in sorted({member.turn for member in group.members}):
        for wish, both in _sharing(group, asked.get(turn, ()), index.get(turn, {})):
            enough = both >= LEAST and both >= SHARE * min(len(group.words), len(wish.words))
            if enough and both * OWN > len(group.words) and not _more(group, wish) and (not best or both > best[0]):
                best = both, wish
    return best[1] if best else None


def _sharing(group: Group, wishes: Sequence[Group], index: dict[str, list[int]]) -> Iterator[tuple[Group, int]]:
    shared: Counter[int] = Counter()
    for word in group.words:
        if len(places := index.get(word, ())) <= COMMON:
            shared.update(places)
    for number, both in sorted(shared.items()):
        yield wishes[number], both


def _more(group: Group, wish: Group) -> bool:
    """Whether the answer says more than the wish, or the contrary."""
    if _new_numbers(group.best.text, wish.best.text):
        return True
    one, other = group.subject, wish.subject
    return any(
        first.denied and denies(first.denied, second.held, second.denied, second.text)
        for first, second in ((one, other), (other, one))
    )


def _new_numbers(said: str, wanted: str) -> bool:
    """Whether `said` brings in a number: neither one of `wanted`, nor the value that one of those took the place of."""
    replaced = figures(" ".join(one for pair in _REPLACED.findall(said) for one in pair))
    for number in figures(said) - figures(wanted) - replaced:
        place = int(number) - 1 if number.isdigit() else -1
        if not (0 <= place < len(_NUMERALS) and _NUMERALS[place] in wanted):
            return True
    return False
