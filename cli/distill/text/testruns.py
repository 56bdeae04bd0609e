"""What the words of a test run, or words about tests, tell: which program ran, how many tests, whether any failed."""

from __future__ import annotations

from distill.text.lazy import Lazy

_RUNNER = Lazy(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|playwright|cypress|go test|cargo (?:test|nextest)|mvnw?|gradlew?|"
    r"rspec|phpunit|dotnet test|ctest|swift test|flutter test|deno test|bun test|(?:npm|yarn|pnpm) (?:run )?test|"
    r"make (?:test|check))\b"
)
_TOTAL = Lazy(
    r"(?i:(\d+) (?:tests? )?(?:passed|passing|failed|failing|total|tests?|examples?|ok\b)|tests? run: (\d+)|"
    r"ran (\d+) test)"
    r"|通过 ?(\d+)|(\d+) ?[项个個]?(?:[测測][试試]|用例)?(?:全部|全都|[全都])?(?:通[过過]|[过過](?!期|滤))"
)
_STANDS = r"(?:pass(?:es|ed|ing)?|green|red|fail(?:s|ed|ing)?)\b"
_STATUS = Lazy(
    rf"(?i:\btests?\b[^.;]{{0,40}}\b{_STANDS}|\b{_STANDS}[^.;]{{0,16}}\btests?\b)"
    r"|[测測][试試][^。；]{0,20}(?:通[过過]|[全都][过過]|[过過]了?$|[过過](?=[了。，；])|红|紅|失败|失敗|挂|掛|绿|綠)"
    r"|(?:通[过過]|失[败敗])[^。；]{0,8}[测測][试試]"
)
_FAILED = Lazy(
    r"(?i:\b[1-9]\d* (?:tests? )?(?:fail|error)|\bfail(?:ed|ures?|ing)?: ?[1-9])|\bFAILED\b"
    r"|[1-9]\d* ?[项个]?失败|失败 ?[1-9]"
)


def tells_tests(text: str) -> bool:
    """Whether a statement tells how tests stand: "38 tests pass", 「测试还红」."""
    return bool(_STATUS.search(text))


def runner(command: str) -> str:
    """The program that runs the tests; of an unknown one the first word of the command."""
    found = _RUNNER.search(command)
    return found[0] if found else command.split(" ", 1)[0]


def total(detail: str) -> int:
    """How many tests a run had, as far as its totals say."""
    return max((int(one) for found in _TOTAL.findall(detail) for one in found if one), default=0)


def failed(detail: str) -> bool:
    """Whether the totals of a run tell of a test that failed."""
    return bool(_FAILED.search(detail))
