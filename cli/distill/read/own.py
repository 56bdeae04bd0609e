"""What `distill` wrote itself: recognised where it stands in a log, so that it is never eaten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from distill.text.labels import LABELS, is_compact, label
from distill.text.lazy import Lazy

BEGIN = "<!-- distill:begin -->"
END = "<!-- distill:end -->"
LIMIT = 5000  # lines after which a block that nobody closed counts as none
_LABELS = tuple(one.strip() for labels in LABELS.values() for one in labels)
_FRONT = 100  # lines a front matter may have
_MARK = Lazy(r"[\s>#]{0,12}<!--\s{0,4}distill:(begin|end)\b[^>]{0,80}-->\s*$")
# The first line of a message whose speaker stands before it: "User: <!-- …".
_AFTER_NAME = Lazy(r"([^<>]{0,80}[:：])\s{0,4}<!--\s{0,4}distill:begin\b[^>]{0,80}-->\s*$")


def without_own_output(text: str) -> tuple[str, int]:
    """`text` without what `distill` wrote, and how many blocks that were.

    A block stands between the two marker lines, or is the compact form, or is a state file: YAML front matter with
    `schema` and `distill` keys, and all that follows it. The lines of a block become empty, so that every other line
    keeps its place.
    """
    if not may_hold_own(text):
        return text, 0
    lines = text.split("\n")
    found = [0]
    kept = [line for _, line in blanked(enumerate(lines), found)]
    for at, line in enumerate(kept):
        if line.strip() == "---" and _own_front(kept[at : at + _FRONT]):
            kept[at:] = [""] * (len(kept) - at)
            found[0] += 1
            break
    return "\n".join(kept), found[0]


def may_hold_own(text: str) -> bool:
    """Whether `text` is worth a closer look for what `distill` wrote."""
    if "distill" in text:
        return True
    brackets = "]" in text, not text.isascii() and "】" in text
    return any(brackets) and any(one in text for one in _LABELS)


def blanked(lines: Iterable[tuple[int, str]], found: list[int]) -> Iterator[tuple[int, str]]:
    """Numbered `lines`, those that `distill` wrote emptied: between the markers, and of the compact form.

    `found[0]` counts the blocks. Holds at most `LIMIT` lines. Lines that open with a state file's front matter are
    emptied to the end.
    """
    held: list[tuple[int, str]] = []
    last = None
    for one in _between_markers(lines, found):
        mark = label(one[1]) if "[" in one[1] or "【" in one[1] else None
        if held and not (mark and last and mark.lang == last.lang and mark.place > last.place):
            yield from _compact(held, found)
            held = []
        if mark:
            held.append(one)
        else:
            yield one
        last = mark
    yield from _compact(held, found)


def _compact(held: list[tuple[int, str]], found: list[int]) -> Iterator[tuple[int, str]]:
    """Lines that all bear a label, emptied where they are the compact form."""
    if held and is_compact([line for _, line in held]):
        found[0] += 1
        held = [(number, "") for number, _ in held]
    yield from held


def _between_markers(lines: Iterable[tuple[int, str]], found: list[int]) -> Iterator[tuple[int, str]]:
    """Numbered `lines`, those between the markers emptied, and those of a state file."""
    source = iter(lines)
    first = next(source, None)
    if first is None:
        return
    if first[1].strip() == "---":
        front = [first]
        for one in source:
            front.append(one)
            if one[1].strip() == "---" or len(front) >= _FRONT:
                break
        if _own_front([text for _, text in front]):
            found[0] += 1
            for number, _ in chain(front, source):
                yield number, ""
            return
        source = chain(front, source)
    else:
        source = chain([first], source)
    for one in source:
        number, line = one
        mark, name = (marker(line), _named(line)) if "distill:" in line else ("", "")
        if not (mark or name):
            yield one
            continue
        if mark == "end":
            yield number, ""
            continue
        held: list[tuple[int, str]] = []
        closed = not name  # what begins behind a name counts only where it is closed
        for one in source:
            held.append(one)
            if marker(one[1]) == "end":
                closed = True
                break
            if len(held) >= LIMIT:
                closed = False
                break
        if closed:
            found[0] += 1
            yield number, name
            yield from ((n, "") for n, _ in held)
        else:
            yield number, line if name else ""
            yield from held


def is_state(head: str) -> bool:
    """Whether a text begins as a state file does."""
    lines = head.lstrip().split("\n", _FRONT)[:_FRONT]
    return bool(lines) and lines[0].strip() == "---" and _own_front(lines)


def marker(line: str) -> str:
    """ "begin" or "end" where `line` is a marker of ours, else ""."""
    if "distill:" not in line:
        return ""
    found = _MARK.match(line)
    return found[1] if found else ""


def _named(line: str) -> str:
    """The speaker before a marker that opens a block on the same line, else ""."""
    found = _AFTER_NAME.match(line)
    return found[1] if found else ""


def _own_front(lines: list[str]) -> bool:
    """Whether these lines, the first of which is "---", open with the front matter of a state."""
    keys: set[str] = set()
    for line in lines[1:]:
        if line.strip() == "---":
            return {"schema", "distill"} <= keys
        if line[:1] not in (" ", "\t", "#", "-", ""):
            keys.add(line.partition(":")[0].strip())
    return False
