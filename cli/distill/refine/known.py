"""Replies that are there already: what a process goes by that asks nobody itself."""

from __future__ import annotations

from collections.abc import Mapping

from distill.refine.asking import Answers, Usage, kept_reply
from distill.refine.claims import Reply
from distill.refine.prompt import Prompt


class Known:
    """Stands for the asker where nobody is asked: it knows replies that are there, and notes what is missing."""

    def __init__(
        self, model: str, answers: Answers | None = None, replies: Mapping[Prompt, Reply | None] | None = None
    ) -> None:
        """`replies` go over what `answers` keeps of the model called `model`; None among them: none was had."""
        self._model = model
        self._answers = answers
        self._replies = replies or {}
        self.usage = Usage()
        self.missing: list[Prompt] = []
        self.unanswered = 0  # prompts that have no whole reply, missing or not

    def ask(self, prompt: Prompt) -> Reply | None:
        """The reply to `prompt` where it is known."""
        if prompt in self._replies:
            reply = self._replies[prompt]
            self.unanswered += reply is None or reply.partial
            return reply
        reply = kept_reply(self._answers, self._model, prompt) if self._answers is not None else None
        if reply is None:
            self.missing.append(prompt)
            self.unanswered += 1
        else:
            self.usage.kept += 1
        return reply
