"""JSON: the contract for programs."""

from __future__ import annotations

import json

from distill.model import DistillError, State
from distill.render.contract import Upgrade, as_is, from_data, refuse_newer, to_data
from distill.render.lines import to_json
from distill.render.outputs import Output
from distill.text.lazy import Lazy

_SIGNS = Lazy(r'"schema"\s*:')


def render(state: State, lang: str) -> str:
    """The state as one JSON object; `lang` changes nothing."""
    return to_json(to_data(state), indent=2) + "\n"


def recognise(text: str) -> bool:
    """Whether `text` may be a JSON state."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and _SIGNS.search(text) is not None


def parse(text: str, path: str, upgrade: Upgrade = as_is) -> State:
    """The inverse of `render`. Raises DistillError with file and line, or file and field."""
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise DistillError(f"{path}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise DistillError(f"{path}: not valid JSON: {error}") from error
    if not isinstance(data, dict) or "schema" not in data:
        raise DistillError(f'{path}: not a state: it lacks "schema"')
    refuse_newer(data["schema"], path)
    return from_data(upgrade(data, path), path)


OUTPUT = Output(name="json", title="JSON, for programs", order=20, render=render, recognise=recognise, parse=parse)
