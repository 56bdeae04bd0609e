"""opencode sessions as `opencode export` writes them: `{info, messages: [{info, parts}]}`, or the messages alone.

Also what the program's other logs share: what plugins put into the user's mouth, and how a refusal reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from distill.model import Action, ActionKind, Event, Voice
from distill.read.answers import answer_actions
from distill.read.documents import opening, whole
from distill.read.formats import Format
from distill.read.log import Log, Record
from distill.read.teller import Call, Teller, items, mapping, text
from distill.read.wrappers import strip_wrappers
from distill.text.lazy import Lazy
from distill.text.times import rfc3339

_INITIATOR = "<!-- OMO_INTERNAL_INITIATOR -->"  # a plugin signs its own prompts
_NOTICE = Lazy(
    r"\[(?:SYSTEM (?:REMINDER|DIRECTIVE)|(?:ALL )?BACKGROUND TASKS? (?:COMPLETED?|FAILED|CANCELLED|RESULTS?)"
    r"|TODO CONTINUATION|RALPH|ULTRAWORK|COMPACTION|CONTEXT WINDOW|EDIT ERROR|BOULDER)\b"
)
_MODE = Lazy(r"^\[[a-z]{3,20}-mode\]", re.MULTILINE)
_MODE_BLOCK = Lazy(r"<([a-z]{3,20}-mode)>")
_RULE = "\n---\n"  # between what a mode adds and what was typed
# Headings of a prompt that one agent wrote for another.
_ORDERS = ("EXPECTED OUTCOME", "REQUIRED TOOLS", "REQUIRED SKILLS", "MUST DO", "MUST NOT DO")
_REQUEST = ("[CONTEXT]", "[GOAL]", "[REQUEST]", "[DOWNSTREAM]")
_REFUSED = "The user rejected permission to use this specific tool call"
_FEEDBACK = "with the following feedback:"
_DISMISSED = "The user dismissed this question"


def typed(said: str) -> str:
    """The words of a user's message that a person typed; "" where a program wrote all of it."""
    if _INITIATOR in said:
        return ""
    words = strip_wrappers(said)
    while block := _MODE_BLOCK.search(words):
        end = words.find(f"</{block[1]}>", block.end())
        if end < 0:
            break
        words = words[: block.start()] + words[end + len(block[1]) + 3 :]
    if mode := _MODE.search(words):
        words = words[: mode.start()] + words[mode.start() :].partition(_RULE)[2]
    words = words.strip().removeprefix("---\n").strip()
    if _NOTICE.match(words) or sum(one in words for one in _ORDERS) > 2 or sum(one in words for one in _REQUEST) > 2:
        return ""
    return words


def refusal_words(error: str) -> str | None:
    """The user's words where `error` says that a call was refused ("" without any), else None."""
    if not error.removeprefix("Error: ").startswith(_REFUSED):
        return None
    return error.partition(_FEEDBACK)[2].strip()


def recognise(log: Log) -> bool:
    """Whether this is a session with its messages, or a list of messages, each an info and parts."""
    found = opening(log)
    if isinstance(found, dict):
        inner = found.get("messages")
        if inner == [] or inner is None:
            session = mapping(found.get("info"))
            return text(session.get("id")).startswith("ses_") and ("messages" in found or not log.whole)
        found = inner
    first = mapping(found[0]) if isinstance(found, list) and found else {}
    return isinstance(first.get("parts"), list) and "role" in mapping(first.get("info"))


def events(log: Log) -> Iterator[Event]:
    """The events of a session; a record is a message's place."""
    document = whole(log)
    session = mapping(mapping(document).get("info"))
    messages = document if isinstance(document, list) else items(mapping(document).get("messages"))
    tally = log.tally
    tally.records = len(messages)
    tally.title, tally.session = text(session.get("title")), text(session.get("id"))
    reader = _Reader(log, child=bool(session.get("parentID")))
    reader.teller.session = tally.session
    reader.teller.cwd = tally.project = text(session.get("directory")) or _folder(messages)
    for number, message in enumerate(messages, 1):
        if isinstance(message, dict):
            yield from reader.message(message, number)
        else:
            tally.skip("not a message", number)
    yield from reader.teller.close()
    reverted = text(mapping(session.get("revert")).get("messageID"))
    if reverted and reverted in reader.places:
        back_to = reader.places[reverted] - 1
        yield reader.teller.act(Action(kind=ActionKind.REWOUND, back_to=back_to), len(messages))


