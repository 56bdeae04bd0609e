"""The folder that the absolute paths of a log have in common: its project, where the log does not say it."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import commonpath, dirname

DEEP = 4  # parts of a path from which it may be a project and not a home folder: "", home, me, project
FILES = 3  # absolute paths that must agree
# Folders that stand inside a project: the project is what is above.
_INSIDE = frozenset(
    "src lib app apps packages pkg cmd internal server client web backend frontend test tests docs public scripts "
    "components pages migrations config".split()
)


def project_root(paths: Iterable[str]) -> str:
    """The common project folder of the absolute ones of `paths`, with a slash behind it, or ""."""
    absolute = [path for path in paths if path.startswith("/") and not path.startswith(("/tmp/", "/var/", "/etc/"))]
    if len(absolute) < FILES:
        return ""
    parts = commonpath([dirname(path) for path in absolute]).split("/")
    inside = next((place for place, part in enumerate(parts) if part in _INSIDE), len(parts))
    return "/".join(parts[:inside]) + "/" if inside >= DEEP else ""
