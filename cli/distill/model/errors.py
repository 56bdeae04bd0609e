"""The one error that a user sees, with the exit code it ends in."""

from __future__ import annotations


class DistillError(Exception):
    """What is wrong and what to do, in one line; `code` is the exit code of the command line."""

    code = 2

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class InputError(DistillError):
    """The input cannot be read at all (exit 3)."""

    code = 3


class SilentError(InputError):
    """A log that was read whole and understood, in which nothing was said or done."""
