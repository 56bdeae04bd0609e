"""Open items are over when later words do them, mend them or give them up, whatever kind those words are."""

from __future__ import annotations

import pytest

from distill.classify.cues import CueJudge
from distill.classify.judge import Judge
from distill.conclusions import concluded
from distill.model import Kind, Status
from distill.segment.turns import turns
from tests.classify.talk import book, events


def _open(*lines: str) -> list[str]:
    """What is open at the end of a talk."""
    judge = Judge("talk", CueJudge(book()), book().signals)
    for turn in turns(events(*lines)):
        judge.take(turn)
    items, _ = concluded(judge, judge.findings(), judge.seen, None, book().signals.share)
    return [item.text for item in items if item.kind is Kind.OPEN and item.status is Status.LIVE]


@pytest.mark.parametrize(
    ("left", "over"),
    [
        ("TODO: add a sitemap", "a: Added the sitemap."),
        ("TODO: replace the favicon", "u: Forget the favicon, we don't need it."),
        ("TODO: write the newsletter", "u: Skip the newsletter."),
        ("TODO: order the badges", "u: We don't need the badges any more."),
        ("TODO: book the hall", "u: The hall is booked."),
        ("Known issue: umlauts are garbled in the PDF.", "a: Fixed: umlauts are no longer garbled in the PDF."),
        ("待办：图片加水印", "u: 水印不做了"),
        ("待办：写周报", "u: 周报不用写了"),
        ("待办：给队列加监控", "u: 队列监控加好了"),
        ("待办：申请域名", "u: 域名申请下来了"),
        ("待办：换门锁", "u: 门锁换好了"),
    ],
)
def test_words_end_an_open_item(left: str, over: str) -> None:
    lines = (f"u: {left}", "u: TODO: paint the gate", "a: Noted.")
    assert left in _open(*lines)
    assert _open(*lines, over, "a: OK.") == ["TODO: paint the gate"]


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ("TODO: test the importer", "u: The importer is fixed."),
        ("TODO: write the footer text", "u: The footer is fixed."),
        ("TODO: replace the favicon", "u: Don't forget the favicon."),
        ("TODO: remove the old banner", "u: Keep the new banner."),
        ("TODO: order the lamps", "u: We don't need the badges any more."),
        ("待办：给门上油", "u: 门锁换好了"),
        ("待办：校对目录", "u: 英文说明取消"),
    ],
)
def test_words_about_something_else_end_nothing(left: str, said: str) -> None:
    assert left in _open(f"u: {left}", "a: Noted.", said, "a: OK.")
