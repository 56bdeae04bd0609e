"""Any endpoint that speaks the chat completions of OpenAI: the only door to httpx."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from distill.model import DistillError
from distill.refine import completion
from distill.refine.asking import Answer
from distill.refine.claims import AskError
from distill.refine.prompt import Prompt, schema
from distill.refine.settings import KEY
from distill.text.clean import clean
from distill.text.redact import redact

if TYPE_CHECKING:
    import httpx

LARGEST = 4_000_000  # bytes of a response: a stream takes some hundred for a token
SAID = 120  # characters of a complaint that are shown
CONNECT = 10.0  # seconds to connect
LONGEST_WAIT = 600.0  # seconds of a Retry-After that are believed
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_STREAM = "text/event-stream"
_FORMS = 3
_NOT_THAT_FORM = (400, 404, 415, 422, 500, 501)  # what servers answer to a form that they do not know


class EndpointModel:
    """Asks an endpoint. The key goes to its host alone, and over TLS unless that is this machine."""

    def __init__(self, url: str, model: str, key_env: str = "") -> None:
        """`key_env` is the variable that holds the key, `DISTILL_LLM_KEY` where it is "".

        Raises DistillError where the URL or the model is wrong, the key is missing or would be sent in the clear, or
        httpx is not installed.
        """
        self._host, safe = _host(url)
        base = url.rstrip("/")
        self._url = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        if not model:
            raise DistillError("--llm-model: name the model that the endpoint is to use")
        self._model = model
        self._local = self._host in _LOOPBACK
        self._key = os.environ.get(key_env or KEY, "").strip()
        if key_env and not self._key:
            raise DistillError(f"--llm: the variable {key_env}, which should hold the key, is empty")
        if self._key and not self._local and not safe:
            raise DistillError(f"--llm: the key would go to {self._host} in the clear: use https")
        if not (self._key.isascii() and self._key.isprintable()):
            raise DistillError(f"--llm: {key_env or KEY} holds characters that no key has")
        try:
            import httpx
        except ImportError:
            raise DistillError("--llm needs httpx: pip install 'distill-log[llm]', or use --llm-cmd") from None
        self._httpx = httpx
        self._form = 0
        self.name = f"{self._url} {model}"

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        """The answer, of at most `most` tokens, within `seconds`; what was written until then where that is too short.

        Raises AskError. A form of reply that the endpoint turns out not to know is not asked for again.
        """
        form = self._form
        body = {
            "model": self._model, "temperature": 0, "max_tokens": most, "stream": True,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            **_form(form, prompt.most),
        }
        status, headers, found = self._post(body, time.monotonic() + seconds)
        if isinstance(found, Answer):
            return found
        if _too_long(status, found):
            raise AskError(f"{self._host} takes no prompt of this length: set chunk-tokens in a profile")
        if status in _NOT_THAT_FORM and form + 1 < _FORMS and not _no_model(status, found):
            self._form = max(self._form, form + 1)  # another call may have found that out meanwhile
            raise AskError(f"{self._host} does not know this form of reply", form=True)
        if status != 200:
            raise self._refused(status, headers, found)
        return completion.whole(found, self._host)

    def stop(self) -> None:
        """As in Model. A call is nothing but a connection, which ends with its thread."""

    def _post(self, body: Mapping[str, Any], end: float) -> tuple[int, Mapping[str, str], bytes | Answer]:
        """Status and headers of the response, and its body, or the answer that a stream was."""
        httpx = self._httpx
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        left = end - time.monotonic()
        if left <= 0:
            raise AskError(f"{self._host} took too long")
        limit = httpx.Timeout(left, connect=min(CONNECT, left))
        try:
            with (
                httpx.Client(timeout=limit, trust_env=not self._local) as client,
                client.stream("POST", self._url, json=body, headers=headers) as response,
            ):
                streams = response.status_code == 200 and response.headers.get("content-type", "").startswith(_STREAM)
                found = self._streamed(response, end) if streams else self._body(response, end)
                return response.status_code, response.headers, found
        except httpx.ConnectTimeout:
            raise AskError(f"{self._host} cannot be reached in time", again=True) from None
        except httpx.TimeoutException:  # what is too slow once is too slow again
            raise AskError(f"{self._host} took too long") from None
        except httpx.ConnectError as error:
            raise AskError(f"{self._host} cannot be reached: {_short(str(error))}", again=True) from None
        except httpx.DecodingError:
            raise AskError(f"{self._host} sent what cannot be decoded", again=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
            raise AskError(f"the connection to {self._host} broke: {_short(str(error))}", again=True) from None

    def _body(self, response: httpx.Response, end: float) -> bytes:
        data = bytearray()
        for part in response.iter_bytes():
            data += part
            if len(data) > LARGEST:
                raise AskError(f"{self._host} sent more than {LARGEST // 1_000_000} MB")
            if time.monotonic() > end:
                raise AskError(f"{self._host} took too long")
        return bytes(data)

    def _streamed(self, response: httpx.Response, end: float) -> Answer:
        """The answer that comes as a stream, as far as it comes in time. Whatever follows its end is not waited for."""
        pieces, size = completion.Pieces(self._host), 0
        try:
            for part in response.iter_bytes():
                pieces.take(part)
                size += len(part)
                if pieces.done:
                    break
                if size > LARGEST:
                    raise AskError(f"{self._host} sent more than {LARGEST // 1_000_000} MB")
                if time.monotonic() > end:
                    return pieces.answer(late=True)
        except self._httpx.ReadTimeout:
            return pieces.answer(late=True)
        return pieces.answer(late=False)

    def _refused(self, status: int, headers: Mapping[str, str], data: bytes) -> AskError:
        """The error that a status is."""
        told = _complaint(data)
        if status in (401, 403):
            return AskError(f"{self._host} does not take the key ({status}){told}", over=True)
        if 300 <= status < 400:
            return AskError(f"{self._host} points elsewhere ({status}): name the endpoint itself", over=True)
        if status == 404:
            return AskError(f"{self._host} knows no such endpoint or model (404){told}", over=True)
        if status in (408, 409, 425, 429) or status >= 500:
            return AskError(f"{self._host} is busy or failing ({status}){told}", again=True, wait=_wait(headers))
        return AskError(f"{self._host} refused the question ({status}){told}")


def _host(url: str) -> tuple[str, bool]:
    """The host of a URL, and whether TLS leads there. Raises DistillError where it is none or holds a password."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host, name = parts.hostname or "", parts.username
        _ = parts.port
    except ValueError:
        host, name = "", None
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise DistillError("--llm: not the URL of an endpoint: write it as https://HOST/v1")
    if name is not None:
        raise DistillError(f"--llm: no name or password in the URL: put the key into {KEY}")
    return host, parts.scheme == "https"


