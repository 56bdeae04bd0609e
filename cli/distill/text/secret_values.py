"""What a value is: a placeholder, a word, code, a path, or something that only a generator or a person makes up."""

from __future__ import annotations

import re

from distill.text.lazy import Lazy

_PLACEHOLDER = Lazy(
    r"\[redacted|\$[A-Za-z_{(]|%[A-Za-z_]+%|%[sdr(]|<[^<>]*>$|\{[^{}]*\}|\[[^\[\]]*\]$|#\{|@[A-Za-z]+[.{(]|[xX]{3,}|[*•●.…_?#-]{2,}"
    r"|(?:required|nullable|string|min|max)\|"
    r"|(?:your|insert|replace|put|enter|add)(?:[-_ ]|$)|(?:my[-_])?(?:api[-_]?key|token|secret|password)[-_ ]here",
    re.IGNORECASE,
)
_COVERED = Lazy(r"\*{3}|\.{3}|…|•{2}|[xX]{5}|\[redacted|\$\{|\{\{|<[A-Za-z_ -]+>", re.ASCII)
_CALL = Lazy(r"&?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*!?[(\[{<]", re.ASCII)
_LINK_OF_CHAIN = r"[A-Za-z_$]+(?:\d{1,5}[A-Za-z_$]*){0,2}"
_CHAIN = Lazy(rf"{_LINK_OF_CHAIN}(?:(?:\.|->|::|\?\.){_LINK_OF_CHAIN})+[!?]?", re.ASCII)
_PATH = Lazy(r"(?:~|\.{1,2}|[A-Za-z]:)?[\w.@%+-]*(?:[/\\]+[\w.@%+-]+)+[/\\]?", re.ASCII)
_FILE = Lazy(
    r"[\w.-]+\.(?:pem|key|crt|json|ya?ml|toml|ini|env|py|[jt]sx?|go|rs|java|md|txt|sh|cfg|conf|log|lock)", re.ASCII
)
_LINK = Lazy(r"[a-z][a-z0-9+.-]{1,20}://|(?:arn|urn):", re.IGNORECASE)
_MAIL = Lazy(r"[\w.+-]+@[\w-]+(?:\.[A-Za-z]{2,8})+", re.ASCII)
_NUMBER = Lazy(r"[-+~<>=]*v?\d+(?:[.,:/_–~-]\d+)*(?:[a-z]{1,3}|%)?", re.ASCII)
_AMOUNT = Lazy(
    r"\d+(?:[-~–]\d+)?[-_ ]?(?:chars?|characters?|digits?|bits?|bytes?|[km]i?b|days?|hours?|hrs?|minutes?|mins?|secs?"
    r"|seconds?|weeks?|months?|years?|words?|letters?|times|tokens?)(?:[-_ ][a-z0-9]+)*",
    re.IGNORECASE,
)
_ALGORITHM = Lazy(
    r"(?:sha|md|hs|rs|es|ps|aes|rsa|ed|x|utf|base|oauth|http|ipv|argon|pbkdf|blake|sm|gb|hmac|tls|ssl|jw|cha|poly|p|s|v"
    r"|web|auth|log|sso|saml|totp|a|gpt|py|k8s|i18n|http2|fido|bcrypt|scrypt|win|k|id|ecdsa|dsa|crc|h)"
    r"[-_]?\d{0,4}[-_]?\d{0,3}(?:id?|[a-z]{1,4})?",
    re.IGNORECASE,
)
_UUID = Lazy(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = Lazy(r"[0-9a-f]+|[0-9A-F]+")
_DIGEST = Lazy(r"(?:sha\d+|md5)[-:]", re.IGNORECASE)
_SPLIT = Lazy(r"[-_./:@ +,=]+")
_WORD = Lazy(r"[A-Za-z]*\d{0,2}|\d{1,4}|v?\d+[a-z]?", re.ASCII)
_TURNS = Lazy(r"[a-z][A-Z]")
_PARTED = Lazy(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
_PART = Lazy(r"[A-Za-z0-9]+")
_VERSION = Lazy(r"v?\d{1,4}|[a-z]{1,2}\d{1,3}", re.IGNORECASE)
_INNER_CAPITAL = Lazy(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
_COMPOUND = Lazy(r"(?>_*+(?:[A-Z]?[a-z]{2,}|[A-Z]{1,5}|\d{1,3}))++", re.ASCII)
# What stands behind a name of a secret without being one: types, states, predicates, algorithms, kinds of place.
_WORD_LIST = """none null nil undefined true false yes no on off empty blank default optional required mandatory
    missing unset str string text bytes byte int integer number bool boolean any object dict list map
    array type varchar char uuid never unknown void auto manual disabled enabled hidden visible masked
    redacted censored removed deleted stripped valid invalid correct incorrect wrong right expired
    active inactive revoked rotated renewed refreshed issued created generated stored saved cached
    hashed salted encrypted encoded decoded plain plaintext cleartext secure insecure safe weak strong
    short long leaked exposed shared private public secret same different new old current previous next
    now here there not the a an in at by from of for to with via per as is be set get use using used
    unused see and or if when once then only also just still always ever already changeable reset
    changed updated validated verified checked confirmed matched mismatched tested needed wanted given
    passed provided supplied sent received returned read written loaded fetched lost forgotten known
    example sample placeholder todo tbd fixme pending done value values var variable env environment
    config configuration setting settings file path url header headers body cookie cookies session
    storage vault keychain keyring keystore database db redis memory disk browser server client backend
    frontend user users admin-only login logout auth authentication authorization authorized
    authenticated bearer basic digest jwt jws jwe oauth oidc saml ldap sso totp otp mfa apikey key keys
    token tokens password passwords passwd pwd pass passphrase credentials credential bcrypt scrypt
    argon argon2 argon2i argon2id pbkdf2 pbkdf hmac rsa ecdsa ed25519 aes des base64 hex sha md5 kdf
    field column input prompt form argument parameter param option options flag flags arguments
    parameters switch hash salt nonce iv id ids count limit length size min max total time times expiry
    ttl must should may can cannot will would has have had was were are does do did it its this that
    these those which what who how why too very really quite strictly definitely currently temporarily
    permanently automatically manually handling hashing rotation storing management policy policies
    rules rule support check checks checking validation strength protected protection reuse recovery
    change changes update updates error errors failed failure failing success ok okay fine good bad
    nothing something anything everything local remote internal external global static dynamic custom
    generic simple complex random unique constant literal mock fake dummy stub bearer-token json yaml
    xml toml html markdown query post put patch delete redirect callback"""
WORDS = frozenset(_WORD_LIST.split())
# Passwords that everybody uses: no ordinary words where a password is expected.
_FAMOUS_LIST = "changeme change_me change-me changeit letmein qwerty iloveyou toor hunter hunter2 swordfish"
FAMOUS = frozenset(_FAMOUS_LIST.split())


def unlikely(value: str) -> bool:
    """Whether a value can be no secret wherever it stands: a placeholder, a mask, a link, an address or a digest."""
    if _PLACEHOLDER.match(value) or _COVERED.search(value) or _LINK.match(value) or _MAIL.fullmatch(value):
        return True
    return bool(_DIGEST.match(value)) or value.lower() in WORDS or bool(_AMOUNT.fullmatch(value))


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, an index, a chain of attributes, the start of a block."""
    return value[0] in "<>{}()[]&|?=" or bool(_CALL.match(value) or _CHAIN.fullmatch(value))


def is_place(value: str) -> bool:
    """Whether a value is a path or a file name; a key in base64 holds slashes too, but no words between them."""
    if _FILE.fullmatch(value):
        return True
    return bool(_PATH.fullmatch(value)) and all(wordlike(part) for part in value.replace("\\", "/").split("/"))


def is_number(value: str) -> bool:
    """Whether a value is a number, a version, a range, a date or a time."""
    return bool(_NUMBER.fullmatch(value))


def is_algorithm(value: str) -> bool:
    """Whether a value names an algorithm, an encoding or a version: sha256, argon2id, RS256, utf-8, v2."""
    return bool(_ALGORITHM.fullmatch(value)) and (value.lower() not in FAMOUS)


def is_hash(value: str) -> bool:
    """Whether a value is a UUID or nothing but hexadecimal digits."""
    return bool(_UUID.fullmatch(value) or _HEX.fullmatch(value))


def has_digit(value: str) -> bool:
    """Whether a digit stands in a value."""
    return any(char.isdigit() for char in value)


def mixed(value: str) -> bool:
    """Whether letters and digits, or letters and symbols that words do not hold, stand together."""
    if not any(char.isalpha() for char in value):
        return False
    return any(char.isdigit() or char in "!@#$%^&*+=~|\\?" for char in value)


def wordlike(value: str) -> bool:
    """Whether a value is made of words and small numbers, as names of things are: `db-credentials-v2`."""
    for part in _SPLIT.sub(" ", value).split(" "):
        if not _WORD.fullmatch(part) or len(part) > 30:
            return False
        if len(part) >= 12 and len(_TURNS.findall(part)) > len(part) // 5:
            return False  # letters alone, but of a generator: QzXwVbNmKlPo
    return True


def compound(value: str) -> bool:
    """Whether a value reads as words and numbers run together, as identifiers do: `OAuth2RefreshTokenGrant`."""
    return bool(_COMPOUND.fullmatch(value))


def mixes_styles(value: str) -> bool:
    """Whether a value has words parted by marks, inner capitals and a digit at once: no style of names has them all."""
    return bool(_PARTED.fullmatch(value) and _INNER_CAPITAL.search(value)) and has_digit(value)


def numbered_words(value: str) -> bool:
    """Whether one of several words of a value holds digits that are no version and no algorithm: `usr_live_48213`."""
    if len(value) < 10 or not _PARTED.fullmatch(value):
        return False
    return any(
        has_digit(part) and not (_VERSION.fullmatch(part) or is_algorithm(part)) for part in _PART.findall(value)
    )


def made_up(value: str, least: int = 8) -> bool:
    """Whether a value of at least `least` characters looks generated: no words, a digit or a wild mix of cases."""
    if len(value) < least or wordlike(value) or is_number(value) or is_place(value):
        return False
    return has_digit(value) or (len(_TURNS.findall(value)) >= 3 and not compound(value))
