"""The tables that phrases are compiled to: what a builder writes and a scanner reads."""

from __future__ import annotations

from typing import TypedDict

START = -1  # the source of an edge that begins a phrase
NOBODY = -1  # the owner of an edge that completes nothing
PREFIX, FIRST, LAST = 1, 2, 4  # flags of an edge
LEFT, RIGHT, TYPED, LOOSE = 1, 2, 4, 8  # checks of a literal: word boundaries, tokens wanted, some edge is a prefix
GLUE, GAP = 1, 2  # what may stand before a part: a blank or markup, or a gap
REACH = 40  # characters that a gap may span
MARK, EXCLUDE, MODIFY, SWALLOW, STOP = range(5)  # what an owner's match means
FIELDS = 6  # numbers of an edge

#: flags, source state, link, target state, owner, cue
Edge = tuple[int, int, int, int, int, int]


class Machine(TypedDict):
    """All phrases of a set of owners, as tables; literals and cues one a line, edges as packed numbers."""

    literals: str
    checks: bytes
    offsets: bytes  # by literal, then by token: the number of its first edge; and one more at the end
    edges: bytes
    nexts: bytes  # by state: the number of its first symbol in `wanted`; and one more at the end
    wanted: bytes  # the literals and tokens, one of which must come for a state to be left
    owners: list[tuple[int, int]]  # what a match means, and of which rule or modifier
    cues: str
