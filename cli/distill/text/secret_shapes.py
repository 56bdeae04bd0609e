"""Credentials that are known by their own form, wherever they stand."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator

from distill.text.lazy import Lazy
from distill.text.secret_values import is_code, made_up, unlikely

#: Where a secret starts and ends in a text, and what it is.
Span = tuple[int, int, str]
#: Looks at one hit of a literal: the text, then where the literal starts and ends.
Look = Callable[[str, int, int], Iterator[Span]]

# What it is, the literals it starts with, and how it goes on. A group marks the part to mask where it is not all.
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("aws key", "AKIA ASIA", r"A[KS]IA[A-Z0-9]{12,}"),
    ("aws key", "ABSK", r"ABSK[A-Za-z0-9+/]{40,}={0,2}"),
    ("github token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_\w{16,}"),
    ("github token", "github_pat_", r"github_pat_\w{16,}"),
    (
        "gitlab token",
        "glpat- gldt- glptt- glrt- glrtr- gloas- glft- glimt- glagent- glsoat- glffct- glcbt-",
        r"gl[a-z]+-[\w-]{16,}(?:\.[\w-]+)*",
    ),
    ("slack token", "xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs", r"xox[a-z][.-][\w%.+/=-]{10,}"),
    ("slack token", "xapp-", r"xapp-[\w-]{10,}"),
    ("stripe key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_\w{10,}"),
    ("stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=_-]{16,}"),
    ("anthropic key", "sk-ant-", r"sk-ant-[\w-]{12,}"),
    ("openai key", "sk-proj- sk-svcacct- sk-admin-", r"sk-(?:proj|svcacct|admin)-[\w-]{12,}"),
    (
        "api key",
        "sk-",
        r"sk-(?:[a-z][a-z0-9]{1,9}-){0,2}(?:(?=\w*\d)\w{16,}[\w-]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{12,})",
    ),
    ("google key", "AIza", r"AIza[\w-]{30,}"),
    ("google token", "ya29.", r"ya29\.[\w-]{16,}(?:\.[\w-]+)*"),
    ("google key", "GOCSPX-", r"GOCSPX-[\w-]{16,}"),
    ("google token", "1//0", r"1//0[\w-]{30,}"),
    ("hugging face token", "hf_", r"hf_[A-Za-z0-9]{24,}"),
    ("npm token", "npm_", r"npm_[A-Za-z0-9]{24,}"),
    ("pypi token", "pypi-A", r"pypi-A[\w-]{30,}"),
    ("sendgrid key", "SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    (
        "twilio key",
        " ".join(f"{head}{digit}" for head in ("SK", "AC") for digit in "0123456789abcdef"),
        r"(?:SK|AC)[0-9a-f]{32}\b",
    ),
    ("digitalocean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[A-Za-z0-9]{32,}"),
    ("mailgun key", "key-", r"key-[0-9a-f]{32}\b"),
    ("groq key", "gsk_", r"gsk_[A-Za-z0-9]{32,}"),
    (
        "api key",
        "xai- pplx- tvly- r8_ fc- csk- nvapi- jina_ voyage- pa-",
        r"(?:xai-|pplx-|tvly-|r8_|fc-|csk-|nvapi-|jina_|pa-)(?=[\w-]*\d)[A-Za-z0-9_]{30,}[\w-]*",
    ),
    ("docker token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{16,}"),
    ("vault token", "hvs. hvb.", r"hv[sb]\.[\w-]{20,}"),
    ("planetscale token", "pscale_", r"pscale_[a-z]+_[\w.-]{20,}"),
    ("atlassian token", "ATATT ATCTT ATBB", r"AT(?:ATT|CTT|BB)[\w=+/-]{20,}"),
    ("shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}"),
    ("linear key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_\w{24,}"),
    ("notion token", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{36,}"),
    ("figma token", "figd_", r"figd_[\w-]{24,}"),
    ("databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?\b"),
    ("postman key", "PMAK-", r"PMAK-[0-9a-f-]{30,}"),
    ("grafana token", "glsa_ glc_", r"gl(?:sa|c)_[\w=+/]{24,}"),
    ("sentry token", "sntrys_ sntryu_", r"sntry[su]_[\w=+/]{24,}"),
    ("new relic key", "NRAK-", r"NRAK-[A-Z0-9]{20,}"),
    ("supabase key", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{32,}|sb_secret_[\w-]{20,})"),
    ("langsmith key", "lsv2_", r"lsv2_[a-z]{2}_[0-9a-f_]{32,}"),
    ("doppler token", "dp.pt. dp.st. dp.ct. dp.sa.", r"dp\.(?:pt|st|ct|sa)\.[\w.-]{20,}"),
    ("square token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[\w-]{20,}"),
    ("rubygems key", "rubygems_", r"rubygems_[0-9a-f]{32,}"),
    ("facebook token", "EAA", r"EAA[A-Za-z0-9]{80,}"),
    ("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    ("aliyun key", "LTAI", r"LTAI[A-Za-z0-9]{12,}"),
    ("tencent cloud key", "AKID", r"AKID[A-Za-z0-9]{16,}"),
    ("volcengine key", "AKLT", r"AKLT[A-Za-z0-9+/=_-]{20,}"),
    ("baidu cloud key", "ALTAK bce-v3/", r"(?:bce-v3/)?ALTAK[A-Za-z0-9-]{16,}(?:/[0-9a-f]{20,})?"),
    ("jwt", "eyJ", r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
    ("webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{16,})"),
    ("webhook", "/api/webhooks/", r"/api/webhooks/\d+/([\w-]{20,})"),
    ("webhook", "/bot/v2/hook/", r"/bot/v2/hook/([\w-]{16,})"),
    ("webhook", "/webhook/send?key=", r"/webhook/send\?key=([\w-]{16,})"),
)
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
_MYSQL = Lazy(r"\s-p(?!ort\b|lugin|rompt|rint|ager)[\"']?([^\s\"'\\-][^\s\"'\\]{3,64})")
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
        pattern = re.compile(form, re.ASCII)  # at the first hit, from the cache of `re` later
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
    (":aa", _telegram),
)


def shapes() -> Iterator[tuple[str, Look]]:
    """Every literal that a known credential starts with, in lower case, and who looks at a hit; best known first."""
    yield "-----begin", _key_block
    yield "-----end", _key_end
    for kind, literals, form in _FORMS:
        look = _form(kind, form, whole="/" not in literals or "bce" in literals)
        for literal in literals.split():
            yield literal.lower(), look
    yield from _LOOKS
