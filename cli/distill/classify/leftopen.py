"""The choice that the last message leaves to the user: one open item that names all the ways, not one for each."""

from __future__ import annotations

from collections.abc import Sequence

from distill.classify.picks import asks_which
from distill.classify.proposals import Proposals, Put
from distill.model import Shape, Statement
from distill.text.language import han
from distill.text.lazy import Lazy

MOST = 8  # ways of one choice
SIZE = 400  # characters that the ways of a choice take together
_WHICH = Lazy(
    r"(?i:\b(?:pick|choose|select) (?:one|any|what|whichever)\b"
    r"|\bone of (?:these|them|the following)\b|\bany of these\b)"
    r"|(?:选|選|挑)(?:一|哪|其)|任[选選]|[二两三四五][选選]一|其中(?:一|之一)"
)


def choice_left(closing: Sequence[Statement], put: Proposals) -> tuple[Statement, str, tuple[Statement, ...]] | None:
    """The statement that leaves a choice, the choice with its ways as text, and the statements of the ways.

    `closing` is the last message, `put` what it puts up. None where it leaves no choice between several ways.
    """
    asked = next((one for one in reversed(closing[-2:]) if one.text.rstrip().endswith(("?", "？"))), None)
    if asked is not None and asks_which(asked.text):
        ways = tuple(put.all) if put.kind is Put.WHICH else ()
        ways = ways if len(ways) > 1 else _listed([one for one in closing if one.index < asked.index])
        return _choice(asked, asked.text, ways)
    ways = _listed(closing)
    if ways and _WHICH.search(ways[0].lead):
        return _choice(ways[0], f"{ways[0].lead.rstrip(':： ')}{'：' if han(ways[0].lead) else ':'}", ways)
    return None


def _listed(said: Sequence[Statement]) -> tuple[Statement, ...]:
    """The list that ends what was said: its items under one lead-in."""
    if not said or said[-1].shape is not Shape.BULLET or not said[-1].lead:
        return ()
    found = [one for one in said if one.shape is Shape.BULLET and one.lead == said[-1].lead]
    return tuple(found) if 1 < len(found) <= MOST else ()


def _choice(
    leaves: Statement, text: str, ways: tuple[Statement, ...]
) -> tuple[Statement, str, tuple[Statement, ...]] | None:
    if not 1 < len(ways) <= MOST or sum(len(way.text) for way in ways) > SIZE:
        return None
    joint = "" if han(text) else " "
    return leaves, f"{text.strip()}{joint}{' / '.join(way.text.strip(' .。;；') for way in ways)}", ways
