"""YAML: the same data as in JSON."""

from __future__ import annotations

import re

from distill.model import SECTIONS, DistillError, State
from distill.render.contract import Upgrade, as_is, from_data, refuse_newer, to_data
from distill.render.outputs import Output
from distill.text.lazy import Lazy

_SCHEMA = Lazy(r"^schema:", re.MULTILINE)
_SECTION = Lazy(rf"^(?:{'|'.join(SECTIONS.values())}):", re.MULTILINE)


def render(state: State, lang: str) -> str:
    """The state as one YAML document; `lang` changes nothing."""
    from distill.rulebook.yamldoor import dump

    return dump(to_data(state))


def recognise(text: str) -> bool:
    """Whether `text` may be a YAML state."""
    return _SCHEMA.search(text) is not None and _SECTION.search(text) is not None


def parse(text: str, path: str, upgrade: Upgrade = as_is) -> State:
    """The inverse of `render`. Raises DistillError with file and line, or file and field."""
    from distill.rulebook.yamldoor import load

    data = load(text.removeprefix("\ufeff"), path)
    if not isinstance(data, dict) or "schema" not in data:
        raise DistillError(f"{path}: not a state: it lacks `schema`")
    refuse_newer(data["schema"], path)
    return from_data(upgrade(data, path), path)


OUTPUT = Output(name="yaml", title="YAML, the same data", order=30, render=render, recognise=recognise, parse=parse)
