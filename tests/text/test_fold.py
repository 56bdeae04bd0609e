import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.text.fold import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Use SQLite", "use sqlite"),
        ("ＡＢＣ　１２", "abc 12"),
        ("決定採用資料庫", "决定采用资料库"),
        ("說明這個開發環境", "说明这个开发环境"),
        ("還沒測試，應該沒問題", "还没测试,应该没问题"),
        ("“quoted” ‘it’ — en–dash", "\"quoted\" 'it' - en-dash"),
        ("a\tb\u00a0c", "a b c"),
        ("line\nbreak", "line\nbreak"),
        ("。、「」stay", "。、「」stay"),
        ("", ""),
    ],
)
def test_folds_case_width_script_and_punctuation(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize("char", ["İ", "ß", "ŉ", "ﬁ", "ǰ", "ΐ", "𐐀", "\ud800"])
def test_a_character_whose_folding_is_longer_keeps_its_place(char: str) -> None:
    assert len(fold(f"a{char}b")) == 3


def test_a_lone_surrogate_becomes_what_can_be_encoded() -> None:
    assert fold("a\ud83dB") == "a\ufffdb"


@given(st.text(max_size=80))
def test_every_text_keeps_its_length_and_folds_once(text: str) -> None:
    folded = fold(text)
    assert len(folded) == len(text)
    assert fold(folded) == folded


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=40))
def test_characters_fold_to_characters(text: str) -> None:
    assert all(unicodedata.name(char).startswith("CJK UNIFIED") for char in fold(text))
