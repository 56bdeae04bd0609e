"""What was asked for: flags over environment over distill.yaml over defaults, settled once and frozen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from distill.model import DistillError
from distill.text.times import rfc3339

FILE = "distill.yaml"
FORMS = ("md", "json", "yaml", "compact")
FAIL_ON = ("open", "skipped", "omitted")
# What may be set, and how its value is read.
KNOWN = {
    "format": str, "from": str, "budget": str, "rules": list, "lang": str, "tokenizer": str, "task": str, "since": str,
    "until": str, "now": str, "fail_on": list, "conversation": str, "builtin_rules": bool, "redact": bool, "strict": bool,
    "quiet": bool, "verbose": bool,
}


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


def settle(flags: Mapping[str, Any], folder: Path | None = None) -> Settings:
    """The settings for `flags` (None where nothing was typed); `folder` is where the search for distill.yaml begins.

    Raises DistillError (exit 2) naming the option, variable or field that is wrong.
    """
    values: dict[str, Any] = {}
    values.update(_from_file(folder or Path.cwd()))
    values.update(_from_environment(os.environ))
    values.update({name: value for name, value in flags.items() if value is not None})
    return Settings(
        form=_one_of("--format", values.get("format", "md"), FORMS),
        source=values.get("from", ""),
        budget=_budget(values.get("budget", "none")),
        packs=tuple(Path(name) for name in values.get("rules", ())),
        builtin_rules=values.get("builtin_rules", True),
        lang=_one_of("--lang", values.get("lang", "auto"), ("auto", "en", "zh")),
        tokenizer=values.get("tokenizer", ""),
        task=values.get("task", ""),
        since=_time("--since", values.get("since")),
        until=_time("--until", values.get("until")),
        now=_time("--now", values.get("now")) or rfc3339(datetime.now(UTC)) or "",
        fail_on=tuple(_one_of("--fail-on", one, FAIL_ON) for one in values.get("fail_on", ())),
        conversation=values.get("conversation"),
        redact=values.get("redact", True),
        strict=values.get("strict", False),
        quiet=values.get("quiet", False),
        verbose=values.get("verbose", False),
    )


def _from_file(folder: Path) -> dict[str, Any]:
    """The options of the nearest distill.yaml in `folder` or above; rule packs are relative to that file."""
    for place in (folder, *folder.parents):
        path = place / FILE
        if path.is_file():
            break
    else:
        return {}
    from distill.rulebook.yamldoor import load

    try:
        data = load(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise DistillError(f"{path}: {error.strerror or error}") from None
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise DistillError(f"{path}: options must be written as 'name: value'")
    values = {str(name).replace("-", "_"): value for name, value in data.items()}
    for name, value in values.items():
        if name not in KNOWN:
            raise DistillError(f"{path}: unknown option {name!r}; known: {', '.join(sorted(KNOWN))}")
        values[name] = _typed(f"{path}: {name}", value, KNOWN[name])
    if "rules" in values:
        values["rules"] = [str(path.parent / name) for name in values["rules"]]
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, kind in KNOWN.items():
        variable = f"DISTILL_{name.upper()}"
        if text := environment.get(variable, ""):
            value: Any = text
            if kind is bool:
                value = _one_of(variable, text.casefold(), ("1", "0", "true", "false", "yes", "no")) in ("1", "true", "yes")
            elif kind is list:
                value = text.split(os.pathsep if name == "rules" else ",")
            found[name] = value
    return found


def _typed(where: str, value: Any, kind: type) -> Any:
    if kind is list and isinstance(value, str):
        return [value]
    if kind is list and isinstance(value, Sequence) and all(isinstance(one, str) for one in value):
        return list(value)
    if kind is str and isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    if kind is bool and isinstance(value, bool):
        return value
    raise DistillError(f"{where}: {value!r} is no {'list of texts' if kind is list else 'text' if kind is str else 'yes or no'}")


def _one_of(where: str, value: str, known: Sequence[str]) -> str:
    if value in known:
        return value
    raise DistillError(f"{where}: {value!r} is none of {', '.join(known)}")


def _budget(value: str) -> int | None:
    if value == "none":
        return None
    if value.isdigit() and int(value) > 0:
        return int(value)
    raise DistillError(f"--budget: {value!r} is neither a number of tokens nor 'none'")


def _time(where: str, value: str | None) -> str | None:
    if not value:
        return None
    found = rfc3339(value)
    if found is None:
        raise DistillError(f"{where}: {value!r} is no time; write it as 2026-03-05 or 2026-03-05T14:00:00Z")
    return found
