"""A slip of the tongue leaves what was meant, whole, and nothing of what was said first."""

from __future__ import annotations

import pytest

from distill.classify.cues import CueJudge
from distill.classify.slips import corrected
from tests.classify.talk import LATE, book, decisions

CUES = CueJudge(book())
MENDED = [
    ("The rehearsal is moved to Wednesday.", "no wait, Thursday", "The rehearsal is moved to Thursday."),
    ("Decided: the kiosk uses port 8080.", "Sorry, I meant 8443.", "Decided: the kiosk uses port 8443."),
    ("The tickets cost 12 euros.", "oops, 14 euros", "The tickets cost 14 euros."),
    ("Use the blue theme.", "I meant the green theme", "Use the green theme."),
    ("Write the docs in French.", "my mistake, German", "Write the docs in German."),
    ("Put the logo on the left side.", "I meant the right side", "Put the logo on the right side"),
    ("The notes go into conf/app.toml.", "typo, conf/app.yaml", "The notes go into conf/app.yaml."),
    ("Hang it in the small hall.", "no wait, the foyer, not the small hall", "Hang it in the foyer."),
    ("例会改到周三", "说错了，是周四", "例会改到周四"),
    ("默认颜色用红色", "不对，蓝色", "默认颜色用蓝色"),
    ("按钮放在左下角", "我说错了，右下角", "按钮放在右下角"),
    ("导出文件名用 report.csv", "写错了，用 rapport.csv", "导出文件名用 rapport.csv"),
    ("每组最多 4 人", "口误，6 人", "每组最多 6 人"),
    ("开馆推迟到 5 月", "记错了，是六月", "开馆推迟到 六月"),
]


@pytest.mark.parametrize(("before", "said", "meant"), MENDED)
def test_the_right_words_take_their_place(before: str, said: str, meant: str) -> None:
    assert corrected(said, before, CUES) == meant


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("We use Postgres 16.", "no wait, what about the backups?"),
        ("We use Postgres 16.", "I meant to ask about the backups."),
        ("The rehearsal is on Monday, the concert on Friday.", "no wait, Thursday"),
        ("Use the blue theme.", "The green theme looks fine."),
        ("例会改到周三", "不对称的布局也行"),
        ("例会改到周三，彩排改到周五", "说错了，是周四"),
    ],
)
def test_what_mends_nothing_or_could_mend_two_things_is_left(before: str, said: str) -> None:
    assert corrected(said, before, CUES) == ""


@pytest.mark.parametrize(("before", "said", "meant"), [MENDED[0], MENDED[3], MENDED[8], MENDED[9], MENDED[10]])
def test_only_what_was_meant_stands(before: str, said: str, meant: str) -> None:
    stands = decisions(f"u: {before}", "a: OK.", f"u: {said}", "a: OK.", f"u: {LATE}", "a: Here.")
    assert meant in stands
    assert before not in stands


def test_a_slip_may_stand_in_the_same_message() -> None:
    stands = decisions("u: Set the retry limit to 3. No wait, 5.", "a: OK.", f"u: {LATE}", "a: Here.")
    assert stands == "Set the retry limit to 5."


def test_an_old_slip_is_not_mended() -> None:
    turns = ("u: Use the blue theme.", "a: OK.", "u: Use oak.", "a: OK.", "u: Use two lamps.", "a: OK.")
    assert "blue" in decisions(*turns, "u: I meant the green theme", "a: OK.", f"u: {LATE}", "a: Here.")
