"""What the items of a distilled log are in a task layer."""

from __future__ import annotations

from collections.abc import Iterable

from distill.context.model import Sort, Standing
from distill.model import Item, Kind, Role, Status

_SORTS = {Kind.DECISION: Sort.CONDITION, Kind.FACT: Sort.RESULT, Kind.ARTIFACT: Sort.RESULT, Kind.OPEN: Sort.QUESTION}


def entries_of(items: Iterable[Item]) -> list[tuple[str, Sort, str, Standing]]:
    """The live items as (id, sort, text, standing). A decision that the user did not say himself is to be confirmed."""
    found = []
    for item in items:
        if item.status is Status.LIVE:
            supposed = item.kind is Kind.DECISION and item.role is not Role.USER
            found.append((item.id, _SORTS[item.kind], item.text, Standing.PENDING if supposed else Standing.CONFIRMED))
    return found
