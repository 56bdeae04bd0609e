"""What can be seen of a statement alone: its form, its place in the message, the heading above it."""

from __future__ import annotations

import re
from functools import lru_cache

from distill.model import Role, Shape, Statement
from distill.text.fold import fold
from distill.text.language import width
from distill.text.lazy import Lazy

ERRAND = 40  # width of a request up to which it says little more than what to do
CROWD = 60  # statements of an assistant's message from which each counts less
PASTED = 24  # statements of a user's message from which it is a pasted document
PASTED_SIZE = 1800  # characters from which only its first and last statements are the user's own words
_CODE = Lazy(r"`[^`\n]{1,120}`|\w\.\w{1,4}\b|\w\(\)|\b[a-z]+(?:_[a-z_]+\b|[A-Z]\w)|--[a-z][\w-]")
_SUFFIX = r"\.(?:py|js|ts|tsx|jsx|vue|go|rs|java|md|json|ya?ml|toml|sql|sh|css|html?)\b"
_PATH = Lazy(rf"(?:[A-Za-z0-9_.~@-]+[/\\])+[A-Za-z0-9_.@-]+|\b[\w-]+{_SUFFIX}")
_SOME_PATH = Lazy(rf"[A-Za-z0-9_.~@-][/\\][A-Za-z0-9_.@-]|\w-*{_SUFFIX}")  # whether there is one, quicker
_PATH_FIRST = Lazy(
    r"^(?:(?:new|updated|created|modified|added|新增|修改|"
    r"新建)[:：]?\s+)?[`*]{0,3}(/?(?:[\w.@~-]+[/\\])*[\w.@-]+\.\w{1,10}|/?(?:[\w.@~-]+[/\\])+[\w.@-]+/?)[`*]{0,3}"
    r"(?:\s*[（(][^()（）]{0,40}[)）])?\s*(?:[:：—–]|-(?=\s)|→|=>)\s*(\S.*)$",
    re.IGNORECASE,
)
# What a list of changed files says of each: "src/a.py | modified | …".
_CHANGED = Lazy(
    r"(?:new(?: file)?|created?|modified|updated?|added|changed|deleted|removed|renamed|rewritten|extended)\b(?!\s+\w)|"
    r"(?:新建|新增|新文件|修改|更新|删除|刪除|重写|重寫|改写|重命名|扩充)(?![一-鿿])",
    re.IGNORECASE,
)
_QUANTITY = Lazy(
    r"\d+(?:\.\d+)?\s*(?:%|ms|s|sec|min|h|days?|hours?|minutes?|seconds?|lines?|files?|tests?|rows?|[KMG]i?B|px|x|"
    r"times|个|台|秒|分钟"
    r"|小时|天|行|条|次|张|周|项|万|倍|字节|人)\b|\d+\s*[个台秒分小天行条次张周项万倍人]"
)
_LABEL = Lazy(r"^[`*]{0,3}[^:：。.!?]{1,40}[`*]{0,3}[:：]\s*\S")
_ARROW = Lazy(r"→|->|=>|⇒|➜")
_TICK = Lazy(r"[✅☑✔✓]|\[[xX]\]")
_CROSS = Lazy(r"[❌✗✘]")
_CITED = Lazy(r"[(（][\w@~./\\-]{1,80}\.\w{1,5}(?::[\d,-]+)?[^()（）]{0,60}[)）]")
_NAMES = Lazy(r"`[^`\n]{1,120}`|(?:@?[\w.~-]*[/\\])+[\w.:-]+|\b[\w-]+\.\w{1,4}\b")
_NAMES_WITHOUT_FOLDERS = Lazy(r"`[^`\n]{1,120}`|\b[\w-]+\.\w{1,4}\b")
# What only points: pronouns, going on, starting, and the verbs of doing without an object.
_POINTING = (
    r"(?:this|that|it|these|those|them|so|do|go|ahead|start|begin|continue|proceed|now|next|then|with|the|a|to|"
    r"right|ok|okay|change|fix|make|all|both|which|ones?|i|we|you)\b"
)
_SOLID = Lazy(rf"(?<!\w)(?!{_POINTING})[a-z0-9]{{2}}")  # the beginning of any other word
_HOLLOW = Lazy(
    rf"\b{_POINTING}"
    r"|这样|这么|那样|这些|这个|那个|哪个|哪一?[个种项]|照着?|按照?|开始|继续|可以|现在|直接|就|先|要|改|做|写|对|吗|呢|吧|了|的|我|"
    r"你|们|来|去|一下|动手|行|好|之后|以后|然后|也|都|还|再|又|得|有|没|不|是|在|看|听|懂|讲|说|想|一样|这里|那里|"
    r"啊|啦|嘛|哦|跟|和|把|给|让|帮|什么|怎么|[\W_]"
)
_FIRST_PERSON = Lazy(r"\b(?:I|I'm|I've|I'll)\b|我")
_PERSONAL = Lazy(r"\b(?:I|we|you|please|let's|can|should|don't)\b|我|你|咱|请|吧|要", re.IGNORECASE)
_SECOND_PERSON = Lazy(r"\b(?:you|your|you're)\b|你|您", re.IGNORECASE)
_OU = ("ou", "OU", "Ou", "oU")
_DID = Lazy(
    r"(?:Added|Removed|Updated|Changed|Created|Fixed|Replaced|Moved|Renamed|Switched|Converted|Implemented|"
    r"Refactored|Wrote|Built)\b|(?:新增|删除|修改|更新|替换|移除|加了|改了|去掉)"
)
_DO = Lazy(
    r"(?:Add|Remove|Update|Change|Create|Fix|Replace|Move|Rename|Test|Run|Check|Verify|Confirm|Write|Build|Consider)\b"
)
# Work that the user asks for: a verb of doing at the start, and no value in it.
_ERRAND = Lazy(
    r"(?i:(?:(?:ok(?:ay)?|now|then|and|also|please|pls|next|first|so|just|can you|could you),? ){0,3}"
    r"(?:add|fix|write|create|build|import|export|implement|refactor|update|clean|check|run|rerun|test|"
    r"commit(?! messages?\b)|push|merge|deploy|release|review|look|explain|find|generate|translate|summari[sz]e|"
    r"continue|start|try|do|debug|investigate|improve|optimi[sz]e|finish|document|open|install|make (?:a|an|me)|"
    r"put together|show|list|print|read|search|tell|give|help)\b)"
    r"|(?:那|再|先|然后|接着|接下来|现在|麻烦|请|你|也|顺便|順便|幫我|帮我){0,4}(?:把.{1,12})?"
    r"(?:整理|修复|修一?下|修好|改一?下|加一?个|加個|写一?个|寫個|做一?个|做個|查一?下|看一?下|看看|跑一?下|跑一遍|测一?下|測一?下|"
    r"跑测试|跑测|运行|提交|合并|部署|发布|优化|重构|生成|实现|继续|开始|解释|分析|总结|翻译|写下|补一?下|补上|检查)"
)
# Which point of a list to take up: "address 8", 「先改第 3 条」.
_POINTER = Lazy(
    r"(?i:(?:ok(?:ay)?|now|then|and|also|please|just|yes),? ){0,2}"
    r"(?i:address|do|fix|handle|take|tackle|apply|start with|go (?:for|with)|skip(?: to)?|leave(?: out)?)"
    r"(?i: (?:the )?(?:comments?|items?|points?|numbers?|nos?\.?|issues?|steps?|findings?))?"
    r" #?\d{1,2}(?:(?:, ?| ?(?:and|&|to|-) ?)#?\d{1,2}){0,5}(?i: (?:first|too|as well|now|please|next|only))?[.!]?$"
    r"|(?:那|再|先|然后|接着|请|就|也){0,3}(?:处理|處理|做|改|修|解决|解決|看|跳过)(?:一下)?"
    r" ?第? ?(?:\d{1,2}|[一二三四五六七八九十])(?: ?[、,，和跟到-] ?第? ?(?:\d{1,2}|[一二三四五六七八九十])){0,5}"
    r" ?(?:条|項|项|个|個|点|點|步)?[吧。！]?$"
    r"|第 ?(?:\d{1,2}|[一二三四五六七八九十]) ?(?:条|項|项|个|個|点|點|步)也?(?:处理|做|改|修|解决)(?:一下|吧)?[。！]?$"
)
_END_COLON = Lazy(r"[:：][`*_ ]*$")
_END_QUESTION = Lazy(
    r"[?？][`*_ \"”’)）]*$|吗(?=[，,、])|(?:对吧|是吧|对不对|是不是)[。.]?$"
    r"|^.{0,8}(?<![不还])(?:[是要用走选先][^，,]{1,40}|是.{1,40}[，,])还是(?![改換换調调][回成为為到用]).{2,40}(?<![定吧])$"
)
# A question between two ways, in words that no statement begins or ends so: "is it …, or …", 「是先…，还是…就行」.
_EITHER = Lazy(
    r"^.{0,12}(?:(?<![不还倒可但总老])是(?!不是)|能不能|要不要|有没有|是不是|是否|该不该)[^，,]{1,40}[，,]?还是.{2,40}$"
    r"|^.{1,40}[，,]还是.{2,30}(?:就行|就够|也行|也可以|就可以|也成|就好|也够)了?$"
)
_EACH = Lazy(r"都[可行用得要能是]|不管|无论|不论|随便")
# What a name of a file or in code cannot be without: one look spares five where nothing is named.
_NAMING = Lazy(r"[`/\\_(]|\.\w|--|[a-z][A-Z]")
_NAMED_FORMS = (("code_span", _CODE), ("path", _SOME_PATH), ("cited", _CITED))
_SET = Lazy(r"(?<![\w./#-])(?!(?:19|20)\d\d\b)\d")  # a number that is no year, issue, version or part of a name
_DIGIT = Lazy(r"\d")


