"""Runs the examples that rules carry: the one runner behind loading, the tests and `rules test`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from distill.model import Role
from distill.rulebook.book import Rulebook
from distill.rulebook.rule import TALK, Example, Place, Problem, Rule
from distill.rulebook.talk import Heard
from distill.rulebook.verdict import KEEP


class Fault(StrEnum):
    """What is wrong with an example."""

    MISSING = "missing"  # it must be found and is not
    NOISY = "noisy"  # it must not be found and is, or is something else than the kind it is pinned to
    PASSES = "passes"  # a known miss that is none any more: move it to `match` or `no_match`


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One example that does not hold: of which rule, and what the sentence was taken for instead."""

    rule: str
    fault: Fault
    text: str
    got: str
    file: str = ""
    field: str = "match"

    def __str__(self) -> str:
        return f"{self.rule}: {self.fault}: {self.text!r} is {self.got}"


def failures(book: Rulebook, rules: Iterable[Rule]) -> list[Failure]:
    """The examples of `rules` that do not hold in `book`, in the order of the rules."""
    return [failure for rule in rules for failure in _of_rule(book, rule)]


def problems(found: Iterable[Failure], texts: dict[str, str]) -> list[Problem]:
    """Failures as faults of rule files; `texts` maps a file to its text."""
    places = []
    for one in found:
        place = Place(one.file, texts.get(one.file, ""))
        line = place.line(one.field, one.text)
        places.append(Problem(one.file, line, one.field, f"{one.fault}: {one.text!r} is {one.got}"))
    return places


def uncovered(book: Rulebook, rules: Iterable[Rule]) -> list[tuple[str, str]]:
    """The cues that no example of their rule shows, as (rule id, cue): a warning, not a fault."""
    found = []
    for rule in rules:
        seen: set[str] = set()
        for example in (*rule.match, *rule.todo_match):
            seen |= _shown(book, rule, example.text)
        found += [(rule.id, cue.text) for cue in rule.cues if cue.text not in seen]
    return found


def _shown(book: Rulebook, rule: Rule, text: str) -> set[str]:
    """The cues of `rule` that count in `text`."""
    if rule.group in TALK:
        return {one.cue for one in _heard(book, rule, text) if one.name == rule.name}
    told = book.explain(text, role_of(rule))
    if rule.group == "modifier":
        return {reach.cue for reach in told.modifiers if reach.name == rule.name}
    return {mark.cue for mark in told.marks if mark.rule == rule.id and not mark.lost}


def _heard(book: Rulebook, rule: Rule, text: str) -> list[Heard]:
    return book.replies(text) if rule.group == "reply" else book.speech(text)


def role_of(rule: Rule) -> Role:
    """The role that the examples of `rule` are said in."""
    return Role(rule.roles[0]) if rule.roles else Role.UNKNOWN


def _of_rule(book: Rulebook, rule: Rule) -> Iterator[Failure]:
    for name, examples, wanted, fault in (
        ("match", rule.match, True, Fault.MISSING),
        ("no_match", rule.no_match, False, Fault.NOISY),
        ("todo_match", rule.todo_match, True, Fault.PASSES),
        ("todo_no_match", rule.todo_no_match, False, Fault.PASSES),
    ):
        for example in examples:
            right, got = _hold(book, rule, example, wanted)
            if right == (fault is Fault.PASSES):
                yield Failure(rule=rule.id, fault=fault, text=example.text, got=got, file=rule.file, field=name)


def _hold(book: Rulebook, rule: Rule, example: Example, wanted: bool) -> tuple[bool, str]:
    """Whether an example is what it shall be, and what it is."""
    role = role_of(rule)
    if rule.group == "modifier":
        names = book.modifiers(example.text, role)
        return (rule.name in names) == wanted, ", ".join(sorted(names)) or "unmodified"
    if rule.group in TALK:
        heard = {one.name for one in _heard(book, rule, example.text)}
        return (rule.name in heard) == wanted, ", ".join(sorted(heard)) or "no words of the talk"
    verdict = book.judge(example.text, role)
    got = str(verdict.kind or "none") + (f" by {verdict.rule}" if verdict.rule else "")
    if example.pin:
        return (verdict.kind or "none") == example.pin, got
    by_this = verdict.kind == rule.group and any(mark[0] == rule.id and mark[3] == KEEP for mark in verdict.marks)
    return by_this == wanted, got
