"""The words that are sent: the instructions of prompt.md, then items and entries of a chunk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from distill.model import Kind
from distill.refine.choose import Chunk, clipped
from distill.text.language import language
from distill.text.redact import redact

_LABELS = {"en": ("Items:", "Transcript:", "(none)"), "zh": ("条目：", "日志：", "（无）")}
_MARK = "<!-- part: "
FEWEST, MOST = 2, 12  # entries of a reply: two for each entry that is asked about, within these bounds
_FRAME, _ENTRY = 80, 160  # tokens of a reply without entries, and of an entry with a long quote
_QUOTE = {
    "type": "object",
    "properties": {"record": {"type": "integer"}, "quote": {"type": "string"}},
    "required": ["record", "quote"],
    "additionalProperties": False,
}
_CLAIM = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": [str(kind) for kind in Kind]},
        "text": {"type": "string"},
        "record": {"type": "integer"},
        "quote": {"type": "string"},
        "id": {"type": "string"},
        "also": {"anyOf": [_QUOTE, {"type": "null"}]},
    },
    "required": ["kind", "text", "record", "quote", "id", "also"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: the instructions and what they are about."""

    system: str
    user: str
    most: int = MOST  # entries that a reply may have

    @property
    def whole(self) -> str:
        """Both as one text."""
        return f"{self.system}\n\n{self.user}\n"

    @property
    def answer(self) -> int:
        """The tokens that a reply needs at most."""
        return _FRAME + _ENTRY * self.most


def schema(most: int) -> dict[str, Any]:
    """The form of a reply with at most `most` entries, for endpoints that can be held to one."""
    return {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": _CLAIM, "maxItems": most},
            "drop": {"type": "array", "items": {"type": "string"}, "maxItems": most},
        },
        "required": ["items", "drop"],
        "additionalProperties": False,
    }


def prompt_for(chunk: Chunk, doubtful: frozenset[str]) -> Prompt:
    """The prompt about a chunk, in the language of most of its words; `doubtful` are ids of items."""
    lang = language("\n".join(entry.text for entry in chunk.entries))
    items_label, log_label, none = _LABELS[lang]
    items = [f"{item.id}{'?' if item.id in doubtful else ''} {item.kind} {item.role} [{item.sources[0].record}]: "
             f"{item.text}" for item in chunk.items]
    lines = [f"{'> ' if place in chunk.asked else ''}[{entry.record}] {entry.act or entry.role}: "
             + clipped(entry.text).replace("\n", "\n    ") for place, entry in enumerate(chunk.entries)]
    text = "\n".join([items_label, *(items or [none]), log_label, *lines])
    most = max(FEWEST, min(MOST, 2 * len(chunk.asked)))
    return Prompt(instructions()[lang], redact(text)[0], most)  # whatever the state may hold, nothing secret leaves


@cache
def instructions() -> dict[str, str]:
    """The parts of prompt.md by language."""
    from importlib.resources import files

    text = (files("distill.refine") / "prompt.md").read_text(encoding="utf-8")
    parts = (part.partition(" -->\n") for part in text.split(_MARK)[1:])
    return {name: body.strip() for name, _, body in parts}
