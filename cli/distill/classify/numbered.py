"""Answers by number: "1. yes 2. twelve hours 3. no" to a list of questions or steps."""

from __future__ import annotations

from collections.abc import Container

from distill.text.lazy import Lazy

LONGEST = 2000  # characters of a message that are looked at
_MARK = Lazy(r"(?:^|(?<=[\s,;，；。.!！]))(\d{1,2})[ ]?(?:[.:：](?!\d)|[)、）])[ ]*(?=\S)")


def numbered_answers(said: str, keys: Container[str]) -> dict[str, str]:
    """What `said` answers to each of the numbers in `keys`; empty where it is no list of at least two such answers.

    The numbers must rise, and nothing but a short greeting may stand before the first.
    """
    text = said[:LONGEST]
    marks = [found for found in _MARK.finditer(text) if found[1] in keys]
    numbers = [int(found[1]) for found in marks]
    if len(marks) < 2 or numbers != sorted(set(numbers)) or len(text[: marks[0].start()].strip()) > 20:
        return {}
    ends = [found.start() for found in marks[1:]] + [len(text)]
    parts = [" ".join(text[found.end() : end].split()) for found, end in zip(marks, ends, strict=True)]
    answers = {found[1]: part.strip(" ,;，；") for found, part in zip(marks, parts, strict=True)}
    return answers if all(answers.values()) else {}