def _folder(messages: list[object]) -> str:
    for message in messages:
        path = mapping(mapping(mapping(message).get("info")).get("path"))
        if where := text(path.get("cwd")) or text(path.get("root")):
            return where
    return ""


class _Reader:
    def __init__(self, log: Log, *, child: bool) -> None:
        self.tally = log.tally
        self.teller = Teller(log)
        self.child = child  # the session of a subagent: its "user" is another agent
        self.places: dict[str, int] = {}
        self._begun = False

    def message(self, message: Record, number: int) -> Iterator[Event]:
        info = mapping(message.get("info"))
        role = text(info.get("role"))
        when = rfc3339(mapping(info.get("time")).get("created"))
        self.tally.types[role or "unknown"] += 1
        self.places[text(info.get("id"))] = number
        parts = [mapping(part) for part in items(message.get("parts"))]
        if role == "user":
            yield from self._prompt(parts, number, when)
        elif role == "assistant":
            if info.get("summary") is True or info.get("mode") == "compaction":
                yield from self._summary(parts, number, when)
            else:
                yield from self._answer(parts, number, when)
            if mapping(info.get("error")).get("name") == "MessageAbortedError":
                yield self.teller.act(Action(kind=ActionKind.INTERRUPTED), number, when)
        else:
            self.tally.set_aside["system prompt"] += 1
        self._begun = True

    def _prompt(self, parts: list[Record], number: int, when: str | None) -> Iterator[Event]:
        for part in parts:
            if part.get("type") != "text" or part.get("synthetic") is True or part.get("ignored") is True:
                self.tally.set_aside["injected text" if part.get("type") == "text" else "attachment"] += 1
            elif self.child:
                self.tally.set_aside["side chain"] += 1
            else:
                words = typed(text(part.get("text")))
                if words != text(part.get("text")).strip():
                    self.tally.set_aside["injected text"] += 1
                yield from self.teller.user(words, number, when)

    def _summary(self, parts: list[Record], number: int, when: str | None) -> Iterator[Event]:
        """The summary of a compaction; what it sums up is gone only where nothing comes before it."""
        if self._begun:
            self.tally.set_aside["summary"] += 1
            return
        for part in parts:
            if part.get("type") == "text":
                yield from self.teller.assistant(text(part.get("text")), number, when, Voice.SUMMARY)

    def _answer(self, parts: list[Record], number: int, when: str | None) -> Iterator[Event]:
        for part in parts:
            kind = part.get("type")
            if kind == "text" and part.get("synthetic") is not True and part.get("ignored") is not True:
                yield from self.teller.assistant(text(part.get("text")), number, when)
            elif kind == "tool":
                yield from self._tool(part, number, when)
            else:
                self.tally.set_aside["thinking" if kind == "reasoning" else "state change"] += 1

    def _tool(self, part: Record, number: int, when: str | None) -> Iterator[Event]:
        teller, state = self.teller, mapping(part.get("state"))
        metadata = mapping(state.get("metadata"))
        span = mapping(state.get("time"))
        when = rfc3339(span.get("end")) or rfc3339(span.get("start")) or when
        call = Call(text(part.get("tool")), mapping(state.get("input")), number, when)
        status, output, error = state.get("status"), text(state.get("output")), text(state.get("error"))
        if call.name == "task":
            self.tally.set_aside["side chain"] += 1
            return
        if status not in ("completed", "error"):
            teller.call(text(part.get("callID")) or f"@{number}", call)
            return
        words = refusal_words(error) if status == "error" else None
        if words is not None:
            yield from teller.refusal(call, words, number, when)
        elif call.name == "question" and (answers := _answers(call.arguments, metadata)):
            for action in answer_actions(call.arguments, output, answers):
                yield teller.act(action, number, when)
        elif not error.startswith(_DISMISSED):
            code = metadata.get("exit", metadata.get("exitCode"))
            failed = status == "error" or (isinstance(code, int) and code != 0)
            yield from teller.done(call, output or error, number, when, failed=failed)


def _answers(arguments: Mapping[str, Any], metadata: Record) -> dict[str, list[str]]:
    """Question to answers: they are stored in the order of the questions."""
    asked = [text(mapping(one).get("question")) for one in items(arguments.get("questions"))]
    found = [[text(one) for one in items(answer) if text(one)] for answer in items(metadata.get("answers"))]
    return {question: answer for question, answer in zip(asked, found, strict=False) if question and answer}


FORMAT = Format(
    name="opencode",
    title="opencode (export)",
    where="opencode export",
    order=28,
    document=True,
    recognise=recognise,
    events=events,
)
