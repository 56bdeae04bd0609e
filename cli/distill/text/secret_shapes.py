"""Credentials that are known by their own form, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from distill.text.lazy import Lazy
from distill.text.secret_forms import FORMS
from distill.text.secret_values import is_code, made_up, unlikely

_pattern = cache(re.compile)  # not kept between runs: who searches the cache for keys finds none
#: Where a secret starts and ends in a text, and what it is.
Span = tuple[int, int, str]
#: Looks at one hit of a literal: the text, then where the literal starts and ends.
Look = Callable[[str, int, int], Iterator[Span]]

_PEM = Lazy(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = Lazy(r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_GAP = r"(?:\s|\\[nrt]|[\"'|>,#*])"
_GAPS = Lazy(f"{_GAP}+")
# The rest of a key that was cut: lines of base64, headers, blank lines.
_PEM_BODY = Lazy(
    rf"(?:{_GAP}+(?:[A-Za-z0-9+/]{{24,}}={{0,2}}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n]*)(?![\w+/]))*"
    rf"(?:{_GAP}+[A-Za-z0-9+/]*[0-9+/=][A-Za-z0-9+/]*={{0,2}}(?![\w+/]))?"
)
_PEM_LONGEST = 20_000
_LINE = Lazy(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]*[0-9+/][A-Za-z0-9+/]*={0,2}|[A-Za-z0-9+/]+={1,2}")
_USERINFO = Lazy(r"://[^\s/?#:@\"'`<>\\()]{0,128}:([^\s\"'`<>\\/?]{1,256})@(?=[\w\[$*{%.-])")
_USER_TOKEN = Lazy(r"://([\w-]{20,256})@")
_VARIABLE = Lazy(r"\$|\{|<|%[A-Za-z_]|[*xX.…•-]+$|\[redacted")
_BEARER = Lazy(r"bearer[ \t]+([\w.~+/=-]{8,})", re.IGNORECASE | re.ASCII)
_BASIC = Lazy(r"basic[ \t]+([A-Za-z0-9+/]{6,}={0,2})", re.IGNORECASE)
_HEADER = Lazy(
    r"authorization\\?[\"']?\]?[ \t]{0,3}[:=,][ \t]{0,3}\\?[\"']?"
    r"(?:[A-Za-z][\w-]{1,20}[ \t]{1,3})?([^\s\"'`,;\\<>]{8,})",
    re.IGNORECASE,
)
_COOKIES = Lazy(r"cookies?(?:\\?[\"']\]?)?(?:[ \t]{0,3}[:=]|(?<=--cookie))[ \t]{0,3}\\?[\"']?", re.IGNORECASE)
_COOKIE = Lazy(r"[ \t]{0,3}([\w.$%-]{1,64})=([^\s;,\"'\\<>]{0,8192})(;?)", re.ASCII)
_COOKIE_FLAG = Lazy(r"[ \t]{0,3}(?:HttpOnly|Secure|Partitioned);", re.IGNORECASE)
_ATTRIBUTES = frozenset(
    ["path", "domain", "expires", "max-age", "samesite", "priority", "version", "comment", "secure", "httponly"]
)
_OWNING = Lazy(r"sess|sid|auth|token|csrf|xsrf|jwt|login|remember|passport|sso|uid", re.IGNORECASE)
_SESSION = Lazy(r"(?:sessionid|sessid|connect\.sid)(?:=|[\"']: ?[\"'])([^\s;,\"'&<>\\]{12,8192})", re.IGNORECASE)
_USER_PASSWORD = Lazy(r"\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?([^\s:\"'$]{1,64}):([^\s\"'\\]{1,128})")
_COOKIE_OPTION = Lazy(r"\s-b[ =]?[\"']?(?=[\w.-]+=)")
_MYSQL = Lazy(r"\s-p(?!ort\b|lugin|rompt|rint|ager|lan)[\"']?([^\s\"'\\-][^\s\"'\\]{3,64})")
_TOOL_PASSWORD = Lazy(
    r"(?:sshpass|redis-cli)[ \t]+(?:-[hnup]?[ \t]?[\w.]+[ \t]+){0,6}?-[pa][ \t]?[\"']?([^\s\"'\\]{4,128})"
)


def _letter(text: str, at: int) -> bool:
    """Whether an ASCII letter or digit stands at a place, so that what follows is the middle of a word."""
    return at >= 0 and text[at].isascii() and text[at].isalnum()


def _form(kind: str, form: str, whole: bool) -> Look:
    def look(text: str, start: int, _: int) -> Iterator[Span]:
        if whole and _letter(text, start - 1):
            return
        pattern = _pattern(form, re.ASCII)  # at the first hit
        found = pattern.match(text, start)
        if found:
            end = found.end(pattern.groups)
            while text[end - 1] == ".":
                end -= 1
            yield found.start(pattern.groups), end, kind

    return look


def _key_block(text: str, start: int, _: int) -> Iterator[Span]:
    found = _PEM.match(text, start)
    if not found:
        return
    end = _PEM_END.search(text, found.end(), found.end() + _PEM_LONGEST)
    again = text.find("-----BEGIN", found.end(), end.start()) if end else -1
    if end and again < 0:
        if _is_key(text[found.end() : end.start()]):
            yield start, end.end(), "private key"
        return
    body = _PEM_BODY.match(text, found.end(), found.end() + _PEM_LONGEST)
    if body and body.end() > found.end():
        yield start, body.end(), "private key"


def _is_key(body: str) -> bool:
    """Whether what stands between the two marks of a block is a key and not a sentence about the marks."""
    words = _GAPS.sub(" ", body).split()
    long = sum(len(word) for word in words if len(word) >= 16)
    return 2 * long > sum(map(len, words)) or (len(words) == 1 and len(words[0]) >= 4)


def _key_end(text: str, start: int, _: int) -> Iterator[Span]:
    """The end of a key whose beginning was cut away."""
    found = _PEM_END.match(text, start)
    if not found:
        return
    before = text[max(0, start - _PEM_LONGEST) : start]
    first = len(before)
    while lines := _last_word(before, first):
        at, word = lines
        if not _LINE.fullmatch(word):
            break
        first = at
    if before[first:].strip():
        yield start - len(before) + first, found.end(), "private key"


def _last_word(text: str, end: int) -> tuple[int, str] | None:
    stop = len(text[:end].rstrip()) if end and text[end - 1].isspace() else end
    start = stop
    while start and not text[start - 1].isspace():
        start -= 1
    return (start, text[start:stop]) if start < stop else None


def _url(text: str, start: int, _: int) -> Iterator[Span]:
    found = _USERINFO.match(text, start)
    if found:
        if not _VARIABLE.match(found[1]):
            yield found.start(1), found.end(1), "password"
        return
    found = _USER_TOKEN.match(text, start)
    if found and made_up(found[1], 20):
        yield found.start(1), found.end(1), "token"


def _bearer(text: str, start: int, _: int) -> Iterator[Span]:
    found = _BEARER.match(text, start)
    if found and not unlikely(found[1]) and made_up(found[1].rstrip(".")):
        yield found.start(1), found.start(1) + len(found[1].rstrip(".")), "bearer token"


def _basic(text: str, start: int, _: int) -> Iterator[Span]:
    found = _BASIC.match(text, start)
    if not found:
        return
    from base64 import b64decode

    try:
        plain = b64decode(found[1] + "=" * (-len(found[1]) % 4))
    except ValueError:
        return
    if b":" in plain and plain.isascii() and plain.decode("ascii").isprintable():
        yield found.start(1), found.end(1), "basic auth"


def _header(text: str, start: int, _: int) -> Iterator[Span]:
    found = None if _letter(text, start - 1) else _HEADER.match(text, start)
    if found and not unlikely(found[1]) and not is_code(found[1]) and made_up(found[1].rstrip(".")):
        yield found.start(1), found.start(1) + len(found[1].rstrip(".")), "authorization"


def _cookies(text: str, start: int, _: int) -> Iterator[Span]:
    head = _COOKIES.match(text, start)
    if head:
        yield from _pairs(text, head.end())


def _pairs(text: str, at: int) -> Iterator[Span]:
    while pair := (_COOKIE.match(text, at) or _COOKIE_FLAG.match(text, at)):
        if pair.lastindex:
            name, value = pair[1].lower(), pair[2]
            least = 6 if _OWNING.search(name) else 12
            if name not in _ATTRIBUTES and not unlikely(value) and len(value) >= least and _opaque(value, least):
                yield pair.start(2), pair.end(2), "cookie"
            if not pair[3]:
                return
        at = pair.end()


def _opaque(value: str, least: int) -> bool:
    return least == 6 or made_up(value, least)


def _session(text: str, start: int, _: int) -> Iterator[Span]:
    found = _SESSION.match(text, start)
    if found and not unlikely(found[1]) and made_up(found[1], 12) and ("=" in found[0] or found[0][:9].islower()):
        yield found.start(1), found.end(1), "cookie"


def _curl(text: str, start: int, end: int) -> Iterator[Span]:
    if _letter(text, start - 1):
        return
    stop = text.find("curl", end, end + 1000)
    stop = end + 1000 if stop < 0 else stop
    found = _USER_PASSWORD.search(text, end, stop)
    if found and not _VARIABLE.match(found[2]) and not (found[1].isdigit() and found[2].isdigit()):
        yield found.start(2), found.end(2), "password"
    cookie = _COOKIE_OPTION.search(text, end, stop)
    if cookie:
        yield from _pairs(text, cookie.end())


def _mysql(text: str, start: int, end: int) -> Iterator[Span]:
    stop = text.find("mysql", end, end + 200)
    found = _MYSQL.search(text, end, end + 200 if stop < 0 else stop)
    if found and "\n" not in text[end : found.start()] and not _VARIABLE.match(found[1]) and ":" not in found[1]:
        yield found.start(1), found.end(1), "password"


def _tool(text: str, start: int, _: int) -> Iterator[Span]:
    found = _TOOL_PASSWORD.match(text, start)
    if found and not _VARIABLE.match(found[1]):
        yield found.start(1), found.end(1), "password"


def _telegram(text: str, start: int, _: int) -> Iterator[Span]:
    first = start
    while first and text[first - 1].isdigit() and start - first < 12:
        first -= 1
    found = _BOT.match(text, start)
    if found and 7 <= start - first <= 11 and not _letter(text, first - 1):
        yield first, found.end(), "telegram token"


def _login(text: str, start: int, end: int) -> Iterator[Span]:
    found = _LOGIN.search(text, end, end + 200)
    if found and "\n" not in text[end : found.start()] and not _VARIABLE.match(found[1]):
        yield found.start(1), found.end(1), "password"


def _identified(text: str, start: int, _: int) -> Iterator[Span]:
    found = _IDENTIFIED.match(text, start)
    if found and not _VARIABLE.match(found[1]):
        yield found.start(1), found.end(1), "password"


def _at(text: str, start: int, _: int) -> Iterator[Span]:
    """`user:password@host` without a scheme."""
    first = start
    while first and start - first < 128 and not (text[first - 1].isspace() or text[first - 1] in "\"'`<>(="):
        first -= 1
    user, colon, password = text[first:start].partition(":")
    if colon and user and "/" not in user + password[:2] and len(password) >= 4 and not _VARIABLE.match(password):
        yield start - len(password), start, "password"


def _phrase(text: str, start: int, _: int) -> Iterator[Span]:
    found = _PHRASE.match(text, start)
    if found:
        yield found.start(1), found.end(1), "recovery phrase"


_LOGIN = Lazy(r"[ \t]-p[ =]?[\"']?([^\s\"'\\-][^\s\"'\\]{3,128})")
_IDENTIFIED = Lazy(
    r"identified(?:[ \t]with[ \t]\w{1,40})?[ \t]by[ \t](?:password[ \t])?\\?[\"']([^\"'\\\n]{1,128})", re.IGNORECASE
)
_PHRASE = Lazy(
    r"(?:mnemonic|seed phrase|recovery phrase|助记词)(?:[ \t](?:is|phrase))?[ \t]?[:：=是为]{0,2}[ \t\n]?[\"'`]?"
    r"((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![A-Za-z])",
    re.IGNORECASE,
)
_BOT = Lazy(r":AA[\w-]{28,}", re.ASCII)
_LOOKS: tuple[tuple[str, Look], ...] = (
    ("://", _url),
    ("bearer", _bearer),
    ("basic", _basic),
    ("authorization", _header),
    ("cookie", _cookies),
    ("sessid", _session),
    ("sessionid", _session),
    ("connect.sid", _session),
    ("curl", _curl),
    ("mysql", _mysql),
    ("sshpass", _tool),
    ("redis-cli", _tool),
    ("docker login", _login),
    ("podman login", _login),
    ("identified ", _identified),
    ("@tcp(", _at),
    ("@unix(", _at),
    ("@localhost", _at),
    ("@127.", _at),
    ("@10.", _at),
    ("@172.", _at),
    ("@192.168.", _at),
    ("mnemonic", _phrase),
    ("seed phrase", _phrase),
    ("recovery phrase", _phrase),
    ("助记词", _phrase),
    (":aa", _telegram),
)


def shapes() -> Iterator[tuple[str, Look]]:
    """Every literal that a known credential starts with, in lower case, and who looks at a hit; best known first."""
    yield "-----begin", _key_block
    yield "-----end", _key_end
    for kind, literals, form in FORMS:
        look = _form(kind, form, whole="/" not in literals or "bce" in literals)
        for literal in literals.split():
            yield literal.lower(), look
    yield from _LOOKS
