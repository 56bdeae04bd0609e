"""What was taken away again by its name, number or address: a tag, a pull request, a release, a package."""

from __future__ import annotations

import re

LEAST = 2  # characters of a name that words can be told by
_PATHS = {  # how the address of a thing goes on before its name
    "pull": r"/(?:pull|pulls|pull-requests|pullrequest)/",
    "merge_requests": r"/merge_requests/",
    "issues": r"/issues/",
    "releases": r"/releases?/(?:tag/)?",
    "repo": r"//[^/]+/(?:[^/]+/)?",
    "gist": r"gist\.[^/]+/(?:[^/]+/)?",
}


def is_named(made: str, name: str, sort: str) -> bool:
    """Whether what was made, known by its name or address, is what `name`, a thing of this `sort`, stands for.

    Without a name it is any thing of the sort.
    """
    path = _PATHS.get(sort)
    if path is None:
        return made == name
    tail = re.escape(name) if name else r"[^/]+"
    return bool(name and made == name) or re.search(rf"{path}{tail}/?$", made) is not None


def mentions(text: str, name: str) -> bool:
    """Whether `text` names it, as a word of its own and not as a bare number."""
    if len(name) < LEAST or name.isdigit() or name not in text:
        return False
    return re.search(rf"(?<![\w./@-]){re.escape(name)}(?![\w@/-]|\.\w)", text) is not None
