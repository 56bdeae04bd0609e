"""What was tried in vain: it proves wrong who claims that it was done."""

from __future__ import annotations

from collections.abc import Iterable

from distill.model import Action, ActionKind
from distill.text.lazy import Lazy

_KINDS = {ActionKind.PUSHED: "push", ActionKind.COMMITTED: "commit", ActionKind.OPENED: "open"}
# The deeds of commands that no act of its own stands for.
_COMMANDS = (
    ("publish", Lazy(
        r"\b(?:npm|yarn|pnpm|cargo|poetry|uv|hatch|flit)\s+publish\b|\btwine\s+upload\b|\bgh\s+release\s+create\b"
    )),
    ("deploy", Lazy(r"\b(?:deploy|rollout)\b|\b(?:kubectl|helm|terraform)\s+(?:apply|upgrade|install)\b")),
    ("merge", Lazy(r"\bgit\s+merge\b|\bgh\s+pr\s+merge\b")),
    ("open", Lazy(r"\b(?:gh\s+pr|glab\s+mr|gh\s+issue)\s+create\b")),
    ("commit", Lazy(r"\bgit\s+commit\b")),
    ("push", Lazy(r"\bgit\s+push\b")),
)
# The rules of `rules/speech` by which people claim a deed.
CLAIMED = "claimed_"


class Failures:
    """Which deeds failed last, and at which record."""

    def __init__(self) -> None:
        self._failed: dict[str, int] = {}

    def note(self, action: Action, record: int) -> None:
        """Take up an act: the deed it stands for has failed, or is done after all."""
        for deed in _deeds(action):
            if action.done:
                self._failed.pop(deed, None)
            else:
                self._failed[deed] = record

    def before(self, record: int) -> bool:
        """Whether anything has failed before `record`."""
        return any(failed < record for failed in self._failed.values())

    def refute(self, heard: Iterable[str], record: int) -> bool:
        """Whether the claims among the rules `heard` at `record` are wrong."""
        deeds = {name.removeprefix(CLAIMED) for name in heard if name.startswith(CLAIMED)}
        return any(self._failed.get(deed, record) < record for deed in deeds)


def _deeds(action: Action) -> list[str]:
    if (name := _KINDS.get(action.kind)) is not None:
        return [name]
    if action.kind is not ActionKind.RAN:
        return []
    return [name for name, command in _COMMANDS if command.search(action.target)]
