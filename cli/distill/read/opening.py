"""A log by its name: opened, or an error that says why it cannot be read."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from typing import IO

from distill.model import InputError, SilentError, Start
from distill.read.formats import format_named, recognise
from distill.read.log import Log, Tally

_FIRST = 100  # events among which the first that names its folder is looked for


def open_log(path: str, stack: ExitStack, start: Start | None = None) -> Log:
    """The log at `path`, or standard input for "-"; an InputError (exit 3) where it cannot be read.

    With `start` it is read from there on.
    """
    if path == "-":
        return Log("stdin", sys.stdin.buffer)
    if "://" in path:
        return _behind_url(path, stack, start)
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


def _behind_url(url: str, stack: ExitStack, start: Start | None) -> Log:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError(f"{url}: URLs need fsspec: pip install 'distill-log[remote]'") from None
    try:
        system, path = url_to_fs(url)
        stream = stack.enter_context(system.open(path, "rb"))
        size = system.size(path)
    except FileNotFoundError:
        raise InputError(f"{url}: no such file") from None
    except Exception as error:  # services raise errors of their own
        raise InputError(f"{url}: {' '.join(str(error).split()) or type(error).__name__}") from error
    return Log(url, stream, size, start)


def not_understood(path: str, form: str, tally: Tally) -> InputError:
    """The error for a log of the format `form` in which nothing was said or done, with what it holds instead."""
    types = ", ".join(f"{name} ({count})" for name, count in tally.types.most_common(8))
    aside = ", ".join(f"{name} ({count})" for name, count in tally.set_aside.most_common(4))
    seen = f"; record types: {types}" if types else ""
    seen += f"; set aside: {aside}" if aside else ""
    text = f"{path}: read as {form}, but no message was understood{seen}"
    whole = tally.records and not tally.skipped and tally.set_aside.total() >= tally.records
    return SilentError(text) if whole else InputError(text)


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


def beginning(path: str, form: str = "") -> tuple[str, str]:
    """The folder in which the session of a log began and the time of its first message; "" where it does not say.

    A JSON document is read whole, of any other log no more than its beginning. `form` is the name of its format, ""
    tells it from the content. Raises InputError where the log cannot be read.
    """
    project, time = "", ""
    with ExitStack() as stack:
        log = open_log(path, stack)
        if not log.is_document:
            log.size = 0
        for number, event in enumerate((format_named(form) if form else recognise(log)).events(log)):
            project, time = project or event.project, time or event.time or ""
            if (project and time) or (number >= _FIRST and not log.is_document):
                break
        return project or log.tally.project, time
