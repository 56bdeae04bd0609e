"""What an endpoint sends for a chat completion, whole or piece by piece, as an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from distill.refine.asking import Answer
from distill.refine.claims import AskError

_WRONG = (ValueError, RecursionError, LookupError, TypeError, AttributeError)
_DECODER = json.JSONDecoder(strict=False)


def whole(data: bytes, host: str) -> Answer:
    """The answer in the body of a response that is no stream. Raises AskError."""
    try:
        body = json.loads(data)
        choice = body["choices"][0]
        message = choice["message"]
        text = _text(message.get("content"))
    except _WRONG:
        raise AskError(f"{host} sent something else than a chat completion", again=True) from None
    _check_refused(message, choice, host)
    if not text.strip():
        raise AskError(f"{host} sent an empty answer", again=True)
    return Answer(text=text, tokens=_tokens(body), cut=choice.get("finish_reason") == "length")


@dataclass(slots=True)
class Pieces:
    """An answer that comes piece by piece, as server-sent events."""

    host: str
    done: bool = False  # nothing that matters will come
    _text: list[str] = field(default_factory=list)
    _rest: bytes = b""
    _told: int | None = None
    _finish: str = ""
    _known: bool = False  # it was a chat completion

    def take(self, data: bytes) -> None:
        """Some bytes of the stream. Raises AskError where the model refuses or the endpoint says that it fails."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b":")
            if name == b"data":
                self._event(value.strip())

    def answer(self, *, late: bool) -> Answer:
        """What came; `late` where the time ran out. Raises AskError where it was nothing."""
        if not self._known and not late:
            raise AskError(f"{self.host} sent something else than a chat completion", again=True)
        text = "".join(self._text)
        if not text.strip():
            raise AskError(f"{self.host} took too long" if late else f"{self.host} sent an empty answer",
                           again=not late)
        return Answer(text=text, tokens=self._told, cut=self._finish == "length", late=late and not self.done)

    def _event(self, value: bytes) -> None:
        if value == b"[DONE]":
            self.done = True
            return
        try:
            body = json.loads(value)
            if body.get("error"):
                raise AskError(f"{self.host} failed on the way", again=True)
            self._told = _tokens(body) or self._told
            choices = body["choices"]
            self._known = True
            for choice in choices[:1]:
                delta = choice.get("delta") or choice.get("message") or {}
                text = _text(delta.get("content"))
                self._finish = choice.get("finish_reason") or self._finish
                _check_refused(delta, choice, self.host)
                self._text.append(text)
                if "}" in text and _ended("".join(self._text)):
                    self.done = True
        except _WRONG:
            return  # a comment of the server, or damage: what counts is what was said


def _ended(text: str) -> bool:
    """Whether the object that was asked for is whole, so that nothing after it matters."""
    if not text.lstrip().startswith(("{", "```")):  # thoughts may hold objects, too
        return False
    try:
        found, _ = _DECODER.raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        return False
    return "items" in found


def _text(content: object) -> str:
    if isinstance(content, list):  # parts, as some servers give them
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _check_refused(message: Mapping[str, Any], choice: Mapping[str, Any], host: str) -> None:
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        raise AskError(f"the model at {host} refused to answer")


def _tokens(body: Mapping[str, Any]) -> int | None:
    usage = body.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and 0 < tokens < 10**9 else None