def _form(number: int, most: int) -> Mapping[str, Any]:
    """What holds a reply to the form; servers disagree: the strict way first, then the older one, then the prompt
    alone."""
    if number == 0:
        strict = {"name": "conclusions", "strict": True, "schema": schema(most)}
        return {"response_format": {"type": "json_schema", "json_schema": strict},
                "stream_options": {"include_usage": True}}
    return {"response_format": {"type": "json_object", "schema": schema(most)}} if number == 1 else {}


def _too_long(status: int, data: bytes) -> bool:
    """Whether an error says that the prompt is more than the model can take in."""
    return status in (400, 413) and any(word in data.lower() for word in (b"context_length", b"context size",
                                                                          b"context length", b"exceed_context"))


def _no_model(status: int, data: bytes) -> bool:
    """Whether a 404 speaks of the model or the path, not of the form of reply."""
    return status == 404 and b"response_format" not in data


def _complaint(data: bytes) -> str:
    try:
        body = json.loads(data)
        error = body.get("error", body) if isinstance(body, dict) else body
        text = error.get("message", "") if isinstance(error, dict) else error
    except (ValueError, RecursionError):
        text = ""
    said = _short(str(text))
    return f": {said}" if said else ""


def _short(text: str) -> str:
    return redact(clean(text[:2000]))[0][:SAID].strip()


def _wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a Retry-After asks for, as a number or a date; None where there is none that can be read."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(LONGEST_WAIT, max(0.0, seconds)) if seconds == seconds else None
