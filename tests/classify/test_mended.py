"""A fault that the user tells, the turn mends and nobody repeats is over."""

from __future__ import annotations

import pytest

from distill.model import Kind
from tests.classify.talk import live, wrote

FAULTS = [
    ("the export is not yet sorted", "The export is sorted by date now.", "what about the header?"),
    ("the timer still isn't reset after a pause", "Fixed: a pause resets the timer now.", "ok, then the header"),
    ("暂停后计时还没清零", "修复了，暂停后计时会清零。", "再做表头"),
    ("已知问题：暂停后计时没有清零", "改了 timer.py，暂停后计时清零。", "再做表头"),
]


@pytest.mark.parametrize(("fault", "answer", "after"), FAULTS)
def test_a_mended_fault_is_over(fault: str, answer: str, after: str) -> None:
    talk = (f"u: {fault}", wrote("timer.py"), f"a: {answer}", f"u: {after}", "a: The header is in.")
    assert not any(fault in text for kind in Kind for text in live(kind, *talk))


@pytest.mark.parametrize(("fault", "answer", "after"), [FAULTS[0], FAULTS[2]])
def test_a_fault_that_is_told_again_or_not_mended_is_open(fault: str, answer: str, after: str) -> None:
    talk = (f"u: {fault}", wrote("timer.py"), f"a: {answer}", f"u: {fault}", "a: I see.")
    assert any(fault in text for text in live(Kind.OPEN, *talk))
    passed_over = (f"u: {fault}", "a: I see.", f"u: {after}", "a: The header is in.")
    assert any(fault in text for text in live(Kind.OPEN, *passed_over))
