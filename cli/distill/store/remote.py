"""Files behind URLs such as s3://bucket/logs, by fsspec; imported only where a URL is named."""

from __future__ import annotations

import re
from typing import Any

from distill.model import DistillError

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# What tells one content from another without reading it, in whatever words a service says it.
_STAMPS = ("ETag", "etag", "md5Hash", "crc32c", "content_md5", "version_id", "mtime", "LastModified", "last_modified",
           "updated", "created")


def is_url(path: str) -> bool:
    """Whether `path` names something behind a URL; the letter of a drive does not make one."""
    return _URL.match(path) is not None


def reached(url: str) -> tuple[Any, str]:
    """The file system behind `url` and the path in it. Raises DistillError where it takes what is not installed."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise DistillError(f"{url}: URLs need fsspec: pip install 'distill-log[remote]'") from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise DistillError(f"{url}: cannot be reached: {error}") from None
    return system, str(path)


def stamp_of(info: dict[str, Any]) -> str:
    """What a listing says of a file that changes when its content does; "" where it says nothing of the sort."""
    return " ".join(str(info[name]) for name in _STAMPS if info.get(name) is not None)


def told(error: Exception) -> str:
    """What went wrong, in one line: services raise errors of their own."""
    return " ".join(str(error).split()) or type(error).__name__
