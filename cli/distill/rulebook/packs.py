"""Reads rule files to one set of rules: those of the package, and of the user's packs over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from distill.model import DistillError
from distill.rulebook.dialogue import Dialogue, read_dialogues
from distill.rulebook.effects import read_effects
from distill.rulebook.files import EFFECTS, SIGNALS, RuleText
from distill.rulebook.rule import Place, Problem, Rule, read_rule
from distill.rulebook.signals import signal_faults

DIALOGUE = "dialogue"
_PACK_FIELDS = ("off", "rules", EFFECTS, SIGNALS)


class RuleError(DistillError):
    """Rule files that cannot be used: one line for each fault, with file, line and field."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


@dataclass(slots=True)
class RuleSet:
    """All rules that hold, with the tables beside them. `pack_ids` are those that a user's pack brought."""

    rules: dict[str, Rule] = field(default_factory=dict)
    effects: dict[str, Any] = field(default_factory=dict)
    signals: list[Any] = field(default_factory=list)  # parsed files without faults, the package's first
    dialogues: list[Dialogue] = field(default_factory=list)
    pack_ids: set[str] = field(default_factory=set)
    off: set[str] = field(default_factory=set)


def read(texts: Sequence[Sequence[RuleText]]) -> RuleSet:
    """The rules of several packs, later ones over earlier ones; the first is the package's own.

    Raises RuleError with all faults of all files.
    """
    whole = RuleSet()
    problems: list[Problem] = []
    for number, pack in enumerate(texts):
        _Pack(whole, problems, own=number == 0).read(pack)
    if not problems:
        names = {rule.name for rule in whole.rules.values() if rule.group == "modifier"} | set(whole.effects["order"])
        for rule in whole.rules.values():
            problems += [
                Problem(rule.file, 0, "immune", f"{name!r} is no modifier") for name in rule.immune if name not in names
            ]
        problems += _contradictions(whole)
    if problems:
        raise RuleError(problems)
    return whole


class _Pack:
    def __init__(self, whole: RuleSet, problems: list[Problem], own: bool) -> None:
        self._whole, self._problems, self._own = whole, problems, own
        self._seen: set[str] = set()

    def read(self, texts: Sequence[RuleText]) -> None:
        from distill.rulebook.yamldoor import load

        for one in texts:
            try:
                place = Place(one.file, one.text, problems=self._problems)
                body = load(one.text, one.file)
            except DistillError as error:
                self._problems.append(_syntax(one.file, str(error)))
                continue
            if one.id == "pack":
                self._pack(body, place)
            elif one.id == SIGNALS:
                self._signals(body, place)
            elif one.id.partition("/")[0] == DIALOGUE:
                self._whole.dialogues += read_dialogues(body, place)
            else:
                self._one(one.id, body, place)

    def _pack(self, body: object, place: Place) -> None:
        if not isinstance(body, Mapping):
            place.fault("file", f"must be a mapping of {', '.join(_PACK_FIELDS)}")
            return
        # YAML takes the bare word `off` for a truth value.
        fields = {"off" if key is False else key: value for key, value in body.items()}
        for key in fields:
            if key not in _PACK_FIELDS:
                place.fault(str(key), f"unknown field; a pack has {', '.join(_PACK_FIELDS)}")
        off = fields.get("off", [])
        if not isinstance(off, list) or not all(isinstance(name, str) for name in off):
            place.fault("off", "must be a list of rule ids")
            off = []
        for name in off:
            if self._whole.rules.pop(name, None) is None:
                place.fault("off", f"there is no rule {name!r} to switch off", name)
            self._whole.off.add(name)
        rules = fields.get("rules", {})
        if not isinstance(rules, Mapping):
            place.fault("rules", "must map ids to rules")
            rules = {}
        for name, one in rules.items():
            self._one(str(name), one, Place(place.file, place.text, str(name), place.problems))
        if EFFECTS in fields:
            self._one(EFFECTS, fields[EFFECTS], Place(place.file, place.text, EFFECTS, place.problems))
        if SIGNALS in fields:
            self._signals({SIGNALS: fields[SIGNALS]}, place)

    def _signals(self, body: object, place: Place) -> None:
        faults = list(signal_faults(body))
        for name, message in faults:
            place.fault(name, message)
        if not faults:
            self._whole.signals.append(body)

    def _one(self, name: str, body: object, place: Place) -> None:
        if name in self._seen:
            place.fault("id", f"{name} stands twice in one pack")
            return
        self._seen.add(name)
        if name == EFFECTS:
            self._whole.effects = read_effects(body, place) or self._whole.effects
            return
        rule = read_rule(name, body, place)
        if rule is None:
            return
        self._whole.rules[name] = rule
        self._whole.off.discard(name)
        if not self._own:
            self._whole.pack_ids.add(name)


def _syntax(file: str, message: str) -> Problem:
    """The fault behind an error of the YAML reader, which names file and line itself."""
    rest = message.removeprefix(f"{file}:")
    line, _, text = rest.partition(":")
    return Problem(file, int(line), "yaml", text.strip()) if line.isdigit() else Problem(file, 0, "yaml", rest.strip())


def _contradictions(whole: RuleSet) -> list[Problem]:
    """Examples that cannot all hold: one sentence that two rules want to be different things.

    What a user's rules want of a sentence goes over what the package's own do.
    """
    wanted: dict[tuple[bool, str], tuple[str, str]] = {}
    found = []
    markers = [rule for rule in whole.rules.values() if rule.group in ("decision", "fact", "artifact", "open")]
    for rule in markers:
        pins = [(one.text, rule.group) for one in rule.match]
        pins += [(one.text, one.pin) for one in rule.no_match if one.pin]
        for text, kind in pins:
            other, before = wanted.setdefault((rule.id in whole.pack_ids, text), (rule.id, kind))
            if kind != before:
                found.append(Problem(rule.file, 0, "match", f"{text!r} shall be {kind}, but {other} wants {before}"))
        both = {one.text for one in rule.match} & {one.text for one in rule.no_match}
        found += [Problem(rule.file, 0, "no_match", f"{text!r} stands in match too") for text in sorted(both)]
    return found
