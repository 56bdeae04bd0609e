"""Whether the value beside a name is a secret, by what the name promises and how the two are tied."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from distill.text import secret_values as values
from distill.text.lazy import Lazy


class Sort(StrEnum):
    """What a name promises; the text is what a mask says."""

    PASSWORD = "password"
    SECRET = "secret"
    TOKEN = "token"
    KEY = "api key"
    LOOSE = "credential"  # a name that means a secret only beside a value that looks generated


class How(StrEnum):
    """How a value is tied to its name, from the surest to the vaguest."""

    EQUALS = "="  # tight, as in environments, settings, links
    COLON = ":"
    SPACED = " = "  # code as a rule
    FLAG = "--"
    SAID = "is"  # prose
    BESIDE = ""  # nothing between them


class Pair(NamedTuple):
    """A name and the value beside it.

    `quoted` is the opening quote or ""; `ends` says that no word of a sentence follows; `listed` that a comma or a
    closing bracket does, as in the arguments of a call.
    """

    name: str
    how: How
    value: str
    quoted: str
    ends: bool
    listed: bool


_SEPARATED = Lazy(r"[-_ .]")
_CORE = Lazy(r"passw|pwd|secret|token|key|credential")
_IDENTIFIER = Lazy(r"[A-Za-z_][\w.-]*", re.ASCII)
_CAMEL = Lazy(r"[a-z][A-Z]")
_CONSTANT = Lazy(r"[A-Z][A-Z_]+")


def is_secret(sort: Sort, pair: Pair) -> bool:
    """Whether the value of a pair is to be masked."""
    value = pair.value
    if values.unlikely(value) or "\n" in value or _names_a_secret(pair):
        return False
    if pair.quoted in ("", "`") and values.is_code(value):
        return False
    return _password(pair) if sort is Sort.PASSWORD else _token(sort, pair)


def _names_a_secret(pair: Pair) -> bool:
    """Whether a value is itself the name of a secret: `password=db_password`, `"API_KEY": "OPENAI_API_KEY"`."""
    value = pair.value
    low = value.lower()
    if not _CORE.search(low) or not _IDENTIFIER.fullmatch(value):
        return False
    if (len(value) >= 20 and not values.compound(value)) or (_handed_over(pair) and values.mixes_styles(value)):
        return False
    if low == pair.name.lower() or (values.wordlike(value) and _SEPARATED.search(value)):
        return True
    return (pair.quoted in ("", "`") and pair.how is not How.EQUALS) or bool(_CAMEL.search(value))


def _password(pair: Pair) -> bool:
    value, how = pair.value, pair.how
    if " " in value:
        return bool(pair.quoted) and "phrase" in pair.name.lower() and value.count(" ") >= 2
    if not value.isascii() or len(value) < 4:
        return False
    if value.isdigit():
        return how is How.EQUALS or bool(pair.quoted) or _is_code_of_digits(pair)
    if pair.name.strip("\"'").lower() == "pass" and not values.has_digit(value):
        return False  # tests, filters and proxies pass too
    if values.is_number(value) or values.is_place(value):
        return False
    if values.is_algorithm(value) and not pair.quoted and how is not How.EQUALS:
        return False
    if how is How.BESIDE:
        return len(value) >= 6 and values.has_digit(value) and values.mixed(value)
    if values.mixed(value):
        return len(value) >= 5 or bool(pair.quoted) or how in (How.EQUALS, How.COLON)
    return value.lower() in values.FAMOUS or _password_of_letters(pair)


def _is_code_of_digits(pair: Pair) -> bool:
    return pair.ends and (len(pair.value) >= 6 or pair.how in (How.COLON, How.SAID))


def _password_of_letters(pair: Pair) -> bool:
    """A password like a word: only where nothing else can be meant."""
    value, how = pair.value, pair.how
    if _CONSTANT.fullmatch(value):
        return False
    if pair.quoted:
        return True
    if how is How.EQUALS:
        return not pair.listed
    if not pair.ends or pair.listed:
        return False
    if not value.isalpha() or (value[0].isupper() and value[1:].islower()):
        return False  # the name of a thing, or the first word of a sentence
    return how is How.FLAG or (how is How.COLON and value.islower()) or (how is How.SAID and not pair.name.isascii())


def _handed_over(pair: Pair) -> bool:
    """Whether a value stands beside its name as in settings, links or prose, and not as in code."""
    if pair.quoted not in ("", "`"):
        return True
    return pair.how not in (How.SPACED, How.BESIDE) and not pair.listed


def _token(sort: Sort, pair: Pair) -> bool:
    value, how = pair.value, pair.how
    if " " in value or not value.isascii():
        return False
    if sort is Sort.LOOSE:
        odd = values.made_up(value, 16) and values.has_digit(value)
        return odd and not values.compound(value) and not values.is_hash(value)
    if how is How.BESIDE:
        return len(value) == 32 if values.is_hash(value) else values.made_up(value, 12)
    if values.made_up(value, 8) or (values.is_hash(value) and len(value) >= 16 and values.has_digit(value)):
        return True
    if _handed_over(pair) and (
        values.mixes_styles(value) or (sort is not Sort.SECRET and how is How.EQUALS and values.numbered_words(value))
    ):
        return len(value) >= 8
    if values.is_number(value) or values.is_place(value) or _CONSTANT.fullmatch(value):
        return False
    if pair.name.isupper() and how is How.EQUALS:
        return len(value) >= 6  # the environment
    plain = value.isalnum() and len(value) >= 8 and not values.is_algorithm(value)
    return sort is Sort.SECRET and plain and (bool(pair.quoted) or (how is How.EQUALS and not pair.listed))
