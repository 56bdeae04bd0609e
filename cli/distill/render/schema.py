"""The JSON Schema of the state, as it is packaged."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def state_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) that every `-f json` and `-f yaml` answer fulfils."""
    found: dict[str, Any] = json.loads(files("distill.render").joinpath("state.schema.json").read_text("utf-8"))
    return found
