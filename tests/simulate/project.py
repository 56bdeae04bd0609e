"""Writes the sessions of a project, each the log of a coding agent, and keeps account of what is true at the end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from distill.model import Item, Kind
from tests.simulate.words import (
    COMMITTED,
    ERRANDS,
    FILES,
    FINISHED,
    NAMES,
    OPENED,
    REOPENED,
    RULES,
    TALK,
    TOPICS,
    Topic,
)

ROOT = "/home/lin/boats"
_TAKEN_BACK = re.compile(r"instead of \S+|, not \S+|不用 \S+ 了|不要 \S+ 天了|不放\S+了|from port \d+|从\S+(?=换成)")


@dataclass(frozen=True, slots=True)
class Truth:
    """Something that holds at the end: its kind, and what an item must hold to say it."""

    kind: Kind
    name: str
    about: str  # a pattern
    value: str  # a pattern

    def told_by(self, item: Item) -> bool:
        """Whether an item says it, and nothing that was given up."""
        if (item.kind is Kind.OPEN) is not (self.kind is Kind.OPEN):
            return False
        text = _TAKEN_BACK.sub(" ", item.text)
        return bool(re.search(self.about, text) and re.search(self.value, text))


@dataclass
class Project:
    """The project so far. `session(n)` writes the next log."""

    random: Random
    values: dict[Topic, str] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    commits: dict[str, str] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    now: datetime = datetime(2026, 1, 5, 9, tzinfo=UTC)
    number: int = 0

    def truths(self) -> list[Truth]:
        """What holds now."""
        found = [Truth(Kind.DECISION, topic.first[0], topic.about, rf"(?a:(?<![\w.]){re.escape(value)}(?!\w))")
                 for topic, value in self.values.items()]
        found += [Truth(Kind.DECISION, about, about, "") for about in self.rules]
        found += [Truth(Kind.OPEN, errand, re.escape(errand), "") for errand in sorted(self.open)]
        found += [Truth(Kind.ARTIFACT, path, rf"(?:^|/){re.escape(path)}(?![\w.])", "") for path in sorted(self.files)]
        found += [Truth(Kind.ARTIFACT, name, name, "") for name in self.commits]
        return found

    def done(self, item: Item) -> bool:
        """Whether an item says, truly, that something is done: no help to the next task, but no error."""
        return item.kind is not Kind.OPEN and any(errand in item.text for errand in self.closed)

    def session(self) -> str:
        """The log of the next session, as JSON Lines."""
        self.number += 1
        self.rows = []
        self.now += timedelta(days=1, hours=self.random.randrange(5))
        self._say("user", self.random.choice(TALK["user"]))
        for _ in range(self.random.randrange(4, 8)):
            if self.random.random() < 0.5:
                self._say(role := self.random.choice(["user", "assistant"]), self.random.choice(TALK[role]))
            self.random.choices(
                [self._choose, self._restate, self._rule, self._errand, self._finish, self._write, self._move,
                 self._delete],
                [5, 3, 1, 4, 4, 3, 1, 1],
            )[0]()
        self._say("assistant", self.random.choice(TALK["assistant"]))
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)

    # -- what happens -------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        topic = self.random.choice(TOPICS)
        old = self.values.get(topic)
        value = self.random.choice([one for one in topic.values if one != old])
        text = self.random.choice(topic.change if old else topic.first)
        self.values[topic] = value
        self._say("user", text.format(v=value, o=old))

    def _restate(self) -> None:
        if self.values:
            topic = self.random.choice(list(self.values))
            self._say("user", self.random.choice(topic.again).format(v=self.values[topic]))

    def _rule(self) -> None:
        about, ways = self.random.choice(RULES)
        self.rules[about] = ways
        self._say("user", self.random.choice(ways))

    def _errand(self) -> None:
        errand = self.random.choice(ERRANDS)
        if errand in self.closed:
            return
        known = errand in self.open
        self.open.add(errand)
        ways = (REOPENED if known else OPENED)[_language(errand)]
        self._say(self.random.choice(["user", "assistant"]), self.random.choice(ways).format(x=errand))

    def _finish(self) -> None:
        if not self.open:
            return
        errand = self.random.choice(sorted(self.open))
        self.open.remove(errand)
        self.closed.add(errand)
        if self.random.random() < 0.6:
            text = self.random.choice(FINISHED[_language(errand)]).format(x=errand)
            self._say(self.random.choice(["user", "assistant", "assistant"]), text)
            return
        subject = COMMITTED[_language(errand)].format(x=errand)
        name = f"{self.random.randrange(1 << 28):07x}"
        self.commits[name] = subject
        self._run(f'git commit -m "{subject}"', f"[main {name}] {subject}\n 1 file changed, 3 insertions(+)")

    def _write(self) -> None:
        path = self.random.choice(FILES).format(n=self.random.choice(NAMES))
        self.files.add(path)
        given = {"file_path": f"{ROOT}/{path}", "content": "x = 1\n"}
        self._act("Write", given, f"File created successfully at: {path}")

    def _move(self) -> None:
        if self.files:
            old = self.random.choice(sorted(self.files))
            new = re.sub(r"(\w+)(\.\w+)$", rf"\1_{self.number}\2", old)
            self.files.remove(old)
            self.files.add(new)
            self._run(f"git mv {old} {new}", "")

    def _delete(self) -> None:
        if self.files:
            path = self.random.choice(sorted(self.files))
            self.files.remove(path)
            self._run(f"rm {path}", "")

    # -- records ------------------------------------------------------------------------------------------------------

    def _run(self, command: str, output: str) -> None:
        self._act("Bash", {"command": command, "description": "Run it"}, output)

    def _act(self, tool: str, given: dict[str, Any], output: str) -> None:
        name = f"toolu_{self.number:03}{len(self.rows):05}"
        self._record("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": given}])
        self._record("user", [{"type": "tool_result", "tool_use_id": name, "content": output}])

    def _say(self, role: str, text: str) -> None:
        self._record(role, text if role == "user" else [{"type": "text", "text": text}])

    def _record(self, role: str, content: Any) -> None:
        self.now += timedelta(seconds=self.random.randrange(5, 90))
        place = f"{self.number}-{len(self.rows)}"
        self.rows.append({
            "type": role, "uuid": place, "parentUuid": self.rows[-1]["uuid"] if self.rows else None,
            "sessionId": f"session-{self.number}", "cwd": ROOT, "timestamp": self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "message": {"role": role, "content": content},
        })


def logs(seed: int, sessions: int) -> Iterator[tuple[str, list[Truth], Project]]:
    """The logs of a project, one after the other, each with what holds after it."""
    project = Project(random=Random(seed))
    for _ in range(sessions):
        text = project.session()
        yield text, project.truths(), project


def _language(text: str) -> str:
    return "zh" if re.search(r"[一-鿿]", text) else "en"
