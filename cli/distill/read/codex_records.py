"""The records of a Codex rollout: one method a type, and the tables that say which reads what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.actions import relative, shell_actions
from distill.read.codex_talk import Talk
from distill.read.codex_tools import result
from distill.read.codex_words import folder, injected, parts, prompt, spoken, typed_command
from distill.read.log import Record
from distill.read.teller import text

_Events = Iterator[Event]


class Reader(Talk):
    """What reads the records of a rollout, one method a type."""

    def meta(self, number: int, record: Record, payload: Record) -> _Events:
        """The session; the first counts."""
        if self.began:
            return
        self.began = True
        tally = self.tally
        tally.session = text(payload.get("id")) or text(payload.get("session_id"))
        tally.project = self.cwd = text(payload.get("cwd"))
        git, source = payload.get("git"), payload.get("source")
        tally.branch = text(git.get("branch")) if isinstance(git, dict) else ""
        tally.title = text(payload.get("thread_name")) or tally.title
        self.subagent = "subagent" in (source if isinstance(source, (dict, str)) else ()) or (
            payload.get("thread_source") == "subagent"
        )
        yield from ()

    def context(self, number: int, record: Record, payload: Record) -> _Events:
        """The folder in which the coming turn works."""
        self.cwd = text(payload.get("cwd")) or self.cwd
        self.tally.project = self.tally.project or self.cwd
        yield from ()

    def user_message(self, number: int, record: Record, payload: Record) -> _Events:
        """What the user typed."""
        raw = payload.get("message")
        yield from self._typed(number, record, [raw] if isinstance(raw, str) else raw, payload.get("kind"))

    def _typed(self, number: int, record: Record, content: object, kind: object = None) -> _Events:
        self.time = record.get("timestamp")
        words = prompt(content)
        raw = "\n".join(parts(content))
        if kind in ("user_instructions", "environment_context") or (not words and injected(raw)):
            self.tally.set_aside["injected text"] += 1
            return
        self.user_events = True
        self.repeated(Role.USER)
        if words and words in self.said:
            self.tally.set_aside["repeated message"] += 1
            return
        if self.held:
            yield from self.settle()
        yield from self.prompted(number, words, self.time)

    def agent_message(self, number: int, record: Record, payload: Record) -> _Events:
        """What the assistant said."""
        raw = payload.get("message")
        yield from self._answered(number, record, raw, payload.get("phase"))

    def _answered(self, number: int, record: Record, content: object, phase: object) -> _Events:
        self.time = record.get("timestamp")
        self.agent_events = True
        self.repeated(Role.ASSISTANT)
        words = spoken(content)
        if not words:
            return
        if words in self.said:
            self.tally.set_aside["repeated message"] += 1
            return
        if self.held:
            yield from self.settle()
        yield from self.answer(number, words, _voice(phase), self.time)

    def message(self, number: int, record: Record, payload: Record) -> _Events:
        """A message of the model's history: held where no events tell the same."""
        role, content = payload.get("role"), payload.get("content")
        if role == "assistant":
            if self.agent_events:
                self.tally.set_aside["repeated message"] += 1
                return
            if self.held:
                yield from self.settle()
            if words := spoken(content):
                self.held.append((number, Role.ASSISTANT, words, _voice(payload.get("phase")), record.get("timestamp")))
            return
        if role != "user":
            self.tally.set_aside["injected text"] += 1
            return
        texts = parts(content)
        command = typed_command(texts[0]) if texts else None
        if command:
            if self.held:
                yield from self.settle()
            self.time = record.get("timestamp")
            found = result(command[1])
            for action in shell_actions(
                command[0], found.text, failed=found.failed, cwd=self.tally.project, folder=self.cwd
            ):
                yield self.act(number, action, Role.USER)
            return
        words = prompt(texts)
        if not words:
            if any(map(injected, texts)):
                self.tally.set_aside["injected text"] += 1
            if not self.cwd:
                self.cwd = self.tally.project = next((path for one in texts if (path := folder(one))), "")
        elif self.user_events:
            self.tally.set_aside["repeated message"] += 1
        else:
            self.held.append((number, Role.USER, words, Voice.SPEECH, record.get("timestamp")))

    def call(self, number: int, record: Record, payload: Record) -> _Events:
        """A tool call, which waits for its result."""
        if self.held:
            yield from self.settle()
        kind = payload.get("type")
        name, given = payload.get("name"), payload.get("arguments")
        if kind == "custom_tool_call":
            given = payload.get("input")
        elif kind == "local_shell_call":
            action = payload.get("action")
            where = {"workdir": action.get("working_directory")} if isinstance(action, dict) else {}
            name, given = "shell", {**action, **where} if isinstance(action, dict) else None
        key = payload.get("call_id") or payload.get("id")
        self.calls.begin(key, name, given, number, cwd=self.tally.project or self.cwd, folder=self.cwd)

    def output(self, number: int, record: Record, payload: Record) -> _Events:
        """The result of a tool call."""
        self.time = record.get("timestamp")
        for where, action in self.calls.end(payload.get("call_id"), payload.get("output"), number):
            yield self.act(where, action)

    def patch(self, number: int, record: Record, payload: Record) -> _Events:
        """The files that a patch changed, or failed to."""
        if self.held:
            yield from self.settle()
        self.time = record.get("timestamp")
        outcome = payload.get("success")
        done = outcome is True or (outcome is None and payload.get("status") == "completed")
        call_id = payload.get("call_id") or payload.get("id")
        for action in self.calls.patch(call_id, payload.get("changes"), done=done, cwd=self.tally.project):
            yield self.act(number, action)

    def item(self, number: int, record: Record, payload: Record) -> _Events:
        """An item of a turn, in the form newer versions keep instead of events of their own."""
        item = payload.get("item")
        if not isinstance(item, dict):
            return
        kind = item.get("type")
        if isinstance(kind, str):
            self.tally.types[f"item_completed/{kind}"] += 1
        if kind == "UserMessage":
            yield from self._typed(number, record, item.get("content"))
        elif kind == "AgentMessage":
            yield from self._answered(number, record, item.get("content"), item.get("phase"))
        elif kind == "FileChange":
            yield from self.patch(number, record, item)
        elif kind == "Plan":
            if self.held:
                yield from self.settle()
            words = spoken(item.get("text"))
            self.plan = (number, words)
            if words and words in self.latest[1]:
                self.plan = (self.latest[0], words)
            elif words:
                yield from self.answer(number, words, Voice.SPEECH, record.get("timestamp"))

    def task_complete(self, number: int, record: Record, payload: Record) -> _Events:
        """The end of a turn; its last message counts only where the turn has no other."""
        if self.held:
            yield from self.settle()
        self.time = record.get("timestamp")
        words = spoken(payload.get("last_agent_message"))
        if words and not self.answered:
            yield from self.answer(number, words, Voice.SPEECH, self.time)
        for where, action in self.calls.drop():
            yield self.act(where, action)

    def aborted(self, number: int, record: Record, payload: Record) -> _Events:
        """The user stopped the assistant."""
        if self.held:
            yield from self.settle()
        self.time = record.get("timestamp")
        for where, action in self.calls.drop():
            yield self.act(where, action)
        if payload.get("reason") in ("interrupted", "replaced", None):
            yield self.act(number, Action(kind=ActionKind.INTERRUPTED))

    def rolled_back(self, number: int, record: Record, payload: Record) -> _Events:
        """The last turns never happened."""
        if self.held:
            yield from self.settle()
        count = payload.get("num_turns")
        if not isinstance(count, int) or count < 1 or not (self.turns or self.before):
            return
        self.time = record.get("timestamp")
        gone = [self.turns.pop() for _ in range(min(count, len(self.turns)))]
        if self.before and count > len(gone):
            gone.append(self.before + 1)  # further back than this run has read
        self.last_prompt, self.answered = "", True
        self.said.clear()
        self.calls.forget()
        yield self.act(number, Action(kind=ActionKind.REWOUND, back_to=gone[-1] - 1), Role.USER)

    def compacted(self, number: int, record: Record, payload: Record) -> _Events:
        """A summary of what came before: read only where the log no longer holds it."""
        words = spoken(payload.get("message"))
        if words and not (self.any or self.held):
            yield from self.speech(number, Role.ASSISTANT, words, Voice.SUMMARY, record.get("timestamp"))
        else:
            self.tally.set_aside["summary"] += 1

    def picture(self, number: int, record: Record, payload: Record) -> _Events:
        """A picture that was made."""
        path = payload.get("saved_path")
        if isinstance(path, str) and path and payload.get("status") in ("completed", None):
            self.time = record.get("timestamp")
            yield self.act(number, Action(kind=ActionKind.WROTE, target=relative(path, self.tally.project)))

    def mail(self, number: int, record: Record, payload: Record) -> _Events:
        """What agents write to each other."""
        self.tally.set_aside["subagent mail"] += 1
        yield from ()

    def named(self, number: int, record: Record, payload: Record) -> _Events:
        """The name that the user or the program gave the session."""
        self.tally.title = text(payload.get("thread_name")) or self.tally.title
        yield from ()

    def review(self, number: int, record: Record, payload: Record) -> _Events:
        """The outcome of a review."""
        found = payload.get("review_output")
        if not isinstance(found, dict):
            return
        if self.held:
            yield from self.settle()
        findings = found.get("findings")
        texts = [found.get("overall_explanation")]
        for one in findings if isinstance(findings, list) else ():
            if isinstance(one, dict):
                texts += [one.get("title"), one.get("body")]
        words = spoken("\n\n".join(words for words in texts if isinstance(words, str)))
        if words:
            yield from self.answer(number, words, Voice.SPEECH, record.get("timestamp"))


