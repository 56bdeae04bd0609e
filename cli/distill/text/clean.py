"""Text that is safe to show and to store: no terminal escapes, no controls, nothing invisible."""

from __future__ import annotations

from distill.text.lazy import Lazy

# Escape sequences as terminals read them: CSI, then strings (OSC, DCS, APC, PM, SOS) up to their terminator, then the
# short ones. Each stops at the next control character, so that no scan runs twice over the same text.
_ESCAPE = Lazy(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_ESCAPES = Lazy(r"[\x1b\x80-\x9f]")
_BREAK = Lazy(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_PICTURE = (
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_SKIN = r"[\U0001f3fb-\U0001f3ff]?"
_UNSEEN = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# What cannot be seen is dropped unless it is part of an emoji, a keycap or the variant of a Han character.
_INVISIBLE = Lazy(
    rf"((?:{_PICTURE}\ufe0f?{_SKIN}(?:\u200d{_PICTURE}\ufe0f?{_SKIN})*)"
    r"|[0-9#*]\ufe0f\u20e3|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f][\U000e0100-\U000e01ef])"
    rf"|[{_UNSEEN}]"
)
_HIDDEN = Lazy(r"[\u034f\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")  # counts as printable
_PAIR = Lazy(r"[\ud800-\udbff][\udc00-\udfff]")


def clean(text: str, *, one_line: bool = True) -> str:
    """The text without anything that acts on a terminal or cannot be seen, on one line.

    Dropped: terminal escapes, control characters, bidi controls, zero-width and other invisible characters (joiners
    stay inside emoji), lone surrogates. Line ends and runs of blanks become one blank, none at the ends. With
    `one_line=False` line ends become LF, and tabs and blanks stay as they are. `clean(clean(x)) == clean(x)`.
    """
    plain = _visible(text)
    if not one_line:
        return plain
    if plain.isprintable() and "  " not in plain and plain[:1] != " " and plain[-1:] != " ":
        return plain  # a no-break or wide blank is not printable
    return " ".join(plain.split())


def _visible(text: str) -> str:
    bare = text if text.isprintable() else text.replace("\n", "").replace("\t", "")
    if bare.isprintable() and (bare.isascii() or not _HIDDEN.search(bare)):
        return text  # ordinary prose
    if _ESCAPES.search(text):
        text = _ESCAPE.sub("", text)
    text = _PAIR.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), _BREAK.sub("\n", text))
    return _INVISIBLE.sub(lambda m: m[1] or "", text)


def inert(text: str) -> str:
    """The text with its comment marks broken by a blank, so that it neither opens nor closes one: `<! --`, `-- >`.

    What makes a heading, a rule or a box at the start of an item is for the renderer to escape.
    `inert(inert(x)) == inert(x)`.
    """
    if "--" not in text:
        return text
    return text.replace("<!--", "<! --").replace("-->", "-- >")
