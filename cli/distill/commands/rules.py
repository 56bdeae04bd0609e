"""`distill rules`: look at rules, run their examples, see why a sentence is what it is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from distill import rulebook
from distill.explain import explained, record_statements
from distill.model import DistillError, Kind, Role
from distill.pipeline import open_log
from distill.rulebook.verdict import KEEP, Explanation
from distill.text.clean import clean
from distill.text.mask import masked

_FILE = re.compile(r"\S*[^\W\d]\S*\.\w{1,8}|\S*[/\\]\S+")  # what is meant to be a file, whether it is there or not


def list_command(packs: tuple[Path, ...], builtin: bool, as_json: bool) -> int:
    """Every rule: id, weight, languages, examples, reason."""
    rules = rulebook.read(packs, builtin).rules.values()
    rows = [
        {"id": rule.id, "weight": rule.weight, "roles": list(rule.roles), "cues": len(rule.cues),
         "examples": len(rule.match) + len(rule.no_match), "why": " ".join(rule.why.split())}
        for rule in sorted(rules, key=lambda rule: rule.id)
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    width = max((len(str(row["id"])) for row in rows), default=0)
    for row in rows:
        sums = f"weight {row['weight']}, {row['cues']:3} cues, {row['examples']:3} examples"
        print(f"{row['id']:{width}}  {sums}  {row['why']}")
    return 0


def show_command(name: str, packs: tuple[Path, ...], builtin: bool) -> int:
    """One rule as it is written."""
    rules = rulebook.read(packs, builtin).rules
    rule = rules.get(name)
    if rule is None:
        near = [one for one in sorted(rules) if name in one]
        hint = f"; did you mean {', '.join(near[:5])}?" if near else "; see distill rules list"
        raise DistillError(f"no rule is called {name!r}{hint}")
    print(f"# {rule.id} ({rule.file})")
    print(Path(rule.file).read_text(encoding="utf-8-sig").rstrip())
    return 0


def test_command(packs: tuple[Path, ...], builtin: bool, quiet: bool) -> int:
    """Run all examples; name what is missing or noisy, and cues that no example shows."""
    rules = rulebook.read(packs, builtin).rules.values()
    failures = rulebook.check(packs, builtin)
    for failure in failures:
        print(failure)
    if not quiet:
        for name, cue in rulebook.uncovered(packs, builtin):
            print(f"{name}: warning: no example shows the cue {cue!r}")
        count = sum(len(rule.match) + len(rule.no_match) for rule in rules)
        print(f"{len(rules)} rules, {count} examples, {len(failures)} failures")
    return 1 if failures else 0


def explain_command(what: str, role: str, packs: tuple[Path, ...], builtin: bool) -> int:
    """Explain a sentence, or every statement of LOG:RECORD."""
    if role not in ("user", "assistant", "unknown"):
        raise DistillError(f"--role: {role!r} is none of user, assistant, unknown")
    path, _, record = what.rpartition(":")
    if path and record.isascii() and record.isdigit() and (Path(path).is_file() or _FILE.fullmatch(path)):
        with ExitStack() as stack:
            found = record_statements(open_log(path, stack), int(record))
        if not found:
            raise DistillError(f"{path}: record {record} holds no statement (tool output, injected text or none)")
        for statement in found:
            _print(*explained(statement.text, statement.role, packs, builtin, statement))
        return 0
    _print(*explained(what, Role(role), packs, builtin))
    return 0


def _print(
    explanation: Explanation, signals: Sequence[tuple[str, tuple[int, ...], str]], points: dict[str, int], kind: str
) -> None:
    print(f"{explanation.role}: {clean(masked(explanation.text, Counter()))}")
    for mark in explanation.marks:
        fate = mark.lost or (f"{mark.effect} ({mark.by})" if mark.effect != KEEP else "counts")
        print(f"  cue      {mark.cue!r} of {mark.rule} (weight {mark.weight}): {fate}")
    for reach in explanation.modifiers:
        print(f"  modifier {reach.name}: {reach.cue!r}")
    for name, row, why in signals:
        shown = ", ".join(f"{one} {worth:+d}" for one, worth in zip(Kind, row, strict=True) if worth)
        print(f"  signal   {name}: {shown or 'nothing'} ({why})")
    verdict = explanation.verdict
    by = f" by {verdict.rule} (weight {verdict.weight})" if verdict.rule else ""
    print(f"  cues say {verdict.kind or ('a proposal' if verdict.proposal else 'nothing')}{by}")
    print("  points   " + ", ".join(f"{name} {value}" for name, value in points.items()))
    print(f"  => {kind}")
