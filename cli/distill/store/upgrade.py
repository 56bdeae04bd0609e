"""Old states to the present schema: one small function a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from distill.model import SCHEMA, DistillError

Data = dict[str, Any]
#: From each schema version that once was, the function that makes the next one of it. It may change what it is given.
UPGRADES: Mapping[int, Callable[[Data], Data]] = {}


def upgraded(
    data: Data, path: str, steps: Mapping[int, Callable[[Data], Data]] = UPGRADES, target: int = SCHEMA
) -> Data:
    """A state as plain data (see `-f json`), brought from its own schema version to `target`.

    A newer one is given back as it is: whoever reads it says so. Raises DistillError naming `path` where no step leads
    on from a version, or where a step does not find what stood in every state of its version.
    """
    version = data.get("schema")
    while isinstance(version, int) and not isinstance(version, bool) and version < target:
        step = steps.get(version)
        if step is None:
            raise DistillError(f"{path}: schema {version} is too old to be read: distil its logs anew")
        try:
            data = step(data)
        except (LookupError, TypeError, ValueError, AttributeError) as error:  # it was damaged before
            raise DistillError(
                f"{path}: schema {version} is not as it was written ({type(error).__name__}: {error}): repair it, or "
                "distil its logs anew"
            ) from error
        version += 1
        data["schema"] = version
    return data
