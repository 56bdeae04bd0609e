"""Recorded text as a model may read it: it stays a quotation, whatever it says.

No text can close the block it stands in, open a heading, or look like the tags and tokens by which a model tells who
speaks.
"""

from __future__ import annotations

import re

from distill.text.clean import clean, inert
from distill.text.lazy import Lazy

# Tags that name a speaker or an authority, closing tags of any name, and the tokens of chat templates. Words that also
# name what a path or a call takes (`/users/<user_id>`) count only where they are the whole name.
_ANYWHERE = "system|assistant|developer|instruct|prompt|remind|notif|environment|hook|function_|tool_|im_|antml|_of_"
_WHOLE = "user|human|model|ai|bot|tool|function|message|context|command|role|admin|root|turn|think|thinking|invoke"
_TAG = Lazy(
    rf"<(?=\s*/\s*[\w|｜]|\s*[|｜]|\s*[\w:.-]{{0,40}}?(?:{_ANYWHERE})|\s*(?:{_WHOLE}|s|bos|eos|pad|unk)(?:[\s>]|$))"
    r"(?:([^<>]{0,200})>)?",
    re.IGNORECASE,
)
_BRACKETS = Lazy(r"\[(?=\s*/?\s*(?:inst|sys|system)\s*\])([^\[\]]{1,20})\]", re.IGNORECASE)
_DOUBLE = Lazy(r"<<(\s*/?\s*sys\s*)>>", re.IGNORECASE)
# What is meant for the model that reads it, in either language.
_ORDER = Lazy(
    r"(?<!not )(?<!n't )(?<!never )\b(?:ignore|disregard|forget|override|bypass)\b.{0,20}?"
    r"\b(?:all|any|every|previous|prior|above|earlier|preceding|foregoing|your|these|those|system)\b.{0,30}?"
    r"\b(?:instructions?|prompts?|rules|guidelines?|directives?|messages|context|said|told)\b"
    r"|\b(?:ignore|disregard|forget)\s+(?:everything|all\s+of\s+(?:this|that)|the\s+above)\b"
    r"|\byou\s+(?:are|must|will)\s+now\b|\bfrom\s+now\s+on,?\s+you\b|\bnew\s+(?:system\s+)?(?:instructions?|prompt)\s*:"
    r"|\b(?:reveal|print|show|repeat|output|leak)\b.{0,20}?\b(?:your|system)\s+(?:system\s+)?(?:prompt|instructions)\b"
    r"|\bpretend\s+(?:to\s+be|you)\b|^\W*(?:system|assistant|developer|user|human|ai)\s*[:：>\]›]"
    r"|(?:忽略|无视|忘记|忘掉|不要理会|抛开|绕过).{0,6}?(?:以上|上述|上面|前面|之前|此前|先前|所有|全部|一切|任何|你的|系统)"
    r".{0,8}?(?:指令|指示|提示|规则|要求|内容|设定|命令|说明|对话)"
    r"|(?:从现在起|从现在开始|从此刻起|现在)[，,]?\s*你(?:是|要|必须|将)|你现在(?:是|要|必须)|(?:请|你来?)扮演"
    r"|(?:输出|显示|泄露|打印|重复|公开).{0,8}?(?:系统提示|提示词|系统指令)|^\W*(?:系统|助手|用户|开发者|人类)\s*[:：]",
    re.IGNORECASE,
)


def defused(text: str) -> str:
    """`text` on one line without anything that acts: no controls, no comment marks, no tags of speakers.

    Such tags keep their words between angle quotes: `<system>` becomes `‹system›`. Other tags and placeholders stay.
    """
    plain = inert(clean(text))
    plain = _DOUBLE.sub(r"‹‹\1››", plain)
    plain = _BRACKETS.sub(r"‹\1›", plain)
    return _TAG.sub(lambda found: "‹" if found[1] is None else f"‹{found[1]}›", plain)


def is_order(text: str) -> bool:
    """Whether `text` reads like an order to the model, such as "ignore all previous instructions"."""
    return _ORDER.search(text) is not None


def quotation(text: str, lang: str) -> str:
    """`text` between quotation marks that it cannot close itself, said to be a quotation."""
    if lang.startswith("zh"):
        return f"「{text.replace('「', '『').replace('」', '』')}」（原文引用）"
    return f"“{text.replace('“', '‘').replace('”', '’')}” (a quotation)"
