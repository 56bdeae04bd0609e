"""A rule as it is written: one YAML body, read into plain fields, with every fault named by file, line and field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from distill.rulebook.phrase import Part, PhraseError, parse, split_cues
from distill.rulebook.text import has_han

MARKERS = ("decision", "fact", "artifact", "open")  # the kinds, in their order of precedence
TALK = ("reply", "speech")  # what people do to each other's words
GROUPS = (*MARKERS, "modifier", *TALK)
LANGUAGES = ("en", "zh", "any")
PINS = (*MARKERS, "none")
ROLES = ("user", "assistant", "unknown")
DIRECTIONS = ("forward", "backward", "both")
REACHES = ("clause", "sentence", "statement")
_EXAMPLES = ("match", "no_match", "todo_match", "todo_no_match")
_FIELDS = {
    "marker": {"why", "weight", "firm", "immune", "roles", "cues", "not", *_EXAMPLES},
    "modifier": {"why", "direction", "reach", "within", "roles", "cues", "swallow", *_EXAMPLES},
    "phrase": {"why", "cues", "not", *_EXAMPLES},
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a rule file; `line` is 0 where it has no place."""

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line or 1}: {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence a rule is tested with; `pin` is the kind wanted instead ("" where none is named)."""

    text: str
    pin: str = ""


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue as written, its language, and the sequences it stands for."""

    text: str
    language: str
    sequences: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of any sort. `group` is the folder it stands in; the id is "group/name"."""

    id: str
    group: str
    file: str = ""
    why: str = ""
    weight: int = 2
    firm: bool = False
    immune: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    direction: str = "forward"
    reach: str = "clause"
    within: tuple[int, int] = (0, 0)  # characters a modifier reaches, after a Latin and a Chinese cue; 0: no bound
    cues: tuple[Cue, ...] = ()
    excluded: tuple[Cue, ...] = ()  # antipatterns, or swallowed words of a modifier
    match: tuple[Example, ...] = ()
    no_match: tuple[Example, ...] = ()
    todo_match: tuple[Example, ...] = ()
    todo_no_match: tuple[Example, ...] = ()

    @property
    def name(self) -> str:
        """The id without its group."""
        return self.id.partition("/")[2]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages its cues are written for."""
        return tuple(dict.fromkeys(cue.language for cue in self.cues if cue.language != "any"))


@dataclass(slots=True)
class Place:
    """A rule file, to find the line of a field or value in it."""

    file: str
    text: str
    inside: str = ""  # the key below which the body stands, in a file of several rules
    problems: list[Problem] = field(default_factory=list)

    def fault(self, name: str, message: str, value: str = "", item: int = -1) -> None:
        """Note a fault of field `name`, at the line of `value` or of a list's item where that can be found."""
        line = self._item(name, item) if item >= 0 else self.line(name, value)
        self.problems.append(Problem(self.file, line, name, message))

    def _item(self, name: str, item: int) -> int:
        start = self.line(name)
        items = [n for n, line in enumerate(self.text.split("\n"), 1) if n > start and line.lstrip().startswith("- ")]
        return items[item] if item < len(items) else start

    def line(self, name: str, value: str = "") -> int:
        """The 1-based line of `value` in field `name` ("cues.en"), or of the field itself, or 0."""
        lines = self.text.split("\n")
        at = -1
        for part in ([self.inside] if self.inside else []) + name.split("."):
            pattern = re.compile(rf"^\s*(?:[-{{]\s*)?[\"']?{re.escape(part)}[\"']?\s*:")
            found = next((n for n in range(at + 1, len(lines)) if pattern.match(lines[n])), None)
            if found is None:
                break
            at = found
        if value:
            return next((n + 1 for n in range(max(at, 0), len(lines)) if value in lines[n]), at + 1)
        return at + 1


def read_rule(rule_id: str, body: object, place: Place) -> Rule | None:
    """The rule that `body` describes; None where it has faults, which are then in `place.problems`.

    Examples are only read, not run.
    """
    before = len(place.problems)
    group, _, name = rule_id.partition("/")
    if group not in GROUPS or not name:
        place.fault("id", f"{rule_id!r} is no GROUP/NAME; groups are {', '.join(GROUPS)}")
        return None
    if not isinstance(body, Mapping):
        place.fault("file", "must be a mapping of fields")
        return None
    sort = "marker" if group in MARKERS else "phrase" if group in TALK else group
    for key in body:
        if not isinstance(key, str):
            place.fault(str(key), f"the field name {key!r} is no text: quote it")
        elif key not in _FIELDS[sort]:
            place.fault(key, f"unknown field; a {sort} has {', '.join(sorted(_FIELDS[sort]))}")
    fields = _Fields(body, place)
    rule = Rule(
        id=rule_id,
        group=group,
        file=place.file,
        why=fields.text("why"),
        weight=fields.number("weight", 2, 1, 3),
        firm=fields.flag("firm"),
        immune=fields.words("immune", ()),
        roles=fields.words("roles", ROLES),
        direction=fields.choice("direction", DIRECTIONS, "forward"),
        reach=fields.choice("reach", REACHES, "clause"),
        within=fields.within(),
        cues=fields.cues(),
        excluded=fields.block("swallow" if group == "modifier" else "not"),
        match=fields.examples("match", pins=False),
        no_match=fields.examples("no_match", pins=True),
        todo_match=fields.examples("todo_match", pins=False),
        todo_no_match=fields.examples("todo_no_match", pins=True),
    )
    _check_cues(rule, place)
    return rule if len(place.problems) == before else None


class _Fields:
    def __init__(self, body: Mapping[object, object], place: Place) -> None:
        self.body, self.place = body, place

    def text(self, name: str) -> str:
        value = self.body.get(name, "")
        if isinstance(value, str):
            return value.strip()
        self.place.fault(name, f"must be text, not {_sort(value)}: quote it")
        return ""

    def flag(self, name: str) -> bool:
        value = self.body.get(name, False)
        if not isinstance(value, bool):
            self.place.fault(name, f"must be true or false, not {_sort(value)}")
        return value is True

    def number(self, name: str, default: int, low: int, high: int) -> int:
        value = self.body.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.place.fault(name, f"must be a whole number from {low} to {high}, not {value!r}")
            return default
        return value

    def choice(self, name: str, known: tuple[str, ...], default: str) -> str:
        value = self.body.get(name, default)
        if value not in known:
            self.place.fault(name, f"must be one of {', '.join(known)}, not {value!r}")
            return default
        return str(value)

    def words(self, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        value = self.body.get(name, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.place.fault(name, "must be a list of texts")
            return ()
        for word in value:
            if known and word not in known:
                self.place.fault(name, f"{word!r} is none of {', '.join(known)}", word)
        return tuple(value)

    def within(self) -> tuple[int, int]:
        value = self.body.get("within", {})
        if not isinstance(value, Mapping) or not set(value) <= {"en", "zh"}:
            self.place.fault("within", "must name characters by language, as {en: 40, zh: 8}")
            return (0, 0)
        numbers = []
        for language in ("en", "zh"):
            number = value.get(language, 0)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                self.place.fault("within", f"{language} must be a whole number, not {number!r}")
                number = 0
            numbers.append(number)
        return (numbers[0], numbers[1])

    def cues(self) -> tuple[Cue, ...]:
        value = self.body.get("cues")
        if not isinstance(value, Mapping) or not value:
            self.place.fault("cues", "is missing: cues by language, as {en: |…, zh: |…}")
            return ()
        found: list[Cue] = []
        for language, block in value.items():
            if language not in LANGUAGES:
                self.place.fault("cues", f"{language!r} is none of {', '.join(LANGUAGES)}")
            else:
                found += _read_cues(block, f"cues.{language}", str(language), self.place)
        return tuple(found)

    def block(self, name: str) -> tuple[Cue, ...]:
        return tuple(_read_cues(self.body.get(name, ""), name, "any", self.place))

    def examples(self, name: str, pins: bool) -> tuple[Example, ...]:
        value = self.body.get(name, [])
        if not isinstance(value, list):
            self.place.fault(name, "must be a list")
            return ()
        if not value and name in ("match", "no_match"):
            self.place.fault(name, "is missing: every rule shows what it must and must not find")
        found = []
        for number, entry in enumerate(value):
            if isinstance(entry, str) and entry.strip():
                found.append(Example(entry))
            elif isinstance(entry, Mapping) and len(entry) == 1:
                ((text, pin),) = entry.items()
                if not isinstance(text, str) or not isinstance(pin, str):
                    self.place.fault(name, f"{text!r}: {pin!r} is no text: quote it", item=number)
                elif not pins or pin not in PINS:
                    wanted = f"the kind after ': ' must be one of {', '.join(PINS)}" if pins else "takes no kind"
                    self.place.fault(name, f"{text!r}: {wanted} (quote a text that holds ': ')", text)
                else:
                    found.append(Example(text, pin))
            else:
                self.place.fault(name, f"{entry!r} is {_sort(entry)}, no text: quote it", item=number)
        return tuple(found)


def read_block(block: object, name: str, place: Place) -> tuple[Cue, ...]:
    """The phrases of a field that holds one block, or blocks by language."""
    if isinstance(block, Mapping):
        return tuple(
            cue
            for language, part in block.items()
            for cue in _read_cues(part, f"{name}.{language}", str(language), place)
        )
    return tuple(_read_cues(block, name, "any", place))


def _read_cues(block: object, name: str, language: str, place: Place) -> list[Cue]:
    if not isinstance(block, str):
        place.fault(name, f"must be a text block, not {_sort(block)}: begin it with '|'")
        return []
    found: dict[str, Cue] = {}
    for text in split_cues(block):
        if text in found:
            place.fault(name, f"{text!r} stands twice", text)
        try:
            found[text] = Cue(text, language, tuple(parse(text)))
        except PhraseError as error:
            place.fault(name, str(error), text)
    return list(found.values())


def _check_cues(rule: Rule, place: Place) -> None:
    excluded = {sequence for cue in rule.excluded for sequence in cue.sequences}
    for cue in rule.cues:
        name = f"cues.{cue.language}"
        if rule.group in MARKERS and any(_too_short(sequence) for sequence in cue.sequences):
            place.fault(name, f"{cue.text!r} is so short that it fires everywhere", cue.text)
        if any(sequence in excluded for sequence in cue.sequences):
            place.fault(name, f"{cue.text!r} is its own antipattern", cue.text)


def _too_short(sequence: tuple[Part, ...]) -> bool:
    words = "".join(part.text for part in sequence if not part.is_token).replace(" ", "")
    if not words.isalnum() or sequence[0].first or sequence[-1].last or len(sequence) > 1:
        return False
    return len(words) < (2 if has_han(words) else 3)


def _sort(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    return f"a {type(value).__name__}"