def described_path(text: str) -> tuple[str, str] | None:
    """The path a line begins with and what it says of it ("src/a.py - parses the file"), or None."""
    found = _PATH_FIRST.match(text)
    return (found[1], found[2]) if found else None


def named_paths(text: str) -> list[str]:
    """The paths that `text` names."""
    if not ("/" in text or "\\" in text or "." in text):
        return []
    return [path.strip("`") for path in _PATH.findall(text)]


def shape_signals(statement: Statement, raw: str) -> set[str]:
    """The names of the signals that form and place give; `raw` is the statement with its markup."""
    found = set(_written(statement.text, raw, statement.role))
    if statement.shape is Shape.BULLET:
        found.add("bullet")
        if statement.mark.isdigit():
            found.add("numbered")
    elif statement.shape is Shape.ROW:
        found.add("row")
    if statement.checked:
        found.add("tick")
    if statement.role is Role.ASSISTANT:
        found |= _assistant(statement)
    else:
        found |= _user(statement, hollow="hollow" in found)
    return found


@lru_cache(maxsize=1 << 12)  # agents repeat themselves, and logs hold copies
def _written(text: str, raw: str, role: Role) -> frozenset[str]:
    """The signals that the words alone give, wherever they stand. Where `in` can say no, no expression is tried."""
    found: set[str] = set()
    ascii_only = text.isascii()
    if _DIGIT.search(text):
        found.add("digit")
        if _QUANTITY.search(text):
            found.add("quantity")
    if "->" in text or "=>" in text or (not ascii_only and _ARROW.search(text)):
        found.add("arrow")
    if ":" in text or "：" in text:
        if _LABEL.match(text):
            found.add("label_value")
        if _END_COLON.search(text):
            found.add("colon_end")
    if ("?" in text or not ascii_only) and _END_QUESTION.search(text) and not ("还是" in text and _EACH.search(text)):
        found.add("asks")
    if "[x]" in raw or "[X]" in raw or (not raw.isascii() and _TICK.search(raw)):
        found.add("tick")
    if not raw.isascii() and _CROSS.search(raw):
        found.add("cross")
    if _NAMING.search(text):
        found |= _naming(text)
    if role is Role.ASSISTANT:
        found |= _spoken(text)
        if "tick" in found and "did" in found and not text.startswith("改了"):  # "if it is changed": a condition
            found.add("ticked_deed")
    elif role is Role.USER:
        if not ascii_only and "是" in text and _between_two(fold(text)):
            found |= {"asks", "either"}
        if hollow(text):
            found.add("hollow")
        if _POINTER.match(text):
            found.add("pointer")
        elif "digit" in found and _SET.search(text):
            found.add("user_value")
        elif width(text) <= ERRAND and _ERRAND.match(text):
            found.add("errand")
    return frozenset(found | _sizes(width(text)))