Handler = Callable[[Reader, int, Record, Record], _Events]
_EVENTS: dict[str, Handler] = {
    "user_message": Reader.user_message,
    "agent_message": Reader.agent_message,
    "patch_apply_end": Reader.patch,
    "item_completed": Reader.item,
    "task_complete": Reader.task_complete,
    "turn_complete": Reader.task_complete,
    "turn_aborted": Reader.aborted,
    "thread_rolled_back": Reader.rolled_back,
    "thread_name_updated": Reader.named,
    "exited_review_mode": Reader.review,
    "image_generation_end": Reader.picture,
}
#: What reads the items of the model's history.
HISTORY: dict[str, Handler] = {
    "message": Reader.message,
    "function_call": Reader.call,
    "custom_tool_call": Reader.call,
    "local_shell_call": Reader.call,
    "function_call_output": Reader.output,
    "custom_tool_call_output": Reader.output,
    "agent_message": Reader.mail,
}
_TOP: dict[str, Handler] = {
    "session_meta": Reader.meta,
    "turn_context": Reader.context,
    "compacted": Reader.compacted,
    "inter_agent_communication": Reader.mail,
}


def handler_of(kind: str, what: str) -> tuple[str, Handler | None]:
    """The name under which a record is counted, and what reads it."""
    if kind == "event_msg":
        return f"{kind}/{what[:80]}", _EVENTS.get(what)
    if kind == "response_item":
        return f"{kind}/{what[:80]}", HISTORY.get(what)
    return kind[:80] or "no type", _TOP.get(kind)


def _voice(phase: object) -> Voice:
    return Voice.NARRATION if phase == "commentary" else Voice.SPEECH
