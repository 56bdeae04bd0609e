"""The body of the Markdown file, line by line: items under their headings, the history, the ledger."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field

from distill.model import DistillError, Kind
from distill.render.contract import Data
from distill.render.lines import Shown, read_line
from distill.render.wording import EN, is_note, section
from distill.text.lazy import Lazy

LEDGER = "<!-- distill:ledger"
LEDGER_END = "-->"
# A bullet of any sort that Markdown knows, and two that word processors and Chinese writers use.
_BULLET = Lazy(r"([ \t]*)(?:[-*+•]|(\d{1,9})[.)])(?:[ \t]+(.*))?|([ \t]*)(\d{1,3})、(.*)")
_CONFLICT = Lazy(r"(?:<{7}|>{7}|\|{7})(?: .*)?|={7}")


@dataclass(slots=True)
class Body:
    """What stands below the front matter."""

    shown: dict[Kind, list[Shown]] = field(default_factory=lambda: defaultdict(list))
    history: list[tuple[int, str]] = field(default_factory=list)  # line number, content
    ledger: list[tuple[int, Data]] = field(default_factory=list)  # line number, entry


def split(text: str) -> list[str]:
    """The lines of a file; only LF and CRLF end one."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def refuse_conflict(lines: list[str], path: str) -> None:
    """Raise DistillError where two versions of the file were merged and nobody settled it."""
    for number, line in enumerate(lines, 1):
        if _CONFLICT.fullmatch(line.rstrip()):
            raise DistillError(f"{path}:{number}: an unsettled merge: keep the lines of either side, without the marks")


def read_body(lines: list[str], start: int, path: str) -> Body:
    """What stands in `lines` from index `start`.

    Raises DistillError with file and line for a line that is neither an item nor a heading nor an entry of the ledger.
    """
    body = Body()
    home: Kind | str | None = None
    bullets: list[tuple[Kind | str, int, list[str]]] = []
    is_open = in_ledger = numbered = False  # may the next line continue the last bullet?
    for number, line in enumerate(lines[start:], start + 1):
        bare = line.strip()
        if in_ledger:
            in_ledger = bare != LEDGER_END
            if in_ledger and bare:
                body.ledger.append((number, _ledger_entry(bare, f"{path}:{number}")))
        elif bare == LEDGER:
            in_ledger, home, is_open = True, None, False
        elif not bare or is_note(bare):
            is_open = False
        elif (found := _BULLET.fullmatch(line.rstrip())) and not (is_open and _goes_on(found, numbered)):
            if home is None:
                raise _unknown(path, number, "this item stands under no heading")
            bullets.append((home, number, [found[3] or found[6] or ""]))
            is_open, numbered = True, bool(found[2] or found[5])
        elif is_open and line.startswith(("  ", "\t")):
            bullets[-1][2].append(bare)
        elif bare.startswith("#"):
            home, is_open = section(bare), False
            if home is None:
                raise _unknown(path, number, "this heading is none of ours")
        else:
            raise _unknown(path, number, "this line is neither an item nor a heading")
    for under, number, parts in bullets:
        content = " ".join(parts).strip()
        if isinstance(under, Kind):
            body.shown[under].append(read_line(content))
        else:
            body.history.append((number, content))
    return body


def _goes_on(bullet: re.Match[str], numbered: bool) -> bool:
    """Whether what looks like a numbered bullet is a number at the beginning of a wrapped line, as in Markdown."""
    number = bullet[2] or bullet[5]
    return number not in (None, "1") and not numbered and (bullet[1] or bullet[4] or "").startswith(("  ", "\t"))


def _unknown(path: str, number: int, what: str) -> DistillError:
    known = ", ".join(f'"## {name}"' for name in (*EN.headings.values(), EN.history))
    return DistillError(f'{path}:{number}: {what}: write items as "- text" under {known}')


def _ledger_entry(line: str, where: str) -> Data:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DistillError(f"{where}: a broken ledger line: repair it, or take it out (its item then counts as new)")
    return found
