"""Answers of models kept between runs, found by what was asked of whom. They hold no credentials, as neither question
nor answer did when it was kept.

A folder that cannot be read or written is never an error: the question is then asked again.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from distill.text.kept import folder

KEEP = 2000  # answers; those not used for longest are removed
SLACK = 200  # answers above KEEP at which they are
_SIZE = 16


class AnswerStore:
    """The answers in a folder, by default one in the user's cache."""

    def __init__(self, place: Path | None = None) -> None:
        self._place = place or folder() / "answers"

    def get(self, model: str, prompt: str) -> str | None:
        """What `model` answered to `prompt`, None where that is not known or damaged."""
        path = self._path(model, prompt)
        try:
            data = path.read_bytes()
            digest, body = data[:_SIZE], data[_SIZE:]
            if hashlib.blake2b(body, digest_size=_SIZE).digest() != digest:
                return None
            text = body.decode()
        except (OSError, ValueError):
            return None
        with suppress(OSError):
            os.utime(path)
        return text

    def put(self, model: str, prompt: str, answer: str) -> None:
        """Keep an answer, whole or not at all."""
        import tempfile

        body = answer.encode("utf-8", "replace")
        with suppress(OSError):
            self._place.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, part = tempfile.mkstemp(suffix=".part", dir=self._place)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.blake2b(body, digest_size=_SIZE).digest() + body)
                Path(part).replace(self._path(model, prompt))
            except OSError:
                Path(part).unlink(missing_ok=True)
                raise
            self._clear()

    def _path(self, model: str, prompt: str) -> Path:
        digest = hashlib.blake2b(digest_size=20)
        for part in (model.encode("utf-8", "replace"), prompt.encode("utf-8", "replace")):
            digest.update(b"%d:" % len(part))
            digest.update(part)
        return self._place / f"{digest.hexdigest()}.txt"

    def _clear(self) -> None:
        paths = list(self._place.glob("*.txt"))
        if len(paths) > KEEP + SLACK:
            paths.sort(key=lambda path: path.stat().st_mtime)
            for path in paths[:-KEEP]:
                path.unlink(missing_ok=True)
