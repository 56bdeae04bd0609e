"""What the user said to an agent's questions and plans, from the call and its result."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from distill.model import Action, ActionKind
from distill.read.wrappers import rejection
from distill.text.lazy import Lazy

_LONG = 4000  # characters of an answer or a plan that are kept
_PAIR = Lazy(r'"([^"\n]{1,600})"\s*[=:]\s*"([^"\n]{0,4000})"')
_TAG = Lazy(r"</?(?:answer|feedback|user_message|response)>")
_LEAD = Lazy(
    r"^\s*(?:The user (?:answered|chose|selected|responded|replied)|User (?:answered|response|selected)|Answer)"
    r"\s*[:：]\s*",
    re.I,
)
_NONE = Lazy(
    r"\s*(?:$|\[?(?:the )?user (?:dismissed|declined|skipped|cancell?ed|did not|didn't|rejected|wants to clarify)|"
    r"no (?:answer|response)|error\b|<tool_use_error>|tool (?:call )?(?:cancell?ed|failed)|\[Request interrupted)",
    re.I,
)
_APPROVED = Lazy(r"^## Approved Plan[^\n]*:\s*$", re.M)


def answer_actions(arguments: Mapping[str, Any], output: str, given: object = None) -> tuple[Action, ...]:
    """The answers to the questions of a call, one ANSWERED action each, with the options that were offered.

    `given` is the log's own map from question to answer where it has one; else the answers are read from `output`.
    """
    questions = _questions(arguments)
    answers = _given(given, questions) or _from_json(output, questions) or _from_pairs(output, questions)
    if not answers and len(questions) == 1 and '"="' not in output:
        text = _LEAD.sub("", _TAG.sub("", output)).strip()
        if not _NONE.match(text):
            answers = [(next(iter(questions)), text)]
    return tuple(
        Action(
            kind=ActionKind.ANSWERED,
            target=question,
            detail=answer.strip()[:_LONG],
            options=questions.get(question, ()),
        )
        for question, answer in answers
        if answer.strip()
    )


def plan_actions(arguments: Mapping[str, Any], output: str, *, failed: bool, plan: str = "") -> tuple[Action, ...]:
    """An approved or a rejected plan. `plan` is its text where the call itself lacks it."""
    text = arguments.get("plan")
    text = text if isinstance(text, str) and text.strip() else plan
    if failed:
        reason = rejection(output)
        return () if reason is None else (Action(kind=ActionKind.REJECTED, target="plan", detail=reason, done=False),)
    if not text:
        head = _APPROVED.search(output)
        text = output[head.end() :].strip() if head else ""
    return (Action(kind=ActionKind.APPROVED, target="plan", detail=text[: 4 * _LONG]),)


def _questions(arguments: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Question to option labels."""
    asked = arguments.get("questions")
    if isinstance(asked, str):  # a list that was written as JSON
        try:
            asked = json.loads(asked)
        except (ValueError, RecursionError):
            asked = None
    entries = asked if isinstance(asked, list) else [arguments]
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        if isinstance(entry, Mapping):
            text = entry.get("question") or entry.get("text") or entry.get("prompt")
            if isinstance(text, str) and text.strip():
                found[text] = _labels(entry)
    return found


def _labels(entry: Mapping[str, Any]) -> tuple[str, ...]:
    options = next((entry[k] for k in ("options", "choices", "suggest", "follow_up") if entry.get(k)), None)
    if isinstance(options, str):
        options = re.findall(r"<suggest[^>]*>([^<]{1,500})</suggest>", options) or _json_list(options)
    if not isinstance(options, list):
        return ()
    labels: list[str] = []
    for option in options:
        if isinstance(option, Mapping):
            option = next((option[k] for k in ("label", "answer", "text", "title", "value") if option.get(k)), None)
        if isinstance(option, str) and option.strip():
            labels.append(option.strip())
    return tuple(labels)


def _json_list(text: str) -> list[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _given(value: object, questions: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    if not isinstance(value, Mapping):
        return []
    return [(key, text) for key, answer in value.items() if isinstance(key, str) and (text := _flat(answer))]


def _flat(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, Mapping):
        keys = ("answers", "answer", "selected", "label", "text", "value")
        return next((text for key in keys if (text := _flat(answer.get(key)))), "")
    if isinstance(answer, list):
        return ", ".join(text for one in answer if (text := _flat(one)))
    return ""


def _from_json(output: str, questions: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Answers as a JSON map, by question, by the question's id or in the order of the questions."""
    if output.lstrip()[:1] not in ("{", "["):
        return []
    try:
        found = json.loads(output[: 1 << 16])
    except (ValueError, RecursionError):
        return []
    if isinstance(found, Mapping):
        found = next((found[key] for key in ("answers", "answer", "responses") if found.get(key)), found)
    names = list(questions)
    if isinstance(found, str):
        return [(names[0], found)] if len(names) == 1 else []
    if isinstance(found, list):
        return [(name, text) for name, answer in zip(names, found, strict=False) if (text := _flat(answer))]
    if not isinstance(found, Mapping):
        return []
    pairs = _given(found, questions)
    if len(pairs) == len(names) and not any(key in questions for key, _ in pairs):
        return [(name, text) for name, (_, text) in zip(names, pairs, strict=True)]
    return [(key, text) for key, text in pairs if not names or key in questions]


def _from_pairs(output: str, questions: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Answers written as `"question"="answer"`; either may hold quotes where the question is known."""
    output = output[: 1 << 16]
    starts = sorted((at, name) for name in questions if (at := output.find(f'"{name}"=')) >= 0)
    if not starts:
        return [(found[1], found[2]) for found in _PAIR.finditer(output)]
    pairs: list[tuple[str, str]] = []
    for place, (at, name) in enumerate(starts):
        begin = at + len(name) + 3
        end = starts[place + 1][0] if place + 1 < len(starts) else len(output)
        pairs.append((name, _quoted(output[begin:end])))
    return pairs


def _quoted(part: str) -> str:
    """The answer at the start of `part`: up to the last quote, with the notes the user added."""
    if not part.startswith('"'):
        return part.split("\n")[0].rstrip(" ,.")
    part, closed, _ = part.partition('". You can now')
    text, _, notes = part[1:].partition('" user notes: ')
    text = text.partition('" selected preview:')[0]
    if notes:
        notes = notes.partition(". You can now")[0].strip().rstrip(" ,")
        return f"{text} ({notes})"
    if closed:
        return text
    close = text.rfind('"')
    return text[:close] if close > 0 else text.rstrip('".')
