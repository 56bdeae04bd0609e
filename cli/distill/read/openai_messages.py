"""Chat messages of OpenAI's shape: a document, a bare list, or JSON lines of conversations or of messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk, describe, each_message
from distill.read.roles import speaker_of, time_of

_BODIES = ("content", "tool_calls", "function_call", "tool_call_id", "refusal")
# What only other programs' documents and lines hold.
_FOREIGN = frozenset((
    "mapping", "chat_messages", "projectHash", "trajectory", "trajectory_format", "payload", "parentUuid", "sessionId",
    "record_type", "uuid", "from", "conversations", "action", "observation",
))  # fmt: skip
LOOKED_AT = 10  # messages that detection looks at


def recognise(log: Log) -> bool:
    """Whether these are messages with a role and a content and nothing of another program's."""
    if log.is_document:
        return bool(_conversations(opening(log)))
    return _lines_of_conversations(log.objects) or _lines_of_messages(log.objects)


def events(log: Log) -> Iterator[Event]:
    """The events of the one conversation of a document, or of every line of a JSON Lines log."""
    if log.is_document:
        one = choose(log, _conversations(whole(log)))
        if one is not None:
            describe(log.tally, one.body)
            messages = one.body["messages"]
            yield from each_message(log, messages, _talk(log, one.body))
        return
    talk = Talk(log)
    for line, record in log.records():
        messages = record.get("messages")
        if not isinstance(messages, list):
            yield from talk.message(record, line)
            continue
        log.tally.types["conversation"] += 1
        describe(log.tally, record)
        held = _talk(log, record)
        for message in messages:
            yield from held.message(message, line)
        yield from held.close()
    yield from talk.close()


def _talk(log: Log, head: Record) -> Talk:
    session = next((v for k in ("session_id", "conversation_id", "id") if isinstance(v := head.get(k), str)), "")
    return Talk(log, session=session, project=log.tally.project)


def _conversations(document: Any) -> list[Conversation]:
    """The conversations of a document: a bare list of messages, an object around one, or a list of such objects."""
    if isinstance(document, dict):
        if "type" not in document and _is_message(document):  # a log of one line
            return [Conversation(body={"messages": [document]})]
        return [_conversation(document)] if _holds_messages(document) else []
    if not isinstance(document, list):
        return []
    if _are_messages(document):
        return [Conversation(body={"messages": document})]
    found = [_conversation(one) for one in document if isinstance(one, dict) and _holds_messages(one)]
    return found if len(found) * 4 >= len(document) * 3 else []


def _conversation(body: Record) -> Conversation:
    names = [v if isinstance(v := body.get(k), str) else "" for k in ("conversation_id", "session_id", "id", "title")]
    newest = next((t for m in reversed(body["messages"]) if isinstance(m, dict) and (t := time_of(m))), None)
    return Conversation(body=body, id=names[0] or names[1] or names[2], title=names[3], time=newest or time_of(body))


def _holds_messages(body: Record) -> bool:
    messages = body.get("messages")
    return isinstance(messages, list) and not _FOREIGN & body.keys() and _are_messages(messages)


def _are_messages(messages: list[Any]) -> bool:
    """Whether the first messages, a stray one aside, have a known role and a content, and somebody speaks."""
    looked = messages[:LOOKED_AT]
    fitting = [m for m in looked if _is_message(m)]
    talks = any(m.get("role") in ("user", "assistant", "human") for m in fitting)
    return talks and len(fitting) * 4 >= (len(looked) - 1) * 3


def _is_message(one: Any) -> bool:
    if not isinstance(one, dict) or _FOREIGN & one.keys():
        return False
    if isinstance(one.get("ts"), int) and isinstance(one.get("content"), list):
        return False  # an editor agent's own history of the API
    if one.get("type") in ("function_call", "function_call_output", "reasoning") and "role" not in one:
        return True
    content = one.get("content")
    if isinstance(content, str) and "```mswea_bash_command" in content:
        return False
    return speaker_of(one.get("role")) is not None and any(key in one for key in _BODIES)


def _lines_of_conversations(objects: list[Record]) -> bool:
    """Whether most lines hold a conversation of messages each."""
    return bool(objects) and sum(map(_holds_messages, objects)) * 2 > len(objects)


def _lines_of_messages(objects: list[Record]) -> bool:
    """Whether the lines are messages: bare ones, not items of another program's log that happen to have a role."""
    bare = [one for one in objects if "type" not in one and _is_message(one)]
    talks = any(one.get("role") in ("user", "assistant", "human") for one in bare)
    return talks and len(bare) * 4 >= len(objects) * 3


FORMAT = Format(
    name="openai-messages",
    title="Chat messages (OpenAI's shape)",
    where="anywhere; a JSON document or JSON Lines",
    order=50,
    recognise=recognise,
    events=events,
)
