"""Finds the rule files of the package and of the user's packs, and reads them to one set of rules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from distill.model import DistillError
from distill.rulebook.effects import read_effects
from distill.rulebook.rule import GROUPS, Place, Problem, Rule, read_rule

EFFECTS, SIGNALS, DIALOGUE = "effects", "signals", "dialogue"
_SUFFIXES = (".yaml", ".yml")
_PACK_FIELDS = ("off", "rules", EFFECTS, SIGNALS)


class RuleError(DistillError):
    """Rule files that cannot be used: one line for each fault, with file, line and field."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class RuleText:
    """One file of a pack as it lies on the disk: "decision/explicit", its path, its bytes."""

    id: str
    file: str
    data: bytes

    @property
    def text(self) -> str:
        """The text of the file; raises RuleError where it is not UTF-8."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise RuleError([Problem(self.file, line, "text", "is not UTF-8")]) from error


@dataclass(slots=True)
class RuleSet:
    """All rules that hold, with the tables beside them. `pack_ids` are those that a user's pack brought."""

    rules: dict[str, Rule] = field(default_factory=dict)
    effects: dict[str, Any] = field(default_factory=dict)
    signals: list[tuple[str, Any]] = field(default_factory=list)  # file and parsed content, the package's first
    dialogues: list[tuple[str, str, Any]] = field(default_factory=list)  # file, text, parsed content
    pack_ids: set[str] = field(default_factory=set)
    off: set[str] = field(default_factory=set)


def builtin_folder() -> Path:
    """The folder of the package's own rules, in an installed package or in a checkout."""
    inside = Path(str(files("distill"))) / "rules"
    return inside if inside.is_dir() else Path(__file__).resolve().parents[3] / "rules"


def collect(pack: Path) -> list[RuleText]:
    """The rule files of a pack, which is a folder or a single YAML file, in a fixed order.

    Raises DistillError where the pack is missing, cannot be read or holds no rules.
    """
    try:
        if pack.is_file():
            return [RuleText("pack", str(pack), _bytes(str(pack)))]
        if not pack.is_dir():
            raise DistillError(f"{pack}: there is no such rule pack: name a folder or a YAML file")
        entries = sorted(os.scandir(pack), key=lambda entry: entry.name)
        found = _files(entries, "")
        for folder in entries:
            if folder.is_dir():
                found += _files(sorted(os.scandir(folder), key=lambda entry: entry.name), f"{folder.name}/")
    except OSError as error:
        raise DistillError(f"{error.filename or pack}: cannot be read: {error.strerror}") from error
    if not found:
        raise DistillError(f"{pack}: holds no rule files: put them in {', '.join(GROUPS)}")
    return found


def collect_all(packs: Sequence[Path], builtin: bool) -> list[list[RuleText]]:
    """The rule files of the package, then those of `packs`.

    Without `builtin` the package gives its table of effects alone, which says how modifiers work.
    """
    own = collect(builtin_folder())
    return [own if builtin else [one for one in own if one.id == EFFECTS], *(collect(pack) for pack in packs)]


def _files(entries: Sequence[os.DirEntry[str]], prefix: str) -> list[RuleText]:
    """The rule files among the entries of a folder; read plainly, because every run does."""
    return [
        RuleText(prefix + entry.name.rpartition(".")[0], entry.path, _bytes(entry.path))
        for entry in entries
        if entry.name.endswith(_SUFFIXES) and entry.is_file()
    ]


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


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
                text = one.text
                place = Place(one.file, text, problems=self._problems)
                body = load(text, one.file)
            except RuleError as error:
                self._problems += error.problems
                continue
            except DistillError as error:
                self._problems.append(_syntax(one.file, str(error)))
                continue
            if one.id == "pack":
                self._pack(body, place)
            elif one.id == SIGNALS:
                self._whole.signals.append((one.file, body))
            elif one.id.partition("/")[0] == DIALOGUE:
                self._whole.dialogues.append((one.file, text, body))
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
            self._whole.signals.append((place.file, {SIGNALS: fields[SIGNALS]}))

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