def _between_two(folded: str) -> bool:
    """Whether Chinese words ask which of two ways it is to be."""
    return "还是" in folded and not _EACH.search(folded) and bool(_EITHER.match(folded.rstrip("?？。 ")))


def _naming(text: str) -> set[str]:
    """The signals of a text that may name files or what stands in code."""
    found = {name for name, there in _NAMED_FORMS if there.search(text)}
    names = _NAMES if "/" in text or "\\" in text else _NAMES_WITHOUT_FOLDERS
    if sum(map(len, names.findall(text))) * 2 > len(text):
        found.add("names_only")
    if (described := described_path(text)) is not None:
        found.add("path_first")
        if _CHANGED.match(described[1]):
            found.add("path_changed")
    return found


def _sizes(size: int) -> set[str]:
    if size < 16:
        return {"tiny"}
    if size < 28:
        return {"short"}
    if size > 400:
        return {"endless"}
    return {"long"} if size >= 60 else set()


def _spoken(text: str) -> set[str]:
    """The signals of an assistant's words."""
    found: set[str] = set()
    if ("I" in text or "我" in text) and _FIRST_PERSON.search(text):
        found.add("first_person")
    if (not text.isascii() or any(part in text for part in _OU)) and _SECOND_PERSON.search(text):
        found.add("second_person")
    if _DID.match(text):
        found.add("did")
    elif _DO.match(text):
        found.add("do")
    return found


