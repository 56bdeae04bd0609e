"""LangChain and LangGraph messages: nested, flat or serialised, in a list, in a state, or one a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from distill.model import Event
from distill.read.conversations import Conversation, choose
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.messages import Talk, describe
from distill.read.parts import Content, ToolResult, add_calls, first_text, tool_result, unpack
from distill.read.roles import Speaker, speaker_of, time_of

_TYPES = {
    "human": Speaker.USER,
    "ai": Speaker.ASSISTANT,
    "system": Speaker.SYSTEM,
    "developer": Speaker.SYSTEM,
    "tool": Speaker.TOOL,
    "function": Speaker.TOOL,
    "chat": None,
    "remove": None,
}
_STATES = ("messages", "chat_history", "history")
_FOREIGN = frozenset(("sessionId", "projectHash", "parentUuid", "uuid", "payload", "ts", "from"))
LOOKED_AT = 10


def recognise(log: Log) -> bool:
    """Whether there are messages of a type such as "human" and "ai", in any of the shapes."""
    if log.is_document:
        return bool(_states(opening(log)))
    lines = log.objects
    return _are_messages(lines) or (bool(lines) and all(_messages(one) is not None for one in lines))


def events(log: Log) -> Iterator[Event]:
    """The events of a document's messages, or of a JSON Lines log's."""
    if log.is_document:
        one = choose(log, _states(whole(log)))
        if one is not None:
            messages = _messages(one.body) or []
            describe(log.tally, one.body)
            log.tally.records = len(messages)
            yield from _walk(Talk(log, session=one.id), enumerate(messages, 1))
        return
    talk = Talk(log)
    for line, record in log.records():
        state = _messages(record)
        if state is None:
            yield from _message(talk, record, line)
            continue
        log.tally.types["state"] += 1
        yield from _walk(Talk(log), ((line, message) for message in state))
    yield from talk.close()


def _walk(talk: Talk, messages: Iterator[tuple[int, Any]] | enumerate[Any]) -> Iterator[Event]:
    for record, message in messages:
        if isinstance(message, dict):
            yield from _message(talk, message, record)
        else:
            talk.tally.skip("not a message", record)
    yield from talk.close()


def _message(talk: Talk, message: Record, record: int) -> Iterator[Event]:
    kind, body = _opened(message)
    talk.tally.types[kind or "?"] += 1
    part = _part(kind, body)
    if part is None:
        talk.tally.set_aside["unknown role"] += 1
        return
    content = unpack(body.get("content"))
    add_calls(body, content)
    if part is Speaker.TOOL and not content.results:
        told = tool_result(body)
        content = Content(results=[ToolResult(first_text(body, "tool_call_id"), told.name, told.output, told.failed)])
    when = time_of(body) or time_of(message) or _time_beside(body)
    yield from talk.turn(part, content, record, when)


def _opened(message: Record) -> tuple[str, Record]:
    """A message's type ("human", "ai", …; "" where it has none) and the object that holds its content."""
    kwargs = message.get("kwargs")
    if message.get("lc") is not None and isinstance(kwargs, dict):
        path = message.get("id")
        name = path[-1] if isinstance(path, list) and path and isinstance(path[-1], str) else ""
        return _kind(name), kwargs
    kind = message.get("type")
    data = message.get("data")
    return _kind(kind) if isinstance(kind, str) else "", data if isinstance(data, dict) else message


def _kind(name: str) -> str:
    """The type that a class or type name means: "AIMessageChunk" is "ai"."""
    plain = name.removesuffix("Chunk").removesuffix("Message").casefold()
    return plain if plain in _TYPES else ""


def _part(kind: str, body: Record) -> Speaker | None:
    if kind == "chat":
        return speaker_of(body.get("role"))
    return _TYPES.get(kind)


def _time_beside(body: Record) -> str | None:
    for key in ("additional_kwargs", "response_metadata"):
        if isinstance(inner := body.get(key), dict) and (found := time_of(inner)):
            return found
    return None


# -- recognition -----------------------------------------------------------------------------------------------------


def _states(document: Any) -> list[Conversation]:
    """The message lists of a document: itself, a state's, or those of a list of states (each newer one holds all)."""
    if isinstance(document, dict) and _is_message(document):  # a log of one line
        document = [document]
    if isinstance(document, list) and _are_messages(document):
        return [Conversation(body={"messages": document})]
    listed = document if isinstance(document, list) else [document]
    found = [
        Conversation(body=one, id=first_text(one, "thread_id", "id"), time=time_of(one))
        for one in listed
        if isinstance(one, dict) and _messages(one) is not None
    ]
    if not found or len(found) * 4 < len(listed) * 3:
        return []
    if len({c.id for c in found}) < 2:
        return [max(found, key=lambda c: len(_messages(c.body) or ()))]
    return found


def _messages(body: Record) -> list[Any] | None:
    """The messages of a state, or None where `body` is none."""
    inner = body.get("values")
    for holder in (body, inner):
        if isinstance(holder, dict) and not _FOREIGN & holder.keys():
            for key in _STATES:
                messages = holder.get(key)
                if isinstance(messages, list) and _are_messages(messages):
                    return messages
    return None


def _are_messages(messages: list[Any]) -> bool:
    looked = messages[:LOOKED_AT]
    fitting = [m for m in looked if _is_message(m)]
    talks = any(_opened(m)[0] in ("human", "ai", "chat") for m in fitting)
    return talks and len(fitting) * 4 >= (len(looked) - 1) * 3


def _is_message(one: Any) -> bool:
    if not isinstance(one, dict) or _FOREIGN & one.keys():
        return False
    kind, body = _opened(one)
    return bool(kind) and ("content" in body or kind == "remove")


FORMAT = Format(
    name="langchain",
    title="LangChain and LangGraph",
    where="message histories and graph states; a JSON document or JSON Lines",
    order=54,
    recognise=recognise,
    events=events,
)
