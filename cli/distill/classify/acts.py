"""What the tools did, kept as it stands at the end: files, commits, tests, to-do lists, answers.

An act is the surest evidence there is. Later acts undo earlier ones (a deleted file is no artifact, a rewound turn
never happened), so acts are kept in a short journal whose older part is folded away; memory grows with the number of
files and commits, not with the length of the log.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from distill.classify.closed import is_named, mentions
from distill.classify.failures import Failures
from distill.classify.roots import project_root
from distill.classify.testruns import latest, shown_command
from distill.classify.things import EVIDENCE, QUOTE, Last, Thing, changes, last_part, light
from distill.model import Action, ActionKind, Event, Finding, Kind, Role, Source, Task
from distill.text.lazy import Lazy
from distill.text.likeness import grams, numbers

if TYPE_CHECKING:
    from distill.classify.candidate import Candidate
    from distill.classify.earlier import Earlier

TURNS = 3  # turns that changed files, after which a list that stands as it was written tells no more how far things are
JOURNAL = 4000  # acts that a rewind can still take back
EDIT_WORDS = 60_000  # words of edits that are remembered
_SCRATCH = Lazy(r"(?:tmp|temp|scratch)(?:[._-]|$)", re.IGNORECASE)  # files made to be thrown away
_PASSES = Lazy(
    r"\btests?\b.{0,40}\bpass|\bpass(?:ed|es|ing)?\b.{0,20}\btests?\b|\b\d+ pass|测试.{0,12}通过|通过.{0,8}测试",
    re.IGNORECASE,
)
_NUMBERS = Lazy(r"\d+")


class Acts:
    """The journal of acts of one log; `findings` gives what stands at the end."""

    def __init__(self, path: str) -> None:
        """`path` is the name of the log, as its sources show it."""
        self._path = path
        self._journal: list[Event] = []
        self._files: dict[str, Thing] = {}
        self._before: dict[str, list[Thing]] = {}  # files that logs before this one made, by the last part of the path
        self._gone: dict[str, tuple[int, str | None]] = {}
        self._commits: dict[str, Thing] = {}
        self._opened: dict[str, Thing] = {}
        self._closed: dict[str, int] = {}  # names of what was taken away again, and the record
        self._answers: list[Event] = []
        self._tests: dict[str, Event] = {}
        self._push: Event | None = None
        self.failures = Failures()  # what was tried last in vain
        self._plan: Event | None = None
        self._plans = 0  # how often it was written
        self._turns: deque[int] = deque(maxlen=TURNS)  # the record of the first change of the last turns that had one
        self._edit_words: dict[str, int] = {}  # and the record that brought each in
        self._folded = Last()
        self.last_change = 0  # record of the last file that was written or edited
        self.last_test = 0  # record of the last test run
        self._since = 0

    def remember(self, files: Iterable[Earlier], commits: Iterable[Earlier], since: int) -> None:
        """Take up what the records before `since`, which are not read again, had made.

        What nothing touches from there on is known, but no finding.
        """
        self._since = since
        for home, things in ((self._files, files), (self._commits, commits)):
            for one in things:
                home[one.key] = Thing(one.name, one.note, one.made, places=list(one.places))

    def recall(self, names: Iterable[str]) -> None:
        """Take up the names of files that earlier logs made: what is said of one here is told of it."""
        for name in names:
            self._before.setdefault(last_part(name), []).append(Thing(name))

    def untouched(self, path: str) -> bool:
        """Whether the file or commit stands as it was remembered."""
        known = self._files.get(path) or self._commits.get(path)
        return known is not None and not self._is_news(known)

    def _is_news(self, thing: Thing) -> bool:
        return thing.noted or thing.places[-1][0] >= self._since

    def take(self, events: Iterable[Event]) -> None:
        """Note acts in the order of the log, those of one turn."""
        before = self.last_change
        for event in events:
            action = event.action
            if action is None:
                continue
            if action.kind is ActionKind.REWOUND:
                self._rewind(action.back_to)
                continue
            if changes(action):
                self.last_change = max(self.last_change, event.record)
                if len(self._edit_words) < EDIT_WORDS:
                    for word in grams(action.detail[:2000]):
                        self._edit_words.setdefault(word, event.record)
            elif action.kind is ActionKind.TESTED:
                self.last_test = max(self.last_test, event.record)
            self._journal.append(light(event))
        if self.last_change > before:
            self._turns.append(self.last_change)
        if len(self._journal) > JOURNAL:
            old, self._journal = self._journal[: JOURNAL // 2], self._journal[JOURNAL // 2 :]
            for event in old:
                self._fold(event)
            self._folded = Last.of(old, self._folded)

    def _rewind(self, back_to: int) -> None:
        """Nothing after the record `back_to` was done; what is folded away stays."""
        self._journal = [event for event in self._journal if event.record <= back_to]
        self._edit_words = {word: record for word, record in self._edit_words.items() if record <= back_to}
        self._turns = deque((record for record in self._turns if record <= back_to), maxlen=TURNS)
        last = Last.of(self._journal, self._folded)
        self.last_change, self.last_test = last.change, last.test

    @property
    def edit_words(self) -> AbstractSet[str]:
        """The words that edits of this log brought in."""
        return self._edit_words.keys()

    def close(self) -> None:
        """Fold what is left of the journal; call once, at the end of the log."""
        for event in self._journal:
            self._fold(event)
        self._journal = []

    # -- what stands at the end ---------------------------------------------------------------------------------------

    @property
    def failed_push(self) -> Event | None:
        """The last push, where it failed."""
        return self._push if self._push is not None and self._push.action and not self._push.action.done else None

    @property
    def planned(self) -> bool:
        """Whether the log holds a to-do list."""
        return self._plan is not None

    @property
    def pushed(self) -> bool:
        """Whether anything was pushed, or was to be."""
        return self._push is not None

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The to-do list as it stood last."""
        return self._plan.action.tasks if self._plan is not None and self._plan.action else ()

    def left_behind(self, told: Iterable[Candidate]) -> set[str]:
        """The texts of tasks that no longer tell what is to do: of a list written once, which the work left behind.

        `told` are the statements of the log.
        """
        if self._plan is None or self._plans > 1 or any(task.status == "completed" for task in self.tasks):
            return set()
        since = self._plan.record
        if len(self._turns) < TURNS or self._turns[0] <= since:
            return set()
        from distill.classify.leftbehind import left_behind  # few logs have such a list

        return left_behind(self.tasks, since, told, {word for word, at in self._edit_words.items() if at > since})

    @property
    def deleted(self) -> tuple[tuple[str, int, str | None], ...]:
        """Files that are gone at the end: path, record, time."""
        return tuple((path, record, time) for path, (record, time) in self._gone.items())

    @property
    def commits(self) -> tuple[tuple[str, int, str | None], ...]:
        """The commits that stand at the end: subject, record, time."""
        return tuple((one.note, *one.places[-1][:2]) for one in self._commits.values() if one.note and one.places)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that were written or changed and stand at the end."""
        return tuple(self._files)

    def _known(self, path: str) -> Thing | None:
        plain = path.replace("\\", "/").removeprefix("./")
        if (exact := self._files.get(path)) is not None:
            return exact
        ends = [t for name, t in self._files.items() if ("/" + name.replace("\\", "/")).endswith("/" + plain)]
        if not ends and (alike := self._before.get(last_part(plain))):
            ends = [t for t in alike if ("/" + t.name.replace("\\", "/")).endswith("/" + plain)]
        return ends[0] if len(ends) == 1 else None

    def knows(self, path: str) -> bool:
        """Whether `path` is a file of this log or of one before it, or the end of one file's path."""
        return self._known(path) is not None

    def is_gone(self, path: str, record: int) -> bool:
        """Whether `path` was deleted after `record` and does not stand at the end."""
        gone = self._gone.get(path.removeprefix("./"))
        return gone is not None and gone[0] > record

    def was_closed(self, text: str, record: int) -> bool:
        """Whether `text` of `record` names a tag, branch, release, package or image that was taken away later."""
        return any(since > record and mentions(text, name) for name, since in self._closed.items())

    def repeats(self, text: str) -> bool:
        """Whether a short statement only tells again what an act has shown: a commit's id, a test run's totals."""
        if any(len(name) >= 7 and name[:7] in text for name in self._commits):
            return True
        totals = {number for event in self._tests.values() if event.action for number in numbers(event.action.detail)}
        said = numbers(text)
        return bool(said) and said <= totals and bool(_PASSES.search(text))

    def describe(self, path: str, note: str, place: tuple[int, str | None, str]) -> bool:
        """Take `note` as what is said of the file `path` (or the one file of that name); False where it is unknown.

        `place` is where it is said: record, time and words.
        """
        known = self._known(path)
        if known is None:
            return False
        known.note, known.noted = note, True
        if any(known is one for one in self._before.get(last_part(known.name), ())):
            known.places = [place]
        return True

    def findings(self) -> list[Finding]:
        """Artifacts, outcomes, answers and unfinished tasks, in the order of the log."""
        found: list[Finding] = []
        root = project_root(self._files)
        for thing in filter(self._is_news, self._files.values()):
            found_here = "created" if thing.made else "changed"
            name = thing.name.removeprefix(root)
            text = f"{name}: {thing.note}" if thing.note else f"{name} ({found_here})"
            found += self._things(thing, text, "artifact/file", 9, Kind.ARTIFACT)
        for thing in (one for alike in self._before.values() for one in alike if one.noted):
            if thing.name not in self._gone:
                found += self._things(thing, f"{thing.name}: {thing.note}", "artifact/file", 9, Kind.ARTIFACT)
        for thing in filter(self._is_news, self._commits.values()):
            text = f"Commit {thing.name}: {thing.note}" if thing.note else f"Commit {thing.name}"
            text = text.replace("Commit : ", "Commit: ")
            found += self._things(thing, text, "artifact/commit", 8, Kind.ARTIFACT)
        for thing in self._opened.values():
            text = f"{thing.note}: {thing.name}" if thing.note else thing.name
            found += self._things(thing, text, "artifact/opened", 10, Kind.ARTIFACT)
        for event in latest(list(self._tests.values())):
            found += self._test(event)
        for event in self._answers:
            found += self._answer(event)
        if self.failed_push is not None and (action := self.failed_push.action):
            command = action.target if action.target.startswith("git ") else f"git push {action.target}".strip()
            text = f"`{command}` failed" + (f": {action.detail}" if action.detail else "")
            found.append(self._one(self.failed_push, Kind.OPEN, text, "open/failed-push", 12, action.target))
        if self._plan is not None:
            for task in self.tasks:
                if task.status != "completed":
                    points = 11 if task.status == "in_progress" else 10
                    where = replace(self._plan, record=task.record or self._plan.record)
                    found.append(self._one(where, Kind.OPEN, task.text, "open/task", points, task.text))
        return found

    def _things(self, thing: Thing, text: str, rule: str, points: int, kind: Kind) -> list[Finding]:
        return [
            Finding(
                kind=kind,
                text=text,
                rule=rule,
                points=points,
                confidence=0.95,
                role=Role.ASSISTANT,
                time=time,
                source=Source(path=self._path, record=record, quote=quote),
                tags=("created",) if thing.made else (),
            )
            for record, time, quote in thing.places
        ]

    def _test(self, event: Event) -> list[Finding]:
        action = event.action
        if action is None or not _NUMBERS.search(action.detail):
            return []
        text = f"`{shown_command(action.target)}`: {action.detail}"
        return [self._one(event, Kind.FACT, text, "fact/test-run", 7, action.detail)]

    def _answer(self, event: Event) -> list[Finding]:
        action = event.action
        if action is None or not action.detail.strip():
            return []
        question = action.target.strip()
        text = f"{question} → {action.detail.strip()}" if question else action.detail.strip()
        return [self._one(event, Kind.DECISION, text, "decision/answer", 16, action.detail, role=Role.USER)]

    def _one(
        self, event: Event, kind: Kind, text: str, rule: str, points: int, quote: str, role: Role = Role.ASSISTANT
    ) -> Finding:
        line = next((line.strip() for line in quote.split("\n") if line.strip()), "")
        return Finding(
            kind=kind,
            text=" ".join(text.split()),
            rule=rule,
            points=points,
            confidence=0.95,
            role=role,
            time=event.time,
            source=Source(path=self._path, record=event.record, quote=line[:QUOTE]),
        )

    # -- folding ------------------------------------------------------------------------------------------------------

    def _fold(self, event: Event) -> None:
        action = event.action
        if action is None:
            return
        kind, target = action.kind, action.target
        self.failures.note(action, event.record)
        if kind is ActionKind.PLANNED:
            self._plan, self._plans = event, self._plans + 1
        elif kind is ActionKind.ANSWERED:
            self._answers.append(event)
        elif kind is ActionKind.PUSHED:
            self._push = event
        elif kind is ActionKind.TESTED:
            self._tests.pop(target, None)
            self._tests[target] = event
            while len(self._tests) > 8:
                self._tests.pop(next(iter(self._tests)))
        elif not action.done:
            return
        elif kind in (ActionKind.WROTE, ActionKind.EDITED):
            self._file(target, event, made=kind is ActionKind.WROTE)
        elif kind in (ActionKind.DELETED, ActionKind.RESTORED):
            self._drop(target, event, deleted=kind is ActionKind.DELETED)
        elif kind is ActionKind.MOVED:
            self._move(action, event)
        elif kind is ActionKind.COMMITTED:
            name = target or action.detail  # without an id the subject is all there is
            self._commits.setdefault(name, Thing(target, action.detail)).seen(event, name)
        elif kind is ActionKind.UNCOMMITTED:
            self._uncommit(target, action.detail)
        elif kind is ActionKind.CLOSED:
            for name in [name for name in self._opened if is_named(name, target, action.detail)]:
                del self._opened[name]
            if target:
                self._closed[target] = event.record
        elif kind is ActionKind.OPENED and target:
            self._closed.pop(target, None)
            self._opened.setdefault(target, Thing(target, action.detail)).seen(event, target)

    def _uncommit(self, target: str, how: str) -> None:
        """Take back a commit, the last one, or all after one; what was pushed outlives a branch or a reset to it."""
        if how and self._push is not None and self._push.action and self._push.action.done:
            return
        known = next((name for name in self._commits if target and name.startswith(target[:7])), "")
        if how.startswith("after"):
            names = list(self._commits) if known or how == "after" else []
            for name in names[names.index(known) + 1 if known else 0 :]:
                del self._commits[name]
        else:
            self._commits.pop(known or target or next(reversed(self._commits), ""), None)

    def _file(self, path: str, event: Event, *, made: bool) -> None:
        if not path or _SCRATCH.match(path.replace("\\", "/").rpartition("/")[2]):
            return
        self._gone.pop(path, None)
        thing = self._files.setdefault(path, Thing(path))
        thing.made = thing.made or made
        thing.seen(event, path)

    def _drop(self, path: str, event: Event, *, deleted: bool) -> None:
        if path == ".":  # everything that was not committed
            since = max((record for t in self._commits.values() for record, _, _ in t.places), default=0)
            self._files = {name: t for name, t in self._files.items() if t.places[-1][0] <= since}
            return
        inside = path.rstrip("/") + "/"
        for known in [name for name in self._files if name == path or name.startswith(inside)]:
            del self._files[known]
        if deleted:
            self._gone[path] = (event.record, event.time)

    def _move(self, action: Action, event: Event) -> None:
        old, new = action.detail, action.target
        if any(name.startswith(new.rstrip("/") + "/") for name in self._files):  # into a folder
            new = f"{new.rstrip('/')}/{old.rstrip('/').rpartition('/')[2]}"
        inside = old.rstrip("/") + "/"
        below_old = [name for name in self._files if name.startswith(inside)]
        for name in below_old:
            below = self._files.pop(name)
            self._gone[name] = (event.record, event.time)
            below.name = f"{new.rstrip('/')}/{name.removeprefix(inside)}"
            below.places.append((event.record, event.time, new[:QUOTE]))
            self._files[below.name] = below
        thing = self._files.pop(old, None)
        self._gone[old] = (event.record, event.time)
        if below_old:
            return
        self._file(new, event, made=thing.made if thing else False)
        if thing and new in self._files:  # what is moved to a name of scratch files is none any more
            self._files[new].places[:0] = thing.places[-EVIDENCE // 2 :]
