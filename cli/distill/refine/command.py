"""A command that reads a prompt on standard input and prints an answer."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from distill.model import DistillError
from distill.refine.asking import Answer
from distill.refine.claims import AskError
from distill.refine.prompt import Prompt
from distill.text.clean import clean
from distill.text.redact import redact

if TYPE_CHECKING:
    import subprocess

LARGEST = 1_000_000  # bytes of an answer
SAID = 120  # characters of a complaint that are shown


class CommandModel:
    """Asks a command. It runs without a shell: its words are those that a shell would make of the line."""

    def __init__(self, line: str) -> None:
        """Raises DistillError where `line` is no command line."""
        try:
            self._words: Sequence[str] = shlex.split(line, posix=os.name != "nt")
        except ValueError as error:
            raise DistillError(f"--llm-cmd: {line!r}: {error}") from None
        if not self._words:
            raise DistillError("--llm-cmd: name a command that reads a prompt on standard input and prints an answer")
        self.name = f"cmd:{shlex.join(self._words)}"
        self._running: set[subprocess.Popen[bytes]] = set()

    def ask(self, prompt: Prompt, most: int, seconds: float) -> Answer:
        """What the command prints within `seconds`. Raises AskError where it fails, hangs or prints without end.

        A command is not held to `most` tokens, but to a million bytes. What it printed before its time was over is
        answer enough where something whole stands in it.
        """
        import subprocess
        from tempfile import TemporaryFile
        from threading import Timer

        with TemporaryFile() as given, TemporaryFile() as complaints:
            given.write(prompt.whole.encode("utf-8", "replace"))
            given.seek(0)
            try:
                process = subprocess.Popen(self._words, stdin=given, stdout=subprocess.PIPE, stderr=complaints,
                                           start_new_session=os.name != "nt")
            except (OSError, ValueError) as error:
                what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                raise AskError(f"{self._words[0]} cannot be run: {what}", over=True) from None
            self._running.add(process)
            late: list[bool] = []

            def stop() -> None:
                late.append(True)
                _kill(process)

            timer = Timer(seconds, stop)
            timer.start()
            try:
                assert process.stdout is not None
                data = process.stdout.read(LARGEST + 1)
                if len(data) > LARGEST:
                    raise AskError(f"{self._words[0]} printed more than {LARGEST // 1_000_000} MB")
                code = process.wait()
            finally:
                timer.cancel()
                _kill(process)
                with suppress(OSError):
                    process.communicate()
                self._running.discard(process)
            if late and data.strip():
                return Answer(text=data.decode("utf-8-sig", "replace"), late=True)
            if late:
                raise AskError(f"{self._words[0]} took longer than {seconds:.0f} s")
            if code:
                complaints.seek(0)
                said = redact(clean(complaints.read(8000).decode("utf-8", "replace")))[0]
                told = f": {said[-SAID:].strip()}" if said else ""
                raise AskError(f"{self._words[0]} ended with {code}{told}", again=True)
        return Answer(text=data.decode("utf-8-sig", "replace"))

    def stop(self) -> None:
        """As in Model. The commands are not in our process group, so an interrupt does not reach them."""
        for process in list(self._running):
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the command and what it started."""
    with suppress(OSError):
        if os.name != "nt":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
