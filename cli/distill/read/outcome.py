"""A run that hands in a patch: the files it names are what counts, and scratch files are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from distill.model import Action, ActionKind, Event
from distill.read.actions import diff_actions
from distill.text.lazy import Lazy

_FILES = frozenset((ActionKind.WROTE, ActionKind.EDITED, ActionKind.DELETED, ActionKind.MOVED, ActionKind.RESTORED))
_NAMES = Lazy(r"[^\s/\\'\"`:,()\[\]<>]+")


class Outcome:
    """What the patch at the end of a run says of its files. Without a patch every act passes as it is."""

    def __init__(self, diff: object) -> None:
        """`diff` is a unified diff; anything else counts as none."""
        acts = diff_actions(diff, done=True) if isinstance(diff, str) and diff.strip() else ()
        self._all: dict[str, Action] = {act.target: act for act in acts if act.target}
        self._left = dict(self._all)
        self._named: dict[str, list[str]] = {}
        for path in self._all:
            self._named.setdefault(_name(path), []).append(path)

    def confirm(self, event: Event) -> Event | None:
        """`event` with a file called as the patch calls it; None for an act on a file that is not in the patch."""
        action = event.action
        if not self._all or action is None or action.kind not in _FILES:
            return event
        path = self._match(action.target)
        if path is None:
            return None
        self._left.pop(path, None)
        act = self._all[path]
        detail = action.detail if action.kind is act.kind else act.detail
        return replace(event, action=replace(act, detail=detail or act.detail, done=action.done))

    def rest(self, records: Iterable[tuple[int, str]], last: int) -> Iterator[tuple[int, Action]]:
        """The acts on files that only the patch tells of, each with the last of `records` (number, text) to name it.

        That is one with the whole path if there is one, else one with the file's name, else the record `last`.
        """
        left, self._left = self._left, {}
        paths: dict[str, list[str]] = {}
        for path in left:
            paths.setdefault(_name(path), []).append(path)
        named: dict[str, int] = {}
        whole: dict[str, int] = {}
        for number, text in records if left else ():
            for name in paths.keys() & set(_NAMES.findall(text)):
                named[name] = number
                whole.update((path, number) for path in paths[name] if path in text)
        for path, action in left.items():
            yield whole.get(path) or named.get(_name(path)) or last, action

    def _match(self, target: str) -> str | None:
        slashed = "/" + target.replace("\\", "/").lstrip("/")
        named = self._named.get(_name(target), ())
        return next((path for path in named if slashed.endswith("/" + path)), None)


def _name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
