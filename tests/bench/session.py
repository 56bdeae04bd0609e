"""What the synthetic logs of all formats share: the clock, ids, files, commands and tasks."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.bench.words import Writer, code

Record = dict[str, Any]
_ABC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_TURNS = 12  # turns of one task
_STEPS, _CHATTY = (3, 12), (0, 2)


class Session:
    """What the formats share: the clock, ids, files and the tasks."""

    def __init__(self, seed: int, chatty: bool) -> None:
        self.random = Random(seed)
        self.chatty = chatty
        self.seconds = 0
        self.files = [code(self.random, size) for size in (700, 1500, 2500, 4000, 6000, 9000, 15000) for _ in range(6)]
        self.long = code(self.random, 1 << 20)
        self.noise = "".join(self.random.choices(_ABC, k=1 << 14))
        self.writer = Writer(self.random, False, 0)
        self.turn = 0
        self.todos: list[tuple[str, str]] = []

    def begin(self) -> None:
        """The next turn; now and then the next task."""
        if self.turn % _TURNS == 0:
            number = self.turn // _TURNS
            self.writer = Writer(self.random, number % 3 == 2, number)
            self.todos = [(self.writer.says(1, 1)[:70], "pending") for _ in range(5)]
        self.turn += 1

    def time(self) -> str:
        """The time of the next record."""
        self.seconds += self.random.randint(1, 9)
        days, rest = divmod(self.seconds, 86_400)
        day, hour, minute = 1 + days % 28, rest // 3600, rest % 3600 // 60
        thousandth = self.random.randint(0, 999)
        return f"2026-{1 + days // 28 % 12:02}-{day:02}T{hour:02}:{minute:02}:{rest % 60:02}.{thousandth:03}Z"

    def id(self, length: int = 24) -> str:
        """An id nobody has had."""
        return "".join(self.random.choices(_ABC[:62], k=length))

    def uuid(self) -> str:
        """An id in the usual form."""
        digits = f"{self.random.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def noisy(self, size: int) -> str:
        """Letters without meaning: signatures, encrypted reasoning."""
        start = self.random.randrange(len(self.noise) - size)
        return self.noise[start : start + size]

    def file(self) -> str:
        """The text of a file: mostly small, rarely very long."""
        luck = self.random.random()
        if luck < 0.002:
            return self.long
        if luck < 0.01:
            start = self.random.randrange(700_000)
            return self.long[start : start + self.random.randint(80_000, 280_000)]
        return self.random.choice(self.files)

    def steps(self) -> int:
        """How many tools this turn uses."""
        return self.random.randint(*(_CHATTY if self.chatty else _STEPS))

    def closing(self) -> str:
        """The message that ends a turn."""
        if self.chatty:
            return self.writer.report(self.random.randint(1, 5))
        return (
            self.writer.report(self.random.choice((1, 2, 3, 5)))
            if self.random.random() < 0.7
            else self.writer.says(1, 3)
        )

    def command(self) -> tuple[str, str]:
        """A shell command and what it printed."""
        what, n = self.random.random(), self.random.randint(2, 300)
        if what < 0.3:
            return "python -m pytest -q", f"{'.' * min(n, 72)} [100%]\n{n} passed in {n / 40:.2f}s"
        if what < 0.4:
            sha = f"{self.random.getrandbits(28):07x}"
            subject = f"Change {self.writer.name()}"
            return (
                f"git commit -am '{subject}'",
                f"[main {sha}] {subject}\n {n % 5 + 1} files changed, {n} insertions(+)",
            )
        if what < 0.45:
            return "git push origin main", "To git@example.org:team/depot.git\n   1a2b3c4..5d6e7f8  main -> main"
        if what < 0.75:
            return f"ls -la src/{self.writer.part}", "\n".join(
                f"-rw-r--r-- 1 dev dev {n * 7} {p}" for p in self.writer.paths
            )
        return f"sed -n '1,{n}p' {self.writer.path()}", self.random.choice(self.files[:18])
