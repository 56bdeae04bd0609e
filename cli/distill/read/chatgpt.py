"""ChatGPT's data export: conversations as trees of messages, of which one path is live."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk
from distill.read.parts import Content, first_text
from distill.read.roles import speaker_of, time_of
from distill.text.lazy import Lazy

_PROSE = frozenset(("text", "multimodal_text"))
_UPDATED = ("update_time", "create_time")
_INJECTED = frozenset(("user_editable_context", "model_editable_context", "tether_quote", "tether_browsing_display"))
_THINKING = frozenset(("thoughts", "reasoning_recap"))
# Marks of a citation, between private-use characters, and the older form in brackets.
_CITED = Lazy(r" ?\ue200[^\ue201\n]{0,400}\ue201| ?【\d{1,4}(?::\d{1,4})?†[^】\n]{0,200}】")


def recognise(log: Log) -> bool:
    """Whether this is a conversation with a `mapping` of messages, or a list of them."""
    return bool(_conversations(opening(log)))


def events(log: Log) -> Iterator[Event]:
    """The events of one conversation; a record is the place of a message on the path to the current one."""
    one = choose(log, _conversations(whole(log)))
    if one is None:
        return
    tally = log.tally
    tally.title, tally.session = one.title, one.id
    mapping = one.body["mapping"]
    path = _path(mapping, one.body.get("current_node"))
    tally.records = len(path)
    others = sum(_message_of(node) is not None for node in mapping.values()) - len(path)
    if others > 0:
        tally.set_aside["other branch"] += others
    talk = Talk(log, session=one.id)
    for record, message in enumerate(path, 1):
        author = message.get("author")
        role = first_text(author, "role") if isinstance(author, dict) else ""
        content = message.get("content")
        kind = first_text(content, "content_type") if isinstance(content, dict) else ""
        tally.types[f"{role or '?'}/{kind or '?'}"[:60]] += 1
        why = _unsaid(message, role, kind)
        if why:
            tally.set_aside[why] += 1
            continue
        part = speaker_of(role)
        if part is None or not isinstance(content, dict):
            tally.set_aside["unknown role"] += 1
            continue
        yield from talk.turn(part, _content(content), record, time_of(message, ("create_time", "update_time")))
    yield from talk.close()


def _unsaid(message: Record, role: str, kind: str) -> str:
    """Why a message is nobody's word; "" for what was said."""
    meta = message.get("metadata")
    if role == "system":
        return "system prompt"
    if kind in _INJECTED:
        return "injected text"
    if isinstance(meta, dict) and meta.get("is_visually_hidden_from_conversation"):
        return "hidden message"
    if role == "tool":
        return "tool output"
    if message.get("recipient") not in (None, "all"):
        return "tool call"
    if kind in _THINKING:
        return "thinking"
    return "" if kind in _PROSE else "other content"


def _content(content: Record) -> Content:
    found = Content()
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text")]:
        text = part
        if isinstance(part, dict):  # an image, or what was dictated
            text = part.get("text") if part.get("content_type") == "audio_transcription" else None
        if isinstance(text, str):
            if text.strip():
                found.texts.append(_CITED.sub("", text))
        elif part is not None:
            found.aside.append("attachment")
    return found


def _path(mapping: Record, current: Any) -> list[Record]:
    """The messages from the root to the current node, or to the newest leaf where that is not named."""
    at: Any = current if isinstance(current, str) and current in mapping else _newest_leaf(mapping)
    path: list[Record] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)
        node = mapping[at]
        message = _message_of(node)
        if message is not None:
            path.append(message)
        at = node.get("parent") if isinstance(node, dict) else None
    path.reverse()
    return path


def _newest_leaf(mapping: Record) -> str | None:
    parents = {p for node in mapping.values() if isinstance(node, dict) and isinstance(p := node.get("parent"), str)}
    newest, found = "", None
    for key, node in mapping.items():
        message = _message_of(node)
        if key in parents or message is None:
            continue
        when = time_of(message, ("create_time",)) or ""
        if found is None or when >= newest:
            newest, found = when, key
    return found


def _message_of(node: object) -> Record | None:
    message = node.get("message") if isinstance(node, dict) else None
    return message if isinstance(message, dict) else None


def _conversations(document: Any) -> list[Conversation]:
    listed = document if isinstance(document, list) else [document]
    return [
        Conversation(
            body=one,
            id=first_text(one, "conversation_id", "id"),
            title=first_text(one, "title"),
            time=time_of(one, _UPDATED),
        )
        for one in listed
        if isinstance(one, dict) and _is_tree(one.get("mapping"))
    ]


def _is_tree(mapping: object) -> bool:
    """Whether `mapping` is one of nodes with a message and its parent; an empty conversation is none."""
    if not isinstance(mapping, dict):
        return False
    node = next((n for n in mapping.values() if isinstance(n, dict)), None)
    return node is not None and "message" in node and ("parent" in node or "children" in node)


FORMAT = Format(
    name="chatgpt",
    title="ChatGPT export",
    where="conversations.json of a data export",
    order=30,
    document=True,
    recognise=recognise,
    events=events,
)
