"""What was asked for: flags over environment over distill.yaml over defaults, settled once and frozen."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distill.model import SECTIONS, DistillError
from distill.text.clean import clean
from distill.text.language import LANGUAGES
from distill.text.times import rfc3339
from distill.text.tokens import counter

if TYPE_CHECKING:
    from distill.fold.numbers import FoldNumbers
    from distill.refine.settings import Second

FILE = "distill.yaml"
FORMS = ("md", "json", "yaml", "compact")
FAIL_ON = ("open", "skipped", "omitted")
# Days after which an item of each section counts as old: choices last, what was measured or left undone does not.
OLD_AFTER: tuple[int | None, ...] = (180, 30, 60, 30)
# What may be set, and how its value is read. Named as the options are, with "_" for "-".
KNOWN = {
    "format": str, "from": str, "budget": str, "rules": list, "lang": str, "tokenizer": str, "task": str, "since": str,
    "until": str, "now": str, "fail_on": list, "conversation": str, "builtin_rules": bool, "redact": bool,
    "strict": bool, "quiet": bool, "verbose": bool, "old_after": dict, "fold": dict,
    "llm_profiles": object,
}
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
_DAY = re.compile(r"\s*\d{4}[-/]\d{1,2}[-/]\d{1,2}\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a command may be told, checked."""

    form: str = "md"
    source: str = ""
    budget: int | None = None
    packs: tuple[Path, ...] = ()
    builtin_rules: bool = True
    lang: str = "auto"
    tokenizer: str = ""
    task: str = ""
    since: str | None = None
    until: str | None = None
    now: str = ""
    fail_on: tuple[str, ...] = ()
    conversation: str | None = None
    redact: bool = True
    strict: bool = False
    quiet: bool = False
    verbose: bool = False
    old_after: tuple[int | None, ...] = OLD_AFTER
    second: Second | None = None  # whom a run asks after the rules; only a flag can name one
    fold: FoldNumbers | None = None  # None where nothing was said


@dataclass(frozen=True, slots=True)
class _Given:
    """A value and where it stands: an option, a variable, or file, line and field."""

    value: Any
    where: str

    def wrong(self, what: str) -> DistillError:
        return DistillError(f"{self.where}: {what}")


def settle(
    flags: Mapping[str, Any], folder: Path | None = None, defaults: Mapping[str, Any] | None = None
) -> Settings:
    """The settings for `flags` (None where nothing was typed); `folder` is where the search for distill.yaml begins.

    `defaults` are a command's own, where they are not those of all.

    Rule packs add up; of everything else the flag wins over the environment, and that over the file. Raises
    DistillError (exit 2) naming the option, the variable, or file, line and field that is wrong.
    """
    layers = (_from_file(folder or Path.cwd()), _from_environment(os.environ), _from_flags(flags))
    given = _from_flags(defaults or {})
    for layer in layers:
        given.update(layer)
    packs = [pack for layer in layers if "rules" in layer for pack in layer["rules"].value]
    numbers = [_Given(text, layer["fold"].where) for layer in layers if "fold" in layer for text in layer["fold"].value]
    builtin = _plain(given, "builtin_rules", True)
    if not builtin and not packs:
        raise given["builtin_rules"].wrong("this leaves no rules at all: name a pack with --rules")
    since, until = _time(given.get("since")), _time(given.get("until"), last=True)
    if since and until and since > until:
        raise given["since"].wrong(f"{since} is later than {given['until'].where}, {until}")
    return Settings(
        form=_one_of(given.get("format"), "md", FORMS),
        source=_plain(given, "from", ""),
        budget=_budget(given.get("budget")),
        packs=tuple(dict.fromkeys(Path(name) for name in packs)),
        builtin_rules=builtin,
        lang=_one_of(given.get("lang"), "auto", LANGUAGES),
        tokenizer=_tokenizer(given.get("tokenizer")),
        task=clean(_plain(given, "task", "")),
        since=since,
        until=until,
        now=_time(given.get("now")) or rfc3339(datetime.now(UTC)) or "",
        fail_on=_fail_on(given.get("fail_on")),
        conversation=_plain(given, "conversation", None),
        redact=_plain(given, "redact", True),
        strict=_plain(given, "strict", False),
        quiet=_plain(given, "quiet", False),
        verbose=_plain(given, "verbose", False),
        old_after=_old_after(given.get("old_after")),
        second=_second(flags, given.get("llm_profiles")),
        fold=_fold(numbers) if numbers else None,
    )


# -- where settings come from -----------------------------------------------------------------------------------------


def _from_flags(flags: Mapping[str, Any]) -> dict[str, _Given]:
    switches = {"builtin_rules": "--no-builtin-rules", "redact": "--no-redact"}
    return {
        name: _Given(value, switches.get(name, f"--{name.replace('_', '-')}"))
        for name, value in flags.items()
        if value is not None
    }


def _from_environment(environment: Mapping[str, str]) -> dict[str, _Given]:
    found: dict[str, _Given] = {}
    for name, kind in KNOWN.items():
        variable = f"DISTILL_{name.upper()}"
        text = environment.get(variable, "").strip()
        if not text:
            continue
        one = _Given(text, variable)
        if kind is bool:
            if text.casefold() not in _YES + _NO:
                raise one.wrong(f"{text!r} is none of {', '.join(_YES + _NO)}")
            one = _Given(text.casefold() in _YES, variable)
        elif kind in (list, dict):
            parts = text.split(os.pathsep if name == "rules" else ",")
            one = _Given([part.strip() for part in parts if part.strip()], variable)
        found[name] = one
    return found


