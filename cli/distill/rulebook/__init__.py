"""Finds, reads, checks and compiles the rules; the only door to YAML."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distill.rulebook.book import Rulebook
from distill.text.patterns import keep_at_end

if TYPE_CHECKING:
    from distill.rulebook.dialogue import Dialogue
    from distill.rulebook.files import RuleText
    from distill.rulebook.packs import RuleSet
    from distill.rulebook.runner import Failure

KEPT = 4  # rulebooks of one process that stay ready: building the automata costs more than a small log
_LOADED: dict[str, Rulebook] = {}

__all__ = ["Rulebook", "check", "dialogues", "load", "read", "uncovered"]


def load(packs: Sequence[Path] = (), builtin: bool = True) -> Rulebook:
    """The compiled rules of the package (where `builtin`) and of `packs`, later ones over earlier ones.

    Compiled once and kept in the user's cache folder. Raises RuleError where rule files have faults or break their own
    examples (with packs: the examples of the packs' rules), and DistillError where a pack cannot be read.
    """
    from distill.rulebook import cache
    from distill.rulebook.files import collect_all

    texts = collect_all(packs, builtin)
    parts = [b"%d" % builtin]
    for number, pack in enumerate(texts):
        for one in pack:
            parts += [b"%d" % number, os.fsencode(one.id), one.data]
    key = cache.key(parts)
    if key in _LOADED:
        return _LOADED[key]
    keep_at_end()
    tables = cache.get(key)
    if tables is None:
        tables = _compile(texts)
        cache.put(key, tables)
    while len(_LOADED) >= KEPT:
        _LOADED.pop(next(iter(_LOADED)))
    _LOADED[key] = Rulebook(tables, key)
    return _LOADED[key]


def read(packs: Sequence[Path] = (), builtin: bool = True) -> RuleSet:
    """The rules as written, with their reasons and examples; raises like `load`, but runs no examples."""
    from distill.rulebook.files import collect_all
    from distill.rulebook.packs import read

    return read(collect_all(packs, builtin))


def check(packs: Sequence[Path] = (), builtin: bool = True, only: str = "") -> list[Failure]:
    """The examples that do not hold, of all rules or of those whose id begins with `only`."""
    from distill.rulebook.runner import failures
    from distill.rulebook.signal_examples import signal_examples, signal_failures

    rules = read(packs, builtin)
    book = Rulebook(_tables(rules))
    chosen = [rule for rule in rules.rules.values() if rule.id.startswith(only)]
    rows = [one for one in signal_examples(rules.signals) if f"signals/{one.name}".startswith(only)]
    return failures(book, chosen) + signal_failures(book.signals, rows)


def uncovered(packs: Sequence[Path] = (), builtin: bool = True) -> list[tuple[str, str]]:
    """The cues that no example of their rule or signal shows, as (id, cue)."""
    from distill.rulebook.runner import uncovered
    from distill.rulebook.signal_examples import signal_examples, uncovered_words

    rules = read(packs, builtin)
    return uncovered(Rulebook(_tables(rules)), rules.rules.values()) + uncovered_words(signal_examples(rules.signals))


def dialogues(packs: Sequence[Path] = (), builtin: bool = True) -> tuple[Dialogue, ...]:
    """The dialogues of the package and of `packs`; raises like `read`."""
    return tuple(read(packs, builtin).dialogues)


def _compile(texts: Sequence[Sequence[RuleText]]) -> dict[str, Any]:
    from distill.rulebook.packs import RuleError, read
    from distill.rulebook.runner import failures, problems

    rules = read(texts)
    tables = _tables(rules)
    chosen = [rule for rule in rules.rules.values() if len(texts) == 1 or rule.id in rules.pack_ids]
    if found := failures(Rulebook(tables), chosen):
        raise RuleError(problems(found, {one.file: one.text for pack in texts for one in pack}))
    return tables


def _tables(rules: RuleSet) -> dict[str, Any]:
    from dataclasses import asdict

    from distill.rulebook.build import build
    from distill.rulebook.signals import LIMITS, read_signals

    rows = {row.name: row for body in rules.signals for row in read_signals(body)}
    tables = build(list(rules.rules.values()), rules.effects)
    for name in LIMITS:
        found = [body[name] for body in rules.signals if name in body]
        tables[name] = tuple(found[-1]) if found else None
    tables["signals"] = [{**asdict(row), "roles": tuple(str(role) for role in row.roles)} for row in rows.values()]
    return tables
