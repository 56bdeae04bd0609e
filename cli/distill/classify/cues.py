"""What a statement is by the words that stand in it: the rulebook's verdict for the rooms that judge."""

from __future__ import annotations

from functools import lru_cache

from distill.model import Role
from distill.rulebook import Rulebook
from distill.rulebook.talk import Heard
from distill.rulebook.verdict import Explanation, Mark, Reach, Verdict

KNOWN = 1 << 12  # verdicts kept: agents repeat themselves, and logs hold copies

__all__ = ["CueJudge", "Explanation", "Heard", "Mark", "Reach", "Verdict"]


class CueJudge:
    """Judges single statements by cue; knows nothing of the talk they stand in.

    A rule bound to a role counts fully in the speech of that role, one less where the role is unknown, else not at all.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._book = rulebook
        self._known = lru_cache(maxsize=KNOWN)(rulebook.judge)
        self._heard = lru_cache(maxsize=KNOWN)(rulebook.speech)

    def judge(self, text: str, role: Role = Role.UNKNOWN) -> Verdict:
        """The verdict on one statement; its first 2,000 characters are looked at."""
        return self._known(text, role)

    def explain(self, text: str, role: Role = Role.UNKNOWN) -> Explanation:
        """The verdict with all cues, modifiers and effects, also of what lost."""
        return self._book.explain(text, role)

    def modifiers(self, text: str, role: Role = Role.UNKNOWN) -> frozenset[str]:
        """The names of the modifiers in a statement: "question", "hypothetical", "retracted", "completed" and so on."""
        return self._book.modifiers(text, role)

    def replies(self, text: str) -> list[Heard]:
        """The answers that `text` opens with: "accepted", "declined", "both", "picking"; the longest first."""
        return self._book.replies(text)

    def speech(self, text: str) -> list[Heard]:
        """What `text` does in a talk: "asked", "recommended", "offered", "corrected" and so on, in its order."""
        return self._heard(text)
