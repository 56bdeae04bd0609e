"""One Claude Code session, record by record, to events. Shared by every form in which its records are kept.

Holds little: the message that is being streamed, the calls that wait for a result, the prompts that were typed while
the assistant was busy, and where the latest records stand (for rewinds).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.claude_queue import Queue
from distill.read.claude_titles import Titles
from distill.read.claude_tools import Call, Tools, result_text
from distill.read.claude_voices import Voices
from distill.read.log import Record, Tally
from distill.read.wrappers import bash_inputs, bash_output, interrupted, is_summary, strip_wrappers, summary_body
from distill.text.times import rfc3339

KNOWN = 25_000  # records of which the latest one to two times as many are known by their id
_FAILED_SUMMARY = ("You've hit your", "API Error", "You've reached your", "Claude AI usage limit")
_NOT_TYPED = ("notification", "hook", "coordinator", "channel", "peer", "teammate")
Found = Sequence[Event]
Handler = Callable[[int, Record], Found]


class Session(Voices):
    """Takes the records of one log in order and gives their events.

    `agent` says that the log is that of a sub-agent: then its prompts come from another agent and are set aside.
    `before` are the records that are passed over because they were read in an earlier run.
    """

    def __init__(self, tally: Tally, *, agent: bool = False, before: int = 0) -> None:
        super().__init__(tally)
        self.agent = agent
        self.before = before
        self.tools = Tools()
        self.queue = Queue()
        self.titles = Titles()
        self._counts: dict[str, int] = {}  # records by type, until the end
        self._seen: dict[str, int] = {}  # id of a record -> its line, the latest ones
        self._older: dict[str, int] = {}
        self._last_prompt: dict[str, int] = {}  # session -> line of the latest prompt
        self._command: tuple[int, str] | None = None  # typed behind "!", waits for its output
        self._links: set[str] = set()
        self._latest = 0
        self._handlers: dict[str, Handler] = {
            "assistant": self._assistant,
            "user": self._user,
            "attachment": self._attachment,
            "queue-operation": self._queue_operation,
            "system": self._system,
            "summary": self._summary,
            "ai-title": self._title,
            "custom-title": self._title,
            "pr-link": self._link,
        }

    def take(self, record: int, entry: Record) -> Found:
        """The events of one record."""
        kind = entry.get("type")
        if kind.__class__ is not str:
            kind = "(no type)"
        counts = self._counts
        uuid = entry.get("uuid")
        if uuid.__class__ is str:
            if uuid in self._seen or uuid in self._older:
                counts[kind] = counts.get(kind, 0) + 1
                self.aside["resumed copy"] += 1
                return ()
            self._seen[uuid] = record
            if len(self._seen) >= KNOWN:
                self._older, self._seen = self._seen, {}
        handler = self._handlers.get(kind)
        if handler is None:
            kind = kind[:60]
            counts[kind] = counts.get(kind, 0) + 1
            return ()
        counts[kind] = counts.get(kind, 0) + 1
        self._latest = record
        return handler(record, entry)

    def close(self) -> list[Event]:
        """What is still held at the end of the log; completes the account of record types and the title."""
        self.tally.types.update(self._counts)
        self._counts = {}
        found = self.flush()
        for record, text, time in self.queue.rest():
            found += self.say(Role.USER, text, record, time)
        found += self._abandon(self._latest)
        self.tally.title = self.titles.best(lambda uuid: uuid in self._seen or uuid in self._older)
        return found

    def _abandon(self, before: int) -> list[Event]:
        """Calls older than the record `before` that never got a result."""
        found: list[Event] = []
        for call in self.tools.abandoned(before):
            found += self.acts(call, call.record, self.tools.undone(call))
        return found

    # -- the assistant ---------------------------------------------------------------------------------------------

    def _assistant(self, record: int, entry: Record) -> Found:
        message = entry.get("message")
        if message.__class__ is not dict:
            self.tally.skip("message without content", record)
            return ()
        content = message.get("content")
        found: Found = ()
        if content.__class__ is not list:
            content = ({"type": "text", "text": content},) if isinstance(content, str) else ()
        for block in content:
            if block.__class__ is not dict:
                continue
            kind = block.get("type")
            if kind == "tool_use":
                name, key = block.get("name"), block.get("id")
                if name.__class__ is not str or key.__class__ is not str or not self.tools.matters(name):
                    continue
                given, folder = block.get("input"), entry.get("cwd")
                folder = folder if isinstance(folder, str) else ""
                call = Call(
                    name,
                    given if isinstance(given, dict) else {},
                    record,
                    entry.get("timestamp"),
                    self.base(folder),
                    folder,
                    entry.get("isSidechain") is True and not self.agent,
                )
                if not self.tools.hold(key, call):
                    self.aside["streaming copy"] += 1
            elif kind == "text":
                if entry.get("isSidechain") is True and not self.agent:
                    self.aside["side chain"] += 1
                elif message.get("model") == "<synthetic>" or entry.get("isApiErrorMessage") is True:
                    self.aside["error message"] += 1
                else:
                    text = block.get("text")
                    if isinstance(text, str) and text and not text.isspace():
                        found = [*found, *self.stream(message.get("id"), record, entry, text)]
        return found

    # -- the user --------------------------------------------------------------------------------------------------

    def _user(self, record: int, entry: Record) -> Found:
        message = entry.get("message")
        if message.__class__ is not dict:
            self.tally.skip("message without content", record)
            return ()
        content = message.get("content")
        found: list[Event] = []
        if content.__class__ is list:
            texts = []
            for block in content:
                if block.__class__ is not dict:
                    continue
                kind = block.get("type")
                if kind == "tool_result":
                    key = block.get("tool_use_id")
                    call = self.tools.take(key) if key.__class__ is str else None
                    if call is not None or block.get("is_error") is True:
                        found += self._result(record, entry, block, call)
                elif kind == "text" and isinstance(block.get("text"), str):
                    texts.append(block["text"])
            if not texts:
                return found
        elif content.__class__ is str:
            texts = [content]
        else:
            self.tally.skip("message without content", record)
            return ()
        if entry.get("isSidechain") is True:
            self._note_agent(entry)
            self.aside["side chain"] += 1
            return found
        self.agent = False
        if entry.get("isCompactSummary") is True or is_summary(texts[0]):
            return found + self._compaction(record, entry, texts)
        if entry.get("isMeta") is True or _machine_origin(entry):
            self.aside["injected text"] += 1
            return found
        return found + self._prompt(record, entry, texts)

    def _note_agent(self, entry: Record) -> None:
        if self.agent and not self.tally.session:
            session = entry.get("sessionId")
            self.tally.session = session if isinstance(session, str) else ""

    def _compaction(self, record: int, entry: Record, texts: list[str]) -> list[Event]:
        text = summary_body("\n\n".join(texts))
        if self.spoken or self.holding or text.startswith(_FAILED_SUMMARY):
            self.aside["summary"] += 1
            return []
        self.place(entry)
        return self.say(Role.ASSISTANT, text, record, self.time, Voice.SUMMARY)

    def _prompt(self, record: int, entry: Record, texts: list[str]) -> list[Event]:
        found = self.flush()
        self.place(entry)
        words: list[str] = []
        for text in texts:
            plain = strip_wrappers(text)
            if plain:
                words.append(plain)
            if len(plain) != len(text) and plain != text.strip():
                self.aside["injected text"] += 1
            if interrupted(text):
                found.append(self.act(Action(kind=ActionKind.INTERRUPTED), record, self.time, Role.USER))
                self.last_words = ""
            elif "<bash-" in text:
                found += self._shell(record, text)
        said = "\n\n".join(words)
        return found + self._typed(record, entry, said) if said else found

    def _typed(self, record: int, entry: Record, said: str) -> list[Event]:
        """What the user typed in a record of its own."""
        found: list[Event] = []
        for queued, text, time in self.queue.said(said):
            found += self.say(Role.USER, text, queued, time)
        back = self._rewound_to(entry.get("parentUuid"))
        if back:
            action = Action(kind=ActionKind.REWOUND, back_to=back)
            found.append(self.act(action, record, self.time, Role.USER))
            self.last_words = ""
        found += self._abandon(self._last_prompt.get(self.session, 0))
        self._last_prompt[self.session] = record
        if said == self.last_words:
            self.aside["repeated turn"] += 1
            return found
        self.last_words = said
        return found + self.say(Role.USER, said, record, self.time)

    def _rewound_to(self, parent: object) -> int:
        """The line of the record a prompt goes back to, or 0 where it follows what came before it."""
        if not isinstance(parent, str):
            return 0
        last = self._last_prompt.get(self.session, 0)
        place = self._seen.get(parent) or self._older.get(parent) or (self.before if last > self.before else 0)
        return place if place < last else 0

    def _shell(self, record: int, text: str) -> list[Event]:
        """A command the user ran from the prompt, once its output is known."""
        commands = bash_inputs(text)
        if commands:
            self._command = (record, commands[-1])
        output, errors = bash_output(text)
        if output is None or self._command is None:
            return []
        place, command = self._command
        self._command = None
        call = Call("Bash", {"command": command}, place, self.time, self.cwd, self.folder, False, user=True)
        failed = bool(errors.strip()) and not output.strip()
        return self.acts(call, record, self.tools.acts(call, f"{output}\n{errors}", failed))

    def _result(self, record: int, entry: Record, block: Record, call: Call | None) -> list[Event]:
        failed = block.get("is_error") is True
        found = self.flush()
        self.place(entry)
        output = result_text(block.get("content"))
        extra: Any = entry.get("toolUseResult")
        if failed and not (call and call.side) and (refusal := self.tools.refusal(call, output)) is not None:
            found.append(self.act(refusal, record, self.time, Role.USER))
            reason = strip_wrappers(refusal.detail)
            if reason:
                self.last_words = ""
                found += self.say(Role.USER, reason, record, self.time)
            return found
        if call is None:
            return found
        acts = self.tools.results(call, output, failed, extra if isinstance(extra, dict) else {})
        if not acts and call.side:
            self.aside["side chain"] += 1
        return found + self.acts(call, record, acts)

    # -- what stands beside the talk ---------------------------------------------------------------------------------

    def _queue_operation(self, record: int, entry: Record) -> Found:
        operation = entry.get("operation")
        if operation == "enqueue":
            content = entry.get("content")
            blocks = content if isinstance(content, list) else [{"text": content}]
            texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)]
            said = "\n\n".join(plain for text in texts if (plain := strip_wrappers(text)))
            self.queue.add(record, said, rfc3339(entry.get("timestamp")))
        elif operation == "dequeue":
            self.queue.taken()
        elif operation in ("remove", "popAll"):
            content = entry.get("content")
            self.queue.withdraw(strip_wrappers(content) if isinstance(content, str) else "", operation == "popAll")
        return ()

    def _attachment(self, record: int, entry: Record) -> Found:
        attachment = entry.get("attachment")
        if attachment.__class__ is not dict or entry.get("isSidechain") is True:
            return ()
        kind = attachment.get("type")
        if kind == "queued_command":
            mode = attachment.get("commandMode")
            if mode == "task-notification" or _machine_origin(attachment):
                self.aside["injected text"] += 1
                return ()
            prompt = attachment.get("prompt")
            said = strip_wrappers(prompt if isinstance(prompt, str) else result_text(prompt))
            if not said or said == self.last_words:
                return ()
            found = self.flush()
            self.place(entry)
            for queued, text, time in self.queue.said(said):
                found += self.say(Role.USER, text, queued, time)
            self.last_words = said
            return found + self.say(Role.USER, said, record, self.time)
        if kind in ("task_reminder", "todo_reminder", "todo"):
            action = self.tools.reminded(attachment.get("content", attachment.get("todos")))
            if action is not None:
                self.place(entry)
                return (self.act(action, record, self.time),)
        elif kind == "edited_text_file":
            self.place(entry)
            action = self.tools.edited_by_hand(attachment, self.cwd)
            if action is not None:
                return (self.act(action, record, self.time, Role.USER),)
        return ()

    def _system(self, record: int, entry: Record) -> Found:
        if entry.get("subtype") != "away_summary" or entry.get("isSidechain") is True:
            return ()
        text = entry.get("content")
        if not isinstance(text, str):
            return ()
        found = self.flush()
        self.place(entry)
        return found + self.say(Role.ASSISTANT, text, record, self.time, Voice.NARRATION)

    def _summary(self, record: int, entry: Record) -> Found:
        self.aside["summary"] += 1
        self.titles.summary(entry)
        return ()

    def _title(self, record: int, entry: Record) -> Found:
        self.titles.name(entry)
        return ()

    def _link(self, record: int, entry: Record) -> Found:
        url = entry.get("prUrl")
        if not isinstance(url, str) or not url or url in self._links:
            return ()
        self._links.add(url)
        self.place(entry)
        return (self.act(Action(kind=ActionKind.OPENED, target=url), record, self.time),)


def _machine_origin(entry: Record) -> bool:
    """Whether a record says that a program and not the user sent it."""
    origin = entry.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    return isinstance(kind, str) and any(word in kind for word in _NOT_TYPED)
