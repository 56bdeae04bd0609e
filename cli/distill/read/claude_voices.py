"""The voice of a Claude Code session: events with their place and time, names of the session, copies of texts."""

from __future__ import annotations

from collections.abc import Sequence

from distill.model import Action, ActionKind, Event, Role, Voice
from distill.read.claude_tools import Call
from distill.read.log import Record, Tally
from distill.read.own import may_hold_own, without_own_output
from distill.read.verdicts import ANSI
from distill.text.times import rfc3339

_USERS = frozenset((ActionKind.ANSWERED, ActionKind.APPROVED, ActionKind.REJECTED))


class Voices:
    """Makes events, and keeps the account of them."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.aside = tally.set_aside
        self.spoken = False  # somebody has said something
        self.last_words = ""  # of the user, while nobody has answered
        self.session = ""
        self.cwd = ""  # the folder the session works in
        self.folder = ""  # the folder below it that it is in at the moment
        self.time: str | None = None
        self._message: object = None  # id of the message that is being streamed
        self._texts: list[tuple[int, str]] = []  # its texts that were not given out yet
        self._given: list[str] = []  # and those that were

    @property
    def holding(self) -> bool:
        """Whether a text waits that may still grow."""
        return bool(self._texts)

    def say(self, role: Role, text: str, record: int, time: str | None, voice: Voice = Voice.SPEECH) -> list[Event]:
        """Something that was said; nothing where no words are left."""
        if "\x1b" in text:
            text = ANSI.sub("", text)
        if "\0" in text:
            text = text.replace("\0", "")
        if may_hold_own(text):
            text, own = without_own_output(text)
            if own:
                self.aside["own output"] += 1
        text = text.strip()
        if not text:
            return []
        self.tally.understood += 1
        self.spoken = True
        return [
            Event(record=record, role=role, text=text, time=time, voice=voice, session=self.session, project=self.cwd)
        ]

    def act(self, action: Action, record: int, time: str | None, role: Role = Role.ASSISTANT) -> Event:
        """Something that was done."""
        self.tally.understood += 1
        return Event(record=record, role=role, time=time, action=action, session=self.session, project=self.cwd)

    def acts(self, call: Call, record: int, acts: Sequence[tuple[Action, bool]]) -> list[Event]:
        """Events of a call's acts; the flag tells that an act's words stand in the result, in `record`."""
        if not acts:
            return []
        role = Role.USER if call.user else Role.ASSISTANT
        time = self.time or rfc3339(call.time)
        return [
            self.act(act, record if in_result else call.record, time, Role.USER if act.kind in _USERS else role)
            for act, in_result in acts
        ]

    def base(self, folder: str) -> str:
        """The folder that paths are shown from while the session is in `folder`: the one it began in, or `folder`."""
        root = self.tally.project
        if folder == root or not root or folder[len(root) : len(root) + 1] not in ("/", "\\"):
            return folder
        return root if folder.startswith(root) else folder

    def place(self, entry: Record) -> None:
        """Note session, folder, branch and time of a record that is going to give events."""
        session, cwd = entry.get("sessionId"), entry.get("cwd")
        if session.__class__ is str and session != self.session:
            self.session = session
            self.tally.session = self.tally.session or session
            branch = entry.get("gitBranch")
            if isinstance(branch, str) and branch not in ("", "HEAD"):
                self.tally.branch = self.tally.branch or branch
        if cwd.__class__ is str and cwd != self.folder:
            self.folder = cwd
            self.tally.project = self.tally.project or cwd
            self.cwd = self.base(cwd)
        self.time = rfc3339(entry.get("timestamp"))

    # -- a message that is being streamed ----------------------------------------------------------------------------

    def stream(self, name: object, record: int, entry: Record, text: str) -> list[Event]:
        """Hold a text of the message `name`; a later copy of it may have grown. Gives out the message before it."""
        found: list[Event] = []
        if name is None or name != self._message:
            found = self.flush()
            self._message, self._given = name, []
        if text in self._given:
            self.aside["streaming copy"] += 1
            return found
        self.place(entry)
        for at, (_, known) in enumerate(self._texts):
            if text.startswith(known):
                self._texts[at] = (record, text)
            elif not known.startswith(text):
                continue
            self.aside["streaming copy"] += 1
            return found
        self._texts.append((record, text))
        return found

    def flush(self) -> list[Event]:
        """Give out the texts of the message that was streamed."""
        found: list[Event] = []
        for record, text in self._texts:
            self._given.append(text)
            found += self.say(Role.ASSISTANT, text, record, self.time)
        self._texts = []
        if found:
            self.last_words = ""
        return found
