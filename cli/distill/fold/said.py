"""What the user's message does in the talk: it leans on what was said, answers, closes, turns to something else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from distill.fold.drift import features
from distill.fold.exchange import Exchange, pasted
from distill.model import Role, Statement
from distill.rulebook import Rulebook
from distill.text.lazy import Lazy

LEAD = 3  # statements of a message that may say that it turns to something else
PUT = 80  # lines of an answer that may put up ways to choose from
ANSWER = 12  # content words up to which a message may be no more than an answer
AFTER = 5  # statements that may follow a question that an answer ends with
OPENER = 3  # content words up to which a yes at the beginning is all that a statement says
FAULT = 40  # characters before the report of a fault that a message opens with
HEAD = 4  # characters before words that lean on what was said, where they stand at the beginning
ENDS = frozenset(["finished", "landed"])
WAYS = 2  # numbered or lettered lines of an answer from which there is a choice
_GOES_ON = frozenset(["referred", "amended", "withdrawn", "swapped"])
_REPLIES = frozenset(["accepted", "declined"])
_QUESTION = Lazy(r"[?？]\s*[)\]）”\"」]?\s*$")
_PICK = Lazy(r"(?:[A-Ea-e](?![A-Za-z'’])|[1-9](?:\s?(?:[-–~,、和]|and)\s?[1-9])*(?![\d.:%年月日]))[^\n]{0,12}")
_WAY = Lazy(r"(?m)^\s*(?:[-*] )?\**(?:\(?[A-Da-d1-5][.)、:：]|[Oo]ption |方案|选项)")


def size(found: Iterable[str]) -> int:
    """How much content words say: two Chinese characters say about half of what a Latin word does."""
    return sum(2 if word[0].isascii() else 1 for word in found if word[0] != "#") // 2


class Said:
    """The user's message of a turn, by the rules of `rules/speech` and `rules/reply`."""

    def __init__(self, now: Exchange, book: Rulebook) -> None:
        said: Sequence[Statement] = now.asked
        self.lines = [one.text for one in said] or [line for line in now.request.split("\n") if line.strip()][:LEAD]
        heard = [book.speech(line) for line in self.lines[:LEAD + 1]]
        self.names: list[dict[str, str]] = []
        for line, found in zip(self.lines, heard, strict=False):
            names: dict[str, str] = {}
            for one in found:
                names.setdefault(one.name, line[one.start:one.end])
            self.names.append(names)
        self.replies = {one.name: self.lines[0][:one.end] for one in book.replies(self.lines[0])} if self.lines else {}
        self._book = book
        self._request = now.request
        self.size = size(now.asked_about)
        self.closing = self._closing()

    def first(self, name: str, among: int = LEAD) -> str:
        """The words that show `name` in one of the first statements; "" where none do."""
        return next((found[name] for found in self.names[:among] if name in found), "")

    def _closing(self) -> int:
        """How many statements at the beginning only say yes, thanks or done."""
        for count, (line, names) in enumerate(zip(self.lines, self.names, strict=False)):
            yes = count == 0 and "accepted" in self.replies and size(features(line)) <= OPENER
            if not (yes or ENDS & names.keys()) or "switched" in names:
                return count
        return len(self.names)

    @property
    def only_closes(self) -> bool:
        """Whether the message says nothing but yes, thanks or done."""
        return bool(self.lines) and self.closing >= len(self.lines)

    @property
    def wound_up(self) -> str:
        """The words that wind up for the day, or have the work committed or released; "" where there are none."""
        found = self.first("wound_up") or self.first("landed")
        if found or len(self.lines) <= LEAD:
            return found
        line = self.lines[-1]
        return next((line[one.start:one.end] for one in self._book.speech(line) if one.name == "wound_up"), "")

    def goes_on(self, alone: bool) -> str:
        """The words by which the message leans on what was said before it; "" where there are none.

        In a message that says so much as to stand `alone`, they count at its beginning only: further on, it leans on
        itself.
        """
        if cue := self.first("redone"):
            return cue
        names = self.names[self.closing] if self.closing < len(self.names) else {}
        line = self.lines[self.closing] if names else ""
        found = [names[name] for name in sorted(_GOES_ON & names.keys())]
        return next((cue for cue in found if not alone or line.find(cue) < HEAD), "")

    def fault(self, alone: bool) -> str:
        """The words that report a fault, where that is what the message is about; "" where there are none."""
        cue = self.first("faulted")
        return cue if not alone or 0 <= self.lines[0].find(cue) < FAULT else ""

    @property
    def print_out(self) -> str:
        """The first line of a message that is nothing but what a program printed; "" where it says more."""
        return self.lines[0] if self.lines and pasted(self._request) else ""

    @property
    def answer(self) -> str:
        """The words with which the message answers and says little more, or picks from what was put up; else ""."""
        if "both" in self.replies or not self.lines:
            return self.replies.get("both", "")
        if found := _PICK.match(self.lines[0]):
            return found[0]
        cue = next((cue for name, cue in self.replies.items() if name in _REPLIES), "")
        return cue if self.size <= ANSWER else ""

    def takes_up(self, last: Exchange) -> str:
        """The words that name one of the ways that the assistant put up; "" where there are none."""
        cue = self.first("option")
        if not cue:
            return ""
        put = (one.name for line in last.reply.split("\n")[:PUT] for one in self._book.speech(line))
        return cue if "option" in put else ""


def asks(last: Exchange) -> str:
    """The question to the user with which the assistant's last message ends; "" where there is none.

    A line or two may come after it.
    """
    closing = [one.text for one in last.closing if one.role is Role.ASSISTANT]
    return next((text for text in closing[:-1 - AFTER:-1] if _QUESTION.search(text)), "")


def ends_asking(last: Exchange) -> bool:
    """Whether the very last words of the assistant are a question."""
    closing = [one.text for one in last.closing if one.role is Role.ASSISTANT]
    return bool(closing) and _QUESTION.search(closing[-1]) is not None


def ways(last: Exchange) -> int:
    """How many ways to go on the assistant's last message lists, by number or letter."""
    return len(_WAY.findall(last.reply))