def _from_file(folder: Path) -> dict[str, _Given]:
    """The options of the nearest distill.yaml in `folder` or above; rule packs are relative to that file."""
    path = next((place / FILE for place in (folder, *folder.parents) if (place / FILE).is_file()), None)
    if path is None:
        return {}
    from distill.rulebook.yamldoor import load

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DistillError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DistillError(f"{path}: not valid UTF-8: save it as UTF-8") from None
    data = load(text, str(path))
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise DistillError(f"{path}:1: options must be written as 'name: value'")
    found: dict[str, _Given] = {}
    for key, value in data.items():
        name = str(key).replace("-", "_")
        where = f"{path}:{_line(text, str(key))}: {key}"
        if name not in KNOWN:
            near = _near(name, KNOWN)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(KNOWN))}"
            raise DistillError(f"{where}: there is no such option; {hint}")
        found[name] = _Given(_typed(where, value, KNOWN[name]), where)
    if "rules" in found:
        packs = found["rules"]
        found["rules"] = _Given([str(path.parent / name) for name in packs.value], packs.where)
    return found


def _line(text: str, key: str) -> int:
    """The line on which a key of the outermost mapping stands."""
    opening = re.compile(rf"""["']?{re.escape(key)}["']?\s*:""")
    return next((number for number, line in enumerate(text.split("\n"), 1) if opening.match(line)), 1)


def _typed(where: str, value: Any, kind: type) -> Any:
    if kind is object:
        return value
    if kind is dict and isinstance(value, Mapping):
        return [f"{key}={one}" for key, one in value.items()]
    if kind in (list, dict) and isinstance(value, str):
        return [value]
    if kind in (list, dict) and isinstance(value, Sequence) and all(isinstance(one, str) for one in value):
        return list(value)
    if kind is str and isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    if kind is bool and isinstance(value, bool):
        return value
    wanted = {list: "a list of texts", str: "a text", bool: "true or false", dict: "a mapping of names to values"}[kind]
    raise DistillError(f"{where}: {value!r} is not {wanted}")


# -- what they must look like -----------------------------------------------------------------------------------------


def _plain(given: Mapping[str, _Given], name: str, default: Any) -> Any:
    return given[name].value if name in given else default


def _near(word: str, known: Iterable[str]) -> list[str]:
    """The known word that a slip of the pen may have meant, if any."""
    import difflib

    return difflib.get_close_matches(word, list(known), n=1)


def _one_of(given: _Given | None, default: str, known: Sequence[str]) -> str:
    if given is None:
        return default
    value: str = given.value
    if value not in known:
        near = _near(value, known)
        raise given.wrong(f"{value!r} is none of {', '.join(known)}" + (f"; did you mean {near[0]}?" if near else ""))
    return value


def _fail_on(given: _Given | None) -> tuple[str, ...]:
    if given is None:
        return ()
    words = [part.strip() for one in given.value for part in one.split(",")]
    return tuple(dict.fromkeys(_one_of(_Given(word, given.where), "", FAIL_ON) for word in words))


def _old_after(given: _Given | None) -> tuple[int | None, ...]:
    """The days for each section, from texts such as "facts=30d"."""
    sections = tuple(SECTIONS.values())
    limits = list(OLD_AFTER)
    if given is None:
        return tuple(limits)
    from distill.text.ages import days_in

    for part in (part for one in given.value for part in one.split(",")):
        name, _, text = part.partition("=")
        where = _Given(name.strip(), given.where)
        section = _one_of(where, "", sections)
        try:
            limits[sections.index(section)] = days_in(text)
        except ValueError:
            raise where.wrong(f"{text!r} is no age; write it as {section}=30d, 6w, 3m, 1y or never") from None
    return tuple(limits)


def _fold(given: Sequence[_Given]) -> FoldNumbers:
    """The numbers and choices of folding, from texts such as "delay=3"; what is said later wins."""
    from distill.fold.numbers import CHOICES, RANGES, FoldNumbers, parsed

    found: dict[str, float | str] = {}
    for one in given:
        name, _, text = str(one.value).partition("=")
        name = _one_of(_Given(name.strip().replace("-", "_"), one.where), "", (*RANGES, *CHOICES))
        try:
            found[name] = parsed(name, text)
        except DistillError as error:
            raise DistillError(f"--{error}" if one.where == "--fold" else f"{one.where}: {error}") from None
    return FoldNumbers(**found)  # type: ignore[arg-type]


def _second(flags: Mapping[str, Any], profiles: _Given | None) -> Second | None:
    """Whom to ask after the rules, where a flag says so; profiles of the file serve only flags that name them."""
    asked = {name: value for name, value in flags.items() if name.startswith("llm") and value is not None}
    if not asked:
        return None
    from distill.refine.settings import second_of

    given = profiles.value if profiles else {}
    if profiles and not isinstance(given, Mapping):
        raise profiles.wrong("write profiles as 'name: {url: …, model: …}'")
    return second_of(asked, given, profiles.where if profiles else FILE)


def _budget(given: _Given | None) -> int | None:
    if given is None or given.value == "none":
        return None
    text = str(given.value).strip()
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise given.wrong(f"{text!r} is neither a number of tokens above 0 nor none")


def _tokenizer(given: _Given | None) -> str:
    if given is None:
        return ""
    name: str = given.value
    try:
        counter(name)
    except DistillError as error:
        raise given.wrong(str(error)) from None
    return name


def _time(given: _Given | None, *, last: bool = False) -> str | None:
    """The time as RFC 3339 in UTC; a day alone is its beginning, with `last` its end."""
    if given is None or not given.value:
        return None
    found = rfc3339(given.value)
    if found is None:
        raise given.wrong(f"{given.value!r} is no time; write it as 2026-03-05 or 2026-03-05T14:00:00Z")
    return f"{found[:10]}T23:59:59Z" if last and _DAY.fullmatch(given.value) else found
