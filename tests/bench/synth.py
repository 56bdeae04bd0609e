"""Synthetic logs of any size for the benchmark: the shape of real sessions, invented words, the same bytes every time.

The shape was measured on real Claude Code sessions: two thirds of the bytes are tool results (most of that the
structured copy beside the text), a seventh thinking with its signature, a seventh tool calls; assistant prose is one
to two hundredths of the bytes, what the user types half of that; 7 to 16 turns a megabyte, half of the lines under
1.4 kB, one of a few hundred over 100 kB, one in 25 MB a megabyte long; 250 to 300 statements a megabyte. `chatty` is
the other end: sessions that mostly talk.
Density does not depend on size, so 20 MB and 200 MB differ in length alone. Every third task is in Chinese.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from tests.bench.session import Record
from tests.bench.synth_claude import Claude
from tests.bench.synth_codex import Codex


def claude_code(size: int, *, seed: int = 1, chatty: bool = False) -> Iterator[bytes]:
    """The lines of a Claude Code session of about `size` bytes."""
    one = Claude(seed, chatty)
    yield from _filled(one.head, one.talk, size)


def many_claude_code(count: int, size: int) -> Iterator[bytes]:
    """`count` Claude Code sessions of about `size` bytes, each of other words and with a project of its own."""
    one = Claude(1, False)
    for number in range(count):
        text = b"".join(_filled(one.head, one.talk, size))
        yield text.replace(b"/home/dev/depot", b"/home/dev/depot%d" % number)


def codex(size: int, *, seed: int = 1, chatty: bool = False) -> Iterator[bytes]:
    """The lines of a Codex rollout of about `size` bytes."""
    one = Codex(seed, chatty)
    yield from _filled(one.head, one.talk, size)


def _filled(head: Callable[[], Iterator[Record]], talk: Callable[[], Iterator[Record]], size: int) -> Iterator[bytes]:
    """Turns until `size` bytes are full; a turn is never cut."""
    written = 0
    part = head
    while written < size:
        for record in part():
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            written += len(line)
            yield line
        part = talk
