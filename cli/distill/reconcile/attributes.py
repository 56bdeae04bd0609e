"""What has one value at a time, said as such: "root cause of the dropouts: the DNS cache", 「负责人是小林」."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from distill.text.lazy import Lazy
from distill.text.likeness import content, grams

_OF_THE_PROJECT = (  # there is one, whether or not it is said of what
    r"deadline|due date|release date|licen[cs]e|(?:default|main) branch|currency|time ?zone"
)
_OF_A_THING = r"root cause|cause|owner|maintainer|default|version|port|name|title|colou?r|region|domain|format|encoding"
_ENGLISH = Lazy(
    rf"^(?i:the |our |its )?(?P<about>(?:[\w'’-]+ ){{0,5}}?)(?P<name>(?i:{_OF_THE_PROJECT}|{_OF_A_THING}))"
    r"(?P<of>(?: (?:of|for|behind) [^:.;,]{2,60}?)?)"
    r"(?:: |\s+(?:is|was|will be)\s+(?:now\s+)?(?=(?:an?|the) |[A-Z\d`\"'“]|[\w-]+[.!]?$))(?P<value>\S.*)$"
)
_CHINESE = Lazy(
    r"^(?P<about>[^：:，。；]{0,16}?)(?P<name>截止日期|截止时间|上线日期|上线时间|许可证|主干分支|默认分支|币种|时区|"
    r"根本原因|根因|负责人|版本号?|端口|名称|名字|标题|主色|区域|域名|格式|编码)(?P<of>)\s*(?:[：:]|[是为](?!否)|改为|改成)\s*(?P<value>\S.*)$"
)
_ALONE = Lazy(rf"^(?:{_OF_THE_PROJECT}|截止.*|上线.*|许可证|主干分支|默认分支|币种|时区)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Whose attribute it is, by its words and its name, and the words of the value."""

    owner: frozenset[str]
    name: str
    value: frozenset[str]


@lru_cache(maxsize=1 << 12)
def attribute_of(text: str) -> Attribute | None:
    """The attribute that `text` gives a value; None where it gives none."""
    found = _ENGLISH.search(text) if text.isascii() else _CHINESE.search(text)
    if found is None:
        return None
    owner, name = content(grams(f"{found['about']} {found['of']}")), found["name"].casefold()
    if not owner and not _ALONE.match(name):
        return None
    return Attribute(owner, name.removeprefix("root "), content(grams(found["value"])) or grams(found["value"]))


def other_value(later: str, earlier: str) -> bool:
    """Whether two statements give one attribute of the same thing two values."""
    first, second = attribute_of(later), attribute_of(earlier)
    if first is None or second is None or first.name != second.name:
        return False
    if first.owner != second.owner:
        return False
    return bool(first.value and second.value) and not first.value & second.value
