"""What an output is, the list of them all, and which one a text is."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import distill.render as room
from distill.model import DistillError, State
from distill.render.contract import Upgrade, as_is

# Modules of this room that are no output.
_TOOLS = {"outputs", "contract", "schema", "lines", "front", "body", "wording", "edits", "inject", "quoted", "index"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One form of a state. `render(state, lang)` writes it, with headings in `lang` ("en", "zh" or "zh-Hant").

    `recognise(text)` tells whether a text is meant to be of this form. `parse(text, path, upgrade)` reads it back, and
    is None for a form that does not hold everything. `order` is the place in lists.
    """

    name: str  # as --format takes it
    title: str
    order: int
    render: Callable[[State, str], str]
    recognise: Callable[[str], bool]
    parse: Callable[[str, str, Upgrade], State] | None = None


@cache
def all_outputs() -> tuple[Output, ...]:
    """Every output, the usual ones first."""
    import pkgutil

    names = [m.name for m in pkgutil.iter_modules(room.__path__) if m.name not in _TOOLS]
    found: list[Output] = [importlib.import_module(f"distill.render.{name}").OUTPUT for name in names]
    return tuple(sorted(found, key=lambda o: (o.order, o.name)))


def output_named(name: str) -> Output:
    """The output called `name`; an error that lists them all where there is none."""
    for one in all_outputs():
        if one.name == name:
            return one
    raise DistillError(f"unknown output format {name!r}; known: {', '.join(o.name for o in all_outputs())}")


def parse_state(text: str, path: str, upgrade: Upgrade = as_is) -> State:
    """The state in `text`, whichever form it has.

    `path` names it in errors; `upgrade(data, path)` brings the plain data of an older schema to the present one. Raises
    DistillError where `text` is no state, is one of a newer schema, or has a fault (file, line or field).
    """
    found = _recognised(text)
    if found is None:
        raise DistillError(f"{path}: not a state of distill (as Markdown, JSON or YAML)")
    if found.parse is None:
        raise DistillError(f"{path}: a state in the {found.name} form cannot be read back: write it with -f md or json")
    return found.parse(text, path, upgrade)


def check_ours(text: str, path: str, upgrade: Upgrade = as_is) -> None:
    """Raise DistillError where `text` is not something that distill wrote and may write over, in whatever form."""
    found = _recognised(text)
    if found is None or found.parse is not None:
        parse_state(text, path, upgrade)


def _recognised(text: str) -> Output | None:
    return next((one for one in all_outputs() if one.recognise(text)), None)
