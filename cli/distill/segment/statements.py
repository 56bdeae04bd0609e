"""Events to statements: what the later rooms judge, each with its quote and its place."""

from __future__ import annotations

from functools import lru_cache

from distill.model import Event, Role, Shape, Statement
from distill.segment.blocks import Block, Wrapped, blocks
from distill.segment.markup import plain, unmarked
from distill.segment.sentences import sentences

LONGEST = 2000  # characters of a statement that are looked at
WHOLE = 320  # a list item up to this long is one statement, a longer one is cut into sentences
QUOTE = 240
MESSAGE = 4000  # characters of a message that is remembered
Row = tuple[Block, str, str, int]  # the block a statement stands in, its text, its quote, its line in the message


def statements(event: Event, *, turn: int = 0, final: bool = False) -> list[Statement]:
    """The statements of one spoken event, in order.

    A list item is one statement with the line that introduces its list; prose is cut into sentences. Every quote is
    one line of the record, verbatim.
    """
    text = event.text
    wrapped = _wrapped(event)
    rows = _known(text, wrapped) if len(text) <= MESSAGE else _rows(text, wrapped)
    count, size = len(rows), len(text)
    record, role, time, voice, by_line = event.record, event.role, event.time, event.voice, event.by_line
    return [
        Statement(
            text=text,
            quote=quote,
            record=record + line if by_line else record,
            role=role,
            time=time,
            voice=voice,
            shape=block.shape,
            heading=block.heading,
            lead=block.lead,
            mark=block.mark,
            checked=block.checked,
            index=index,
            count=count,
            turn=turn,
            final=final,
            size=size,
        )
        for index, (block, text, quote, line) in enumerate(rows)
    ]


BRIEFEST = 4  # characters of a message up to which a single one is a statement: "2", "y", 「好」


def _wrapped(event: Event) -> Wrapped:
    """People type line by line, assistants write prose, a text without speakers may be either."""
    if event.role is Role.USER:
        return Wrapped.NEVER
    return Wrapped.LIKELY if event.role is Role.ASSISTANT or event.text[:1] == "#" else Wrapped.CLEARLY


def _rows(message: str, wrapped: Wrapped) -> list[Row]:
    """What a message says, statement by statement."""
    rows: list[Row] = []
    found = blocks(message, wrapped)
    if wrapped is Wrapped.NEVER and found and found[0].mark and _alone(found):
        found[0] = found[0]._replace(shape=Shape.SENTENCE, mark="")
    for block in found:
        for text, quote, offset in _parts(block):
            shown = unmarked(plain(text)).strip(" ，,、；;")
            if len(shown) > 1 or (shown and len(message) <= BRIEFEST):
                rows.append((block, shown[:LONGEST], quote, block.line + offset))
    return rows


def _alone(found: list[Block]) -> bool:
    """Whether the first block is no list item: the number with which it begins picks something, as in "2. but blue"."""
    return not found[0].line and not any(block.shape is Shape.BULLET for block in found[1:])


_known = lru_cache(maxsize=1 << 10)(_rows)  # agents repeat themselves, and logs hold copies


def _parts(block: Block) -> list[tuple[str, str, int]]:
    """(text, quote, line offset) of every statement of a block."""
    text = block.text[: LONGEST * 4]
    whole = block.shape is Shape.ROW or (block.shape is Shape.BULLET and len(text) <= WHOLE)
    spans = [(0, len(text))] if whole else sentences(text)
    parts: list[tuple[str, str, int]] = []
    for start, end in spans:
        piece = text[start:end]
        quote, offset = _quote(piece, block)
        parts.append((piece, quote, offset))
    return parts


def _quote(piece: str, block: Block) -> tuple[str, int]:
    """The longest beginning of `piece` that stands on one line of the block, and which line that is."""
    if block.shape is Shape.ROW:
        return block.raw[0].strip()[:QUOTE], 0
    for offset, line in enumerate(block.raw):
        if piece in line:
            return piece[:QUOTE], offset
    head = piece[:24]
    for offset, line in enumerate(block.raw):
        at = line.find(head)
        if at >= 0:
            return line[at:].rstrip()[: min(QUOTE, len(piece))], offset
    words = piece.split(" ")
    while len(words) > 1:  # the sentence begins at the end of a line that was joined
        words.pop()
        for offset, line in enumerate(block.raw):
            if " ".join(words) in line:
                return " ".join(words)[:QUOTE], offset
    for offset, line in enumerate(block.raw):
        if line.strip():
            return line.strip()[:QUOTE], offset
    return piece[:QUOTE], 0
