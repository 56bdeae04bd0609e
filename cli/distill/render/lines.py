"""What may stand on one line: no text can break out of its line or be taken for structure.

Escaping is minimal: one backslash is put before a sign that would be structure where it stands, after any backslashes
that are there already, and exactly that one is taken away again. A backslash anywhere else is left alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from distill.text.lazy import Lazy

PIN = "pin"
_COMMENT = "\\<!--"  # opens none
PROPOSED = ("proposed", "提议", "提議")
_BREAKS = Lazy(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_SURROGATE = Lazy("[\ud800-\udfff]")
# What opens something else than a paragraph in a list item of Markdown, and the boxes and pins that we read ourselves.
_OPENING = Lazy(
    r"(\\*)(?:\#{1,6}(?=\s|$) | [-+*](?=\s|$) | (?:[-*_][ \t]*){3,}$ | > | ``` | ~~~ | <(?:[a-z/?]|!(?!--))"
    r" | \[[ x]\](?=\s|$) | \[pin\](?=\s|$) | \[[^\]]{0,999}\]:)",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = Lazy(r"(\d{1,9})(\\*)[.)](?=\s|$)")
_MARK = Lazy(
    r"(?:\((?P<date>\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\)"
    rf"|\[(?:(?P<pin>{PIN})|(?P<proposed>{'|'.join(PROPOSED)}))\])$",
    re.IGNORECASE,
)
_MARK_WIDTH = 12  # the longest mark, a date
_BOX = Lazy(r"\[([ x])\](?:\s+|$)", re.IGNORECASE)
_FRONT_PIN = Lazy(rf"\[{PIN}\](?:\s+|$)", re.IGNORECASE)
# What is invisible or turns the reading direction, and what tears lines apart in other programs.
_HIDDEN = Lazy("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one item line says."""

    text: str
    date: str | None = None  # YYYY-MM-DD
    proposed: bool = False
    pinned: bool = False
    ticked: bool = False


def one_line(text: str) -> str:
    """`text` on one line, without control characters or blanks at its ends."""
    if text.isprintable():  # as most are: no break, no half of a pair
        return text.strip()
    return _SURROGATE.sub("\ufffd", _BREAKS.sub(" ", text)).strip()


def write_line(shown: Shown, proposed: str = PROPOSED[0]) -> str:
    """An item as the content of a list item: its text, its date, its marks. `proposed` is the word of that mark."""
    parts = [escape(one_line(shown.text))]
    if shown.date:
        parts.append(f"({shown.date})")
    if shown.proposed:
        parts.append(f"[{proposed}]")
    if shown.pinned:
        parts.append(f"[{PIN}]")
    return " ".join(parts).strip()


def read_line(content: str) -> Shown:
    """What the content of a list item says: the inverse of `write_line`; box and pin may also stand in front."""
    rest = one_line(content)
    ticked = pinned = proposed = False
    date: str | None = None
    if found := _BOX.match(rest):
        ticked = found[1] != " "
        rest = rest[found.end() :]
    if found := _FRONT_PIN.match(rest):
        pinned = True
        rest = rest[found.end() :]
    while found := _last_mark(rest):
        start = len(rest) - len(found[0])
        if rest[:start].endswith("\\") or (found["date"] and date) or (found["pin"] and pinned):
            break
        if found["proposed"] and proposed:
            break
        date = date or found["date"]
        pinned = pinned or bool(found["pin"])
        proposed = proposed or bool(found["proposed"])
        rest = rest[:start].rstrip()
    return Shown(text=unescape(rest), date=date, proposed=proposed, pinned=pinned, ticked=ticked)


def escape(text: str) -> str:
    """`text`, one line without blanks at its ends, so that neither beginning nor end is taken for structure."""
    if not text[:1].isalpha():  # a letter opens nothing
        if _OPENING.match(text):
            text = "\\" + text
        elif found := _NUMBER.match(text):
            text = f"{found[1]}\\{text[found.end(1) :]}"
    if found := _last_mark(text):
        start = len(text) - len(found[0])
        text = f"{text[:start]}\\{found[0]}"
    return text.replace("<!--", "\\<!--")


def unescape(text: str) -> str:
    """The inverse of `escape`; a text that was typed without escapes stays as it is."""
    text = text.replace("\\<!--", "<!--")
    if found := _last_mark(text):
        start = len(text) - len(found[0])
        if text[start - 1 : start] == "\\":
            text = text[: start - 1] + found[0]
    if (found := _OPENING.match(text)) and found[1]:
        text = text[1:]
    elif (found := _NUMBER.match(text)) and found[2]:
        text = found[1] + text[found.end(1) + 1 :]
    return text


def _last_mark(text: str) -> re.Match[str] | None:
    """The mark at the end of `text`, standing alone but for backslashes before it."""
    if text[-1:] not in (")", "]"):
        return None
    found = _MARK.search(text[-_MARK_WIDTH:])
    if found is None:
        return None
    before = text[: len(text) - len(found[0])].rstrip("\\")
    return found if not before or before[-1].isspace() else None


def struck(text: str) -> str:
    """`text` between `~~`, which it can't close itself."""
    inner = one_line(text)
    if "~" in inner:
        inner = re.sub(r"(?<=~)~|~(?=~)|^~|~$", r"\\~", inner)
    return f"~~{inner.replace('<!--', _COMMENT)}~~"


def struck_part(content: str) -> str | None:
    """What `struck` wrote at the beginning of `content`, or None where nothing is struck out there."""
    if not content.startswith("~~"):
        return None
    end = content.find("~~", 2)
    if end < 0:
        return None
    while content[end : end + 1] == "~":
        end += 1
    return content[:end]


def to_json(data: object, indent: int | None = None) -> str:
    """`data` as JSON that people can read, with what is invisible escaped; it can't open an HTML comment."""
    return _seen(json.dumps(data, ensure_ascii=False, indent=indent)).replace("<!--", "\\u003c!--")


def to_comment_json(data: object) -> str:
    """`data` as JSON on one short line that can stand in an HTML comment: it can't close it."""
    text = _seen(_ENCODER.encode(data))
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _seen(text: str) -> str:
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
