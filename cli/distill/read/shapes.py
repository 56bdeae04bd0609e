"""Messages of nobody's making: role, text and time found by their usual names, one or two levels down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from distill.read.log import Record
from distill.read.parts import CALLS, RESULTS, Content, add_calls, first_text, tool_result, unpack
from distill.read.roles import Speaker, machine_named, speaker_of, time_of

_INNER = ("payload", "message", "data", "event", "msg", "body", "item", "entry", "record", "turn", "params",
          "content")  # fmt: skip
_ROLES = (
    "role", "speaker", "from", "sender", "author", "who", "actor", "source", "sender_type", "senderType", "from_role",
    "speaker_role", "participant", "party", "side", "角色", "说话人", "發言人", "发言人", "发送者", "身份",
)  # fmt: skip
_NAMES = ("speaker", "from", "sender", "author", "who", "user", "username", "user_name", "nickname", "nick",
          "display_name", "说话人", "发言人", "发送者", "姓名", "昵称")  # fmt: skip
_TYPES = ("type", "kind", "event", "event_type", "message_type", "msg_type")
_TYPE_PARTS = {"prompt": Speaker.USER, "question": Speaker.USER, "completion": Speaker.ASSISTANT,
               "answer": Speaker.ASSISTANT, "reply": Speaker.ASSISTANT}  # fmt: skip
_IS_USER = ("is_user", "isUser", "from_user", "is_human", "isHuman")
_IS_ME = ("fromMe", "from_me", "is_me")  # where it is not, another person speaks
_IS_BOT = ("is_bot", "isBot", "is_ai", "isAI", "is_assistant")
_TEXTS = ("text", "content", "msg", "message", "body", "mes", "utterance", "speech", "said", "transcript", "markdown",
          "parts", "内容", "文本", "消息", "正文", "发言")  # fmt: skip
_WEAK_TEXTS = ("value", "output", "response", "input", "prompt", "reply", "answer", "question", "data")
_ASKED = ("prompt", "instruction", "question", "query", "user", "human", "input", "用户", "客户", "问题", "问", "提问")
_ALONE = frozenset(  # those of the two whose value is talk without the other
    ("prompt", "user", "human", "response", "assistant", "bot", "ai", "用户", "客户", "助手")
)
_TOLD = ("response", "completion", "answer", "reply", "assistant", "bot", "ai", "output", "generated_text", "助手",
         "回答", "答", "回复")  # fmt: skip
_LOGGER = frozenset(  # keys of a program's own log, in which a name is no speaker's
    ("level", "levelname", "severity", "lvl", "log_level", "loglevel", "logger", "hostname", "pid", "stack", "caller")
)
_PROGRAM = frozenset(("tool", "tool_name", "function", "command", "cmd"))
NAME = 60  # characters of a speaker's name


@dataclass(frozen=True, slots=True)
class Said:
    """One message that was found; `part` is None for somebody known by name alone."""

    part: Speaker | None
    content: Content
    time: str | None

    @property
    def spoken(self) -> bool:
        """Whether a user, an assistant or a person says something in it."""
        return self.part not in (Speaker.SYSTEM, Speaker.TOOL) and bool(self.content.texts)


def messages_in(record: Record) -> list[Said]:
    """The messages that one object states: none, one, or a question and its answer."""
    layers = list(_layers(record))
    when = next((t for layer in layers if (t := time_of(layer))), None)
    for layer in layers:  # a tool call or a result by its type
        kind = layer.get("type")
        if isinstance(kind, str) and (kind.casefold() in CALLS or kind.casefold() in RESULTS):
            return [Said(Speaker.TOOL, unpack(layer), when)]
    part = _part(layers)
    if part is not None:
        content = _content(layers, _TEXTS) or _content(layers, _TEXTS + _WEAK_TEXTS + _sides(part))
        for layer in layers:
            add_calls(layer, content)
        if part is Speaker.TOOL and not (content.results or content.calls):
            printed = (tool_result(layer) for layer in layers)
            content = Content(results=[next((r for r in printed if r.output), tool_result(record))])
        return [Said(part, content, when)] if content or part in (Speaker.SYSTEM, Speaker.TOOL) else []
    content = _content(layers, _TEXTS)
    if content.texts and not any(_LOGGER & layer.keys() for layer in layers):
        name = _name(layers, _NAMES if when is None else (*_NAMES, "name"))  # things have names, but no times
        if name:
            return [Said(Speaker.ASSISTANT if machine_named(name) else None, content, when)]
    return _asked_and_told(layers, when)


def _layers(record: Record) -> Iterator[Record]:
    """The object itself and the objects it wraps, the outer first, two levels deep."""
    yield record
    inner = [v for key in _INNER if isinstance(v := record.get(key), dict)]
    yield from inner
    for one in inner:
        yield from (v for key in _INNER if isinstance(v := one.get(key), dict))


def _part(layers: list[Record]) -> Speaker | None:
    for layer in layers:
        for key in _ROLES:
            value = layer.get(key)
            if isinstance(value, dict):
                value = next((v for k in ("role", "type", "kind") if isinstance(v := value.get(k), str)), None)
            if isinstance(value, str) and (found := speaker_of(value)):
                return found
    for layer in layers:
        for key in _IS_USER:
            if isinstance(told := layer.get(key), bool):
                return Speaker.USER if told else Speaker.ASSISTANT
        if any(layer.get(key) is True for key in _IS_ME):
            return Speaker.USER
        if any(layer.get(key) is True for key in _IS_BOT):
            return Speaker.ASSISTANT
    for layer in layers:
        for key in _TYPES:
            value = layer.get(key)
            if isinstance(value, str) and (found := speaker_of(value) or _TYPE_PARTS.get(value)):
                return found
    return None


def _name(layers: list[Record], keys: tuple[str, ...]) -> str:
    """The personal name that stands where a speaker does."""
    for layer in layers:
        for key in keys:
            value = layer.get(key)
            if isinstance(value, dict):
                value = first_text(value, "name", "username", "display_name", "id")
            if isinstance(value, str) and 0 < len(value.strip()) <= NAME and "\n" not in value:
                return value.strip()
    return ""


def _content(layers: list[Record], keys: tuple[str, ...]) -> Content:
    for layer in layers:
        for key in keys:
            value = layer.get(key)
            if not value or not isinstance(value, (str, list, dict)):
                continue
            found = unpack(value)
            if found:
                return found
    return Content()


def _sides(part: Speaker) -> tuple[str, ...]:
    return _ASKED if part is Speaker.USER else _TOLD if part is Speaker.ASSISTANT else ()


def _asked_and_told(layers: list[Record], time: str | None) -> list[Said]:
    """A question and its answer that stand under keys of one object, or one of the two alone."""
    for layer in layers:
        if _PROGRAM & layer.keys() or _LOGGER & layer.keys():
            continue
        asked = [v for key in _ASKED if isinstance(v := layer.get(key), str) and v.strip()]
        told = next((v for key in _TOLD if isinstance(v := layer.get(key), str) and v.strip()), "")
        if asked and told:
            question, answer = Content(texts=asked), Content(texts=[told])
            return [Said(Speaker.USER, question, time), Said(Speaker.ASSISTANT, answer, time)]
        for keys, part in ((_ASKED, Speaker.USER), (_TOLD, Speaker.ASSISTANT)):
            alone = (v for key in keys if key in _ALONE and isinstance(v := layer.get(key), str) and wordy(v))
            if text := next(alone, ""):
                return [Said(part, Content(texts=[text]), time)]
    return []


def wordy(text: str) -> bool:
    """Whether a value reads like words and not like a name, a number or an id."""
    plain = text.strip()
    return any(c.isalpha() for c in plain) and (len(plain.split()) > 1 or any("\u3040" <= c <= "\u9fff" for c in plain))


def talks(records: list[Any]) -> bool:
    """Whether any of `records` is a message that somebody speaks, in words where only a name tells who it is."""
    for record in records:
        for said in messages_in(record) if isinstance(record, dict) else ():
            if said.spoken and (said.part is not None or wordy(said.content.text)):
                return True
    return False
