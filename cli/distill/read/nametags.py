"""Names before a colon: whose they are, and which of them are labels and no names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from distill.model import Role
from distill.read.roles import Speaker, event_role, machine_named, speaker_of
from distill.text.lazy import Lazy

_LABELS = """
todo todos fixme xxx hack note notes nb warning warn error errors info debug trace fatal critical decision decisions
decided fact facts artifact artifacts open next question questions answer answers
result results summary conclusion conclusions action actions status date time author
authors title subject from to cc bcc re fw fwd url link links file files path command output input step steps
example examples e.g hint tip tips important caution danger reason reasons cause problem issue issues fix
fixes fixed bug bugs test tests risk risks goal goals scope context background done doing blocked pending version
release branch commit commits pr ref refs topic topics agenda presenter presenters attendees present
absent location room duration source sources type name id key value default usage options option pros cons plan
proposal update updates ps p.s http https ftp file tags category owner assignee priority due deadline
待办 代办 待办事项 决定 决策 结论 事实 产物 问题 原因 根因 备注 注 注意 注意事项 说明 时间 日期 地点 总结 小结
目标 背景 结果 状态 风险 方案 任务 进展 下一步 后续 例如 比如 示例 步骤 主题 议题 参会 参会人 参会人员 与会者 主持
记录 记录人 缺席 建议 提示 警告 错误 修复 改动 变更 影响 处理 做法 优点 缺点 适合 文件 路径 版本 分支 提交 链接
标题 作者 摘要 需求 现状 现况 范围 依据 来源 附件 补充 待确认 未完成 已完成 完成 进行中 阻塞 延后
"""
#: Words that stand before a colon without being anybody's name.
LABELS = frozenset(_LABELS.split()) | {
    "action item",
    "action items",
    "next step",
    "next steps",
    "open items",
    "root cause",
}

_NAME = Lazy(
    r"(?:[A-Z][\w'’.-]{0,24}(?: [A-Z][\w'’.-]{0,24}){0,2}|[a-z][\w.-]{1,20}|[A-Z]{1,4}"
    r"|[\u4e00-\u9fff]{1,6}\d{0,3}|(?:Speaker|Person|Participant|User|Guest) ?[A-Z0-9]{1,3})$"
)
_LEVEL = Lazy(r"[\[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)[\])>]?\b", re.I)
_ASIDE = (Speaker.SYSTEM, Speaker.TOOL)


@lru_cache(maxsize=2048)
def part_of(name: str) -> Speaker | None:
    """The part that a name on a line of its own stands for: `speaker_of`, with Q and A and "You said"."""
    plain = name.strip(" *_`#[]<>:：")
    plain = re.sub(r"^[^\w(（]+\s*|\s+(?:said|says|asked|wrote)$", "", plain)
    if plain in ("Q", "问", "問", "You", "Prompt", "Me"):
        return Speaker.USER
    if plain in ("A", "答", "Response", "Reply", "Cursor", "Codex"):
        return Speaker.ASSISTANT
    return speaker_of(plain) or (Speaker.ASSISTANT if plain and machine_named(plain) else None)


def role_of(name: str) -> Role | None:
    """The role of what `name` says; None where it is no conversation (system text, tools)."""
    part = part_of(name)
    return None if part in _ASIDE else event_role(part)


def is_label(name: str) -> bool:
    """Whether a word before a colon is a label and no name."""
    return name.strip(" *_").casefold() in LABELS


def is_level(text: str) -> bool:
    """Whether a line of a program's log begins with its level."""
    return bool(_LEVEL.match(text))


@lru_cache(maxsize=2048)
def could_be_name(name: str) -> bool:
    """Whether `name` has the form of a person's name, initials or handle."""
    return len(name) <= 40 and bool(_NAME.match(name)) and not is_label(name)


def people(names: Iterable[str], least: int = 2) -> set[str]:
    """Which of the names before the colons of a text are speakers: those with the form of a name that come again."""
    counts = Counter(name for name in names if could_be_name(name) and part_of(name) is None)
    return {name for name, count in counts.items() if count >= (least if not name.islower() else max(least, 3))}
