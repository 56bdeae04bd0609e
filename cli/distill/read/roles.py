"""Who speaks and when: the names that logs give to roles, speakers and times."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from distill.model import Role
from distill.text.lazy import Lazy
from distill.text.times import rfc3339


class Speaker(StrEnum):
    """The part a message plays in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"  # instructions that nobody typed in the conversation
    TOOL = "tool"  # a tool call or what a tool printed


#: The role of an event whose speaker is known by a personal name alone: a human being.
PERSON = Role.USER

_NAMES: dict[Speaker, str] = {
    Speaker.USER: (
        "user human me customer client person prompter questioner end user "
        "用户 用戶 客户 客戶 顾客 人类 人類 我 提问者 提问 問 问 使用者"
    ),
    Speaker.ASSISTANT: (
        "assistant bot agent ai model gpt chatgpt chat gpt bing bard copilot llm claude gemini chatbot robot "
        "助手 助理 机器人 機器人 模型 智能体 客服 ai助手 智能助手 回答 答"
    ),
    Speaker.SYSTEM: "system developer instructions 系统 系統 系统提示",
    Speaker.TOOL: (
        "tool function observation ipython tool-use tool-call tool-calls tool-result tool-output tool-response "
        "function-call function-result function-response function-call-output 工具"
    ),
}
_KNOWN: dict[str, Speaker] = {name: part for part, names in _NAMES.items() for name in names.split()}
_HUMPS = Lazy(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DASHES = Lazy(r"[\s_./-]+")
_ENDINGS = ("-message", "-msg", "-turn", "-chunk", "-prompt", "-input", "-reply", "-response", "-text", "-says")
# A model's or program's own name in a place where a speaker stands: "gpt-4o", "Claude 3", "review-bot", "AI助手".
_MACHINE = Lazy(
    r"(?:^|-)(?:assistant|bot|agent|ai|llm|chatbot|chatgpt|gpt|claude|gemini|copilot|llama|qwen|deepseek|mistral|grok)"
    r"(?:$|-|\d)|助手|助理|机器人|機器人|智能体"
)


def speaker_of(name: object) -> Speaker | None:
    """The part that a role's name stands for ("human", "AIMessage", 「客户」); None for anything else."""
    if not isinstance(name, str) or not name or len(name) > 60:
        return None
    known = _KNOWN.get(name)
    if known:
        return known
    plain = _plain(name)
    known = _KNOWN.get(plain)
    while known is None:
        ending = next((e for e in _ENDINGS if plain.endswith(e)), None)
        if ending is None:
            return None
        plain = plain.removesuffix(ending)
        known = _KNOWN.get(plain)
    return known


def machine_named(name: str) -> bool:
    """Whether a speaker's name is that of a model or program and not of a person."""
    return bool(_MACHINE.search(_plain(name)[:60]))


def event_role(part: Speaker | None) -> Role:
    """The role of what `part` says; None is somebody known by name alone."""
    return PERSON if part is None else Role.ASSISTANT if part is Speaker.ASSISTANT else Role.USER


def _plain(name: str) -> str:
    text = _HUMPS.sub("-", unicodedata.normalize("NFKC", name).strip(" :*_[]()<>|#@"))
    return _DASHES.sub("-", text).casefold()


# -- times -----------------------------------------------------------------------------------------------------------

_TIMES = (
    "timestamp", "time", "ts", "created_at", "createdAt", "create_time", "created", "date", "datetime", "sent_at",
    "sentAt", "send_date", "at", "when", "start_time", "updated_at", "update_time", "时间", "時間", "日期",
)  # fmt: skip
_AROUND = ("_metadata", "metadata", "meta", "info", "_meta")
_DECIMAL = Lazy(r"\d{9,11}\.\d{1,9}$")


def time_of(record: dict[str, Any], keys: Iterable[str] = _TIMES) -> str | None:
    """The time of a message as RFC 3339 in UTC, from the usual keys, its metadata too; None where there is none."""
    for key in keys:
        if key in record and (found := _time(record[key])):
            return found
    for key in _AROUND:
        inner = record.get(key)
        if isinstance(inner, dict):
            for name in keys:
                if name in inner and (found := _time(inner[name])):
                    return found
    return None


def _time(value: object) -> str | None:
    if isinstance(value, dict):
        return next((t for k in ("created", "start", "value", "$date") if (t := rfc3339(value.get(k)))), None)
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return rfc3339(float(value))
    return rfc3339(value)
