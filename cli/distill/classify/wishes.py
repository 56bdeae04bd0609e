"""Words of a user that only say how a thing is to be ("green buttons", 「背景浅灰」), and that the turn carries out."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from distill.classify.features import speaks_of_self
from distill.model import Role, Statement, Turn
from distill.text.language import width
from distill.text.likeness import content, grams

FEW = 2  # statements of a message up to which one may be such a wish
BRIEF = 28  # width of one from which it speaks for itself
REPLY = 4000  # characters of the answer that are looked at
_OTHERWISE = frozenset(
    ("asks", "is_question", "hollow", "pointer", "bare_request", "errand", "complaint", "praise", "narration",
     "chatter", "user_state", "error_text", "is_hypothetical", "is_completed", "is_process",
     "cue_fact_2", "cue_fact_3", "cue_open_2", "cue_open_3", "cue_artifact_1", "cue_artifact_2", "cue_artifact_3")
)  # signals of words that ask, report, praise or send to work


def brief(turn: Turn, one: Statement) -> bool:
    """Whether `one`, which the user says in `turn`, is short enough to be only a wish."""
    return one.role is Role.USER and len(turn.asked) <= FEW and width(one.text) < BRIEF


def carried_out(turn: Turn, one: Statement, signals: AbstractSet[str]) -> bool:
    """Whether `one`, which shows `signals`, is a wish that the answer of its `turn` takes up."""
    if signals & _OTHERWISE or speaks_of_self(one.text) or turn.reply.rstrip().endswith(("?", "？")):
        return False
    words = content(grams(one.text))
    return len(words) > 1 and len(words & grams(turn.reply[:REPLY])) * 2 >= len(words)
