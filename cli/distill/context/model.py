"""The nouns of the layered context, all frozen. A `Desk` is everything that a command sees and may change."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from distill.model import DistillError


class Strength(StrEnum):
    """What a global rule outranks: `hard` the task, `default` nothing."""

    HARD = "hard"
    DEFAULT = "default"


class TaskStatus(StrEnum):
    """Where a task stands. A compressed one was folded to a summary to make room and can be taken up again."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    COMPRESSED = "compressed"
    COMPLETED = "completed"


class Sort(StrEnum):
    """What an entry of a task layer is."""

    CONDITION = "condition"
    RESULT = "result"
    STEP = "step"
    QUESTION = "question"
    TURN = "turn"  # what was said last, to tell later turns by; no prompt holds it


class Standing(StrEnum):
    """Whether a condition holds; `masked` takes one of the parent's away."""

    CONFIRMED = "confirmed"
    PENDING = "pending"
    MASKED = "masked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A global rule; with a `name` it sets the value of a parameter, without one it is a sentence."""

    id: int
    strength: Strength
    name: str
    text: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A named pack of background, swapped with the task."""

    name: str
    text: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a task layer. `name` is the parameter or result it sets, "" for a sentence.

    `origin` says what it came from where that was no command: an item of a log, or a child task.
    """

    id: int
    task: int
    sort: Sort
    name: str
    text: str
    standing: Standing
    at: str
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task; `parent` is 0 for one of its own, `touched` the last time that it was worked on.

    `place` grows with every task that is taken up, so that of several with one time the oldest is known.
    """

    id: int
    title: str
    status: TaskStatus
    parent: int
    domain: str
    began: str
    touched: str
    place: int = 0

    @property
    def open(self) -> bool:
        """Whether it takes a place on the stack."""
        return self.status in (TaskStatus.ACTIVE, TaskStatus.SUSPENDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What is kept of a task that ended or was folded: at most 200 characters, the words it is found by."""

    id: int
    task: int
    title: str
    summary: str
    topics: tuple[str, ...]
    words: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Where the last turns pointed: a task (0 for a new one) and how many in a row."""

    target: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What the layered context goes by. Raises DistillError where one of them is out of its range."""

    window: int = 8000  # tokens of the model's window that the context may fill
    full: float = 0.7  # share of the window from which the task layer is compressed
    depth: int = 5  # open tasks
    stale: int = 2  # days after which resuming asks first
    ask: float = 0.45  # confidence from which a switch is asked about
    switch: float = 0.75  # confidence from which it is made
    turns: int = 2  # turns in a row that must point elsewhere where no words say so

    def __post_init__(self) -> None:
        for one in fields(self):
            least, most = _RANGES[one.name]
            value = getattr(self, one.name)
            whole = isinstance(one.default, int)
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                raise DistillError(f"{one.name}: {value!r} is no {'whole ' if whole else ''}number")
            if not least <= value <= most:
                raise DistillError(f"{one.name}: {value!r} is not between {least:g} and {most:g}")
        if self.ask > self.switch:
            raise DistillError(f"ask: {self.ask!r} is more than switch, {self.switch!r}: nothing would be asked")


_RANGES = {
    "window": (200, 100_000_000), "full": (0.05, 1), "depth": (1, 100), "stale": (0, 36500), "ask": (0, 1),
    "switch": (0, 1), "turns": (1, 100),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """All that is at hand: rules, domains, tasks with their entries, new memories. Ids are never given twice.

    Only open tasks need be loaded, and no memories but those that were just made.
    """

    rules: tuple[Rule, ...] = ()
    domains: tuple[Domain, ...] = ()
    tasks: tuple[Task, ...] = ()
    entries: tuple[Entry, ...] = ()
    memories: tuple[Memory, ...] = ()
    drift: Drift = field(default_factory=Drift)
    numbers: Numbers = field(default_factory=Numbers)
    last_task: int = 0
    last_id: int = 0

    @property
    def active(self) -> Task | None:
        """The task in hand."""
        return next((task for task in self.tasks if task.status is TaskStatus.ACTIVE), None)

    def task(self, number: int) -> Task | None:
        """The task with this number, if it is loaded."""
        return next((task for task in self.tasks if task.id == number), None)

    def domain(self, name: str) -> Domain | None:
        """The domain pack of this name."""
        return next((one for one in self.domains if one.name == name), None)

    def of(self, task: int, *sorts: Sort) -> tuple[Entry, ...]:
        """The entries of a task, of these sorts or of all, in the order in which they were made."""
        return tuple(one for one in self.entries if one.task == task and (not sorts or one.sort in sorts))

    def ancestors(self, task: Task) -> tuple[Task, ...]:
        """The parent, its parent and so on, nearest first, as far as they are loaded."""
        found: list[Task] = []
        while (parent := self.task(task.parent)) is not None and parent not in found:
            found.append(parent)
            task = parent
        return tuple(found)

    def with_task(self, task: Task) -> Desk:
        """The desk with `task` in the place of the one with its id, or as a new one."""
        if self.task(task.id) is None:
            return replace(self, tasks=(*self.tasks, task))
        return replace(self, tasks=tuple(task if one.id == task.id else one for one in self.tasks))


def require_active(desk: Desk) -> Task:
    """The task in hand; DistillError that says what to do where there is none."""
    if (task := desk.active) is not None:
        return task
    raise DistillError("no task is active: begin one with distill context start TASK, or take one up with resume")