def _assistant(statement: Statement) -> set[str]:
    found: set[str] = set()
    if statement.count > CROWD:
        found.add("crowded")
    elif statement.count <= 3:
        found.add("few")
    if statement.shape is Shape.SENTENCE and not statement.lead:
        found.add("paragraph")
    return found


def hollow(text: str, least: int = 3) -> bool:
    """Whether `text` names nothing: pronouns and verbs without an object ("do it like that", 「照这样改」).

    `least` Chinese characters besides these name something.
    """
    folded = fold(text)
    if folded.isascii() and _SOLID.search(folded):
        return False
    left = "".join(_HOLLOW.sub("", folded).split())
    return (len(left) < least and not left.isascii()) or len(left) < 2  # "go with uv" names something


def speaks_of_self(text: str) -> bool:
    """Whether the speaker says "I", 「我」 or the like."""
    return bool(_FIRST_PERSON.search(text))


def inside_pasted(statement: Statement) -> bool:
    """Whether the statement stands inside a document that the user pasted: not among the words before or after it."""
    if statement.index < 4 or (statement.count <= PASTED and statement.size <= PASTED_SIZE):
        return False
    return statement.index < statement.count - 2 or not _PERSONAL.search(statement.text)


def _user(statement: Statement, *, hollow: bool) -> set[str]:
    if statement.role is Role.UNKNOWN:
        return {"unspoken"}
    if hollow:
        return {"user"}
    if inside_pasted(statement):
        return {"user", "pasted"}
    if statement.shape is Shape.BULLET or statement.lead:
        return {"user", "user_list"}
    return {"user"}
