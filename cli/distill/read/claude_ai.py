"""Claude.ai's data export: conversations of `chat_messages`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Action, ActionKind, Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk
from distill.read.parts import Content, ToolCall, first_text, unpack
from distill.read.roles import speaker_of, time_of

DETAIL = 2000  # characters of an artifact that are passed on
_UPDATED = ("updated_at", "created_at")


def recognise(log: Log) -> bool:
    """Whether this is a conversation with `chat_messages`, or a list of them."""
    return bool(_conversations(opening(log)))


def events(log: Log) -> Iterator[Event]:
    """The events of one conversation; a record is the place of a message in it."""
    one = choose(log, _conversations(whole(log)))
    if one is None:
        return
    tally = log.tally
    tally.title, tally.session = one.title, one.id
    messages = one.body["chat_messages"]
    tally.records = len(messages)
    if isinstance(summary := one.body.get("summary"), str) and summary.strip():
        tally.set_aside["summary"] += 1
    live = _live(one.body, messages)
    talk = Talk(log, session=one.id)
    for record, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            tally.skip("not a message", record)
            continue
        sender = first_text(message, "sender", "role")
        tally.types[sender[:40] or "?"] += 1
        part = speaker_of(sender)
        if live is not None and message.get("uuid") not in live:
            tally.set_aside["other branch"] += 1
        elif part is None:
            tally.set_aside["unknown role"] += 1
        else:
            yield from _message(talk, part, message, record)
    yield from talk.close()


def _message(talk: Talk, part: Any, message: Record, record: int) -> Iterator[Event]:
    content = unpack(message.get("content"))
    content.aside = [what for what in content.aside if what == "thinking"]
    if not content and isinstance(text := message.get("text"), str):
        content = Content(texts=[text])  # older exports; elsewhere it repeats the content
    for key in ("attachments", "files", "files_v2"):
        held = message.get(key)
        for one in held if isinstance(held, list) else []:
            pasted = isinstance(one, dict) and bool(first_text(one, "extracted_content"))
            content.aside.append("pasted document" if pasted else "attachment")
    when = time_of(message)
    made = [call for call in content.calls if call.name == "artifacts"]
    content.calls = [call for call in content.calls if call.name != "artifacts"]
    content.results = [result for result in content.results if result.name != "artifacts"]
    yield from talk.turn(part, content, record, when)
    for call in made:
        act = _artifact(call)
        if act is not None:
            yield talk.teller.act(act, record, when)


def _artifact(call: ToolCall) -> Action | None:
    """The document that the assistant laid beside the conversation; updates name it only by an id and add nothing."""
    given = call.arguments
    if not isinstance(given, dict) or given.get("command") not in (None, "create", "rewrite"):
        return None
    title = first_text(given, "title", "id")
    return Action(kind=ActionKind.WROTE, target=title, detail=first_text(given, "content")[:DETAIL]) if title else None


def _live(body: Record, messages: list[Any]) -> set[str] | None:
    """The ids on the path to the current message; None where the export holds no branches."""
    leaf = body.get("current_leaf_message_uuid")
    above: dict[str, Any] = {}
    for message in messages:
        if isinstance(message, dict) and (name := first_text(message, "uuid")):
            above[name] = message.get("parent_message_uuid")
    if not isinstance(leaf, str) or leaf not in above:
        return None
    path: set[str] = set()
    at: Any = leaf
    while isinstance(at, str) and at in above and at not in path:
        path.add(at)
        at = above[at]
    return path


def _conversations(document: Any) -> list[Conversation]:
    listed = document if isinstance(document, list) else [document]
    return [
        Conversation(
            body=one,
            id=first_text(one, "uuid"),
            title=first_text(one, "name"),
            time=time_of(one, _UPDATED),
        )
        for one in listed
        if isinstance(one, dict) and isinstance(one.get("chat_messages"), list)
    ]


FORMAT = Format(
    name="claude-ai",
    title="Claude.ai export",
    where="conversations.json of a data export",
    order=32,
    document=True,
    recognise=recognise,
    events=events,
)
