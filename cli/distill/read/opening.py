"""A log by its name: opened, or an error that says why it cannot be read."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from typing import IO

from distill.model import InputError, Start
from distill.read.formats import recognise
from distill.read.log import Log, Tally

_FIRST = 100  # events among which the first that names its folder is looked for


def open_log(path: str, stack: ExitStack, start: Start | None = None) -> Log:
    """The log at `path`, or standard input for "-"; an InputError (exit 3) where it cannot be read.

    With `start` it is read from there on.
    """
    if path == "-":
        return Log("stdin", sys.stdin.buffer)
    try:
        stream: IO[bytes] = stack.enter_context(FileIO(path))  # Log buffers it itself
        size = Path(path).stat().st_size
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder; name the logs in it") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return Log(path, stream, size, start)


def not_understood(path: str, form: str, tally: Tally) -> InputError:
    """The error for a log of the format `form` in which nothing was said or done, with what it holds instead."""
    types = ", ".join(f"{name} ({count})" for name, count in tally.types.most_common(8))
    aside = ", ".join(f"{name} ({count})" for name, count in tally.set_aside.most_common(4))
    seen = f"; record types: {types}" if types else ""
    seen += f"; set aside: {aside}" if aside else ""
    return InputError(f"{path}: read as {form}, but no message was understood{seen}")


def first_folder(path: str) -> str:
    """The folder in which the session of a log began, as its first events say; "" where they do not.

    Raises InputError where the log cannot be read.
    """
    with ExitStack() as stack:
        log = open_log(path, stack)
        if log.is_document:
            return ""  # it would have to be read whole
        log.size = 0  # no more than its beginning is read: the decoder for large logs would not pay for itself
        for number, event in enumerate(recognise(log).events(log)):
            if event.project:
                return event.project
            if number >= _FIRST:
                break
    return ""
