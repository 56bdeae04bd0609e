"""Values that stand beside the name of a secret, in code, settings, command lines and prose in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from distill.text.lazy import Lazy
from distill.text.secret_judge import How, Pair, Sort, is_secret
from distill.text.secret_shapes import Look, Span

_OWNERS = """api access secret private auth account app master encryption encrypt signing signature storage
    service deploy license subscription consumer admin shared webhook client server root bot session
    apiv3 v3 merchant partner pay"""
_PASSWORDS = """password passwd passphrase passcode pwd _pass dbpass userpass requirepass "pass" 'pass' pass: pass=
    pass： pw: pw= pw： 密码 密碼 口令 授权码 授權碼 暗号"""
_TOKENS = "token credential 令牌 凭证 憑證 凭据"
_KEYS = "密钥 密鑰 秘钥 私钥"
_LOOSE = """_key= _key: _key" _key' _auth "auth" key是 key为 key： sk: sk= sk： ak: ak= ak： &sig= ?sig= &signature=
    ?signature= amz-signature="""
_NAMES: tuple[tuple[Sort, tuple[str, ...]], ...] = (
    (Sort.PASSWORD, tuple(_PASSWORDS.split())),
    (Sort.KEY, (*(f"{owner}{gap}key" for owner, gap in product(_OWNERS.split(), ("", "_", "-", " "))), *_KEYS.split())),
    (Sort.SECRET, ("secret",)),
    (Sort.TOKEN, tuple(_TOKENS.split())),
    (Sort.LOOSE, (*_LOOSE.split(), "key 是", "key 为", "key is")),
)
# The rest of an identifier that makes it the name of something about a secret, or of no secret at all.
_ABOUT_LIST = """s id ids count counter counts limit limits budget usage used type types kind mode model url uri
    endpoint length len min max size total name names field fields file files path dir folder policy
    policies expir expiry expires expired expiration ttl time timeout timestamp age at date hash hashed
    hashing hasher digest salt hint index label labels column input prompt reset forgot strength valid
    validity validator validation check checker checks format pattern regex prefix suffix header headers
    param parameter parameters store storage manager service services handler handle provider providers
    factory class ref refs arn scope scopes window rate cost price ratio status state version versions
    alias aliases position stream bucket map list set form page screen modal button box dialog view
    route component module plugin util utils helper helpers test tests spec generator generate rotation
    rotate required enabled disabled error errors exception env var vars variable location source
    attribute attributes algorithm alg issuer audience info data config settings options placeholder
    less ize izer ized ization str string bytes text only based request response schema table row
    repository"""
_ABOUT = frozenset(_ABOUT_LIST.split())
# What a token is called that opens nothing: places in lists, locks, parts of a model's vocabulary.
_HARMLESS_LIST = """next previous prev page pagination starting start continuation change lock request idempotency sync
    resume cancel cancellation output input max min num total prompt completion pad eos bos unk cls sep
    mask stop special image audio design color per cursor delimiter syntax lexer"""
_HARMLESS = frozenset(_HARMLESS_LIST.split())
_REST = Lazy(r"[A-Za-z0-9_-]{0,48}")
_WORDS = Lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OUTER = Lazy(r"[A-Za-z0-9_.$-]")
# What may stand between a name and its value: a closing quote and a remark, then one of six ties.
_CLOSED = r"\\?[\"'`”’』」]?\]?\*{0,2}(?P<note>[ ]?[（(][^()（）\n]{0,40}[)）])?"
_TYPED = (
    r"(?P<typed>[ \t]?\??:[ \t]{0,2}&?[A-Za-z_][\w.]{0,32}(?:\[[^\]\n]{0,32}\]|<[^>\n]{0,32}>)?"
    r"(?:[ \t]?\|[ \t]?\w{1,12})?[ \t]?=[ \t]?)"
)
_SPACED = r"(?P<spaced>[ \t]{1,8}(?::=|=>|={1,3}|!=)[ \t]{0,8}|(?::=|=>|={1,3})[ \t]{1,8}|[ \t]{0,4}\|[ \t]{1,4})"
_EQUALS = r"(?P<equals>[=＝]{1,2})|(?P<xml>(?<=[A-Za-z])>)|(?P<attribute>[ \t]{1,4}value=(?=\\?[\"']))"
_WHOSE = r"(?:[ \t]{1,2}(?:for|of|on|in)[ \t]{1,2}[\w.@'/-]{1,32}(?:[ \t][\w.@'/-]{1,32}){0,3}?)?"
_COLON = r"(?P<colon>[ \t]{0,4}[:：]\*{0,2}[ \t]{0,4}(?:\n[ \t]{0,4}(?=[!-~]))?)"
_SAID = (
    r"(?P<said>[ \t]{1,2}(?:to|equals|(?:(?:is|was|are|has been|were)(?:[ \t](?:now|currently|still|just|simply))?)"
    r"|(?:(?:is|was|has been)[ \t])?(?:now[ \t])?(?:set|reset|changed|updated|rotated)[ \t](?:back[ \t])?to)"
    r"[ \t]?:?[ \t]{1,2})"
)
_HAN = (
    r"(?P<han>[ ]?(?:已经|已|现在|默认|暂时|目前|统一|就|都|先|仍|我|被){0,2}"
    r"(?:是|为|即|用|填|设为|设成|设置为|设置成|改为|改成|改回|换成|定为|重置为)了?[ ]?[:：]?[ ]?)"
)
_BESIDE = r"(?P<beside>[ \t]{1,2}|(?<=[\u4e00-\u9fff])(?=[\"'`「『“!-~]))"
_TIE = Lazy(f"{_CLOSED}(?:{_TYPED}|{_SPACED}|{_EQUALS}|{_WHOSE}(?:{_COLON}|{_SAID})|{_HAN}|{_BESIDE})")
_OPEN = Lazy(r"(?:[bBrRuU@]{1,2}(?=[\"']))?(\\{0,2}[\"'`]|[“‘「『])|\*\*(?=[^*\s])")
_CLOSE = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_BARE = Lazy(r"(?:[!#-&(-+\--:=-\[\]-_a-~]|<(?!/)|\\(?![nrt\"']))+")
_LONGEST = 4096  # characters of a quoted value
_JUDGED = 256  # characters of a value that are looked at
_END = Lazy(
    r"\\[nrt]|[ \t]*(?:[\r\n,;.!。，；、！)）}\]」』”’\"'`|#]|//|\Z)|</|[ \t]+(?:-|(?:and|or|for|at|on)\b)|[^\x00-\x7f]"
)


def names() -> Iterator[tuple[str, Look]]:
    """Every name of a secret, in lower case, and who looks at what stands behind a hit."""
    for sort, literals in _NAMES:
        look = _look(sort)
        for literal in literals:
            yield literal, look


def _look(sort: Sort) -> Look:
    def look(text: str, start: int, end: int) -> Iterator[Span]:
        found = _value(text, start, end, sort)
        if found:
            yield found

    return look


def _value(text: str, start: int, end: int, sort: Sort) -> Span | None:
    if text[end - 1] in ":=：\"'是为":
        end -= 1  # the literal took the beginning of what ties the value to it
    elif text[end - 3 : end].lower() == " is":
        end -= 3
    after = _rest(text, start, end, sort)
    if after is None:
        return None
    tie = _TIE.match(text, after)
    if not tie:
        return None
    outer = start
    while outer and start - outer < 64 and _OUTER.match(text, outer - 1):
        outer -= 1
    if sort is Sort.TOKEN and (words := _WORDS.findall(text[outer:start])) and words[-1].lower() in _HARMLESS:
        return None
    if text[outer - 2 : outer] == "::":
        return None  # the name of a type
    how = _how(tie, text, outer)
    opened = _OPEN.match(text, tie.end())
    quoted = ""
    first = tie.end()
    if opened:
        first = opened.end()
        quoted = opened[1] or "**"
        last = text.find(_CLOSE.get(quoted, quoted), first, first + _LONGEST)
        if last < 0 or "\n" in text[first:last]:
            opened, quoted = None, ""  # cut: the rest up to the next blank is the value
    if not opened:
        bare = _BARE.match(text, first, first + _JUDGED)
        if not bare:
            return None
        last = _trim(text, first, bare.end(), query=text[outer - 1 : outer] in ("?", "&"))
    judged = min(last, first + _JUDGED)
    pair = Pair(
        name=text[outer:after],
        how=how,
        value=text[first:judged],
        quoted=quoted,
        ends=bool(quoted or _END.match(text, last)),
        listed=text[last : last + 1] in (",", ")"),
    )
    if not pair.value or not is_secret(sort, pair):
        return None
    if tie["xml"] and (text[outer - 1 : outer] != "<" or text[last : last + 2] != "</"):
        return None
    if not quoted and last == first + _JUDGED:
        last = _rest_of(text, last)
    return first, last, str(sort)


def _rest_of(text: str, last: int) -> int:
    """The end of an unquoted secret that is longer than what was looked at."""
    more = _BARE.match(text, last)
    return more.end() if more else last


def _rest(text: str, start: int, end: int, sort: Sort) -> int | None:
    """Where the identifier around a hit ends; None where it names something else than a secret."""
    if not text[end - 1].isascii():
        return end
    if sort is Sort.LOOSE or end - start in (2, 4):  # such as "pass"
        if start and text[start].isalpha() and text[start - 1].isalnum() and text[start - 1].isascii():
            return None  # the end of another word
        return end
    if sort is Sort.SECRET and text[start - 1 : start] == ":":
        return None  # a part of a resource name
    after = _REST.match(text, end)
    rest = after[0] if after else ""
    if not rest:
        return end
    if rest[0].isalpha() and (rest[0].isupper() == text[end - 1].isupper()):
        return None  # tokenizer, passwordless, TOKENS
    if any(word.lower() in _ABOUT for word in _WORDS.findall(rest)):
        return None
    return end + len(rest.rstrip("-"))


def _how(tie: re.Match[str], text: str, outer: int) -> How:
    kind = tie.lastgroup
    if kind in ("equals", "xml", "attribute"):
        return How.EQUALS
    if kind in ("spaced", "typed"):
        return How.SPACED
    if kind == "colon":
        return How.COLON
    if kind in ("said", "han"):
        return How.SAID
    return How.FLAG if text[outer : outer + 2] == "--" else How.BESIDE


def _trim(text: str, first: int, last: int, query: bool) -> int:
    """The end of an unquoted value without the punctuation of the sentence or the call around it."""
    if query:
        for mark in "&#":
            cut = text.find(mark, first, last)
            last = cut if cut >= 0 else last
    while last > first:
        char = text[last - 1]
        if char in ".:?" or (char == "|" and text[first] != "|"):
            last -= 1
        elif char in ")]}":
            part = text[first:last]
            if part.count(char) <= part.count("([{"[")]}".index(char)]):
                break
            last -= 1
        elif char == "*" and text[last - 2 : last] == "**":
            last -= 2
        else:
            break
    return last
