"""Which of a log's test runs still tell how things stand, and how their commands are shown."""

from __future__ import annotations

from collections.abc import Sequence

from distill.model import Event
from distill.text.lazy import Lazy

SHOWN = 80  # characters of a command that are shown
_RUNNER = Lazy(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|playwright|cypress|go test|cargo (?:test|nextest)|mvnw?|gradlew?|"
    r"rspec|phpunit|dotnet test|ctest|swift test|flutter test|deno test|bun test|(?:npm|yarn|pnpm) (?:run )?test|"
    r"make (?:test|check))\b"
)
_TOTAL = Lazy(
    r"(?i:(\d+) (?:tests? )?(?:passed|passing|failed|failing|total|tests?|examples?|ok\b)|tests? run: (\d+)|"
    r"ran (\d+) test)"
    r"|通过 ?(\d+)|(\d+) ?(?:项|个)?(?:测试)?通过"
)
_STANDS = r"(?:pass(?:es|ed|ing)?|green|red|fail(?:s|ed|ing)?)\b"
_STATUS = Lazy(
    rf"(?i:\btests?\b[^.;]{{0,40}}\b{_STANDS}|\b{_STANDS}[^.;]{{0,16}}\btests?\b)"
    r"|测试[^。；]{0,20}(?:通过|全过|过了|红|失败|挂|绿)|(?:通过|失败)[^。；]{0,8}测试"
)
_AROUND = Lazy(r"^\s*cd \S+ && |\s*[12&]?>&?\s?\S+|\s*\|\s*(?:tail|head|grep|tee|cat)\b.*$")


def tells_tests(text: str) -> bool:
    """Whether a statement tells how tests stand: "38 tests pass", 「测试还红」."""
    return bool(_STATUS.search(text))


def latest(runs: Sequence[Event]) -> list[Event]:
    """Of test runs in the order of the log, those that no later run of the same program covers.

    A later run covers an earlier one when it ran as many tests, so a quick look at one file does not hide the whole
    suite, and the suite hides every part of it that ran before.
    """
    kept: list[Event] = []
    largest: dict[str, int] = {}
    for event in reversed(runs):
        if (action := event.action) is None:
            continue
        runner, total = _runner(action.target), _total(action.detail)
        name = runner if total else action.target
        if total > largest.get(name, -1):
            largest[name] = total
            kept.append(event)
    return kept[::-1]


def shown_command(command: str) -> str:
    """The first line of a command without redirections and filters, at most 80 characters of it."""
    line = _AROUND.sub("", command.strip().split("\n")[0]).strip()
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "…"


def _runner(command: str) -> str:
    found = _RUNNER.search(command)
    return found[0] if found else command.split(" ", 1)[0]


def _total(detail: str) -> int:
    """How many tests a run had, as far as its totals say."""
    return max((int(one) for found in _TOTAL.findall(detail) for one in found if one), default=0)
