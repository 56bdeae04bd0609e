"""What the assembled prompt says in each language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words around the layers. `labels` is said to the model in the system message only."""

    labels: str
    hard: str
    default: str
    background: str
    goal: str
    part: str
    confirmed: str
    pending: str
    results: str
    steps: str
    questions: str
    reference: str
    colon: str


EN = Words(
    labels="Work in progress stands between the distill comments. Rules go before the task, the task before "
    "preferences. Ask before relying on what is to be confirmed. Labels in brackets are internal: never repeat them.",
    hard="rule: {}",
    default="preference: {}",
    background="Background: {}",
    goal="Task: {}",
    part="Part of: {}",
    confirmed="Conditions",
    pending="To be confirmed",
    results="Results so far",
    steps="Done",
    questions="Open questions",
    reference="From earlier work, for reference only",
    colon=": ",
)
ZH = Words(
    labels="两行 distill 注释之间是进行中的工作。规则优先于任务，任务优先于偏好。待确认的内容先问再用。"
    "方括号里的标签仅供内部使用，回答中不得出现。",
    hard="规则：{}",
    default="偏好：{}",
    background="背景：{}",
    goal="任务：{}",
    part="所属任务：{}",
    confirmed="条件",
    pending="待确认",
    results="已有结果",
    steps="已做",
    questions="未决问题",
    reference="以往工作，仅供参考",
    colon="：",
)


def words(lang: str) -> Words:
    """The words in `lang`, en or zh."""
    return ZH if lang.startswith("zh") else EN
