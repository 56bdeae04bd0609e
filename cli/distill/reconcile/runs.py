"""Test runs and words about tests: which of them a later run leaves behind."""

from __future__ import annotations

from distill.model import Item, Kind
from distill.text.testruns import failed, runner, tells_tests, total

TEST_RUN = "fact/test-run"


def covers(run: Item, old: Item) -> bool:
    """Whether a test run, if it is the later, tells how things stand in place of `old`.

    It does of a run of the same command, and of one of the same program that had no more tests; of a statement on how
    tests stand; and of an open item on tests that fail, where none failed.
    """
    if run.rule != TEST_RUN:
        return False
    command, detail = _parts(run)
    if old.rule == TEST_RUN:
        before, was = _parts(old)
        if command == before:
            return True
        tests = total(detail)
        return tests > 0 and runner(command) == runner(before) and tests >= total(was) > 0
    if old.rule.startswith("artifact/") or old.kind is Kind.DECISION or not tells_tests(old.text):
        return False
    return old.kind is Kind.FACT or not failed(detail)


def retold(later: str, earlier: str) -> bool:
    """Whether a statement on how tests stand leaves an earlier one behind: as many or more of them pass."""
    if not (tells_tests(later) and tells_tests(earlier)) or failed(later):
        return False
    return total(later) >= total(earlier) > 0


def _parts(item: Item) -> tuple[str, str]:
    """The command of a run and its totals."""
    command, _, detail = item.text.removeprefix("`").rpartition("`: ")
    return command, detail
