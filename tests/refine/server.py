"""An endpoint on loopback that behaves as it is told: well, or as badly as endpoints do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]


class Server(ThreadingHTTPServer):
    """Plays `script`, one behaviour a request, the last one again and again."""

    daemon_threads = True

    def __init__(self, *script: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        """The base URL, as --llm takes it."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is none of our business."""


class Handler(BaseHTTPRequestHandler):
    """Reads the question and lets the behaviour answer."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self.server.requests.append({"path": self.path, **json.loads(self.rfile.read(size))})
        self.server.keys.append(self.headers.get("Authorization"))
        number = min(len(self.server.requests), len(self.server.script)) - 1
        self.close_connection = True
        self.server.script[number](self)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on standard error."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """A whole response."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(*script: Behaviour) -> Iterator[Server]:
    """A server that plays `script` while the block runs."""
    server = Server(*script)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


# -- behaviours -------------------------------------------------------------------------------------------------------


def answer(content: object, finish: str = "stop", **more: Any) -> Behaviour:
    """A chat completion."""
    body = {"choices": [{"message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}],
            "usage": {"total_tokens": 100}}
    return lambda handler: handler.send(200, json.dumps(body).encode())


def status(code: int, message: str = "", **headers: str) -> Behaviour:
    """An error."""
    return lambda handler: handler.send(code, json.dumps({"error": {"message": message}}).encode(), **headers)


def raw(body: bytes, **headers: str) -> Behaviour:
    """200, and anything at all."""
    return lambda handler: handler.send(200, body, **headers)


def stream(body: bytes, hold: float = 0) -> Behaviour:
    """Server-sent events, whatever they say; the line stays open for `hold` seconds after them."""

    def behave(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        handler.end_headers()
        handler.wfile.write(body)
        handler.wfile.flush()
        time.sleep(hold)

    return behave


def events(
    text: str, finish: str = "stop", *, size: int = 7, pause: float = 0, hold: float = 0, tail: bytes = b"", **more: Any
) -> Behaviour:
    """A chat completion in pieces of `size` characters; with `hold` the last word never comes."""

    def behave(handler: Handler) -> None:
        stream(b"")(handler)
        for start in range(0, len(text), size):
            handler.wfile.write(_event({"content": text[start : start + size], **more}))
            handler.wfile.flush()
            time.sleep(pause)
        if hold:
            time.sleep(hold)
        handler.wfile.write(_event({}, finish) + tail)

    return behave


def _event(delta: object, finish: str | None = None) -> bytes:
    body = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def silent(handler: Handler) -> None:
    """Takes the question and says nothing."""
    time.sleep(8)


def trickling(handler: Handler) -> None:
    """A byte now and then, for ever."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(80):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def endless(handler: Handler) -> None:
    """As much as the line takes."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(1000):
        handler.wfile.write(b'{"choices": [' * 1000)


def dropping(handler: Handler) -> None:
    """Announces more than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"message": {"content": "')


def hanging_up(handler: Handler) -> None:
    """Closes without a word."""
