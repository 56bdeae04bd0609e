"""Runs the examples that signals with words carry: statements that show the signal, or headings that give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from distill.model import Role
from distill.rulebook.runner import Failure, Fault
from distill.rulebook.signals import Signals, WordFinder, expand, split_words
from distill.text.fold import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalExamples:
    """What a signal with words is tested with. `cues` are its words as written."""

    name: str
    title: bool  # found by the words of the heading above
    role: Role
    cues: tuple[str, ...]
    match: tuple[str, ...]
    no_match: tuple[str, ...]


def signal_examples(bodies: Iterable[Mapping[str, Any]]) -> list[SignalExamples]:
    """The examples of the signals in parsed files without faults, later files over earlier ones."""
    rows = {str(name): row for body in bodies for name, row in body.get("signals", {}).items()}
    return [
        SignalExamples(
            name=name,
            title="headings" in row,
            role=Role(row["roles"][0]) if row.get("roles") else Role.UNKNOWN,
            cues=tuple(split_words(row["headings"] if "headings" in row else row["cues"])),
            match=tuple(row.get("match", ())),
            no_match=tuple(row.get("no_match", ())),
        )
        for name, row in rows.items()
        if "cues" in row or "headings" in row
    ]


def signal_failures(signals: Signals, examples: Iterable[SignalExamples]) -> list[Failure]:
    """The examples that do not hold, in the order of the signals."""
    return [failure for one in examples for failure in _of_signal(signals, one)]


def _of_signal(signals: Signals, one: SignalExamples) -> Iterator[Failure]:
    for texts, wanted, fault in ((one.match, True, Fault.MISSING), (one.no_match, False, Fault.NOISY)):
        for text in texts:
            found = signals.headings(fold(text)) if one.title else signals.words(fold(text), one.role)
            if (one.name in found) != wanted:
                got = ", ".join(sorted(found)) or "no signal"
                yield Failure(rule=f"signals/{one.name}", fault=fault, text=text, got=got)


def uncovered_words(examples: Iterable[SignalExamples]) -> list[tuple[str, str]]:
    """The words, as written, that no example of their signal shows, as ("signals/NAME", words)."""
    missing = []
    for one in examples:
        finder = WordFinder([(cue, word, False) for cue in one.cues for word in expand(cue)])
        seen = {cue for text in one.match for cue in finder.find(fold(text))[0]}
        missing += [(f"signals/{one.name}", cue) for cue in one.cues if cue not in seen]
    return missing
